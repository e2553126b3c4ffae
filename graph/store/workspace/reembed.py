"""Change the embedder: new vectors are stored next to the searched ones, and then replace them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.records.workspaces import VectorKind
from filigraph.graph.store import schema
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.neo4j.quantize import quantize
from filigraph.graph.store.workspace.derive import VECTOR_BATCH
from filigraph.graph.store.workspace.extractions import extraction_from_json
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows

KINDS: tuple[VectorKind, ...] = ("chunks", "entities", "facts", "summaries")


class ReembedPart(GraphPart):
    """The change from one embedder to another.

    Nodes with a waiting new vector are not embedded again; nodes that are rewritten meanwhile lose it.
    """

    def begin_reembedding(self, *, fingerprint: str, embedder: str) -> None:
        """Store the next embedder, and the name that loads it. Waiting vectors of a third one are deleted."""
        if self.following()[0] not in (None, fingerprint):
            for kind in KINDS:
                while self._change(f"forget_waiting_{kind}", limit=VECTOR_BATCH)[0]["forgotten"]:
                    pass
        self._change("begin_reembedding", fingerprint=fingerprint, embedder=embedder)

    def following(self) -> tuple[str | None, str]:
        """The fingerprint of the next embedder and the name that loads it; None if there is none."""
        state = self._rows("reembedding")[0]
        return state["fingerprint"], state["embedder"]

    def any_late(self) -> bool:
        """Whether any document uses late chunking."""
        return bool(self._rows("any_late"))

    def unembedded_late(self) -> list[str]:
        """The documents with late chunking that have chunks without a vector of the next embedder."""
        return [row["id"] for row in self._rows("unembedded_late")]

    def unembedded(self, kind: VectorKind, *, after: str, limit: int) -> list[Row]:
        """Some nodes without a vector of the next embedder, by id: id and text; for chunks also title, language and,
        for source code, their kind. Chunks with late chunking are left out.
        """
        rows = self._rows(f"unembedded_{kind}", after=after, limit=limit)
        if kind == "chunks":
            for row in rows:
                row["unit"] = extraction_from_json(row.pop("extraction")).unit
        return rows

    def store_waiting_vectors(self, kind: VectorKind, rows: Sequence[tuple[str, Matrix]]) -> None:
        """Store new vectors until all exist: id, and the vector, followed by those of its sentences."""

        def write(run: Run, batch: list[Row]) -> None:
            write_rows(run, f"await_{kind}", batch, workspace=self._name)

        waiting = [{"id": id_, "vector": vectors[0].tobytes(), "packed": quantize(vectors)} for id_, vectors in rows]
        self.database.write_batches(waiting, write)

    def swap_vectors(self, *, fingerprint: str, dimensions: int, embedder: str) -> None:
        """Replace the vectors with the waiting ones, and the workspace's embedder with the next one.

        Questions are refused until its indexes exist. If interrupted, the next call finishes it.
        """
        self._change("begin_swap")
        schema.drop_vector_indexes(self.database, self.workspace)
        for kind in KINDS:
            while rows := self._rows(f"waiting_{kind}", limit=VECTOR_BATCH):
                vectors = [
                    {"id": row["id"], "vector": np.frombuffer(row["vector"], np.float32).tolist()} for row in rows
                ]
                self._alter_batches(vectors, partial(self._swap, kind), size=VECTOR_BATCH)
        resized = replace(self.workspace, dimensions=dimensions)
        schema.create_indexes(self.database, resized)
        if self._rows("count_summaries")[0]["total"]:
            schema.create_summary_index(self.database, resized)
        self._change("end_swap", fingerprint=fingerprint, dimensions=dimensions, embedder=embedder)

    def _swap(self, kind: VectorKind, run: Run, batch: list[Row]) -> None:
        write_rows(run, f"swap_{kind}", batch, workspace=self._name)

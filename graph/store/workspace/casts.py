"""Casts: who is who in documents, according to an LLM. They are stored on the documents and deleted with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.serialize import casts_json, casts_of
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows


class CastPart(GraphPart):
    def casts(self, document_ids: Sequence[str] | None = None) -> dict[str, Sequence[CastReading]]:
        """Document id -> the result of each call, for the documents with a cast among these, or among all."""
        ids = None if document_ids is None else list(document_ids)
        return {row["id"]: casts_of(row["cast"]) for row in self._rows("casts", ids=ids)}

    def write_casts(self, casts: Mapping[str, Sequence[CastReading]], *, open_calls: Mapping[str, int]) -> None:
        """Replace the casts of documents, and the numbers of calls without an answer; an empty cast deletes. Raises
        InputError for a document that is not stored.
        """
        rows: list[Row] = [
            {"id": id_, "cast": casts_json(readings) if readings else None, "open": open_calls.get(id_) or None}
            for id_, readings in casts.items()
        ]
        self._alter_batches(rows, lambda run, batch: write_rows(run, "write_casts", batch, workspace=self._name))

    def open_casts(self) -> set[str]:
        """The documents with calls for their casts that got no answer."""
        return {row["id"] for row in self._rows("open_casts")}

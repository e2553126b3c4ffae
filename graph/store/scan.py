"""Scan: names that are known already, wherever they stand; and the small reads that ingest and ask share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from filigraph.graph.model import Chunk, Mention
from filigraph.graph.store.bound import written
from filigraph.graph.store.database import Row, Run
from filigraph.graph.store.derive import DerivePart
from filigraph.graph.store.read import extraction_from_json


class ScanPart(DerivePart):
    """What the scan for known names found."""

    def replace_scan(self, chunk_ids: Sequence[str], mentions: Sequence[Mention]) -> None:
        """What the scan finds in `chunk_ids` is exactly `mentions`; what was read there stays."""

        def forget(run: Run, batch: list[Row]) -> None:
            run("forget_scan", workspace=self._name, rows=batch)

        self._database.write_batches([{"id": id_} for id_ in sorted(set(chunk_ids))], forget)
        self.write_mentions(mentions)

    def document_aliases(self) -> dict[str, list[tuple[str, str]]]:
        """Document id -> the pairs of names that the document itself says are one."""
        stated: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in self._rows("document_aliases"):
            aliases = extraction_from_json(row["extraction"]).aliases
            stated[row["document_id"]] += [(alias.first, alias.second) for alias in aliases]
        return dict(stated)

    def count_chunks(self) -> int:
        """How many chunks the workspace has."""
        return int(self._rows("count_chunks")[0]["count"])

    def languages(self) -> list[str]:
        """The languages of the workspace's documents, sorted; those that could not be told are left out."""
        return [row["language"] for row in self._rows("languages")]

    def needs_deriving(self) -> bool:
        """Whether anything was read, decided or deleted whose consequences are not all written."""
        return bool(self._rows("needs_deriving")[0]["needed"])

    def move_chunks(self, chunks: Sequence[Chunk]) -> None:
        """Note where chunks stand now whose text, and so whose extraction and vector, are as they were."""
        rows = [
            {
                "id": chunk.id,
                "place": {"index": chunk.index, "start": chunk.start, "end": chunk.end, "place": chunk.place},
            }
            for chunk in chunks
        ]
        self._database.write_batches(rows, lambda run, batch: written(run, "move_chunks", batch, workspace=self._name))

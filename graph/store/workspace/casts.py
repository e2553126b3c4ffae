"""Casts: what an LLM said of who is who in documents. They are on the documents, and go with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.serialize import casts_json, casts_of
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows


class CastPart(GraphPart):
    """Who is who in documents, as it was said."""

    def casts(self, document_ids: Sequence[str] | None = None) -> dict[str, Sequence[CastReading]]:
        """Document id -> what each call said, for those of these documents, or of all, that have a cast."""
        ids = None if document_ids is None else list(document_ids)
        return {row["id"]: casts_of(row["cast"]) for row in self._rows("casts", ids=ids)}

    def write_casts(self, casts: Mapping[str, Sequence[CastReading]], *, open_calls: Mapping[str, int]) -> None:
        """What documents have as their casts from now on, and how many calls got no answer; none: they have no cast.

        Raises InputError for a document that is not stored.
        """
        rows: list[Row] = [
            {"id": id_, "cast": casts_json(readings) if readings else None, "open": open_calls.get(id_) or None}
            for id_, readings in casts.items()
        ]
        self._alter_batches(rows, lambda run, batch: write_rows(run, "write_casts", batch, workspace=self._name))

    def open_casts(self) -> set[str]:
        """The documents of whose casts calls got no answer."""
        return {row["id"] for row in self._rows("open_casts")}

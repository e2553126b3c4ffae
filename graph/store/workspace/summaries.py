"""Summaries of texts, level by level."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from filigraph.graph.ids import CONTENT, content_part
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.summaries import Quote, Summary
from filigraph.graph.records.documents import ChunkPlace
from filigraph.graph.records.summaries import (
    DocumentSummary,
    MissingSummaries,
    OutlineEntry,
    SummaryEntity,
    SummaryHit,
    WindowChunk,
)
from filigraph.graph.store import schema
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.neo4j.quantize import dequantize
from filigraph.graph.store.workspace.graph_part import GraphPart, document_date, write_rows

MAX_ENTITIES_PER_SUMMARY = 12  # entities of one summary
MAX_TOP_SUMMARIES = 500  # summaries that no other one covers: for documents that were not summarized together


class SummaryPart(GraphPart):
    """The summaries of a workspace."""

    def chunk_places(self, document_id: str) -> list[ChunkPlace]:
        """The chunks of a document without their texts, in order."""
        rows = self._rows("chunk_places", document_id=document_id)
        return [ChunkPlace.of_words(**row) for row in rows]

    def window_chunks(self, chunk_ids: Sequence[str]) -> list[WindowChunk]:
        """These chunks, in this order, with the data that rank their sentences."""
        rows = {row["id"]: row for row in self._read_batches("window_chunks", chunk_ids)}
        return [self._window_chunk(rows[id_]) for id_ in chunk_ids if id_ in rows]

    def _window_chunk(self, row: Row) -> WindowChunk:
        return WindowChunk(
            id=row["id"],
            start=row["start"],
            text=row["text"],
            language=row["language"],
            sentences=dequantize([row["packed"]], self.workspace.dimensions)[1:],
            entities=tuple((id_, start) for id_, start in row["entities"]),
            facts=tuple((start, end, origin) for start, end, origin in row["facts"]),
        )

    def count_summaries(self) -> int:
        """The number of summaries, shown or not."""
        return int(self._rows("count_summaries")[0]["total"])

    def prepare_summaries(self) -> None:
        """Create the index for the first summary of a workspace."""
        schema.create_summary_index(self.database, self.workspace)

    def stored_summaries(self, summary_ids: Sequence[str]) -> dict[str, Summary]:
        """The stored summaries, shown or not, by id."""
        summaries = (_summary(row["summary"]) for row in self._read_batches("stored_summaries", summary_ids))
        return {summary.id: summary for summary in summaries}

    def folders_of_shown_summaries(self, summary_ids: Sequence[str]) -> dict[str, str]:
        """The shown summaries, each with the folder that it belongs to."""
        return {row["id"]: row["folder"] for row in self._read_batches("folders_of_shown_summaries", summary_ids)}

    def summary_texts(self, keys: Sequence[str]) -> dict[str, Summary]:
        """The summary of the same text, by key; keys without one are left out."""
        summaries = (_summary(row["summary"]) for row in self._read_batches("summaries_of_texts", sorted(set(keys))))
        return {summary.key: summary for summary in summaries}

    def write_summaries(self, rows: Sequence[tuple[Summary, Vector]]) -> None:
        """Write summaries of stored texts; `show_summaries` makes them visible."""

        def write(run: Run, batch: list[Row]) -> None:
            write_rows(run, "write_summaries", batch, workspace=self._name, label=self.workspace.summary_label)
            for level, statement in ((True, "cover_chunks"), (False, "cover_summaries")):
                covering = [
                    {"id": row["id"], "covers": row["properties"]["covers"]}
                    for row in batch
                    if (row["properties"]["level"] == 1) is level
                ]
                if covering:
                    run(statement, workspace=self._name, rows=covering)

        self.database.write_batches([self._summary_row(summary, vector) for summary, vector in rows], write)

    def _summary_row(self, summary: Summary, vector: Vector) -> Row:
        properties = asdict(summary)
        properties["quotes"], properties["timeline"] = quotes_json(summary.quotes), quotes_json(summary.timeline)
        properties |= {name: list(properties[name]) for name in ("tags", "omissions", "covers")}
        return {
            "id": summary.id,
            "vector": self._checked_vector(vector, f"summary {summary.id}"),
            "properties": properties,
        }

    def show_summaries(self, rows: Sequence[Mapping[str, Any]], *, document_id: str, folder: str) -> None:
        """Show these summaries for a document or folder, in place of the former ones. A row: id, and the changed
        properties.
        """

        def work(run: Run) -> None:
            run("show_summaries", workspace=self._name, rows=[dict(row) for row in rows])
            shown_ids = [row["id"] for row in rows]
            run("remove_other_summaries", workspace=self._name, ids=shown_ids, document_id=document_id, folder=folder)

        self.database.write(work)  # this does not change chunks, which are cached by revision

    def forget_summaries(self, plans: Sequence[tuple[str, str]]) -> None:
        """Delete the summaries of all documents and folders except these: (document id, ""), ("", folder)."""
        self._change("remove_unplanned_summaries", plans=[list(p) for p in plans])

    def document_summaries(self) -> list[DocumentSummary]:
        """The documents with one summary at the top, with that summary."""
        return [DocumentSummary(**row) for row in self._rows("document_summaries")]

    def missing_summaries(self, document_id: str = "") -> MissingSummaries:
        """The parts without summaries, of a workspace or of one document."""
        whole = {top.document_id for top in self.document_summaries()}
        if document_id:
            return MissingSummaries(documents=int(document_id not in whole))
        tops = [row for row in self._rows("uncovered_summaries") if row["document_id"] in {"", *whole}]
        documents = int(self._rows("count_read_documents")[0]["total"])
        return MissingSummaries(documents=documents - len(whole), above=len(tops) > 1)

    def top_summaries(self, vector: Vector, documents: Sequence[str] | None = None) -> list[SummaryHit]:
        """The summaries that no other one covers, of a workspace or of some documents, the nearest to `vector`
        first.
        """
        parameters = {
            "vector": self._question(vector),
            "documents": documents and list(documents),
            "limit": MAX_TOP_SUMMARIES,
        }
        return [self._hit(row) for row in self._rows("top_summaries", **parameters)]

    def summaries_below(self, summary_id: str, vector: Vector) -> list[SummaryHit]:
        """The summaries that one covers."""
        return [self._hit(row) for row in self._rows("summaries_below", id=summary_id, vector=self._question(vector))]

    def search_summaries(
        self, vector: Vector, entity_ids: Sequence[str], k: int, documents: Sequence[str] | None = None
    ) -> list[SummaryHit]:
        """The summaries nearest to `vector`, of any level, each with the number of the entities that it names."""
        if not self._rows("has_summaries")[0]["any"]:  # perhaps there is no index
            return []
        parameters = {"vector": self._question(vector), "entities": list(entity_ids), "k": k}
        if documents is None:
            index = f"{self.workspace.summary_label}_vector"
            rows = self.database.rows("search_summaries", index=index, **parameters)
        else:
            rows = self._rows("search_summaries_within", documents=list(documents), **parameters)
        return [self._hit(row) for row in rows]

    def windows_under(self, summary_ids: Sequence[str], vector: Vector, k: int) -> list[SummaryHit]:
        """The summaries of windows under some summaries, nearest to `vector` first."""
        parameters = {"ids": list(summary_ids), "vector": self._question(vector), "k": k}
        return [self._hit(row) for row in self._rows("windows_under", **parameters)]

    def windows_over(self, chunk_ids: Sequence[str], vector: Vector) -> list[SummaryHit]:
        """The summaries of the windows that contain these chunks."""
        parameters = {"ids": list(dict.fromkeys(chunk_ids)), "vector": self._question(vector)}
        return [self._hit(row) for row in self._rows("windows_over", **parameters)]

    def summaries_over(self, chunk_ids: Sequence[str], vector: Vector) -> list[SummaryHit]:
        """The summaries directly above the windows that contain these chunks; `covers` are those of the chunks under
        each.
        """
        parameters = {"ids": list(dict.fromkeys(chunk_ids)), "vector": self._question(vector)}
        return [self._hit(row) for row in self._rows("summaries_over", **parameters)]

    def _hit(self, row: Row) -> SummaryHit:
        summary, document = dict(row["summary"]), row["document"]
        folder = summary.pop("folder")
        timeline = json.loads(summary.pop("timeline", None) or "[]")
        return SummaryHit(
            **summary | {"covers": tuple(summary.get("covers", ()))},
            dates=tuple(date for *_, date in timeline),
            named=row.get("named", 0),
            document=document["title"] if document else folder or self._name,
            source=document["source"] if document else folder,
            date=document_date(document["metadata"]) if document else "",
            cosine=row["cosine"],
        )

    def outline(self, document_id: str = "", *, lowest: int = 1) -> list[OutlineEntry]:
        """The summaries of a document (of folders for ""), the highest level first, down to `lowest`."""
        rows = self._rows("outline", document_id=document_id, lowest=lowest, entities=MAX_ENTITIES_PER_SUMMARY)
        return [
            OutlineEntry(
                summary=_summary(row["summary"]),
                entities=tuple(
                    SummaryEntity(id=e["id"], name=e["name"], aliases=tuple(e["aliases"]), chunks=e["chunks"])
                    for e in row["entities"]
                ),
            )
            for row in rows
        ]


def quotes_json(quotes: Sequence[Quote]) -> str:
    """Quotes in the form for storage and export: ids without the workspace's part (see `ids.py`)."""
    rows = [[content_part(q.chunk_id), q.start, q.end, q.text, q.date] for q in quotes]
    return json.dumps(rows, ensure_ascii=False)


def quotes_of(text: str, tag: str) -> tuple[Quote, ...]:
    """The inverse of `quotes_json`, for the workspace with that tag."""
    return tuple(
        Quote(chunk_id=id_ + tag, start=start, end=end, text=quote, date=date)
        for id_, start, end, quote, date in json.loads(text)
    )


def _summary(row: Row) -> Summary:
    tag = row["id"][CONTENT:]
    row = {**row, "quotes": quotes_of(row["quotes"], tag), "timeline": quotes_of(row["timeline"], tag)}
    return Summary(**{**row, **{name: tuple(row[name]) for name in ("tags", "omissions", "covers")}})

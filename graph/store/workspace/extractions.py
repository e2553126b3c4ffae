"""Extractions: the current and cached extractions of chunks, and the chunks without facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from filigraph.graph.ids import content_id
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Alias, CodeUnit, Extraction, Triplet
from filigraph.graph.records.documents import Gap, StoredKey
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.workspace.forms import remove_values_of
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows
from filigraph.graph.text.places import marks_of

MAX_EXCERPT_CHARS = 200  # characters of a chunk without facts
NOT_STORED = "not all of it is stored, its ingest has not come to its end; ingest it again"


class ExtractionPart(GraphPart):
    """The extractions of chunks.

    The current extraction is on the chunk itself. Expensive ones (an LLM's) are also stored under their key, as long as
    a chunk exists for which they were made: a copy of its document, or a change of extractor and back, costs no call.
    """

    def stored_chunks(self, document_ids: Sequence[str]) -> dict[str, StoredKey]:
        """The stored chunks of these documents that have a vector, by id."""
        rows = self._read_batches("stored_chunks", document_ids)
        return {row["id"]: StoredKey(key=row["key"], title=row["title"], late=row["late"]) for row in rows}

    def document_chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of a document, in order, without the context before each."""
        chunks = (row["chunk"] for row in self._rows("document_chunks", document_id=document_id))
        return [
            Chunk(**chunk | {"places": marks_of(chunk["places"]), "dates": tuple(chunk["dates"])}) for chunk in chunks
        ]

    def kept_extractions(self, keys: Iterable[str]) -> dict[str, Extraction]:
        """The cached extractions, by key; keys without any are left out."""
        rows = self._read_batches("kept_extractions", [self._kept_id(key) for key in sorted(set(keys))])
        extractions = (extraction_from_json(row["body"]) for row in rows)
        return {extraction.key: extraction for extraction in extractions}

    def keep_reading(self, chunk: Chunk, extraction: Extraction) -> None:
        """Store the extraction of a chunk that is not stored yet: a kill costs only the calls in flight. It belongs to
        the chunk's document, until this is complete or deleted.
        """
        properties = {"kept_id": self._kept_id(extraction.key), "body": extraction_to_json(extraction)}
        self._change("keep_reading", document_id=chunk.document_id, **properties)

    def gaps(self, *, first: int, count: int) -> tuple[list[Gap], int]:
        """The chunks without facts and the incomplete documents, `count` from number `first` on, in the order of the
        documents; and their total number.
        """
        rows = self._rows("gaps", skip=first, limit=count, excerpt=MAX_EXCERPT_CHARS)
        return [_gap(row) for row in rows], int(self._rows("count_gaps")[0]["count"])

    def save_settings(self, settings: Mapping[str, Any]) -> None:
        """Store the workspace's settings; they apply from the next `Store.graph` on."""
        self._change("write_settings", settings=workspace_settings_json(settings))

    def _keep_extractions(self, run: Run, rows: Sequence[Row]) -> None:
        """`rows` in the form of `write_chunks`; unread chunks are skipped."""
        stored = [
            {
                "id": row["id"],
                "kept_id": self._kept_id(row["properties"]["extraction_key"]),
                "body": row["properties"]["extraction"],
            }
            for row in rows
            if row["properties"]["extraction_key"]
        ]
        if stored:
            write_rows(run, "keep_extractions", stored, workspace=self._name)

    def _remove_chunks_and_kept(self, run: Run, ids: Sequence[str]) -> None:
        extraction_ids = [row["id"] for row in run("extractions_of_chunks", workspace=self._name, ids=list(ids))]
        run("remove_summaries_of_chunks", workspace=self._name, ids=list(ids))
        remove_values_of(run, self._name, ids)
        run("remove_readings_of_chunks", workspace=self._name, ids=list(ids))
        run("remove_chunks", workspace=self._name, ids=list(ids))
        if extraction_ids:
            run("forget_extractions", workspace=self._name, ids=extraction_ids)

    def _kept_id(self, key: str) -> str:
        return content_id("kept", self._name, key)


def _gap(row: Row) -> Gap:
    body = row.pop("extraction")
    if body is None:
        return Gap(**row, extractor="", unread=False, reason=NOT_STORED)
    extraction = extraction_from_json(body)
    reasons = [extraction.note or "nothing was found", *(f"{what} ({n})" for what, n in extraction.counts.items())]
    return Gap(**row, extractor=extraction.extractor, unread=not extraction.key, reason="; ".join(reasons))


def workspace_settings_json(settings: Mapping[str, Any]) -> str:
    """The JSON in which a workspace's settings are stored."""
    return json.dumps(settings, ensure_ascii=False, sort_keys=True)


def extraction_to_json(extraction: Extraction) -> str:
    """The JSON in which an extraction is stored; equal extractions give equal texts."""
    return json.dumps(asdict(extraction), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def extraction_from_json(text: str) -> Extraction:
    value: dict[str, Any] = json.loads(text)
    value["triplets"] = tuple(map(_triplet, value["triplets"]))
    value["aliases"] = tuple(Alias(**alias) for alias in value["aliases"])
    value["names"] = tuple(value["names"])
    value["unit"] = CodeUnit(**value["unit"]) if value.get("unit") else None
    return Extraction(**value)


def _triplet(value: dict[str, Any]) -> Triplet:
    return Triplet(**value | {"premises": tuple((start, end) for start, end in value.get("premises", ()))})

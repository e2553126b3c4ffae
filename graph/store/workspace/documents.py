"""Documents, their chunks, and their extractions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from filigraph.graph.errors import NotFound
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.records.documents import ChunkRow, DocumentName, DocumentRow
from filigraph.graph.serialize import places_json, places_of, recipe_of, recipe_text
from filigraph.graph.store.neo4j.database import BATCH_ROWS, Row, Run
from filigraph.graph.store.neo4j.quantize import quantize
from filigraph.graph.store.workspace.decide import forget_documents
from filigraph.graph.store.workspace.extractions import ExtractionPart, extraction_to_json
from filigraph.graph.store.workspace.graph_part import name_lookup, write_rows
from filigraph.graph.text.names.namesakes import namesake_keys
from filigraph.graph.text.names.parse import bare_title, name_key
from filigraph.graph.text.places import marks_text
from filigraph.graph.text.time.dates import days_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BATCH_CHUNKS = 250  # a chunk is some kB with its vector
REMOVE_BATCH_CHUNKS = 500  # chunks of documents that are deleted in one transaction; all of a larger document


def chunk_properties(chunk: Chunk, terms: str, extraction: Extraction) -> Row:
    """The stored properties of a chunk that an export contains unchanged, without ids."""
    return {
        "index": chunk.index,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
        "title": chunk.title,
        "place": chunk.place,
        "places": marks_text(chunk.places),
        "dates": _dates(chunk, extraction),
        "language": chunk.language,
        "terms": terms,
        "extraction": extraction_to_json(extraction),
    }


def _dates(chunk: Chunk, extraction: Extraction) -> list[str]:
    """The dates of a chunk, and those of its facts."""
    fact_dates = (triplet.when_date for triplet in extraction.triplets if days_of(triplet.when_date))
    return sorted({*chunk.dates, *fact_dates})


class DocumentPart(ExtractionPart):
    def document_names(self) -> list[DocumentName]:
        """Every document in short, by source."""
        return [
            DocumentName(id=row["id"], source=row["source"], metadata=json.loads(row["metadata"]))
            for row in self._rows("document_names")
        ]

    def document_rows(self, ids: Sequence[str] | None = None, *, facts: bool | None = None) -> list[DocumentRow]:
        """The documents by source, or those of `ids` that exist. `facts`: whether to count the facts of each; None:
        only if all documents are requested.
        """
        wanted = None if ids is None else list(dict.fromkeys(ids))
        rows = self._rows("documents") if wanted is None else self._rows("documents_by_id", ids=wanted)
        counted: dict[str, int] | None = None
        if facts or (facts is None and ids is None):
            counted = {row["id"]: row["facts"] for row in self._rows("facts_of_documents", ids=wanted)}
        return [_document_row(row["document"], row["chunks"], counted) for row in rows]

    def write_documents(self, rows: Sequence[DocumentRow]) -> None:
        """Write documents; each is partial until it is completely read and derived."""
        written_rows = [
            {
                "id": row.id,
                "source": row.source,
                "title": row.title,
                "title_lookup": name_lookup(self._name, name_key(row.title)),
                "bare_lookup": name_lookup(self._name, name_key(bare_title(row.title))),
                "sha256": row.sha256,
                "language": row.language,
                **_metadata_columns(row),
                "media_type": row.media_type,
                "warnings": list(row.warnings),
                "places": places_json(row.places),
                "extractor": recipe_text(row.recipe),
            }
            for row in rows
        ]

        def write(run: Run, batch: list[Row]) -> None:
            self._forget_titles(run, batch)
            write_rows(run, "write_documents", batch, workspace=self._name)

        self._alter_batches(written_rows, write)

    def arrivals(self, after: datetime = EPOCH) -> dict[str, datetime]:
        """The times of the documents that came or changed after a moment, the latest first. Documents that an earlier
        version ingested have no time.
        """
        return {row["id"]: row["came"].to_native() for row in self._rows("arrivals", after=after)}

    def copy_arrivals_to(self, other: DocumentPart) -> None:
        """Store the documents' times in a copy of the workspace."""
        rows: list[Row] = [{"id": id_, "came": came} for id_, came in self.arrivals().items()]
        other._alter_batches(rows, lambda run, batch: write_rows(run, "note_arrivals", batch, workspace=other._name))

    def describe_document(self, row: DocumentRow) -> None:
        """Write only the metadata of a stored document."""
        self._alter(lambda run: run("describe_document", workspace=self._name, id=row.id, **_metadata_columns(row)))

    def write_chunks(self, rows: Sequence[ChunkRow], *, keep: bool = False) -> None:
        """Write chunks of stored documents and mark them as stale: their facts must be derived.

        A chunk that is stored with the same extraction and a vector only gets its new place, title and vector. A chunk
        with a new extraction loses its mentions and facts. `keep`: also store the extraction under its key. Raises
        InputError with the name of a vector that cannot be indexed, before anything is written.
        """

        def write(run: Run, batch: list[Row]) -> None:
            self._write_chunks(run, batch)
            if keep:
                self._keep_extractions(run, batch)

        chunk_rows = [self._chunk_row(row) for row in {row.chunk.id: row for row in rows}.values()]
        self._alter_batches(chunk_rows, write, size=BATCH_CHUNKS)

    def finish_reading(
        self, chunks_of: Mapping[str, Sequence[str]], *, unread: Mapping[str, int] | None = None
    ) -> list[str]:
        """Mark these documents as complete, with these chunks, in order; returns the chunks that were deleted.

        `unread` counts the chunks of each that an extractor could not read: if there are any, a document remains
        partial. Chunks that share a mention or a fact with deleted ones become stale. `mentions()` omits mentions
        without a place, and the next sweep deletes them: until then a person's decision on them survives an update of
        the document. Raises InputError for a document that is not stored.
        """
        removed: list[str] = []

        def work(run: Run, batch: list[Row]) -> None:
            write_rows(run, "documents_read", batch, workspace=self._name)
            removed.extend(self._remove_chunks(run, batch))
            run("unchain_chunks", workspace=self._name, rows=batch)
            pairs = [list(pair) for row in batch for pair in pairwise(row["keep"])]
            run("chain_chunks", workspace=self._name, pairs=pairs)
            run("forget_readings", workspace=self._name, rows=[{"id": row["id"]} for row in batch])

        rows: list[Row] = [
            {"id": document, "keep": list(chunks), "unread": (unread or {}).get(document, 0)}
            for document, chunks in chunks_of.items()
        ]
        self._alter_batches(rows, work, size=500)
        return sorted(set(removed))

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        """Delete documents with their chunks, as `finish_reading` does, and people's decisions on names that occur only
        in them.

        Deriving and sweeping the stale chunks deletes what followed from them; after an interruption, call it again.
        Raises NotFound, before anything changes, if a document does not exist.
        """
        rows = self.document_rows(document_ids)
        missing = set(document_ids) - {row.id for row in rows}
        if missing:
            raise NotFound(f"There is no document {min(missing)}.")

        def work(run: Run, batch: list[Row]) -> None:
            run("undecided", workspace=self._name)
            forget_documents(run, self._name, {row["id"] for row in batch})
            self._forget_titles(run, batch)
            self._remove_chunks(run, batch)
            run("forget_readings", workspace=self._name, rows=batch)
            run("remove_documents", workspace=self._name, ids=[row["id"] for row in batch])

        for batch in _of_so_many_chunks(rows):
            self._alter_batches([{"id": row.id, "title": "", "keep": []} for row in batch], work)

    def _chunk_row(self, row: ChunkRow) -> Row:
        chunk, extraction = row.chunk, row.extraction
        return {
            "id": chunk.id,
            "vector": self._checked_vector(row.vector, f"chunk {chunk.id}"),
            "properties": {
                "packed": quantize(np.vstack([row.vector, row.sentences])),
                "document_id": chunk.document_id,
                **chunk_properties(chunk, row.terms, extraction),
                "extraction_key": extraction.key,
                "triplets": len(extraction.triplets),
                "aliases": len(extraction.aliases),
                "strangers": namesake_keys(chunk.text, chunk.language),
                "late": row.late or None,
            },
        }

    def _write_chunks(self, run: Run, batch: list[Row]) -> None:
        stored = {
            row["id"]: row["key"] if row["embedded"] else None
            for row in run("existing_chunks", workspace=self._name, ids=[row["id"] for row in batch])
        }
        placed = [row for row in batch if stored.get(row["id"]) == row["properties"]["extraction_key"]]
        existing = {row["id"] for row in placed}
        new = [row for row in batch if row["id"] not in existing]
        extracted_again = [row["id"] for row in new if row["id"] in stored]
        if placed:
            write_rows(run, "place_chunks", placed, workspace=self._name)
        if extracted_again:
            self._forget(run, extracted_again)
            run("forget_occurrences", workspace=self._name, ids=extracted_again)
        if new:
            write_rows(run, "write_chunks", new, workspace=self._name, label=self.workspace.chunk_label)

    def _remove_chunks(self, run: Run, documents: list[Row]) -> list[str]:
        removed = [row["id"] for row in run("chunks_to_remove", workspace=self._name, rows=documents)]
        if removed:
            self._forget(run, removed)
            self._remove_chunks_and_kept(run, removed)
        return removed

    def _forget_titles(self, run: Run, documents: list[Row]) -> None:
        """Mark everything that titles affect, before the titles change or are deleted."""
        run("scan_titles_again", workspace=self._name, rows=documents)
        run("look_up_namesakes", workspace=self._name, rows=documents)

    def _forget(self, run: Run, ids: list[str]) -> None:
        """Mark everything that the content of chunks affects, before it is deleted."""
        for statement in ("stale_by_mentions", "stale_by_facts", "touch_entities_of_chunks"):
            run(statement, workspace=self._name, ids=ids)


def _of_so_many_chunks(rows: Sequence[DocumentRow]) -> Iterator[list[DocumentRow]]:
    """Groups of documents, while they are small."""
    batch: list[DocumentRow] = []
    chunks = 0
    for row in rows:
        batch.append(row)
        chunks += row.chunks
        if chunks >= REMOVE_BATCH_CHUNKS or len(batch) >= BATCH_ROWS:
            yield batch
            batch, chunks = [], 0
    if batch:
        yield batch


def _metadata_columns(row: DocumentRow) -> dict[str, str | None]:
    """A document's metadata in stored form: JSON, because a node cannot have maps."""
    return {"metadata": _json(row.metadata), "given": None if row.given is None else _json(row.given)}


def _json(pairs: Mapping[str, str]) -> str:
    return json.dumps(dict(pairs), ensure_ascii=False, sort_keys=True)


def _document_row(document: Row, chunks: int, facts: dict[str, int] | None) -> DocumentRow:
    return DocumentRow(
        id=document["id"],
        source=document["source"],
        title=document["title"],
        sha256=document["sha256"],
        language=document["language"],
        metadata=json.loads(document["metadata"]),
        given=None if document["given"] is None else json.loads(document["given"]),
        media_type=document["media_type"],
        warnings=tuple(document["warnings"]),
        places=places_of(json.loads(document["places"])),
        recipe=recipe_of(document["extractor"]),
        status=document["status"],
        unread=document["unread"],
        chunks=chunks,
        facts=None if facts is None else facts.get(document["id"], 0),
    )

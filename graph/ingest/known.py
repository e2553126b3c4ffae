"""What earlier runs have read of the documents of an ingest, and what is left to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Protocol

from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.contract import Extractor, extraction_key
from filigraph.graph.ingest.incoming import Arrival, PreparedDocument
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.records.documents import DocumentRow, StoredChunk, StoredKey


class ExtractionReader(Protocol):
    """Reads the extractions of earlier runs."""

    def document_rows(
        self, ids: Sequence[str] | None = None, *, facts: bool | None = None
    ) -> Sequence[DocumentRow]: ...
    def document_chunks(self, document_id: str) -> Sequence[Chunk]: ...
    def stored_chunks(self, document_ids: Sequence[str]) -> Mapping[str, StoredKey]: ...
    def load_chunks(self, ids: Sequence[str]) -> Sequence[StoredChunk]: ...
    def kept_extractions(self, keys: Iterable[str]) -> Mapping[str, Extraction]: ...


def announce_each(
    arrivals: Iterable[Arrival], on_loaded: Callable[[Arrival], None], cancelled: ShouldStop
) -> Iterator[Arrival]:
    """Yield the documents as they are loaded, reporting each. A cancellation takes effect after the current one."""
    for arrival in arrivals:
        on_loaded(arrival)
        stop_if(cancelled)
        yield arrival


def prepared_documents(group: Iterable[Arrival]) -> list[PreparedDocument]:
    return [arrival.document for arrival in group if arrival.document]


def unread_documents(
    graph: ExtractionReader, report: IngestReport, open_casts: Set[str] = frozenset()
) -> Iterator[Arrival]:
    """The stored documents with chunks to read again, and those of `open_casts`."""
    for n, row in enumerate(graph.document_rows(facts=False)):
        if row.unread or (row.unread == 0 and row.id in open_casts):
            chunks = in_context(graph.document_chunks(row.id), row.metadata.get("date", ""))
            report.updated.append(row.source)
            report.chunks += len(chunks)
            yield Arrival(source=n, document=PreparedDocument(row=row, chunks=tuple(chunks)))
        elif row.unread is None:
            report.problems.append(f"{row.source}: not all of it is stored; ingest it again")


def known_of_stored(
    group: Sequence[PreparedDocument], graph: ExtractionReader, extractor: Extractor
) -> dict[str, Extraction]:
    """Like `known_extractions`, for stored documents: any existing extraction is reused, whatever its key."""
    stored = graph.load_chunks([chunk.id for document in group for chunk in document.chunks])
    known = {chunk.id: chunk.extraction for chunk in stored if chunk.extraction.key}
    return known_extractions(group, graph, extractor) | known


def known_extractions(
    group: Sequence[PreparedDocument], graph: ExtractionReader, extractor: Extractor
) -> dict[str, Extraction]:
    """Chunk id -> the extraction of the same text, from this chunk or, for an expensive extractor, from any other.
    Source code comes with what was read in it."""
    code = {chunk.id: chunk.read for document in group for chunk in document.chunks if chunk.read}
    keys = {
        chunk.id: extraction_key(chunk, extractor)
        for document in group
        for chunk in document.chunks
        if chunk.id not in code
    }
    stored = graph.stored_chunks([document.row.id for document in group])
    own = [id_ for id_, key in keys.items() if id_ in stored and stored[id_].key == key]
    known = {chunk.id: chunk.extraction for chunk in graph.load_chunks(own)}
    reusable = (
        graph.kept_extractions([key for id_, key in keys.items() if id_ not in known]) if extractor.expensive else {}
    )
    return code | known | {id_: reusable[key] for id_, key in keys.items() if id_ not in known and key in reusable}


def duplicates_of(chunks: Sequence[Chunk], extractor: Extractor) -> dict[str, str]:
    """Chunk id -> an earlier chunk with the same extraction key; empty unless the extractor is expensive."""
    first: dict[str, str] = {}
    earlier = {chunk.id: first.setdefault(extraction_key(chunk, extractor), chunk.id) for chunk in chunks}
    return {id_: other for id_, other in earlier.items() if id_ != other} if extractor.expensive else {}

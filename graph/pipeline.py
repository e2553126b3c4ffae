"""Ingest, top to bottom: load -> split -> extract -> embed -> write, then derive entities and facts (`derive.py`).

`ingest` commits every batch of chunks with its extraction and vector, so a killed run goes on where it stopped and
nothing is extracted twice. `retry` reads the chunks whose extraction failed earlier; `estimate` predicts the LLM calls
and tokens that an ingest needs. Each is idempotent: run again, it gives the same graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Protocol

from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.ingest.embedding import embed_batch, is_late
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.contract import Extractor, extraction_key
from filigraph.graph.ingest.incoming import (
    Apply,
    Arrival,
    PreparedDocument,
    StoredDocuments,
    group_documents,
    load_and_split,
)
from filigraph.graph.ingest.report import Estimate, IngestReport, IngestSettings, Progress
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.names import Mention
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.late import LateDocument, check_late
from filigraph.graph.names.mentions import read_mentions
from filigraph.graph.names.phrases import cast_mentions
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.readings.read_cast import CastGraph, CastReader, ReadDocument, read_casts
from filigraph.graph.readings.read_cast_across import AcrossGraph, CastEstimate, LinkedDocuments, update_cast_across
from filigraph.graph.records.documents import ChunkRow, DocumentRow, StoredChunk, StoredKey
from filigraph.graph.records.summaries import MissingSummaries
from filigraph.graph.records.workspaces import DerivedCounts, Overview, WorkspaceRow

SAMPLE = 9  # chunks of an estimate's sample, at most: they are for measuring
KNOWN_BATCH = 32  # chunks that are committed at once if they need no reading


class ExtractionReader(LinkedDocuments, Protocol):
    """Reads the extractions of earlier runs."""

    def document_chunks(self, document_id: str) -> Sequence[Chunk]: ...
    def stored_chunks(self, document_ids: Sequence[str]) -> Mapping[str, StoredKey]: ...
    def load_chunks(self, ids: Sequence[str]) -> Sequence[StoredChunk]: ...
    def kept_extractions(self, keys: Iterable[str]) -> Mapping[str, Extraction]: ...


class IngestGraph(ExtractionReader, DeriveGraph, CastGraph, AcrossGraph, Protocol):
    """A workspace that documents are read into."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def describe_document(self, row: DocumentRow) -> None: ...
    def write_documents(self, rows: Sequence[DocumentRow]) -> None: ...
    def write_chunks(self, rows: Sequence[ChunkRow], *, keep: bool) -> None: ...
    def move_chunks(self, chunks: Sequence[Chunk]) -> None: ...
    def replace_read(self, document_ids: Sequence[str], mentions: Sequence[Mention]) -> None: ...
    def finish_reading(self, chunks_of: Mapping[str, Sequence[str]], *, unread: Mapping[str, int]) -> Sequence[str]: ...
    def needs_deriving(self) -> bool: ...
    def open_casts(self) -> Set[str]: ...
    def derived_counts(self) -> DerivedCounts: ...
    def overview(self) -> Overview: ...
    def missing_summaries(self) -> MissingSummaries: ...


def ingest(
    sources: Iterable[Source],
    *,
    graph: IngestGraph,
    embedder: Embedder,
    extractor: Extractor,
    reader: CastReader | None = None,
    settings: IngestSettings | None = None,
    apply: Apply = map,
    on_loaded: Callable[[Arrival], None] = lambda _: None,
    on_stored: Callable[[Sequence[Arrival], IngestReport], None] = lambda arrivals, report: None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    report: IngestReport | None = None,
) -> IngestReport:
    """Read `sources` into the workspace, then derive its entities and facts. `report` is filled in as it proceeds.

    A source that cannot be used is reported in `skipped`; the others are read. `apply` maps the load-and-split function
    over the sources. `reader` says who is who in each document that was read, and across documents. `on_loaded` gets
    each loaded document, `on_stored` the report so far once a group is completely stored. Raises Cancelled when asked
    to stop: what was read stays, and reading the same sources again resumes; NotSetUp if chunks are to be embedded late
    and the embedder cannot.
    """
    report = report or IngestReport()
    settings = settings or IngestSettings()
    if settings.late:
        check_late(embedder)
    run = _Run(graph, embedder, extractor, reader, report, progress, cancelled, graph.overview().summarized)
    stored = StoredDocuments(partial(graph.document_rows, facts=False))
    name, describe = graph.workspace.name, graph.describe_document
    arrivals = load_and_split(sources, settings, extractor, report, name, stored, apply, describe)
    for group in group_documents(_announce_each(arrivals, on_loaded, cancelled), extractor):
        prepared = _prepared_documents(group)
        if prepared:
            with report.timed("write"):
                graph.write_documents([document.row for document in prepared])
                known = _known_extractions(prepared, graph, extractor)
            report.kept_extractions += sum(extraction.unit is None for extraction in known.values())
            _read(prepared, known, run)
        on_stored(group, report)
    return _derive_and_report(run)


def _announce_each(
    arrivals: Iterable[Arrival], on_loaded: Callable[[Arrival], None], cancelled: ShouldStop
) -> Iterator[Arrival]:
    """Yield the documents as they are loaded, reporting each. A cancellation takes effect after the current one."""
    for arrival in arrivals:
        on_loaded(arrival)
        stop_if(cancelled)
        yield arrival


def _prepared_documents(group: Iterable[Arrival]) -> list[PreparedDocument]:
    return [arrival.document for arrival in group if arrival.document]


def retry(
    *,
    graph: IngestGraph,
    embedder: Embedder,
    extractor: Extractor,
    reader: CastReader | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    report: IngestReport | None = None,
) -> IngestReport:
    """Read the chunks that could not be read during ingest and, with a `reader`, the casts whose calls got no
    answer, also those across documents, then derive. Needs no source.

    A document with missing chunks, because its ingest was stopped, is reported in `problems`.
    """
    report = report or IngestReport()
    summarized = graph.overview().summarized
    run = _Run(graph, embedder, extractor, reader, report, progress, cancelled, summarized, asks_again=True)
    open_casts = graph.open_casts() if reader else set()
    for group in group_documents(_unread_documents(graph, report, open_casts), extractor):
        prepared = _prepared_documents(group)
        _read(prepared, _known_of_stored(prepared, graph, extractor), run)
    return _derive_and_report(run)


def estimate(
    sources: Iterable[Source],
    *,
    workspace: str,
    graph: ExtractionReader | None,
    extractor: Extractor,
    cast: bool = False,
    settings: IngestSettings | None = None,
    on_prepared: Callable[[PreparedDocument], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> Estimate:
    """Estimate what ingesting `sources` would ask of an LLM, with `cast` also for who is who; nothing is read or
    written. `graph` is None while there is none; `on_prepared` is called for each new or changed document."""
    report = IngestReport()
    usage, casts = Usage(), CastEstimate()
    unread: list[Chunk] = []

    def count_prepared(document: PreparedDocument) -> None:
        on_prepared(document)
        if cast:
            casts.add(document)

    for chunk in chunks_to_read(
        sources,
        workspace=workspace,
        graph=graph,
        extractor=extractor,
        settings=settings,
        on_prepared=count_prepared,
        cancelled=cancelled,
        report=report,
    ):
        usage += extractor.expected(chunk)
        unread.append(chunk)
    return Estimate(
        documents=len(report.added) + len(report.updated),
        unchanged=tuple(report.unchanged),
        skipped=tuple(report.skipped),
        chunks=report.chunks,
        kept=report.chunks - len(unread),
        usage=usage,
        cast=casts.total(graph),
        sample=_sample(unread),
    )


def chunks_to_read(
    sources: Iterable[Source],
    *,
    workspace: str,
    graph: ExtractionReader | None,
    extractor: Extractor,
    settings: IngestSettings | None = None,
    on_prepared: Callable[[PreparedDocument], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    report: IngestReport | None = None,
) -> Iterator[Chunk]:
    """The chunks of `sources` that an ingest would give the extractor. Nothing is read or written. `graph` is None
    while there is none; `on_prepared` is called for each document, `report` is filled in as it goes."""
    report = report or IngestReport()
    stored = StoredDocuments(partial(graph.document_rows, facts=False) if graph else lambda _: ())
    arrivals = load_and_split(sources, settings or IngestSettings(), extractor, report, workspace, stored)
    for group in group_documents(_announce_each(arrivals, lambda _: None, cancelled), extractor):
        prepared = _prepared_documents(group)
        known = _known_extractions(prepared, graph, extractor) if graph else {}
        for document in prepared:
            on_prepared(document)
        for chunk in (chunk for document in prepared for chunk in document.chunks if chunk.id not in known):
            stop_if(cancelled)
            if chunk.read is None:  # no extractor is asked for source code
                yield chunk


def chunks_to_retry(
    *, graph: ExtractionReader, extractor: Extractor, cancelled: ShouldStop = lambda: False
) -> Iterator[Chunk]:
    """The chunks that a retry would give the extractor."""
    for group in group_documents(_unread_documents(graph, IngestReport()), extractor):
        prepared = _prepared_documents(group)
        known = _known_of_stored(prepared, graph, extractor)
        for chunk in (chunk for document in prepared for chunk in document.chunks if chunk.id not in known):
            stop_if(cancelled)
            yield chunk


def _sample(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """At most SAMPLE evenly spaced chunks; of a small input one in twenty."""
    size = min(SAMPLE, 1 + -(-len(chunks) // 20)) if chunks else 0
    return tuple(chunks[len(chunks) * n // size] for n in range(size))


@dataclass(frozen=True)
class _Run:
    """The context of a run's steps."""

    graph: IngestGraph
    embedder: Embedder
    extractor: Extractor
    reader: CastReader | None
    report: IngestReport
    progress: Callable[[Progress], None]
    cancelled: ShouldStop
    summarized: bool  # the workspace, when the run began
    asks_again: bool = False  # what got no answer, also if no document is read
    read: list[str] = field(default_factory=list)  # ids of the documents that were read

    @property
    def usage(self) -> Usage:
        """The model usage so far."""
        return self.extractor.usage + (self.reader.llm.usage if self.reader else Usage())


def _derive_and_report(run: _Run) -> IngestReport:
    graph, report = run.graph, run.report
    update_cast_across(
        run.read,
        graph=graph,
        reader=run.reader,
        report=report,
        asks_again=run.asks_again,
        progress=lambda step: run.progress(replace(step, usage=run.usage)),
        cancelled=run.cancelled,
    )
    if graph.needs_deriving():
        derive(graph, embedder=run.embedder, report=report, progress=run.progress, cancelled=run.cancelled)
    counts = graph.derived_counts()
    report.entities, report.facts = counts.entities, counts.facts
    if run.summarized:
        report.unsummarized = graph.missing_summaries().documents
    report.usage = run.usage
    return report


# --------------------------------------------------------------------------------------------------------------------
# Read


def _unread_documents(
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


def _known_of_stored(
    group: Sequence[PreparedDocument], graph: ExtractionReader, extractor: Extractor
) -> dict[str, Extraction]:
    """Like `_known_extractions`, for stored documents: any existing extraction is reused, whatever its key."""
    stored = graph.load_chunks([chunk.id for document in group for chunk in document.chunks])
    known = {chunk.id: chunk.extraction for chunk in stored if chunk.extraction.key}
    return _known_extractions(group, graph, extractor) | known


def _known_extractions(
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


def _read(group: Sequence[PreparedDocument], known: Mapping[str, Extraction], run: _Run) -> None:
    """Extract, embed and commit a group of documents, a batch of chunks at a time. `known`: what need not be read."""
    graph, report = run.graph, run.report
    if run.reader and not run.read:
        graph.note_open_links(True)
    run.read.extend(document.row.id for document in group)
    chunks = [chunk for document in group for chunk in document.chunks]
    with report.timed("embed"):
        late = {r.row.id: LateDocument(run.embedder, r.chunks) for r in group if is_late(r.row) and r.chunks}
    with report.timed("write"):
        stored = graph.stored_chunks([document.row.id for document in group])
        unchanged = {
            chunk.id
            for chunk in chunks
            if chunk.id in known and stored.get(chunk.id) == _stored_key(chunk, known, late)
        }
        graph.move_chunks([chunk for chunk in chunks if chunk.id in unchanged])
    extractions = {chunk.id: known[chunk.id] for chunk in chunks if chunk.id in unchanged}
    unread = [chunk for chunk in chunks if chunk.id not in known]
    duplicates = _duplicates(unread, run.extractor)
    report.kept_extractions += len(duplicates)
    reused = ((chunk, known[chunk.id]) for chunk in chunks if chunk.id in known and chunk.id not in unchanged)
    new = _extract([chunk for chunk in unread if chunk.id not in duplicates], run)
    repeated = ((chunk, extractions[duplicates[chunk.id]]) for chunk in unread if chunk.id in duplicates)
    batch: list[tuple[Chunk, Extraction]] = []
    facts = report.triplets + sum(len(extraction.triplets) for extraction in extractions.values())
    try:
        for chunk, extraction in chain(reused, new, repeated):
            batch.append((chunk, extraction))
            extractions[chunk.id] = extraction
            facts += len(extraction.triplets)
            fresh = chunk.id not in known and chunk.id not in duplicates
            report.extracted += fresh
            report.usage = run.usage
            run.progress(
                Progress(
                    stage="extract",
                    done=report.chunks - len(chunks) + len(extractions),
                    total=report.chunks,
                    facts=facts,
                    extracted=report.extracted,
                    usage=report.usage,
                )
            )
            if len(batch) >= (run.extractor.batch if fresh else KNOWN_BATCH):
                whole, batch = batch, []
                _commit(whole, run, late)
            stop_if(run.cancelled)
    finally:  # however the run ends, what was read is stored
        _commit(batch, run, late)

    with report.timed("cast"):
        open_calls = _read_casts(group, extractions, run)
    with report.timed("write"):
        _write_mentions(group, extractions, open_calls, run)
        graph.finish_reading(
            {r.row.id: [chunk.id for chunk in r.chunks] for r in group},
            unread={r.row.id: _count_unread(r, extractions, report) for r in group},
        )
        graph.note_overview()
    for extraction in extractions.values():
        report.add(extraction)


def _write_mentions(
    group: Sequence[PreparedDocument],
    extractions: Mapping[str, Extraction],
    open_calls: Mapping[str, int],
    run: _Run,
) -> None:
    """Write the names that documents are read to have, and those that their casts add; then how many calls are open,
    so that a run that is stopped before does not leave a cast without its names."""
    ids = [document.row.id for document in group]
    casts = run.graph.casts(ids)
    mentions: list[Mention] = []
    for document in group:
        id_ = document.row.id
        read, refused = read_mentions(id_, [(chunk, extractions[chunk.id]) for chunk in document.chunks])
        mentions += read
        mentions += cast_mentions(id_, document.chunks, read, casts.get(id_, ()))
        run.report.counts.update(refused)
    run.graph.replace_read(ids, mentions)
    run.graph.write_casts({id_: casts.get(id_, ()) for id_ in open_calls}, open_calls=open_calls)


def _read_casts(
    group: Sequence[PreparedDocument], extractions: Mapping[str, Extraction], run: _Run
) -> Mapping[str, int]:
    """Read the casts of documents whose chunks are all read. Until then the documents are incomplete. Returns document
    id -> open calls."""
    documents = [
        ReadDocument(
            id=document.row.id,
            source=document.row.source,
            chunks=document.chunks,
            extractions=[extractions[chunk.id] for chunk in document.chunks],
        )
        for document in group
        if all(extractions[chunk.id].key for chunk in document.chunks)
    ]
    graph, report = run.graph, run.report
    return read_casts(
        documents, graph=graph, reader=run.reader, report=report, progress=run.progress, cancelled=run.cancelled
    )


def _duplicates(chunks: Sequence[Chunk], extractor: Extractor) -> dict[str, str]:
    """Chunk id -> an earlier chunk with the same extraction key; empty unless the extractor is expensive."""
    first: dict[str, str] = {}
    earlier = {chunk.id: first.setdefault(extraction_key(chunk, extractor), chunk.id) for chunk in chunks}
    return {id_: other for id_, other in earlier.items() if id_ != other} if extractor.expensive else {}


def _extract(chunks: Sequence[Chunk], run: _Run) -> Iterator[tuple[Chunk, Extraction]]:
    """Each chunk with its extraction."""
    extractions = iter(run.extractor.extract(chunks))
    for chunk in chunks:
        with run.report.timed("extract"):
            extraction = next(extractions)
        yield chunk, extraction


def _commit(batch: Sequence[tuple[Chunk, Extraction]], run: _Run, late: Mapping[str, LateDocument]) -> None:
    """Embed and store chunks with their extractions: they are searchable at once, and never read again."""
    if not batch:
        return
    with run.report.timed("embed"):
        rows = embed_batch(batch, run.embedder, late)
    with run.report.timed("write"):
        run.graph.write_chunks(rows, keep=run.extractor.expensive)


def _stored_key(chunk: Chunk, known: Mapping[str, Extraction], late: Mapping[str, LateDocument]) -> StoredKey:
    mark = late[chunk.document_id].mark if chunk.document_id in late else ""
    return StoredKey(key=known[chunk.id].key, title=chunk.title, late=mark)


def _count_unread(document: PreparedDocument, extractions: Mapping[str, Extraction], report: IngestReport) -> int:
    """Count the chunks of a document that could not be read. If there are any, it stays partial until `retry` has
    read them."""
    failed = [extractions[chunk.id].note for chunk in document.chunks if not extractions[chunk.id].key]
    if failed:
        report.failed_chunks += len(failed)
        report.problems.append(
            f"{document.row.source}: {len(failed)} of {len(document.chunks)} chunks were not read; `filigraph retry` "
            f"reads them ({failed[0]})"
        )
    return len(failed)

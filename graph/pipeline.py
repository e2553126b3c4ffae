"""Ingest, top to bottom: load -> split -> extract -> embed -> write, then derive entities and facts (`derive.py`).

`ingest` commits every batch of chunks with its extraction and vector, so a killed run goes on where it stopped and
nothing is extracted twice. `retry` reads the chunks whose extraction failed earlier. Both are idempotent: run again,
they give the same graph. `estimate.py` predicts the LLM calls and tokens that an ingest needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Protocol

from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.ingest.embedding import embed_batch, is_late
from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.ingest.incoming import (
    Apply,
    Arrival,
    PreparedDocument,
    StoredDocuments,
    group_documents,
    load_and_split,
)
from filigraph.graph.ingest.known import (
    ExtractionReader,
    announce_each,
    duplicates_of,
    known_extractions,
    known_of_stored,
    prepared_documents,
    unread_documents,
)
from filigraph.graph.ingest.report import IngestReport, IngestSettings, Progress
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
from filigraph.graph.readings.read_cast_across import AcrossGraph, update_cast_across
from filigraph.graph.records.documents import ChunkRow, DocumentRow, StoredKey
from filigraph.graph.records.summaries import MissingSummaries
from filigraph.graph.records.workspaces import DerivedCounts, Overview, WorkspaceRow

KNOWN_BATCH = 32  # chunks that are committed at once if they need no reading


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
    for group in group_documents(announce_each(arrivals, on_loaded, cancelled), extractor):
        prepared = prepared_documents(group)
        if prepared:
            with report.timed("write"):
                graph.write_documents([document.row for document in prepared])
                known = known_extractions(prepared, graph, extractor)
            report.kept_extractions += sum(extraction.unit is None for extraction in known.values())
            _read(prepared, known, run)
        on_stored(group, report)
    return _derive_and_report(run)


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
    for group in group_documents(unread_documents(graph, report, open_casts), extractor):
        prepared = prepared_documents(group)
        _read(prepared, known_of_stored(prepared, graph, extractor), run)
    return _derive_and_report(run)


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
    duplicates = duplicates_of(unread, run.extractor)
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
        run.report.add_counts(refused)
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


def _extract(chunks: Sequence[Chunk], run: _Run) -> Iterator[tuple[Chunk, Extraction]]:
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

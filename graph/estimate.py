"""What an ingest or a retry would give the extractor, and what that would ask of an LLM. Nothing is read or written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.ingest.incoming import PreparedDocument, StoredDocuments, group_documents, load_and_split
from filigraph.graph.ingest.known import (
    ExtractionReader,
    announce_each,
    known_extractions,
    known_of_stored,
    prepared_documents,
    unread_documents,
)
from filigraph.graph.ingest.report import Estimate, IngestReport, IngestSettings
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.usage import Usage
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.readings.read_cast_across import CastEstimate, LinkedDocuments

SAMPLE = 9  # chunks of an estimate's sample, at most: they are for measuring


class EstimateReader(ExtractionReader, LinkedDocuments, Protocol):
    """Reads what earlier runs stored."""


def estimate(
    sources: Iterable[Source],
    *,
    workspace: str,
    graph: EstimateReader | None,
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
    for group in group_documents(announce_each(arrivals, lambda _: None, cancelled), extractor):
        prepared = prepared_documents(group)
        known = known_extractions(prepared, graph, extractor) if graph else {}
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
    for group in group_documents(unread_documents(graph, IngestReport()), extractor):
        prepared = prepared_documents(group)
        known = known_of_stored(prepared, graph, extractor)
        for chunk in (chunk for document in prepared for chunk in document.chunks if chunk.id not in known):
            stop_if(cancelled)
            yield chunk


def _sample(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """At most SAMPLE evenly spaced chunks; of a small input one in twenty."""
    size = min(SAMPLE, 1 + -(-len(chunks) // 20)) if chunks else 0
    return tuple(chunks[len(chunks) * n // size] for n in range(size))

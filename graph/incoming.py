"""What comes into an ingest: sources loaded, split, and handed on in groups."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from filigraph.graph import ids
from filigraph.graph.errors import FiligraphError
from filigraph.graph.extract import Extractor, in_context
from filigraph.graph.load import load, split_jsonl
from filigraph.graph.model import Chunk, LoadedDocument, Source
from filigraph.graph.report import IngestReport, IngestSettings, Skipped
from filigraph.graph.split import split
from filigraph.graph.store import DocumentRow

GROUP = 256  # chunks of small documents that are read together


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A document on its way in."""

    row: DocumentRow
    chunks: tuple[Chunk, ...]


def documents(
    sources: Iterable[Source],
    settings: IngestSettings,
    extractor: Extractor,
    report: IngestReport,
    workspace: str,
    rows: Iterable[DocumentRow],
) -> Iterator[Reading]:
    """Load and split every source that is new or changed; `rows` are the documents that the workspace has."""
    recipe = f"{extractor.name}:{extractor.version}|{settings.strategy}:{settings.size}:{settings.overlap}"
    stored = {row.id: row for row in rows}
    seen: set[str] = set()
    for source in _expand(sources, report):
        try:
            with report.timed("load"):
                document = load(source)
        except FiligraphError as error:
            report.skipped.append(Skipped(source=source.name, cause=error.cause, cure=error.cure))
            continue
        document_id = ids.document_id(workspace, document.source)
        if document_id in seen:
            report.skipped.append(
                Skipped(source=source.name, cause="Named twice in this run.", cure="Give each document its own name.")
            )
            continue
        seen.add(document_id)
        report.problems += [f"{document.source}: {warning}" for warning in document.warnings]
        before = stored.get(document_id)
        row = _document_row(document_id, document, recipe)
        if before and (before.status, before.sha256, before.extractor) == ("complete", row.sha256, recipe):
            report.unchanged.append(document.source)
            continue
        with report.timed("split"):
            chunks = in_context(
                split(document, document_id, strategy=settings.strategy, size=settings.size, overlap=settings.overlap)
            )
        (report.updated if before and before.status == "complete" else report.added).append(document.source)
        report.chunks += len(chunks)
        yield Reading(row=row, chunks=tuple(chunks))


def groups(readings: Iterable[Reading]) -> Iterator[list[Reading]]:
    """Documents together, so that a thousand small ones cost no more than one big one."""
    group: list[Reading] = []
    size = 0
    for reading in readings:
        group.append(reading)
        size += len(reading.chunks)
        if size >= GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _expand(sources: Iterable[Source], report: IngestReport) -> Iterator[Source]:
    """A .jsonl file holds one document a line."""
    for source in sources:
        if not source.name.lower().endswith(".jsonl"):
            yield source
            continue
        with report.timed("load"):
            rows, problems = split_jsonl(source)
        report.problems += problems
        if not rows:
            report.skipped.append(
                Skipped(
                    source=source.name,
                    cause="No line of it is a document.",
                    cure='Each line must be JSON with "id", "title" and "text".',
                )
            )
        yield from rows


def _document_row(document_id: str, document: LoadedDocument, recipe: str) -> DocumentRow:
    return DocumentRow(
        id=document_id,
        source=document.source,
        title=document.title,
        sha256=document.sha256,
        language=document.language,
        media_type=document.media_type,
        metadata=json.dumps(dict(document.metadata), ensure_ascii=False, sort_keys=True),
        places=json.dumps([[p.kind, p.label, p.start] for p in document.places], ensure_ascii=False),
        warnings=document.warnings,
        extractor=recipe,
    )

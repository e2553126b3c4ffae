"""What comes into an ingest: sources loaded, split, and handed on in groups."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import cast, get_args

from filigraph.graph import ids
from filigraph.graph.errors import FiligraphError
from filigraph.graph.extract import Extractor, in_context
from filigraph.graph.load import load, split_jsonl
from filigraph.graph.model import Chunk, LoadedDocument, Source
from filigraph.graph.report import IngestReport, IngestSettings, Skipped
from filigraph.graph.split import Strategy, split
from filigraph.graph.store import DocumentRow

GROUP = 256  # chunks of small documents that are read together


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A document on its way in."""

    row: DocumentRow
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """A source as it was loaded and split, or why it cannot be used."""

    reading: Reading | None
    skipped: Skipped | None = None
    seconds: Mapping[str, float]  # by stage


ReadSource = Callable[[Source], Incoming]
Apply = Callable[[ReadSource, Iterable[Source]], Iterable[Incoming]]  # `map`, or one that has others do it


def documents(
    sources: Iterable[Source],
    settings: IngestSettings,
    extractor: Extractor,
    report: IngestReport,
    workspace: str,
    rows: Iterable[DocumentRow],
    apply: Apply = map,
    describe: Callable[[DocumentRow], None] = lambda _: None,
) -> Iterator[Reading]:
    """Load and split every source that is new or changed; `rows` are the documents that the workspace has.

    One whose content is the same and only its metadata are not is given to `describe`: nothing of it is read again.
    """
    recipe = f"{extractor.name}:{extractor.version}|{settings.strategy}:{settings.size}:{settings.overlap}"
    read = partial(read_source, workspace=workspace, recipe=recipe, settings=settings)
    stored = {row.id: row for row in rows}
    seen: set[str] = set()
    described = (
        _with_what_was_given(s, stored.get(ids.document_id(workspace, s.name))) for s in _expand(sources, report)
    )
    for incoming in apply(read, described):
        for stage, seconds in incoming.seconds.items():
            report.spent(stage, seconds)
        if incoming.skipped:
            report.skipped.append(incoming.skipped)
        if incoming.reading is None:
            continue
        row, chunks = incoming.reading.row, incoming.reading.chunks
        if row.id in seen:
            report.skipped.append(
                Skipped(source=row.source, cause="Named twice in this run.", cure="Give each document its own name.")
            )
            continue
        seen.add(row.id)
        report.problems += [f"{row.source}: {warning}" for warning in row.warnings]
        before = stored.get(row.id)
        same = before and (before.status, before.sha256, before.title) == ("complete", row.sha256, row.title)
        if before and same and (settings.as_read or before.extractor == recipe):
            if (before.metadata, before.given or row.given) == (row.metadata, row.given):
                report.unchanged.append(row.source)
            else:
                describe(row)
                report.updated.append(row.source)
            continue
        (report.updated if before and before.status == "complete" else report.added).append(row.source)
        report.chunks += len(chunks)
        yield incoming.reading


def read_source(source: Source, *, workspace: str, recipe: str, settings: IngestSettings) -> Incoming:
    """Load and split one source. Of the source alone, so it may be done anywhere, in any order."""
    begin = time.perf_counter()
    try:
        document = load(source)
    except FiligraphError as error:
        skipped = Skipped(source=source.name, cause=error.cause, cure=error.cure)
        return Incoming(reading=None, skipped=skipped, seconds={"load": time.perf_counter() - begin})
    loaded = time.perf_counter()
    row = _document_row(ids.document_id(workspace, document.source), document, source.metadata, recipe)
    chunks = in_context(
        split(document, row.id, strategy=settings.strategy, size=settings.size, overlap=settings.overlap)
    )
    return Incoming(
        reading=Reading(row=row, chunks=tuple(chunks)),
        seconds={"load": loaded - begin, "split": time.perf_counter() - loaded},
    )


def groups(readings: Iterable[Reading], extractor: Extractor) -> Iterator[list[Reading]]:
    """Documents together, so that a thousand small ones cost no more than one big one, and an extractor that reads
    much at once is not left without work at the end of each."""
    enough = max(GROUP, 2 * extractor.batch)
    group: list[Reading] = []
    size = 0
    for reading in readings:
        group.append(reading)
        size += len(reading.chunks)
        if size >= enough:
            yield group
            group, size = [], 0
    if group:
        yield group


def read_by(recipe: str) -> str:
    """Who read a document, by its row's `extractor`: llm, local, triples."""
    return recipe.partition(":")[0]


def cut_by(recipe: str) -> Strategy:
    """How a document was cut, by its row's `extractor`."""
    strategy = recipe.rpartition("|")[2].partition(":")[0]
    return cast(Strategy, strategy) if strategy in get_args(Strategy) else IngestSettings().strategy


def _with_what_was_given(source: Source, before: DocumentRow | None) -> Source:
    """Who gives a document no metadata leaves it those that it was given before."""
    if source.metadata or before is None:
        return source
    return replace(source, metadata=json.loads(before.given or before.metadata))


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


def _document_row(document_id: str, document: LoadedDocument, given: Mapping[str, str], recipe: str) -> DocumentRow:
    return DocumentRow(
        id=document_id,
        source=document.source,
        title=document.title,
        sha256=document.sha256,
        language=document.language,
        media_type=document.media_type,
        metadata=json.dumps(dict(document.metadata), ensure_ascii=False, sort_keys=True),
        given=json.dumps(dict(given), ensure_ascii=False, sort_keys=True),
        places=json.dumps([[p.kind, p.label, p.start] for p in document.places], ensure_ascii=False),
        warnings=document.warnings,
        extractor=recipe,
    )

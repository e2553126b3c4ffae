"""Ingest, top to bottom: load -> split -> extract -> embed -> write | resolve -> derive entities and facts.

`ingest` reads: every batch of chunks is committed with its extraction and vector, so a run that is killed goes on where
it stopped and nothing is extracted twice. `derive` decides: it looks at what was read and at the decisions of persons,
and rewrites only the derived graph that changed. Both may be run again at any time; the result is the same graph.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from filigraph.graph import ids
from filigraph.graph.derive import derive_entities, derive_facts
from filigraph.graph.embed import Embedder, embed_chunks, embed_texts
from filigraph.graph.errors import Cancelled, FiligraphError
from filigraph.graph.extract import Extractor, extraction_key
from filigraph.graph.load import load, split_jsonl
from filigraph.graph.mentions import find_titles, read_mentions, scan, scan_terms, scannable, title_forms
from filigraph.graph.model import Chunk, Extraction, Fact, LoadedDocument, Mention, Source, Vector
from filigraph.graph.resolve import candidate_pairs, names_to_embed, resolve
from filigraph.graph.split import Strategy, split
from filigraph.graph.store import ChunkRow, DocumentRow, Graph, MentionRow
from filigraph.graph.text.sentences import pieces
from filigraph.graph.text.words import terms

GROUP = 256  # chunks of small documents that are read together
DERIVE_BATCH = 500  # chunks whose facts are rewritten in one transaction


@dataclass(frozen=True, kw_only=True)
class IngestSettings:
    """How texts are cut. Part of what makes a document "unchanged"."""

    strategy: Strategy = "paragraph"
    size: int = 512  # tokens in a chunk, at most
    overlap: float = 0.15  # share of a chunk that is repeated in the next


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a stage is; `total` is 0 while it is not known."""

    stage: str
    done: int
    total: int
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A source that could not be used, and why."""

    source: str
    cause: str
    cure: str


@dataclass(kw_only=True)
class IngestReport:
    """What one run did. The only mutable thing here: it is filled in as the run goes."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # "novel.pdf: page 7 has no text"
    chunks: int = 0
    kept_extractions: int = 0  # chunks that needed no extraction because it was done before
    triplets: int = 0
    empty_chunks: int = 0  # chunks in which the extractor found nothing; their note says why
    failed_chunks: int = 0  # chunks that the extractor could not read; their documents stay partial
    notes: Counter[str] = field(default_factory=Counter)  # what extractors had to say of chunks, and how often
    entities: int = 0  # in the workspace, afterwards
    facts: int = 0
    seconds: dict[str, float] = field(default_factory=dict)  # by stage

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = round(self.seconds.get(stage, 0.0) + time.perf_counter() - begin, 3)


def ingest(
    sources: Iterable[Source],
    *,
    graph: Graph,
    embedder: Embedder,
    extractor: Extractor,
    settings: IngestSettings | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> IngestReport:
    """Read `sources` into the workspace, then derive its entities and facts.

    A source that cannot be used is reported in `skipped` and the rest goes on. Raises Cancelled when asked to stop:
    what was read stays, and reading the same sources again goes on from there.
    """
    settings = settings or IngestSettings()
    report = IngestReport()
    for group in _groups(_documents(sources, graph, extractor, settings, report)):
        _read(group, graph, embedder, extractor, report, progress, cancelled)
    if graph.needs_deriving():
        derive(graph, embedder=embedder, report=report, progress=progress, cancelled=cancelled)
    stats = graph.stats()
    report.entities, report.facts = stats.entities, stats.facts
    return report


# --------------------------------------------------------------------------------------------------------------------
# Read


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """A document on its way in."""

    row: DocumentRow
    chunks: tuple[Chunk, ...]


def _documents(
    sources: Iterable[Source], graph: Graph, extractor: Extractor, settings: IngestSettings, report: IngestReport
) -> Iterator[_Reading]:
    """Load and split every source that is new or changed."""
    recipe = f"{extractor.name}:{extractor.version}|{settings.strategy}:{settings.size}:{settings.overlap}"
    stored = {row.id: row for row in graph.document_rows()}
    seen: dict[str, str] = {}
    for source in _expand(sources, report):
        try:
            with report.timed("load"):
                document = load(source)
        except FiligraphError as error:
            report.skipped.append(Skipped(source=source.name, cause=error.cause, cure=error.cure))
            continue
        document_id = ids.document_id(graph.workspace.name, document.source)
        if document_id in seen:
            report.skipped.append(
                Skipped(source=source.name, cause="Named twice in this run.", cure="Give each document its own name.")
            )
            continue
        seen[document_id] = document.sha256
        report.problems += [f"{document.source}: {warning}" for warning in document.warnings]
        before = stored.get(document_id)
        row = _document_row(document_id, document, recipe)
        if before and (before.status, before.sha256, before.extractor) == ("complete", row.sha256, recipe):
            report.unchanged.append(document.source)
            continue
        with report.timed("split"):
            chunks = split(
                document, document_id, strategy=settings.strategy, size=settings.size, overlap=settings.overlap
            )
        (report.updated if before and before.status == "complete" else report.added).append(document.source)
        report.chunks += len(chunks)
        yield _Reading(row=row, chunks=tuple(chunks))


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


def _groups(readings: Iterable[_Reading]) -> Iterator[list[_Reading]]:
    """Documents together, so that a thousand small ones cost no more than one big one."""
    group: list[_Reading] = []
    size = 0
    for reading in readings:
        group.append(reading)
        size += len(reading.chunks)
        if size >= GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _read(
    group: Sequence[_Reading],
    graph: Graph,
    embedder: Embedder,
    extractor: Extractor,
    report: IngestReport,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool],
) -> None:
    """Extract, embed and commit a group of documents, a batch of chunks at a time."""
    with report.timed("write"):
        graph.write_documents([reading.row for reading in group])
        kept = graph.kept_extractions([reading.row.id for reading in group])
    chunks = [chunk for reading in group for chunk in reading.chunks]
    again = [chunk for chunk in chunks if kept.get(chunk.id) == extraction_key(chunk, extractor)]
    report.kept_extractions += len(again)
    with report.timed("write"):
        graph.move_chunks(again)
        extractions = {stored.id: stored.extraction for stored in graph.load_chunks([chunk.id for chunk in again])}

    todo = [chunk for chunk in chunks if chunk.id not in extractions]
    batch: list[tuple[Chunk, Extraction]] = []
    try:
        for done, (chunk, extraction) in enumerate(_extract(todo, extractor, report, cancelled), start=1):
            batch.append((chunk, extraction))
            extractions[chunk.id] = extraction
            progress(Progress(stage="extract", done=report.chunks - len(todo) + done, total=report.chunks))
            if len(batch) >= extractor.batch:
                _commit(batch, graph, embedder, report)
                batch = []
    finally:  # whoever stops us, what was read is kept
        _commit(batch, graph, embedder, report)

    with report.timed("write"):
        mentions: list[Mention] = []
        for reading in group:
            found, problems = read_mentions(reading.row.id, [(c, extractions[c.id]) for c in reading.chunks])
            mentions += found
            report.problems += [f"{reading.row.source}: {problem}" for problem in problems]
        graph.write_mentions(mentions)
        graph.finish_reading(
            {r.row.id: [chunk.id for chunk in r.chunks] for r in group if _whole(r, extractions, report)}
        )
        graph.note_overview()
    report.triplets += sum(len(extraction.triplets) for extraction in extractions.values())
    report.empty_chunks += sum(not extraction.triplets for extraction in extractions.values())
    report.notes.update(extraction.note for extraction in extractions.values() if extraction.note)


def _extract(
    chunks: Sequence[Chunk], extractor: Extractor, report: IngestReport, cancelled: Callable[[], bool]
) -> Iterator[tuple[Chunk, Extraction]]:
    """Each chunk with what was read in it; a person who cancels waits for one chunk at most."""
    reading = iter(extractor.extract(chunks))
    for chunk in chunks:
        _stop_if(cancelled)
        with report.timed("extract"):
            extraction = next(reading)
        yield chunk, extraction


def _commit(batch: Sequence[tuple[Chunk, Extraction]], graph: Graph, embedder: Embedder, report: IngestReport) -> None:
    """Embed and store chunks with what was read in them: searchable at once, never to be read again."""
    if not batch:
        return
    with report.timed("embed"):
        texts = [chunk.text for chunk, _ in batch]
        spans = [pieces(chunk.text, chunk.language) for chunk, _ in batch]
        vectors, sentences = embed_chunks(embedder, texts, [chunk.title for chunk, _ in batch], spans)
    with report.timed("write"):
        graph.write_chunks(
            [
                ChunkRow(
                    chunk=chunk,
                    terms=" ".join(terms(f"{chunk.title}\n{chunk.text}", chunk.language)),
                    vector=vector,
                    sentences=matrix,
                    extraction=extraction,
                )
                for (chunk, extraction), vector, matrix in zip(batch, vectors, sentences, strict=True)
            ]
        )


def _whole(reading: _Reading, extractions: Mapping[str, Extraction], report: IngestReport) -> bool:
    """Whether every chunk of a document was read. If not, it stays partial, and the next run reads what is missing."""
    failed = [extractions[chunk.id].note for chunk in reading.chunks if not extractions[chunk.id].key]
    if failed:
        report.failed_chunks += len(failed)
        report.problems.append(
            f"{reading.row.source}: {len(failed)} of {len(reading.chunks)} chunks were not read; ingest it again to "
            f"read them ({failed[0]})"
        )
    return not failed


# --------------------------------------------------------------------------------------------------------------------
# Derive


def derive(
    graph: Graph,
    *,
    embedder: Embedder,
    report: IngestReport | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Bring the derived graph in line with what was read and decided.

    What must be rewritten is marked in the store before anything is changed, so a run that is killed between two of its
    transactions is finished by the next one.
    """
    report = report or IngestReport()
    with report.timed("scan"):
        progress(Progress(stage="scan", done=0, total=0))
        _scan_for_known_names(graph)
    with report.timed("resolve"):
        progress(Progress(stage="resolve", done=0, total=0))
        mentions = graph.mentions()
        pairs = candidate_pairs(mentions)
        close = names_to_embed(pairs)
        vectors = dict(zip(close, embed_texts(embedder, close, exact=True), strict=True))
        resolution = resolve(
            mentions,
            decisions=graph.person_decisions(),
            alias_groups=graph.alias_groups(),
            document_aliases=graph.document_aliases(),
            vectors=vectors,
        )
        entities = {entity.id: entity for entity in derive_entities(mentions, resolution)}
    with report.timed("entities"):
        before = graph.entity_rows()
        moved = [m.id for m in mentions if m.entity_id and m.entity_id != resolution.entity_of[m.id]]
        renamed = [id_ for id_, row in before.items() if id_ in entities and row.name != entities[id_].name]
        graph.mark_stale([*graph.chunks_of_mentions(moved), *graph.chunks_of_entities(renamed)])
        joined = {resolution.entity_of[m.id] for m in mentions if m.entity_id != resolution.entity_of[m.id]}
        changed = [
            entity
            for id_, entity in entities.items()
            if id_ in joined
            or id_ not in before
            or (before[id_].name, before[id_].aliases, before[id_].type) != (entity.name, entity.aliases, entity.type)
        ]
        for start in range(0, len(changed), 2000):
            _stop_if(cancelled)
            batch = changed[start : start + 2000]
            graph.write_entities(list(zip(batch, embed_texts(embedder, [e.name for e in batch]), strict=True)))
            progress(Progress(stage="entities", done=start + len(batch), total=len(changed)))
    with report.timed("facts"):
        names = {id_: entity.name for id_, entity in entities.items()}
        stale = graph.stale_chunks()
        for start in range(0, len(stale), DERIVE_BATCH):
            _stop_if(cancelled)
            part = stale[start : start + DERIVE_BATCH]
            facts = derive_facts(part, resolution.entity_of, names)
            graph.write_facts([chunk.id for chunk in part], _with_vectors(facts, graph, embedder))
            progress(Progress(stage="facts", done=start + len(part), total=len(stale)))
    with report.timed("finish"):
        progress(Progress(stage="finish", done=0, total=0))
        graph.write_rule_decisions(resolution.decisions)
        graph.write_near_misses(resolution.near_misses)
        graph.sweep()
        graph.note_overview()


def _stop_if(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled("Stopped on request; what was read is kept.", cure="Ingest the same sources again to go on.")


def _with_vectors(facts: Sequence[Fact], graph: Graph, embedder: Embedder) -> list[tuple[Fact, Vector | None]]:
    """Only a fact that is new, or worded anew, needs a new vector."""
    known = graph.known_facts([fact.id for fact in facts])
    new = [fact for fact in facts if known.get(fact.id) != fact.text]
    vectors: Mapping[str, Vector] = dict(
        zip([fact.id for fact in new], embed_texts(embedder, [fact.text for fact in new]), strict=True)
    )
    return [(fact, vectors.get(fact.id)) for fact in facts]


def _scan_for_known_names(graph: Graph) -> None:
    """Find known names in every chunk, so that it does not matter which document came first.

    New chunks are scanned for all names; old chunks only if the word index says that they may hold a new name. A chunk
    is always scanned for all names at once: "Sherlock Holmes" must win over "Holmes" whichever was known first.
    """
    rows = graph.mentions()
    read = [row for row in rows if not row.scanned]
    names: dict[str, str] = {}  # key -> one form of it; which one must not depend on the order of ingest
    for row in sorted(read, key=lambda row: row.form):
        if scannable(row.form):
            names.setdefault(row.key, row.form)
    known_before = {row.key for row in read if not row.fresh}
    new = {key: form for key, form in names.items() if key not in known_before}
    titles = graph.titles()
    new_titles = [form for row in titles if row.fresh for form in title_forms(row.title)]
    chunks = {chunk.id: chunk for chunk in graph.stale_chunks() if not chunk.scanned}
    old: set[str] = set()
    for language in (*graph.languages(), ""):  # a name has other terms in a text of another language
        wanted = {key: scan_terms(form, language) for key, form in new.items()}
        wanted |= {f"title: {form}": scan_terms(form, language) for form in new_titles}
        old.update(id_ for hits in graph.chunks_with_terms(wanted).values() for id_ in hits)
    old -= chunks.keys()
    chunks |= {chunk.id: chunk for chunk in graph.load_chunks(sorted(old))}
    found = scan([(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in chunks.values()], names)
    graph.replace_scan(sorted(chunks), _join_read(found, read))
    named = find_titles(
        [(chunk.id, chunk.document_id, chunk.text) for chunk in chunks.values()],
        [(row.document_id, row.title) for row in titles],
    )
    graph.replace_titles(sorted(chunks), named, looked_up=[row.document_id for row in titles if row.fresh])
    graph.clear_fresh([row.id for row in rows if row.fresh])


def _join_read(found: Sequence[Mention], read: Sequence[MentionRow]) -> list[Mention]:
    """A name that the document's own extraction already gave is that mention, not a second one."""
    own: dict[tuple[str, str], list[MentionRow]] = defaultdict(list)
    for row in read:
        own[row.document_id, row.key].append(row)
    joined = []
    for mention in found:
        rows = own.get((mention.document_id, mention.key))
        if rows:
            row = min(rows, key=lambda row: row.id)
            mention = Mention(
                id=row.id,
                document_id=row.document_id,
                key=row.key,
                form=row.form,
                type=row.type,
                language=row.language,
                occurrences=mention.occurrences,
            )
        joined.append(mention)
    return joined

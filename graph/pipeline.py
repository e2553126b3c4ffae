"""Ingest, top to bottom: load -> split -> extract -> embed -> write | resolve -> derive entities and facts.

`ingest` reads: every batch of chunks is committed with its extraction and vector, so a run that is killed goes on where
it stopped and nothing is extracted twice. `retry` reads the chunks that an extractor could not read then; `estimate`
says before what it all will ask for. `derive` decides: it looks at what was read and at the decisions of persons, and
rewrites only the derived graph that changed. Each may be run again at any time; the result is the same graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from filigraph.graph import ids
from filigraph.graph.errors import Cancelled
from filigraph.graph.ingest.extract.contract import Extractor, extraction_key, in_context
from filigraph.graph.ingest.incoming import Apply, Arrival, PreparedDocument, documents, groups
from filigraph.graph.ingest.report import Estimate, IngestReport, IngestSettings, Progress
from filigraph.graph.model import (
    Chunk,
    Decision,
    Entity,
    Extraction,
    Fact,
    Mention,
    PersonDecision,
    Resolution,
    ShouldStop,
    Source,
    Vector,
)
from filigraph.graph.models.embed import Embedder, embed_chunks, embed_texts
from filigraph.graph.models.llm import Usage
from filigraph.graph.names import decisions
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.decisions import Mentions
from filigraph.graph.names.facts import Bearer, derive_entities, derive_facts
from filigraph.graph.names.mentions import read_mentions
from filigraph.graph.names.resolve import resolve
from filigraph.graph.names.scan import find_known_names, name_as_written
from filigraph.graph.store import ChunkRow, Graph, MentionRow, StoredKey
from filigraph.graph.text.sentences import pieces
from filigraph.graph.text.words import terms

SAMPLE = 9  # chunks that an estimate hands out to measure with, at most
DERIVE_BATCH = 500  # chunks whose facts are rewritten in one transaction
KNOWN_BATCH = 32  # chunks that are committed at once where they need no reading
ENTITIES_BATCH = 2000  # entities that are written in one transaction
NAMES_BATCH = 256  # names whose vectors are computed between two looks whether to stop


def ingest(
    sources: Iterable[Source],
    *,
    graph: Graph,
    embedder: Embedder,
    extractor: Extractor,
    settings: IngestSettings | None = None,
    apply: Apply = map,
    arrived: Callable[[Arrival], None] = lambda _: None,
    kept: Callable[[Sequence[Arrival], IngestReport], None] = lambda arrivals, report: None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    report: IngestReport | None = None,
) -> IngestReport:
    """Read `sources` into the workspace, then derive its entities and facts. `report` is filled in as it goes.

    A source that cannot be used is reported in `skipped` and the rest goes on. `apply` has sources loaded and split.
    `arrived` is told of each document when it is loaded, `kept` of those that are stored to their end, with the report
    so far. Raises Cancelled when asked to stop: what was read stays, and reading the same sources again goes on from
    there.
    """
    report = report or IngestReport()
    run = _Run(graph, embedder, extractor, report, progress, cancelled)
    stored = graph.document_rows()
    settings = settings or IngestSettings()
    name, describe = graph.workspace.name, graph.describe_document
    arrivals = documents(sources, settings, extractor, report, name, stored, apply, describe)
    for group in groups(_each(arrivals, arrived, cancelled), extractor):
        readings = _readings(group)
        if readings:
            with report.timed("write"):
                graph.write_documents([reading.row for reading in readings])
                known = _known_extractions(readings, graph, extractor)
            report.kept_extractions += len(known)
            _read(readings, known, run)
        kept(group, report)
    return _finished(run)


def _each(arrivals: Iterable[Arrival], arrived: Callable[[Arrival], None], cancelled: ShouldStop) -> Iterator[Arrival]:
    """The documents as they are loaded, told of one by one; a person who cancels waits for one of them at most."""
    for arrival in arrivals:
        arrived(arrival)
        _stop_if(cancelled)
        yield arrival


def _readings(group: Iterable[Arrival]) -> list[PreparedDocument]:
    return [arrival.reading for arrival in group if arrival.reading]


def retry(
    *,
    graph: Graph,
    embedder: Embedder,
    extractor: Extractor,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    report: IngestReport | None = None,
) -> IngestReport:
    """Read the chunks that could not be read when their documents came, then derive. No source is needed for it.

    A document of which chunks are missing, because its ingest was stopped, is reported in `problems`.
    """
    report = report or IngestReport()
    run = _Run(graph, embedder, extractor, report, progress, cancelled)
    for group in groups(_unread_documents(run), extractor):
        readings = _readings(group)
        stored = graph.load_chunks([chunk.id for reading in readings for chunk in reading.chunks])
        known = {chunk.id: chunk.extraction for chunk in stored if chunk.extraction.key}
        _read(readings, _known_extractions(readings, graph, extractor) | known, run)
    return _finished(run)


def estimate(
    sources: Iterable[Source],
    *,
    workspace: str,
    graph: Graph | None,
    extractor: Extractor,
    settings: IngestSettings | None = None,
    cancelled: ShouldStop = lambda: False,
) -> Estimate:
    """What ingesting `sources` would ask for; nothing is read or written. `graph` is None while there is none."""
    report = IngestReport()
    stored = graph.document_rows() if graph else []
    arrivals = documents(sources, settings or IngestSettings(), extractor, report, workspace, stored)
    usage, kept = Usage(), 0
    unread: list[Chunk] = []
    for group in groups(_each(arrivals, lambda _: None, cancelled), extractor):
        readings = _readings(group)
        known = _known_extractions(readings, graph, extractor) if graph else {}
        for chunk in (chunk for reading in readings for chunk in reading.chunks):
            _stop_if(cancelled)
            if chunk.id in known:
                kept += 1
                continue
            usage += extractor.expected(chunk)
            unread.append(chunk)
    return Estimate(
        documents=len(report.added) + len(report.updated),
        unchanged=len(report.unchanged),
        skipped=tuple(report.skipped),
        chunks=report.chunks,
        kept=kept,
        usage=usage,
        sample=_sample(unread),
    )


def _sample(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Some chunks from all over, few where there are few."""
    size = min(SAMPLE, 1 + -(-len(chunks) // 20)) if chunks else 0
    return tuple(chunks[len(chunks) * n // size] for n in range(size))


@dataclass(frozen=True)
class _Run:
    """What every step of a run works with."""

    graph: Graph
    embedder: Embedder
    extractor: Extractor
    report: IngestReport
    progress: Callable[[Progress], None]
    cancelled: ShouldStop


def _finished(run: _Run) -> IngestReport:
    graph, report = run.graph, run.report
    if graph.needs_deriving():
        derive(graph, embedder=run.embedder, report=report, progress=run.progress, cancelled=run.cancelled)
    stats = graph.stats()
    report.entities, report.facts = stats.entities, stats.facts
    report.usage = run.extractor.usage
    return report


# --------------------------------------------------------------------------------------------------------------------
# Read


def _unread_documents(run: _Run) -> Iterator[Arrival]:
    """The documents of which chunks are to be read again, as they were stored."""
    for n, row in enumerate(run.graph.document_rows()):
        if row.unread:
            chunks = in_context(run.graph.document_chunks(row.id))
            run.report.updated.append(row.source)
            run.report.chunks += len(chunks)
            yield Arrival(source=n, reading=PreparedDocument(row=row, chunks=tuple(chunks)))
        elif row.unread is None:
            run.report.problems.append(f"{row.source}: not all of it is stored; ingest it again")


def _known_extractions(group: Sequence[PreparedDocument], graph: Graph, extractor: Extractor) -> dict[str, Extraction]:
    """Chunk id -> what was read in that very text before: in this chunk or, where reading is dear, in any other."""
    keys = {chunk.id: extraction_key(chunk, extractor) for reading in group for chunk in reading.chunks}
    stored = graph.stored_chunks([reading.row.id for reading in group])
    own = [id_ for id_, key in keys.items() if id_ in stored and stored[id_].key == key]
    known = {chunk.id: chunk.extraction for chunk in graph.load_chunks(own)}
    kept = graph.kept_extractions([key for id_, key in keys.items() if id_ not in known]) if extractor.expensive else {}
    return known | {id_: kept[key] for id_, key in keys.items() if id_ not in known and key in kept}


def _read(group: Sequence[PreparedDocument], known: Mapping[str, Extraction], run: _Run) -> None:
    """Extract, embed and commit a group of documents, a batch of chunks at a time. `known`: what need not be read."""
    graph, report = run.graph, run.report
    chunks = [chunk for reading in group for chunk in reading.chunks]
    with report.timed("write"):
        stored = graph.stored_chunks([reading.row.id for reading in group])
        as_they_are = {
            chunk.id
            for chunk in chunks
            if chunk.id in known and stored.get(chunk.id) == StoredKey(key=known[chunk.id].key, title=chunk.title)
        }
        graph.move_chunks([chunk for chunk in chunks if chunk.id in as_they_are])
    extractions = {chunk.id: known[chunk.id] for chunk in chunks if chunk.id in as_they_are}
    unread = [chunk for chunk in chunks if chunk.id not in known]
    twins = _twins(unread, run.extractor)
    report.kept_extractions += len(twins)
    read = ((chunk, known[chunk.id]) for chunk in chunks if chunk.id in known and chunk.id not in as_they_are)
    new = _extract([chunk for chunk in unread if chunk.id not in twins], run)
    again = ((chunk, extractions[twins[chunk.id]]) for chunk in unread if chunk.id in twins)
    batch: list[tuple[Chunk, Extraction]] = []
    facts = report.triplets + sum(len(extraction.triplets) for extraction in extractions.values())
    try:
        for chunk, extraction in chain(read, new, again):
            batch.append((chunk, extraction))
            extractions[chunk.id] = extraction
            facts += len(extraction.triplets)
            fresh = chunk.id not in known and chunk.id not in twins
            report.extracted += fresh
            report.usage = run.extractor.usage
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
                _commit(whole, run)
            _stop_if(run.cancelled)
    finally:  # whoever stops us, what was read is kept
        _commit(batch, run)

    with report.timed("write"):
        mentions: list[Mention] = []
        for reading in group:
            found, remarks = read_mentions(reading.row.id, [(c, extractions[c.id]) for c in reading.chunks])
            mentions += found
            report.remarks += [f"{reading.row.source}: {remark}" for remark in remarks]
        graph.replace_read([reading.row.id for reading in group], mentions)
        graph.finish_reading(
            {r.row.id: [chunk.id for chunk in r.chunks] for r in group},
            unread={r.row.id: _count_unread(r, extractions, report) for r in group},
        )
        graph.note_overview()
    for extraction in extractions.values():
        report.add(extraction)


def _twins(chunks: Sequence[Chunk], extractor: Extractor) -> dict[str, str]:
    """Chunk id -> an earlier chunk that says the same and is read first, where reading is dear."""
    first: dict[str, str] = {}
    earlier = {chunk.id: first.setdefault(extraction_key(chunk, extractor), chunk.id) for chunk in chunks}
    return {id_: other for id_, other in earlier.items() if id_ != other} if extractor.expensive else {}


def _extract(chunks: Sequence[Chunk], run: _Run) -> Iterator[tuple[Chunk, Extraction]]:
    """Each chunk with what was read in it."""
    reading = iter(run.extractor.extract(chunks))
    for chunk in chunks:
        with run.report.timed("extract"):
            extraction = next(reading)
        yield chunk, extraction


def _commit(batch: Sequence[tuple[Chunk, Extraction]], run: _Run) -> None:
    """Embed and store chunks with what was read in them: searchable at once, never to be read again."""
    if not batch:
        return
    with run.report.timed("embed"):
        rows = embedded(batch, run.embedder)
    with run.report.timed("write"):
        run.graph.write_chunks(rows, keep=run.extractor.expensive)


def embedded(batch: Sequence[tuple[Chunk, Extraction]], embedder: Embedder) -> list[ChunkRow]:
    """Chunks with what was read in them, as they are stored: with their words and vectors."""
    texts = [chunk.text for chunk, _ in batch]
    spans = [pieces(chunk.text, chunk.language) for chunk, _ in batch]
    vectors, sentences = embed_chunks(embedder, texts, [chunk.title for chunk, _ in batch], spans)
    return [
        ChunkRow(
            chunk=chunk,
            terms=" ".join(terms(f"{chunk.title}\n{chunk.text}", chunk.language)),
            vector=vector,
            sentences=matrix,
            extraction=extraction,
        )
        for (chunk, extraction), vector, matrix in zip(batch, vectors, sentences, strict=True)
    ]


def _count_unread(reading: PreparedDocument, extractions: Mapping[str, Extraction], report: IngestReport) -> int:
    """How many chunks of a document could not be read. If any, it stays partial until `retry` has read them."""
    failed = [extractions[chunk.id].note for chunk in reading.chunks if not extractions[chunk.id].key]
    if failed:
        report.failed_chunks += len(failed)
        report.problems.append(
            f"{reading.row.source}: {len(failed)} of {len(reading.chunks)} chunks were not read; `filigraph retry` "
            f"reads them ({failed[0]})"
        )
    return len(failed)


# --------------------------------------------------------------------------------------------------------------------
# Derive


def derive(
    graph: Graph,
    *,
    embedder: Embedder,
    report: IngestReport | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> None:
    """Bring the derived graph in line with what was read and decided.

    What must be rewritten is marked in the store before anything is changed, so a run that is killed between two of its
    transactions is finished by the next one.
    """
    report = report or IngestReport()

    def begin(stage: str) -> None:
        _stop_if(cancelled)
        progress(Progress(stage=stage, done=0, total=0))

    with report.timed("scan"):
        begin("scan")
        said = _scan(graph, cancelled)
    with report.timed("resolve"):
        begin("resolve")
        names = _who_is_who(graph, said, embedder, cancelled)
    with report.timed("entities"):
        _write_entities(graph, names, embedder, progress, cancelled)
    with report.timed("facts"):
        _write_facts(graph, names, embedder, progress, cancelled)
    with report.timed("finish"):
        begin("finish")
        _finish(graph, names)


@dataclass(frozen=True, kw_only=True)
class _Names:
    """The mentions of a workspace and whose they are: what the steps of `derive` after the second need."""

    said: Sequence[PersonDecision]
    mentions: Sequence[MentionRow]
    lookup: Mentions
    decided: Sequence[Decision]  # the pairs of mentions that persons decided
    resolution: Resolution
    entities: Mapping[str, Entity]


def _scan(graph: Graph, cancelled: ShouldStop) -> Sequence[PersonDecision]:
    """Step 1: every place of a known name becomes one of its mentions, as persons split them; their decisions."""
    find_known_names(graph, partial(_stop_if, cancelled))
    said = graph.person_decisions()
    _split_off(graph, said)
    name_as_written(graph)
    return said


def _who_is_who(graph: Graph, said: Sequence[PersonDecision], embedder: Embedder, cancelled: ShouldStop) -> _Names:
    """Step 2: mentions -> entities. Nothing is written."""
    mentions = graph.mentions()
    lookup = Mentions(mentions)
    decided = decisions.pairs(said, lookup)
    candidates = find_candidates(mentions)
    resolution = resolve(
        candidates,
        decisions=decided,
        alias_groups=graph.alias_groups(),
        document_aliases=graph.document_aliases(),
        strangers=graph.document_strangers(),
        vectors=_name_vectors(candidates.texts, embedder, cancelled),
    )
    names_given = decisions.names_given(said, lookup, resolution.entity_of)
    entities = {entity.id: entity for entity in derive_entities(mentions, resolution, names_given)}
    return _Names(
        said=said, mentions=mentions, lookup=lookup, decided=decided, resolution=resolution, entities=entities
    )


def _write_entities(
    graph: Graph, names: _Names, embedder: Embedder, progress: Callable[[Progress], None], cancelled: ShouldStop
) -> None:
    """Step 3: the entities that changed. Chunks whose facts they change are marked first."""
    _stop_if(cancelled)
    entities, entity_of = names.entities, names.resolution.entity_of
    before = graph.entity_rows()
    moved = [m for m in names.mentions if m.entity_id != entity_of[m.id]]
    renamed = [id_ for id_, row in before.items() if id_ in entities and row.name != entities[id_].name]
    stale = graph.chunks_of_mentions([m.id for m in moved if m.entity_id])
    graph.mark_stale([*stale, *graph.chunks_of_entities(renamed)])
    joined = {entity_of[m.id] for m in moved}
    changed = [
        entity
        for id_, entity in entities.items()
        if id_ in joined
        or id_ not in before
        or (before[id_].name, before[id_].aliases, before[id_].type) != (entity.name, entity.aliases, entity.type)
    ]
    for start in range(0, len(changed), ENTITIES_BATCH):
        _stop_if(cancelled)
        batch = changed[start : start + ENTITIES_BATCH]
        graph.write_entities(list(zip(batch, embed_texts(embedder, [e.name for e in batch]), strict=True)))
        progress(Progress(stage="entities", done=start + len(batch), total=len(changed)))


def _write_facts(
    graph: Graph, names: _Names, embedder: Embedder, progress: Callable[[Progress], None], cancelled: ShouldStop
) -> None:
    """Step 4: the facts of the chunks that are marked."""
    name_of = {id_: entity.name for id_, entity in names.entities.items()}
    bearers, folds = _bearers(graph, names.said, names.lookup), decisions.folds(names.said)
    stale = graph.stale_chunks()
    for start in range(0, len(stale), DERIVE_BATCH):
        _stop_if(cancelled)
        part = stale[start : start + DERIVE_BATCH]
        facts = derive_facts(part, names.resolution.entity_of, name_of, bearers, folds)
        graph.write_facts([chunk.id for chunk in part], _with_vectors(facts, graph, embedder))
        progress(Progress(stage="facts", done=start + len(part), total=len(stale)))


def _finish(graph: Graph, names: _Names) -> None:
    """Step 5: why names are one, which may be; what nothing holds any more goes."""
    graph.write_rule_decisions(names.resolution.decisions)
    graph.write_near_misses(names.resolution.near_misses)
    graph.write_pairs(list({pair.id: pair for pair in reversed(names.decided)}.values()))
    graph.sweep()
    graph.note_overview()


def _split_off(graph: Graph, said: Sequence[PersonDecision]) -> None:
    """Places that persons split off go to mentions of their own, before anything is resolved."""
    parts = [decision for decision in said if decision.kind == "part"]
    there = Mentions(graph.mentions()) if parts else Mentions([])
    mention_of = {part.id: found for part in parts if (found := decisions.split_mention(part, there))}
    graph.write_parts(parts, mention_of)


def _bearers(graph: Graph, said: Sequence[PersonDecision], there: Mentions) -> dict[tuple[str, str], list[Bearer]]:
    """(chunk id, mention id) -> whose each place of its name is, where a person split it."""
    found: dict[tuple[str, str], list[Bearer]] = defaultdict(list)
    for part in said:
        mention = decisions.split_mention(part, there) if part.kind == "part" else ""
        if mention:
            own = ids.part_id(mention, part.id)
            for (id_, chunk), spans in graph.places([mention, own], sorted({p.chunk_id for p in part.places})).items():
                found[chunk, mention] += [Bearer(start=start, mention_id=id_) for start, _ in spans]
    return {key: sorted(set(places), key=lambda place: place.start) for key, places in found.items()}


def _stop_if(cancelled: ShouldStop) -> None:
    if cancelled():
        raise Cancelled("Stopped on request; what was read is kept.", cure="Ingest the same sources again to go on.")


def _name_vectors(names: Sequence[str], embedder: Embedder, cancelled: ShouldStop) -> dict[str, Vector]:
    vectors: dict[str, Vector] = {}
    for start in range(0, len(names), NAMES_BATCH):
        _stop_if(cancelled)
        part = names[start : start + NAMES_BATCH]
        vectors.update(zip(part, embed_texts(embedder, part, exact=True), strict=True))
    return vectors


def _with_vectors(facts: Sequence[Fact], graph: Graph, embedder: Embedder) -> list[tuple[Fact, Vector | None]]:
    """Only a fact that is new, or worded anew, needs a new vector."""
    known = graph.known_facts([fact.id for fact in facts])
    new = [fact for fact in facts if known.get(fact.id) != fact.text]
    vectors: Mapping[str, Vector] = dict(
        zip([fact.id for fact in new], embed_texts(embedder, [fact.text for fact in new]), strict=True)
    )
    return [(fact, vectors.get(fact.id)) for fact in facts]

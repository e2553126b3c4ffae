"""Derive, top to bottom: scan for known names -> resolve -> write entities -> write facts -> sweep.

`derive` looks at what was read and at the decisions of persons, and rewrites only the derived graph that changed. It
may be run again at any time; the result is the same graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Protocol

from filigraph.graph.derivation_state import DerivationState, NameVectors
from filigraph.graph.ingest.report import IngestReport, Progress
from filigraph.graph.model.arrays import Span, Vector
from filigraph.graph.model.facts import CorrectedFact, Entity, Fact
from filigraph.graph.model.llm_readings import CastLink
from filigraph.graph.model.names import AliasGroup, Decision, Part, Resolution, StoredCorrection
from filigraph.graph.models.embed import Embedder, embed_texts
from filigraph.graph.names.candidates import Candidates, find_candidates
from filigraph.graph.names.cast import Casts
from filigraph.graph.names.corrections import decisions_of, values_given
from filigraph.graph.names.fact_corrections import fact_corrections
from filigraph.graph.names.facts import DerivedEntities, derive_entities, derive_facts
from filigraph.graph.names.homonyms import parts_by_context
from filigraph.graph.names.identifiers import is_of_code, resolve_identifiers
from filigraph.graph.names.resolve import resolve
from filigraph.graph.names.scan import TEXTS, ScanGraph, TextSearch, find_known_names, name_as_written
from filigraph.graph.names.split_mentions import (
    FindParts,
    PartWriter,
    mentions_at_places,
    parts_of_mentions,
    split_mentions,
    with_places_told,
)
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.process.gc_tuning import collector_paused
from filigraph.graph.records.documents import StoredChunk
from filigraph.graph.records.entities import EntityRow, MentionRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.persistent_map import PersistentMap

DERIVE_BATCH = 500  # chunks whose facts are rewritten in one transaction
ENTITIES_BATCH = 2000  # entities that are written in one transaction
NAMES_BATCH = 256  # names whose vectors are computed between two cancellation checks


class NameReader(Protocol):
    """The names that are known, and what was decided of them."""

    @property
    def derivation_state(self) -> DerivationState: ...
    def mentions(self) -> Mentions: ...
    def corrections(self) -> Sequence[StoredCorrection]: ...
    def alias_groups(self) -> Sequence[AliasGroup]: ...
    def document_aliases(self) -> Mapping[str, Sequence[tuple[str, str]]]: ...
    def document_strangers(self) -> Mapping[str, Counter[str]]: ...


class EntityWriter(Protocol):
    """Reads the stored entities and writes those that changed."""

    def entity_rows(self) -> PersistentMap[EntityRow]: ...
    def chunks_of_mentions(self, mention_ids: Sequence[str]) -> Sequence[str]: ...
    def chunks_of_entities(self, entity_ids: Sequence[str]) -> Sequence[str]: ...
    def mark_stale(self, chunk_ids: Sequence[str]) -> None: ...
    def write_entities(self, rows: Sequence[tuple[Entity, Vector]]) -> None: ...


class FactWriter(Protocol):
    """The chunks whose facts are to be derived, and those facts."""

    def corrected(self) -> Mapping[str, Sequence[CorrectedFact]]: ...
    def chunks_of_facts(self, fact_ids: Sequence[str]) -> Sequence[str]: ...
    def mark_stale(self, chunk_ids: Sequence[str]) -> None: ...
    def stale_chunks(self) -> Sequence[StoredChunk]: ...
    def places(self, mention_ids: Sequence[str], chunk_ids: Sequence[str]) -> Mapping[tuple[str, str], list[Span]]: ...
    def known_facts(self, fact_ids: Sequence[str]) -> Mapping[str, str]: ...
    def write_facts(
        self,
        chunk_ids: Sequence[str],
        rows: Sequence[tuple[Fact, Vector | None]],
        corrected: Mapping[str, Sequence[CorrectedFact]],
    ) -> None: ...


class DecisionWriter(Protocol):
    """Writes decisions of people and rules as edges between mentions."""

    def write_rule_decisions(self, decisions: Sequence[Decision]) -> None: ...
    def write_near_misses(self, decisions: Sequence[Decision]) -> None: ...
    def write_pairs(self, pairs: Sequence[Decision]) -> None: ...


class NameGraph(ScanGraph, NameReader, PartWriter, Protocol):
    """The reads and writes of the first two steps."""

    def casts(self, document_ids: Sequence[str] | None = None) -> Casts: ...
    def cast_links(self, document_ids: Sequence[str] | None = None) -> Sequence[CastLink]: ...


class PreparedGraph(NameGraph, Protocol):
    """A workspace whose next derivation is prepared."""

    def entity_rows(self) -> PersistentMap[EntityRow]: ...
    def keep_edges(self, decisions: Sequence[Decision], *, by: str, review: bool) -> None: ...
    def read_snapshot(self) -> None: ...


class DeriveGraph(NameGraph, EntityWriter, FactWriter, DecisionWriter, Protocol):
    """A workspace whose derived graph is brought in line."""

    def read_snapshot(self) -> None: ...
    def sweep(self) -> None: ...
    def note_overview(self) -> None: ...


def derive(
    graph: DeriveGraph,
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
    graph.read_snapshot()

    def begin(stage: str) -> None:
        stop_if(cancelled)
        progress(Progress(stage=stage, done=0, total=0))

    with report.timed("scan"):
        begin("scan")
        split = scan_names(graph, cancelled)
    with report.timed("resolve"), collector_paused():
        begin("resolve")
        names = resolve_names(graph, split, embedder, cancelled)
    with report.timed("entities"):
        _write_entities(graph, names, embedder, progress, cancelled)
    with report.timed("facts"):
        _write_facts(graph, names, embedder, progress, cancelled)
    with report.timed("finish"), collector_paused():
        begin("finish")
        _finish(graph, names)


def prepare(graph: PreparedGraph, *, embedder: Embedder, cancelled: ShouldStop = lambda: False) -> None:
    """Read and compute what the next derivation would begin with, as the last one kept it: nothing is written, and the
    result of the next derivation is the same. Like a derivation it needs the lock of the workspace; what was computed
    before it was cancelled is kept.
    """
    graph.read_snapshot()
    graph.entity_rows()
    stop_if(cancelled)
    by_persons, casts = graph.corrections(), graph.casts()
    parts = parts_of_mentions(graph, by_persons, casts)
    stop_if(cancelled)
    split = SplitNames(by_persons=by_persons, casts=casts, links=graph.cast_links(), parts=parts)
    with collector_paused():
        candidates_of(graph.mentions(), split, graph.derivation_state)
        stop_if(cancelled)
        names = resolve_names(graph, split, embedder, cancelled)
        stop_if(cancelled)
        _unwritten(names, graph.entity_rows())
        graph.keep_edges(names.resolution.decisions, by="rule", review=False)
        graph.keep_edges(names.resolution.near_misses, by="rule", review=True)


@dataclass(frozen=True, kw_only=True)
class SplitNames:
    """What persons decided and LLMs said, and the parts of mentions that persons or the texts split off: result of the
    first step."""

    by_persons: Sequence[StoredCorrection]
    casts: Casts
    links: Sequence[CastLink]
    parts: Sequence[Part]


@dataclass(frozen=True, kw_only=True)
class DerivedNames:
    """The mentions of a workspace and the entities they resolve to: input of the steps after the second."""

    split: SplitNames
    mentions: Mentions
    decided: Sequence[Decision]  # the pairs of mentions that persons decided
    resolution: Resolution
    derived: DerivedEntities


def scan_names(
    graph: NameGraph, cancelled: ShouldStop, search: TextSearch = TEXTS, find_parts: FindParts = parts_by_context
) -> SplitNames:
    """Step 1: find every place of each known name, and split off places that mean another bearer of it."""
    find_known_names(graph, partial(stop_if, cancelled), search)
    by_persons, casts = graph.corrections(), graph.casts()
    parts = split_mentions(graph, by_persons, casts, find_parts)
    name_as_written(graph)
    return SplitNames(by_persons=by_persons, casts=casts, links=graph.cast_links(), parts=parts)


def resolve_names(graph: NameReader, split: SplitNames, embedder: Embedder, cancelled: ShouldStop) -> DerivedNames:
    """Step 2: mentions -> entities. Nothing is written."""
    mentions, state, by_persons = graph.mentions(), graph.derivation_state, split.by_persons
    state.mentions = len(mentions)
    decided = decisions_of(by_persons, mentions)
    document_aliases = graph.document_aliases()
    code = resolve_identifiers(chain.from_iterable(mentions.by_id.each(_of_code)), document_aliases)
    candidates = candidates_of(mentions, split, state)
    resolution = resolve(
        candidates,
        decisions=decided,
        alias_groups=graph.alias_groups(),
        document_aliases=document_aliases,
        strangers=graph.document_strangers(),
        casts=split.casts,
        links=split.links,
        text_parts=[part for part in split.parts if part.rule],
        vectors=_name_vectors(candidates, embedder, state.name_vectors, cancelled),
        state=state,
    )
    if code.entity_of:
        resolution = replace(resolution, entity_of={**resolution.entity_of, **code.entity_of})
    names_given = {**code.names, **values_given("name", by_persons, mentions, resolution.entity_of)}
    types_given = {**code.types, **values_given("type", by_persons, mentions, resolution.entity_of)}
    derived = derive_entities(mentions.by_id, resolution.entity_of, names_given, types_given, state)
    return DerivedNames(split=split, mentions=mentions, decided=decided, resolution=resolution, derived=derived)


def candidates_of(mentions: Mentions, split: SplitNames, state: DerivationState) -> Candidates:
    """The names of a workspace without those of source code, and the pairs of them that are worth comparing."""
    by_context = [part for part in split.parts if part.rule]
    without_code = chain.from_iterable(mentions.by_id.each(_not_of_code))
    return find_candidates(with_places_told(without_code, by_context, mentions), state)


def _of_code(mentions: Mapping[str, MentionRow]) -> list[MentionRow]:
    return [mention for mention in mentions.values() if is_of_code(mention)]


def _not_of_code(mentions: Mapping[str, MentionRow]) -> list[MentionRow]:
    return [mention for mention in mentions.values() if not is_of_code(mention)]


def _write_entities(
    graph: EntityWriter,
    names: DerivedNames,
    embedder: Embedder,
    progress: Callable[[Progress], None],
    cancelled: ShouldStop,
) -> None:
    """Step 3: the entities that changed. Chunks whose facts they change are marked first."""
    stop_if(cancelled)
    entities, before = names.derived.entities, graph.entity_rows()
    moved, unlike = _unwritten(names, before)
    renamed = [id_ for id_ in unlike if id_ in before and before[id_].name != entities[id_].name]
    stale = graph.chunks_of_mentions([m.id for m in moved if m.entity_id])
    graph.mark_stale([*stale, *graph.chunks_of_entities(renamed)])
    joined = {names.derived.entity_of[m.id] for m in moved}
    changed = [entities[id_] for id_ in sorted({*joined, *unlike})]
    for start in range(0, len(changed), ENTITIES_BATCH):
        stop_if(cancelled)
        batch = changed[start : start + ENTITIES_BATCH]
        graph.write_entities(list(zip(batch, embed_texts(embedder, [e.name for e in batch]), strict=True)))
        progress(Progress(stage="entities", done=start + len(batch), total=len(changed)))


def _unwritten(names: DerivedNames, before: PersistentMap[EntityRow]) -> tuple[list[MentionRow], list[str]]:
    """The mentions that do not refer to their entity yet, and the entities that are not stored as they are."""
    moved = chain.from_iterable(names.mentions.by_id.beside(names.derived.entity_of, _moved))
    return list(moved), list(chain.from_iterable(names.derived.entities.beside(before, _unlike)))


def _moved(mentions: Mapping[str, MentionRow], entity_of: Mapping[str, str]) -> list[MentionRow]:
    """The mentions that do not refer to their entity yet."""
    return [mention for id_, mention in mentions.items() if mention.entity_id != entity_of[id_]]


def _unlike(entities: Mapping[str, Entity], stored: Mapping[str, EntityRow]) -> list[str]:
    """The entities that are not stored, or not as they are now."""
    return [
        id_
        for id_, entity in entities.items()
        if stored.get(id_) != EntityRow(name=entity.name, aliases=entity.aliases, type=entity.type)
    ]


def _write_facts(
    graph: FactWriter,
    names: DerivedNames,
    embedder: Embedder,
    progress: Callable[[Progress], None],
    cancelled: ShouldStop,
) -> None:
    """Step 4: the facts of the chunks that are marked, and of those whose corrections changed."""
    mention_at = mentions_at_places(graph, names.split.parts)
    corrections = fact_corrections(names.split.by_persons, names.mentions, names.resolution.entity_of)
    changed = corrections.changed(graph.corrected())
    graph.mark_stale([*changed, *graph.chunks_of_facts(corrections.fact_ids())])
    stale = graph.stale_chunks()
    for start in range(0, len(stale), DERIVE_BATCH):
        stop_if(cancelled)
        batch = stale[start : start + DERIVE_BATCH]
        facts, corrected = derive_facts(batch, names.derived.entity_of, names.derived.entities, mention_at, corrections)
        graph.write_facts([chunk.id for chunk in batch], _with_vectors(facts, graph, embedder), corrected)
        progress(Progress(stage="facts", done=start + len(batch), total=len(stale)))


def _finish(graph: DeriveGraph, names: DerivedNames) -> None:
    """Step 5: store decisions and near misses, then delete what nothing refers to."""
    graph.write_rule_decisions(names.resolution.decisions)
    graph.write_near_misses(names.resolution.near_misses)
    graph.write_pairs(list({pair.id: pair for pair in reversed(names.decided)}.values()))
    graph.sweep()
    graph.note_overview()


def _name_vectors(
    candidates: Candidates, embedder: Embedder, cache: NameVectors, cancelled: ShouldStop
) -> Mapping[str, Vector]:
    """The vectors of names, each computed once as long as the server runs and has room for it."""
    fingerprint = embedder.fingerprint
    if fingerprint in candidates.vectors:
        return candidates.vectors[fingerprint]
    names = candidates.texts
    before = candidates.change.before() if candidates.change else None
    known = before.vectors.get(fingerprint, {}) if before else {}
    vectors = {name: known[name] for name in names if name in known}
    vectors |= cache.cached(fingerprint, [name for name in names if name not in known])
    new = [name for name in names if name not in vectors]
    for start in range(0, len(new), NAMES_BATCH):
        stop_if(cancelled)
        batch = new[start : start + NAMES_BATCH]
        vectors.update(zip(batch, embed_texts(embedder, batch, exact=True), strict=True))
    cache.keep(fingerprint, {name: vectors[name] for name in new})
    candidates.vectors[fingerprint] = vectors
    return vectors


def _with_vectors(facts: Sequence[Fact], graph: FactWriter, embedder: Embedder) -> list[tuple[Fact, Vector | None]]:
    """Only a fact that is new, or reworded, needs a new vector."""
    known = graph.known_facts([fact.id for fact in facts])
    new = [fact for fact in facts if known.get(fact.id) != fact.text]
    vectors: Mapping[str, Vector] = dict(
        zip([fact.id for fact in new], embed_texts(embedder, [fact.text for fact in new]), strict=True)
    )
    return [(fact, vectors.get(fact.id)) for fact in facts]

"""The entities and facts of a view: the functions that derive a workspace, applied to the visible part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from filigraph.graph.derive import DerivedNames, resolve_names, scan_names
from filigraph.graph.errors import NotFound
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.facts import Entity, Fact, Support
from filigraph.graph.model.names import Decision
from filigraph.graph.models.embed import Embedder
from filigraph.graph.names.cast import CastContrasts, cast_of
from filigraph.graph.names.fact_corrections import fact_corrections
from filigraph.graph.names.facts import derive_entities, derive_facts
from filigraph.graph.names.split_mentions import mentions_at_places
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.process.gc_tuning import collector_paused
from filigraph.graph.records.documents import DocumentRow
from filigraph.graph.records.entities import DecidedBy
from filigraph.graph.records.forms import FieldPlace
from filigraph.graph.store.cache.decision_edges import NO_EDGES, SAME, DecisionEdge
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.text.formats.mail_quotes import MAILS, MIN_QUOTED_CHARS, THREAD, without_quote_marks
from filigraph.graph.text.negation import denies
from filigraph.graph.view import View
from filigraph.graph.views.names import ViewNames
from filigraph.graph.views.read_names import ReadNames
from filigraph.graph.views.visible import Visible, visible_part


@dataclass(frozen=True, kw_only=True)
class ViewFact:
    """A fact with the data of its sentences."""

    fact: Fact
    weight: int  # sentences that state it; one in two overlapping chunks counts once
    denied: bool
    languages: tuple[str, ...]  # languages of the chunks that state it, sorted

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return tuple(sorted({support.chunk_id for support in self.fact.supports}))


@dataclass(frozen=True, kw_only=True, eq=False)
class DerivedView:
    """All data derived from the visible part."""

    view: View
    visible: Visible
    names: DerivedNames
    # mention id -> chunk id -> span -> whether only the scan found it
    occurrences: Mapping[str, Mapping[str, Mapping[Span, bool]]]
    titles_named: Mapping[str, Sequence[str]]  # chunk id -> documents
    facts: Mapping[str, ViewFact]  # by id, in order
    decided: Sequence[object]  # people's decisions that are valid here: decisions, then alias groups

    @property
    def entities(self) -> Mapping[str, Entity]:
        return self.names.derived.entities

    @cached_property
    def edges(self) -> Sequence[tuple[DecisionEdge, DecidedBy, bool]]:
        """The decisions about two mentions, who made them, and whether a person should review them."""
        names, edges = self.names, list[tuple[DecisionEdge, DecidedBy, bool]]()
        persons = {pair.id: pair for pair in reversed(names.decided)}.values()
        sources: tuple[tuple[Sequence[Decision], DecidedBy, bool], ...] = (
            (names.resolution.decisions, "rule", False),
            (names.resolution.near_misses, "rule", True),
            (tuple(persons), "person", False),
        )
        for decisions, by, review in sources:
            edges += [(edge, by, review) for edge in set(NO_EDGES.after(decisions)[0])]
        return edges

    @cached_property
    def chunks(self) -> Mapping[str, ReadChunk]:
        return {row.chunk.id: row for row in self.visible.chunks}

    @cached_property
    def chunks_of_entity(self) -> Mapping[str, Sequence[str]]:
        """Entity id -> the chunks that mention it, sorted."""
        chunks_of: dict[str, set[str]] = defaultdict(set)
        for mention, entity in self.names.derived.entity_of.items():
            chunks_of[entity].update(self.occurrences[mention])
        return {id_: sorted(chunks) for id_, chunks in chunks_of.items()}

    def named_in(self, sentence: Support | FieldPlace) -> set[str]:
        places = self.places_in(sentence.chunk_id)
        return {entity for start, end, entity in places if sentence.start <= start and end <= sentence.end}

    def places_in(self, chunk_id: str) -> Sequence[tuple[int, int, str]]:
        """The names in a chunk: (start, end, entity)."""
        return self._places.get(chunk_id, ())

    def apart(self) -> set[tuple[str, str]]:
        """The pairs of entities with names that a person or an LLM says are two."""
        entity_of, split = self.names.derived.entity_of, self.names.split
        casts = {id_: cast_of(readings) for id_, readings in split.casts.items()}
        told = CastContrasts.of(self.names.mentions, casts, split.links).contrasts
        pairs = {(one, other) for one, others in told.items() for other in others}
        pairs |= {(edge.first, edge.second) for edge, by, _ in self.edges if by == "person" and edge.type != SAME}
        return {(entity_of[one], entity_of[other]) for one, other in pairs if {one, other} <= entity_of.keys()}

    @cached_property
    def _places(self) -> Mapping[str, Sequence[tuple[int, int, str]]]:
        places: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for mention, entity in self.names.derived.entity_of.items():
            for chunk, spans in self.occurrences[mention].items():
                places[chunk] += [(start, end, entity) for start, end in spans]
        return places

    @cached_property
    def facts_by_chunk(self) -> Mapping[str, Sequence[tuple[int, int, Fact]]]:
        """Chunk id -> the facts that its sentences state, each with start and end of the sentence."""
        facts_of: dict[str, list[tuple[int, int, Fact]]] = defaultdict(list)
        for row in self.facts.values():
            for support in row.fact.supports:
                facts_of[support.chunk_id].append((support.start, support.end, row.fact))
        return facts_of

    @cached_property
    def entities_of_chunk(self) -> Mapping[str, Sequence[str]]:
        entities_of: dict[str, list[str]] = defaultdict(list)
        for entity, chunks in self.chunks_of_entity.items():
            for chunk in chunks:
                entities_of[chunk].append(entity)
        return entities_of


def derive_view(
    part: ReadPart,
    view: View,
    *,
    embedder: Embedder,
    read: ReadNames | None = None,
    cancelled: ShouldStop = lambda: False,
) -> DerivedView:
    """Derive a view. It writes nothing, and uses a model only for the vectors of new names. `read`: cached data about
    the workspace's names. Raises InputError, NotFound, Cancelled.
    """
    if read is None:
        read = ReadNames()
        read.follow(part)
    visible = visible_part(part, view)
    with collector_paused():
        graph = ViewNames(part, visible, read.state(row.chunk.id for row in visible.chunks), read)
        split = scan_names(graph, cancelled, read, read.parts)
        names = resolve_names(graph, split, embedder, cancelled)
        mention_at = mentions_at_places(graph, split.parts)
        corrections = fact_corrections(split.by_persons, names.mentions, names.resolution.entity_of)
        stale = graph.stale_chunks()
        derived = names.derived
        facts, _ = derive_facts(stale, derived.entity_of, derived.entities, mention_at, corrections, read.facts)
        visible_facts = _without_hidden(view.without_facts, facts)
        occurrences = graph.occurrences()
        weighed = {fact.id: _to_view_fact(fact, part.documents, part.chunks) for fact in visible_facts}
        return DerivedView(
            view=view,
            visible=visible,
            names=names,
            occurrences={id_: occurrences[id_] for id_ in names.derived.entity_of},
            titles_named=graph.titles_named,
            facts=weighed,
            decided=[*split.by_persons, *graph.alias_groups()],
        )


def stated_by(derived: DerivedView, document_ids: Collection[str]) -> DerivedView:
    """The part that some documents state: the entities with the names that these documents use, and the facts that they
    state about entities that they name. The texts of facts do not change, because their vectors are known.
    """
    documents = {id_: row for id_, row in derived.visible.documents.items() if id_ in document_ids}
    chunks = [row for row in derived.visible.chunks if row.chunk.document_id in documents]
    by_id = {row.chunk.id: row for row in chunks}
    mentions = Mentions(row for row in derived.names.mentions if row.document_id in documents)
    entity_of = {row.id: derived.names.derived.entity_of[row.id] for row in mentions}
    named = derive_entities(mentions.by_id, entity_of, {}, {})
    facts: dict[str, ViewFact] = {}
    for id_, row in derived.facts.items():
        fact, supports = row.fact, tuple(support for support in row.fact.supports if support.chunk_id in by_id)
        if supports and fact.subject_id in named.entities and fact.object_id in named.entities:
            facts[id_] = _to_view_fact(replace(fact, supports=supports), documents, by_id)
    return replace(
        derived,
        visible=replace(derived.visible, documents=documents, chunks=chunks),
        names=replace(derived.names, mentions=mentions, derived=named),
        occurrences={id_: derived.occurrences[id_] for id_ in entity_of},
        titles_named={id_: titles for id_, titles in derived.titles_named.items() if id_ in by_id},
        facts=facts,
    )


def _without_hidden(left_out: Sequence[str], facts: Sequence[Fact]) -> Sequence[Fact]:
    if unknown := sorted(set(left_out) - {fact.id for fact in facts}):
        raise NotFound(
            f"No visible fact has the id {unknown[0][:80]}.",
            cure="`filigraph facts list --json` and the hops of an answer (`fact_id`) have the ids.",
        )
    return [fact for fact in facts if fact.id not in left_out]


def _to_view_fact(fact: Fact, documents: Mapping[str, DocumentRow], chunks: Mapping[str, ReadChunk]) -> ViewFact:
    languages = tuple(sorted({chunks[support.chunk_id].chunk.language for support in fact.supports}))

    def sentence(support: Support) -> tuple[str, int, str]:
        chunk = chunks[support.chunk_id].chunk
        document = documents[chunk.document_id]
        text = chunk.text[support.start : support.end]
        is_mail = document.media_type in MAILS or THREAD in document.metadata
        if is_mail and len(text) >= MIN_QUOTED_CHARS:
            return "", 0, without_quote_marks(text)
        return document.sha256 or document.id, chunk.start + support.start, text

    return ViewFact(
        fact=fact,
        weight=len({sentence(support) for support in fact.supports}),
        denied=any(denies(fact.predicate, language) for language in languages),
        languages=languages,
    )

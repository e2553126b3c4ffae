"""The cast list of a document or workspace: its persons, with first passage, frequency and closest connections."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Literal, Protocol

from pydantic import Field

from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.documents import PlacedSentence
from filigraph.graph.records.entities import FoundEntity, MentioningChunk
from filigraph.graph.records.facts import DetailFact, WholeFact
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.text.identifiers import is_identifier
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.type_class import type_class
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences

CastOrder = Literal["passages", "appearance"]

MAX_PERSONS = 2_000  # of a workspace, those that most passages mention
MAX_CONNECTIONS = 5  # of one person, the closest
MAX_NAMES = 20  # of one person, the most frequent
DESCRIBING_RELATIONS = ("IS_A", "HAS_ROLE_IN", "WORKS_FOR")  # relation types that say who somebody is, the best first


class PersonGraph(Protocol):
    """The entities of a workspace or a view, and the facts about persons."""

    def find_entities(self, name: str, *, first: int = 0, count: int) -> tuple[Sequence[FoundEntity], int]: ...
    def facts_among(self, entity_ids: Sequence[str], *, document_id: str | None = None) -> Sequence[WholeFact]: ...
    def facts_of_relations(
        self, relations: Sequence[str], *, subject_ids: Sequence[str] | None = None, document_id: str | None = None
    ) -> Sequence[DetailFact]: ...


class CastGraph(PersonGraph, Protocol):
    """The reads of a workspace or a view that a cast list needs."""

    def mentions(self) -> Mentions: ...
    def chunks_mentioning(self, entity_ids: Sequence[str]) -> Sequence[MentioningChunk]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...


@dataclass(frozen=True, kw_only=True)
class CastConnection:
    """Another person, and how much both share."""

    id: Annotated[str, Field(description="The other entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    passages: Annotated[int, Field(description="Number of passages that name both.")]
    facts: Annotated[int, Field(description="Number of facts about both.")]


@dataclass(frozen=True, kw_only=True)
class ListedPerson:
    id: str
    name: str
    names: tuple[str, ...]  # the others, the most frequent first
    passages: int  # passages that name the person; text in two passages counts once
    connections: tuple[CastConnection, ...]  # those with whom the person shares most
    first: PlacedSentence  # the first sentence that names the person
    description: DetailFact | None = None  # a fact that says who it is


@dataclass(frozen=True, kw_only=True)
class _Appearance:
    """A person before the sentences are read."""

    number: int  # position in reading order
    chunk: MentioningChunk
    start: int  # start of the name in it


@dataclass(frozen=True, kw_only=True)
class CastList:
    """All persons of a text, without their sentences."""

    document_id: str | None  # None for the whole workspace or view
    ids: tuple[str, ...]  # those that most passages name first
    entities: Mapping[str, FoundEntity]
    names: Mapping[str, tuple[str, ...]]
    passages: Mapping[str, int]
    appearances: Mapping[str, _Appearance]
    connections: Mapping[str, tuple[CastConnection, ...]]


def cast_list_of(graph: CastGraph, *, document_id: str | None = None) -> CastList:
    """The persons of a document, or of the whole graph."""
    rows_found, _ = graph.find_entities("", count=MAX_PERSONS)
    entities = {row.id: row for row in rows_found if _is_person(row)}
    rows = graph.chunks_mentioning(list(entities))
    if document_id is not None:
        rows = [row for row in rows if row.document_id == document_id]
    passages, shared = _passages(rows)
    between = Counter[frozenset[str]](
        frozenset((fact.subject_id, fact.object_id))
        for fact in graph.facts_among(list(passages), document_id=document_id)
        if not fact.denied and fact.subject_id != fact.object_id
    )
    return CastList(
        document_id=document_id,
        ids=tuple(sorted(passages, key=lambda id_: (-passages[id_], entities[id_].name, id_))),
        entities=entities,
        names=_names(graph.mentions(), entities, document_id),
        passages=passages,
        appearances=_appearances(rows),
        connections=_connections(shared, between, entities),
    )


def listed_persons(
    cast: CastList, graph: CastGraph, *, order: CastOrder = "passages", first: int = 0, count: int
) -> list[ListedPerson]:
    """Some of the persons, each with the sentence that names it first and one that says who it is."""
    ids = list(cast.ids)
    if order == "appearance":
        ids.sort(key=lambda id_: cast.appearances[id_].number)
    shown = ids[first : first + count]
    texts = graph.passages(list(dict.fromkeys(cast.appearances[id_].chunk.chunk_id for id_ in shown)))
    descriptions = _descriptions(shown, cast, graph)
    return [
        ListedPerson(
            id=id_,
            name=cast.entities[id_].name,
            names=cast.names.get(id_, ()),
            passages=cast.passages[id_],
            connections=cast.connections.get(id_, ()),
            first=_sentence(cast.appearances[id_], texts[cast.appearances[id_].chunk.chunk_id]),
            description=descriptions.get(id_),
        )
        for id_ in shown
        if cast.appearances[id_].chunk.chunk_id in texts  # the document was not removed meanwhile
    ]


def _is_person(entity: FoundEntity) -> bool:
    """Whether an entity is a person by its type; without a type, by a name that is a title alone: "the Judge"."""
    if entity.type or is_identifier(entity.name):
        return type_class(entity.type) == "person"
    name = parse(entity.name)
    return name.named and name.role


def _names(
    mentions: Mentions, entities: Mapping[str, FoundEntity], document_id: str | None
) -> dict[str, tuple[str, ...]]:
    counts = defaultdict[str, Counter[str]](Counter)
    for row in mentions:
        if row.entity_id in entities and row.count and document_id in (None, row.document_id):
            counts[row.entity_id][row.form] += row.count
    return {
        id_: tuple(
            form
            for form, _ in sorted(forms.items(), key=lambda item: (-item[1], item[0]))
            if form != entities[id_].name
        )[:MAX_NAMES]
        for id_, forms in counts.items()
    }


def _passages(rows: Iterable[MentioningChunk]) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """The number of passages that name each person, and each pair. Text that a passage shares with the one before
    counts once."""
    passages, shared, ends = Counter[str](), Counter[tuple[str, str]](), dict[tuple[str, str], int]()
    for row in rows:
        last = dict[str, int]()  # the place where each person is named last
        for id_, start, _ in row.occurrences:
            last[id_] = max(last.get(id_, 0), row.start + start)
        new = {id_ for id_, start in last.items() if start >= ends.get((row.document_id, id_), 0)}
        ends.update(((row.document_id, id_), row.end) for id_ in new)
        passages.update(new)
        shared.update(pair for pair in combinations(sorted(last), 2) if not new.isdisjoint(pair))
    return passages, shared


def _appearances(rows: Iterable[MentioningChunk]) -> dict[str, _Appearance]:
    appearances = dict[str, _Appearance]()
    for row in rows:
        for id_, start, _ in sorted(row.occurrences, key=lambda one: one[1:]):
            if id_ not in appearances:
                appearances[id_] = _Appearance(number=len(appearances), chunk=row, start=start)
    return appearances


def _connections(
    shared: Mapping[tuple[str, str], int], between: Mapping[frozenset[str], int], entities: Mapping[str, FoundEntity]
) -> dict[str, tuple[CastConnection, ...]]:
    pairs = {frozenset(pair): count for pair, count in shared.items()}
    connections = defaultdict[str, list[CastConnection]](list)
    for pair in pairs.keys() | between.keys():
        one, two = sorted(pair)
        for id_, other in ((one, two), (two, one)):
            row = CastConnection(
                id=other, name=entities[other].name, passages=pairs.get(pair, 0), facts=between.get(pair, 0)
            )
            connections[id_].append(row)

    def rank(row: CastConnection) -> tuple[int, int, str, str]:
        return -row.passages - row.facts, -row.passages, row.name, row.id

    return {id_: tuple(sorted(rows, key=rank)[:MAX_CONNECTIONS]) for id_, rows in connections.items()}


def _descriptions(ids: Sequence[str], cast: CastList, graph: CastGraph) -> dict[str, DetailFact]:
    """For each person the fact that describes them best; not a denied fact, nor one that only somebody in the text
    asserts."""
    best = dict[str, tuple[tuple[int, int, str], DetailFact]]()
    for relation_rank, relation in enumerate(DESCRIBING_RELATIONS):
        facts = graph.facts_of_relations([relation], subject_ids=ids, document_id=cast.document_id)
        for fact in facts:
            sentences_of_text = [
                one for one in fact.sentences if not one.according_to and _is_in_part(one.document_id, cast)
            ]
            if fact.denied or not sentences_of_text or fact.object_id in cast.passages:
                continue
            rank = relation_rank, -fact.weight, fact.fact_id
            if fact.subject_id not in best or rank < best[fact.subject_id][0]:
                best[fact.subject_id] = rank, replace(fact, sentences=tuple(sentences_of_text[:1]))
    return {id_: fact for id_, (_, fact) in best.items()}


def _is_in_part(document_id: str, cast: CastList) -> bool:
    return cast.document_id in (None, document_id)


def _sentence(appearance: _Appearance, passage: Passage) -> PlacedSentence:
    at = appearance.start
    start, end = next(
        (span for span in sentences(passage.text, passage.language) if span[0] <= at < span[1]),
        (at, at),
    )
    return PlacedSentence(
        sentence=passage.text[start:end],
        place=place_of(passage.places, start, end, otherwise=passage.place),
        source=appearance.chunk.source,
        title=appearance.chunk.title,
        document_id=passage.document_id,
        chunk_id=passage.id,
        start=start,
        end=end,
    )

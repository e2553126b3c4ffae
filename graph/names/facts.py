"""Derive entities and facts: a pure function of extractions, mentions and decisions.

Stateless and independent of the order of its input, so undo, deletion and recovery after a crash are the same
operation: derive again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

from filigraph.graph import ids
from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.extraction import Extraction, Triplet
from filigraph.graph.model.facts import CorrectedFact, Entity, Fact, Support
from filigraph.graph.model.names import MentionLike, are_alike
from filigraph.graph.names.fact_corrections import WRONG, FactCorrections
from filigraph.graph.names.learned_given_names import Lesson, genders_of_lessons, lessons
from filigraph.graph.names.name_types import type_by_names
from filigraph.graph.tables.differences import other_objects
from filigraph.graph.tables.persistent_map import PersistentMap
from filigraph.graph.text.names.pairs import Given
from filigraph.graph.text.names.parse import canonical_name, name_key
from filigraph.graph.text.names.tables import GIVEN_NAMES
from filigraph.graph.text.verbs.predicates import predicate_as_stated

M = TypeVar("M", bound=MentionLike)


class ExtractedChunk(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def document_id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def extraction(self) -> Extraction: ...


@dataclass(frozen=True, kw_only=True)
class PlaceBearer:
    """The mention that a place of a chunk belongs to, after a split."""

    start: int
    mention_id: str


@dataclass(frozen=True)
class DerivedEntities:
    """Entities, with the mentions that each was derived from."""

    mentions: PersistentMap[Any]
    entity_of: PersistentMap[str]  # by mention
    entities: PersistentMap[Entity]


@dataclass(frozen=True)
class _Derived:
    """The last result, with its input."""

    derived: DerivedEntities
    entity_of: Mapping[str, str]  # as passed in
    names_given: Mapping[str, str]
    types_given: Mapping[str, str]
    given: Given


_NOTHING = _Derived(DerivedEntities(PersistentMap({}), PersistentMap({}), PersistentMap({})), {}, {}, {}, GIVEN_NAMES)


def derive_entities(
    mentions: PersistentMap[M],
    entity_of: Mapping[str, str],
    names_given: Mapping[str, str],
    types_given: Mapping[str, str],
    state: DerivationState | None = None,
) -> DerivedEntities:
    """One entity per group of mentions. `entity_of`: the id of the entity of each of these mentions. `names_given`,
    `types_given`: entity id -> name, type given by a person; they override the derived ones. If no reading gives a
    type, the names determine it.

    Entities whose mentions did not change since the last call with this `state` are reused.
    """
    last = (state.last(_Derived) if state else None) or _NOTHING
    before = last.derived
    others = [
        (old, new)
        for _, old, new in before.mentions.differences(mentions)
        if old is None or new is None or not are_alike(old, new)
    ]
    gone = [old.id for old, new in others if old and not new]
    groups = before.entity_of.after(gone, _other_entities(last.entity_of, entity_of))
    given_names = genders_of_lessons(chain.from_iterable(mentions.each(_lessons))) if others else last.given
    changed: set[str] = set()
    retained: PersistentMap[Entity] = PersistentMap({})
    theirs: Iterable[MentionLike] = mentions.values()
    if given_names == last.given:
        retained = before.entities
        moved = list(groups.differences(before.entity_of))
        changed.update(entity for _, *both in moved for entity in both if entity)
        changed.update(entity_of[new.id] for _, new in others if new)
        for old, new in ((last.names_given, names_given), (last.types_given, types_given)):
            changed.update(id_ for id_ in old.keys() | new.keys() if old.get(id_) != new.get(id_))
        members = {id_ for entity in changed if entity in retained for id_ in retained[entity].mention_ids}
        members.update(id_ for id_, now, _ in moved if now)
        theirs = (mentions[id_] for id_ in members if groups.get(id_) in changed)
    entities = retained.after(changed, _entities(theirs, entity_of, names_given, types_given, given_names))
    derived = DerivedEntities(mentions, groups, entities)
    if state:
        state.keep(_Derived(derived, entity_of, names_given, types_given, given_names))
    return derived


def _other_entities(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """The mentions that are new or have another entity than before, and perhaps some that have the same."""
    return {mention: now[mention] for mention in other_objects(before, now)}


def _lessons(mentions: Mapping[str, MentionLike]) -> frozenset[Lesson]:
    return lessons(mentions.values())


def _entities(
    mentions: Iterable[MentionLike],
    entity_of: Mapping[str, str],
    names_given: Mapping[str, str],
    types_given: Mapping[str, str],
    given_names: Given,
) -> dict[str, Entity]:
    groups: dict[str, list[MentionLike]] = defaultdict(list)
    for mention in mentions:
        groups[entity_of[mention.id]].append(mention)
    entities = {}
    for entity_id, members in groups.items():
        if len(members) == 1 and entity_id not in names_given and entity_id not in types_given:
            (one,) = members  # most entities: the same result in fewer steps
            entities[entity_id] = Entity(
                id=entity_id,
                name=one.form,
                aliases=(one.form,),
                type=one.type or type_by_names((one.form,), given_names),
                mention_ids=(one.id,),
            )
            continue
        members.sort(key=lambda mention: mention.id)
        aliases = tuple(sorted({mention.form for mention in members}))
        entities[entity_id] = Entity(
            id=entity_id,
            name=names_given.get(entity_id) or canonical_name([(m.form, m.count) for m in members]),
            aliases=aliases,
            type=types_given.get(entity_id) or _most_frequent(members) or type_by_names(aliases, given_names),
            mention_ids=tuple(mention.id for mention in members),
        )
    return entities


def _most_frequent(members: Sequence[MentionLike]) -> str:
    """The most frequent type, ties by code point; "" if no mention has a type."""
    weights: dict[str, int] = defaultdict(int)
    for mention in members:
        if mention.type:
            weights[mention.type] += mention.count
    return min(weights, key=lambda type_: (-weights[type_], type_), default="")


class ReadFact(NamedTuple):
    """A triplet in the form that facts are derived from."""

    triplet: Triplet
    subject: str  # mention
    predicate: str  # normalized
    object: str  # mention


def read_facts(chunk: ExtractedChunk) -> list[ReadFact]:
    """The triplets of a chunk, before their names are resolved."""
    read = list[ReadFact]()
    for triplet in chunk.extraction.triplets:
        predicate = triplet.predicate
        if chunk.extraction.unit is None:
            predicate = predicate_as_stated(chunk.text[triplet.start : triplet.end], predicate, chunk.language)
        subject = ids.mention_id(chunk.document_id, name_key(triplet.subject), triplet.subject_type)
        object_ = ids.mention_id(chunk.document_id, name_key(triplet.object), triplet.object_type)
        read.append(ReadFact(triplet, subject, predicate, object_))
    return read


def derive_facts(
    chunks: Iterable[ExtractedChunk],
    entity_of: Mapping[str, str],
    entities: Mapping[str, Entity],
    bearers: Mapping[tuple[str, str], Sequence[PlaceBearer]],
    judged: FactCorrections,
    read_in: Callable[[ExtractedChunk], Sequence[ReadFact]] = read_facts,
) -> tuple[list[Fact], dict[str, list[CorrectedFact]]]:
    """The facts that `chunks` support, sorted by id, with their supports in these chunks only; and, by chunk id, the
    facts that decisions correct.

    `entity_of` maps mention ids to entity ids, `entities` those to entities. A triplet gives no fact if both ends are
    one entity or if an end is not a mention. `judged` corrects predicates, `read_in` reads a chunk.

    `bearers`: (chunk id, mention id) -> its places in order, with the mention each belongs to, for mentions that a
    person split. A triplet then refers to the first place in its sentence, else to the last one before it, else to the
    first of the chunk.
    """

    def entity(chunk: ExtractedChunk, mention: str, start: int, end: int) -> str | None:
        places = bearers.get((chunk.id, mention))
        if places:
            inside = [place for place in places if start <= place.start < end]
            before = [place for place in places if place.start < start]
            mention = (inside[0] if inside else before[-1] if before else places[0]).mention_id
        return entity_of.get(mention)

    supports: dict[tuple[str, str, str], set[Support]] = defaultdict(set)
    corrected: dict[str, dict[CorrectedFact, None]] = defaultdict(dict)
    for chunk in chunks:
        for triplet, subject_mention, read, object_mention in read_in(chunk):
            subject = entity(chunk, subject_mention, triplet.start, triplet.end)
            object_ = entity(chunk, object_mention, triplet.start, triplet.end)
            if subject is None or object_ is None or subject == object_ or not read:
                continue
            predicate = judged.predicate(subject, read, object_)
            if predicate != judged.folded(read):
                row = CorrectedFact(subject_id=subject, original_predicate=read, object_id=object_, predicate=predicate)
                corrected[chunk.id][row] = None
            if predicate == WRONG:
                continue
            supports[subject, predicate, object_].add(
                Support(
                    chunk_id=chunk.id,
                    start=triplet.start,
                    end=triplet.end,
                    origin=triplet.origin,
                    according_to=triplet.according_to,
                    premises=triplet.premises,
                    when=triplet.when,
                    when_date=triplet.when_date,
                )
            )
        for fact in judged.stated.get(chunk.id, ()):
            if fact.end <= len(chunk.text) and fact.subject_id in entities and fact.object_id in entities:
                corrected[chunk.id][fact.row] = None
                support = Support(chunk_id=chunk.id, start=fact.start, end=fact.end, origin="own")
                supports[fact.subject_id, judged.folded(fact.predicate), fact.object_id].add(support)
    facts = [
        Fact(
            id=ids.fact_id(subject, predicate, object_),
            subject_id=subject,
            predicate=predicate,
            object_id=object_,
            text=f"{entities[subject].name} {predicate} {entities[object_].name}",
            supports=tuple(sorted(fact_supports, key=_support_order)),
        )
        for (subject, predicate, object_), fact_supports in supports.items()
    ]
    return sorted(facts, key=lambda fact: fact.id), {chunk: list(rows) for chunk, rows in corrected.items()}


def _support_order(support: Support) -> tuple[str, int, int, str, str, tuple[Span, ...], str]:
    order = support.start, support.end, support.origin, support.according_to, support.premises, support.when
    return support.chunk_id, *order

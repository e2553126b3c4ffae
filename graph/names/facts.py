"""Derive entities and facts: a pure function of extractions, mentions and decisions.

Stateless and independent of the order of its input, so undo, deletion and recovery after a crash are the same
operation: derive again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from cachetools import LRUCache

from filigraph.graph import ids
from filigraph.graph.model import (
    CorrectedFact,
    Entity,
    Extraction,
    Fact,
    MentionLike,
    Resolution,
    Span,
    Support,
    are_alike,
)
from filigraph.graph.names.fact_decisions import WRONG, FactDecisions
from filigraph.graph.names.given import given_names
from filigraph.graph.names.name_types import type_by_names
from filigraph.graph.text.names.pairs import Given
from filigraph.graph.text.names.parse import canonical_name, name_key
from filigraph.graph.text.names.tables import GIVEN_NAMES
from filigraph.graph.text.verbs.predicates import predicate_as_stated


class ExtractedChunk(Protocol):
    """A chunk with its extraction."""

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
class Bearer:
    """The mention that a place of a chunk belongs to, after a split."""

    start: int
    mention_id: str


@dataclass(frozen=True)
class _Derived:
    """Entities with what they were derived from."""

    mentions: Mapping[str, MentionLike]  # by id
    entity_of: Mapping[str, str]
    names_given: Mapping[str, str]
    types_given: Mapping[str, str]
    given: Given
    entities: Mapping[str, Entity]


_LAST: LRUCache[str, _Derived] = LRUCache(1)  # by workspace
_LOCK = Lock()


def derive_entities(
    mentions: Sequence[MentionLike],
    resolution: Resolution,
    names_given: Mapping[str, str],
    types_given: Mapping[str, str],
) -> Mapping[str, Entity]:
    """One entity per group of mentions, by id, sorted. `names_given`, `types_given`: entity id -> name, type given by a
    person; they override the derived ones. Where no reading gives a type, the names tell it.

    Entities whose mentions are as they were at the call before are taken from there.
    """
    entity_of = resolution.entity_of
    workspace = ids.workspace_part(mentions[0].id if mentions else "")
    with _LOCK:
        last = _LAST.get(workspace) or _Derived({}, {}, {}, {}, GIVEN_NAMES, {})
    others, changed = _differences(last, mentions, entity_of)
    given = given_names(mentions) if others else last.given
    if given == last.given:
        for before, now in ((last.names_given, names_given), (last.types_given, types_given)):
            changed |= {id_ for id_ in before.keys() | now.keys() if before.get(id_) != now.get(id_)}
        entities = {id_: entity for id_, entity in last.entities.items() if id_ not in changed}
        theirs: Iterable[MentionLike] = (mention for mention in mentions if entity_of[mention.id] in changed)
    else:
        entities, theirs = {}, mentions
    entities |= _entities(theirs, entity_of, names_given, types_given, given)
    entities = {id_: entities[id_] for id_ in sorted(entities)}
    by_id = {mention.id: mention for mention in mentions}
    with _LOCK:
        _LAST[workspace] = _Derived(by_id, entity_of, names_given, types_given, given, entities)
    return entities


def _differences(
    last: _Derived, mentions: Iterable[MentionLike], entity_of: Mapping[str, str]
) -> tuple[bool, set[str]]:
    """Whether there are other mentions than last, and the ids of the entities, some gone, whose mentions differ."""
    others, changed = False, set()
    gone = dict(last.mentions)
    for new in mentions:
        old = gone.pop(new.id, None)
        if old is not new and (old is None or not are_alike(old, new)):
            others = True
            changed.add(entity_of[new.id])
        if old is not None and last.entity_of[old.id] != entity_of[new.id]:
            changed |= {last.entity_of[old.id], entity_of[new.id]}
    changed.update(last.entity_of[id_] for id_ in gone)
    return others or bool(gone), changed


def _entities(
    mentions: Iterable[MentionLike],
    entity_of: Mapping[str, str],
    names_given: Mapping[str, str],
    types_given: Mapping[str, str],
    given: Given,
) -> dict[str, Entity]:
    groups: dict[str, list[MentionLike]] = defaultdict(list)
    for mention in mentions:
        groups[entity_of[mention.id]].append(mention)
    entities = {}
    for entity_id, members in groups.items():
        if len(members) == 1 and entity_id not in names_given and entity_id not in types_given:
            (one,) = members  # most are: what follows, in fewer steps
            entities[entity_id] = Entity(
                id=entity_id,
                name=one.form,
                aliases=(one.form,),
                type=one.type or type_by_names((one.form,), given),
                mention_ids=(one.id,),
            )
            continue
        members.sort(key=lambda mention: mention.id)
        aliases = tuple(sorted({mention.form for mention in members}))
        entities[entity_id] = Entity(
            id=entity_id,
            name=names_given.get(entity_id) or canonical_name([(m.form, m.count) for m in members]),
            aliases=aliases,
            type=types_given.get(entity_id) or _most_frequent(members) or type_by_names(aliases, given),
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


def derive_facts(
    chunks: Iterable[ExtractedChunk],
    entity_of: Mapping[str, str],
    names: Mapping[str, str],
    bearers: Mapping[tuple[str, str], Sequence[Bearer]],
    judged: FactDecisions,
) -> tuple[list[Fact], dict[str, list[CorrectedFact]]]:
    """The facts that `chunks` support, sorted by id, with their supports in these chunks only; and, by chunk id, the
    facts that decisions correct.

    `entity_of` maps mention ids to entity ids, `names` entity ids to canonical names. A triplet gives no fact if both
    ends are one entity or if an end is no mention. `predicate_as_stated` normalizes predicates, `judged` corrects them.

    `bearers`: (chunk id, mention id) -> its places in order, with the mention each belongs to, for mentions that a
    person split. A triplet then refers to the first place in its sentence, else to the last one before it, else to the
    first of the chunk.
    """

    def entity(chunk: ExtractedChunk, form: str, type_: str, start: int, end: int) -> str | None:
        mention = ids.mention_id(chunk.document_id, name_key(form), type_)
        places = bearers.get((chunk.id, mention))
        if places:
            inside = [place for place in places if start <= place.start < end]
            before = [place for place in places if place.start < start]
            mention = (inside[0] if inside else before[-1] if before else places[0]).mention_id
        return entity_of.get(mention)

    supports: dict[tuple[str, str, str], set[Support]] = defaultdict(set)
    corrected: dict[str, dict[CorrectedFact, None]] = defaultdict(dict)
    for chunk in chunks:
        for triplet in chunk.extraction.triplets:
            said = (triplet.start, triplet.end)
            subject = entity(chunk, triplet.subject, triplet.subject_type, *said)
            object_ = entity(chunk, triplet.object, triplet.object_type, *said)
            read = triplet.predicate
            if chunk.extraction.unit is None:
                read = predicate_as_stated(chunk.text[triplet.start : triplet.end], read, chunk.language)
            if subject is None or object_ is None or subject == object_ or not read:
                continue
            predicate = judged.predicate(subject, read, object_)
            if predicate != judged.folded(read):
                row = CorrectedFact(subject_id=subject, told=read, object_id=object_, predicate=predicate)
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
    facts = [
        Fact(
            id=ids.fact_id(subject, predicate, object_),
            subject_id=subject,
            predicate=predicate,
            object_id=object_,
            text=f"{names[subject]} {predicate} {names[object_]}",
            supports=tuple(sorted(found, key=_place)),
        )
        for (subject, predicate, object_), found in supports.items()
    ]
    return sorted(facts, key=lambda fact: fact.id), {chunk: list(rows) for chunk, rows in corrected.items()}


def _place(support: Support) -> tuple[str, int, int, str, str, tuple[Span, ...], str]:
    said = support.start, support.end, support.origin, support.according_to, support.premises, support.when
    return support.chunk_id, *said

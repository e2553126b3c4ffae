"""Questions for a person about who is who: "Who of these is Elizabeth Bennet?", the most important ones first.

The gain of an answer is the number of places of the rarer of two entities, times the likelihood that they are one. The
questions are about near misses, and about persons of one document whose names share nothing: a given name and a surname
("Caroline", "Miss Bingley"), a woman before and after her wedding ("Miss Taylor", "Mrs. Weston").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from filigraph.graph.model.names import Decision, MentionLike
from filigraph.graph.names.learned_given_names import given_names
from filigraph.graph.text.names.pairs import Given, conflict, person_shaped
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import MILITARY
from filigraph.graph.text.names.type_class import type_class

MAX_QUESTIONS = 30  # questions for a workspace, unless more are asked for
NAMES_AT_ONCE = 8  # names of a question
PERSONS = 150  # that are compared with each other: the most frequent ones
FORMS = 12  # most forms of an entity that are compared, the most frequent ones
WIVES = frozenset(("mrs", "lady"))

# Rough likelihood that two entities are one: it orders questions. Chosen on the development novels.
NEAR_MISS, BY_SCORE = 0.3, 0.5  # of a near miss, and the weight of its score
ALIKE, AT_ODDS = 0.3, 0.05  # with a common word; if a guard speaks against it
GIVEN_AND_SURNAME, MARRIED, UNKNOWN = 0.05, 0.04, 0.015


@dataclass(frozen=True, kw_only=True)
class IdentityQuestion:
    """Who of these others is this entity?"""

    entity: str
    others: Sequence[str]  # entities, the most important ones first


@dataclass(frozen=True, kw_only=True, eq=False)
class Bearer:
    """An entity with its names."""

    id: str
    mention: str  # its most frequent one
    places: int
    names: Sequence[Name]
    types: frozenset[str]
    documents: frozenset[str]
    given: Given  # the given names that are known

    @cached_property
    def is_person(self) -> bool:
        return self.types == {"person"} or (not self.types and any(map(person_shaped, self.names)))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for name in self.names for word in name.core)

    @cached_property
    def gender(self) -> str:
        """The gender of the most frequent name that has one; "m" for an officer."""
        genders = (name.gender or ("m" if name.titles & MILITARY else "") for name in self.names)
        return next(filter(None, genders), "")

    @cached_property
    def titles(self) -> frozenset[str]:
        return frozenset(title for name in self.names for title in name.titles)

    @cached_property
    def given_names(self) -> frozenset[str]:
        first = (name.core[0] for name in self.names if name.core and not _is_titled_surname(name))
        return frozenset(word for word in first if word in self.given)

    @cached_property
    def surnames(self) -> frozenset[str]:
        whole = (name for name in self.names if len(name.core) > 1 and name.named and name.head == len(name.core))
        titled = (name for name in self.names if _is_titled_surname(name))
        return frozenset(name.core[-1] for names in (whole, titled) for name in names)


def _is_titled_surname(name: Name) -> bool:
    return len(name.core) == 1 and bool(name.titles - {"sir"}) and not name.kin


def bearers(
    mentions: Iterable[MentionLike], entity_of: Mapping[str, str], wanted_entities: Set[str]
) -> dict[str, Bearer]:
    """The entities that may be asked about: those of `wanted_entities`, and the most frequent persons."""
    mentions_of: dict[str, list[MentionLike]] = defaultdict(list)
    for mention in mentions:
        if mention.count and (entity := entity_of.get(mention.id)):
            mentions_of[entity].append(mention)
    persons = [
        entity for entity, those in mentions_of.items() if any(type_class(m.type) in ("person", "") for m in those)
    ]
    persons.sort(key=lambda entity: (-sum(mention.count for mention in mentions_of[entity]), entity))
    wanted = {
        entity: mentions_of[entity]
        for entity in (*persons[: 2 * PERSONS], *sorted(wanted_entities))
        if entity in mentions_of
    }
    known_given_names = given_names(mention for those in wanted.values() for mention in those)
    return {entity: _bearer(entity, those, known_given_names) for entity, those in wanted.items()}


def _bearer(entity: str, mentions: Sequence[MentionLike], known_given_names: Given) -> Bearer:
    ordered = sorted(mentions, key=lambda mention: (-mention.count, mention.id))
    forms = dict.fromkeys(mention.form for mention in ordered)
    return Bearer(
        id=entity,
        mention=ordered[0].id,
        places=sum(mention.count for mention in ordered),
        names=[parse(form) for form in [*forms][:FORMS]],
        types=frozenset(filter(None, (type_class(mention.type) for mention in ordered))),
        documents=frozenset(mention.document_id for mention in ordered),
        given=known_given_names,
    )


def questions(
    among: Mapping[str, Bearer],
    near: Iterable[Decision],
    entity_of: Mapping[str, str],
    *,
    apart: Set[frozenset[str]] = frozenset(),
    most: int = MAX_QUESTIONS,
) -> list[IdentityQuestion]:
    """`among`: see `bearers`. `apart`: pairs of entities that a person kept apart."""
    gains: dict[str, dict[str, float]] = defaultdict(dict)
    for first, second, gain in _gains(among, near_scores(near, entity_of)):
        if frozenset((first, second)) not in apart:
            gains[first][second] = gains[second][first] = gain
    listed: list[IdentityQuestion] = []
    best_of = {entity: _best(others) for entity, others in gains.items()}
    while len(listed) < most and best_of:
        entity = min(best_of, key=lambda id_: (-sum(gains[id_][other] for other in best_of[id_]), id_))
        others = best_of[entity]
        if not others:
            break
        listed.append(IdentityQuestion(entity=entity, others=others))
        for other in others:
            del gains[entity][other], gains[other][entity]
        for id_ in (entity, *others):
            best_of[id_] = _best(gains[id_])
    return listed


def _best(others: Mapping[str, float]) -> list[str]:
    return sorted(others, key=lambda other: (-others[other], other))[:NAMES_AT_ONCE]


def near_scores(near: Iterable[Decision], entity_of: Mapping[str, str]) -> dict[frozenset[str], float]:
    """Pairs of entities with near misses between them -> the highest score."""
    scores: dict[frozenset[str], float] = {}
    for miss in near:
        pair = frozenset(filter(None, (entity_of.get(miss.first), entity_of.get(miss.second))))
        if len(pair) == 2:
            scores[pair] = max(scores.get(pair, 0.0), miss.score)
    return scores


def _gains(among: Mapping[str, Bearer], near: Mapping[frozenset[str], float]) -> Iterator[tuple[str, str, float]]:
    """Pairs of entities, and the gain of knowing whether they are one."""
    persons = sorted((one for one in among.values() if one.is_person), key=lambda one: (-one.places, one.id))
    pairs = {frozenset((one.id, other.id)) for one, other in combinations(persons[:PERSONS], 2)}
    for pair in pairs | near.keys():
        if not pair <= among.keys():
            continue
        first, second = (among[entity] for entity in sorted(pair))
        likely = NEAR_MISS + BY_SCORE * near[pair] if pair in near else _likelihood(first, second)
        if likely:
            yield first.id, second.id, likely * min(first.places, second.places)


def _likelihood(a: Bearer, b: Bearer) -> float:
    """The likelihood that two persons whom no rule joined are one; 0 if there is nothing to ask."""
    if a.documents.isdisjoint(b.documents) or {a.gender, b.gender} == {"m", "f"}:
        return 0.0
    if a.words & b.words:
        return AT_ODDS if any(conflict(one, other) for one in a.names for other in b.names) else ALIKE
    if a.given_names and b.given_names:
        return 0.0
    if a.surnames and b.surnames:
        return MARRIED if _may_have_married(a, b) or _may_have_married(b, a) else 0.0
    one_each = (a.given_names and b.surnames) or (b.given_names and a.surnames)
    return GIVEN_AND_SURNAME if one_each else UNKNOWN


def _may_have_married(wife: Bearer, other: Bearer) -> bool:
    """Whether the other may be a woman's name before her wedding."""
    return bool(wife.titles & WIVES) and not other.titles & WIVES and other.gender != "m"

"""Families: persons joined by facts of kinship, in generations.

At least one sentence asserts a tie: facts that are denied, or that only somebody in the text asserts, are not ties.
Parents that exclude each other are both shown, as open.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from filigraph.graph.analysis.cast_list import MAX_PERSONS, PersonGraph
from filigraph.graph.records.entities import FoundEntity
from filigraph.graph.records.facts import DetailFact
from filigraph.graph.text.kinship import KINDS, Kinship, TieKind, kin_word, kinship_of, maiden_name
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.type_class import type_class

# Relations of kinship; the second row: their names in schemas of language models.
RELATIONS = (
    *KINDS,
    *("PARENT_OF", "IS_PARENT_OF", "CHILD_OF", "FATHER_OF", "MOTHER_OF", "SPOUSE_OF", "MARRIED_TO", "SIBLING_OF"),
)
MAX_FACTS_PER_TIE = 5  # shown of one tie
MAX_MEMBERS = 500  # of one family


@dataclass(frozen=True, kw_only=True)
class FamilyMember:
    """A person of a family."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="The person's name.")]
    maiden_name: Annotated[str, Field(description="The surname before marriage; empty if unknown.")]
    generation: Annotated[int, Field(description="The generation, from 0, the oldest.")]


@dataclass(frozen=True, kw_only=True)
class FamilyTie:
    """Two relatives. Of a parent and child the first is the parent."""

    kind: TieKind
    first_id: str
    first: str
    other_id: str
    other: str
    open: bool  # another tie excludes it: a third parent, two mothers, each the child of the other
    denied: bool  # another sentence denies it
    facts: tuple[DetailFact, ...]  # that say it, each with its first sentence; the best supported first


@dataclass(frozen=True, kw_only=True)
class Family:
    """Persons that ties connect."""

    members: tuple[FamilyMember, ...]  # by generation; in one, spouses and siblings beside each other
    ties: tuple[FamilyTie, ...]  # parents, spouses, siblings, other relatives


@dataclass(frozen=True, kw_only=True)
class Families:
    """The families of a workspace or view, and the facts that they leave out."""

    families: tuple[Family, ...]  # the largest first
    alleged: tuple[DetailFact, ...]  # facts that only somebody in the text asserts

    def of(self, entity_ids: Iterable[str]) -> Families:
        """The families of some persons."""
        ids = set(entity_ids)
        return Families(
            families=tuple(one for one in self.families if any(member.id in ids for member in one.members)),
            alleged=tuple(fact for fact in self.alleged if ids & {fact.subject_id, fact.object_id}),
        )


@dataclass(frozen=True, kw_only=True)
class _KinshipFact:
    fact: DetailFact
    kinship: Kinship


@dataclass(frozen=True, kw_only=True)
class _Step:
    """A step from one relative to another, with the number of generations down."""

    to: str
    down: int


def families_of(graph: PersonGraph) -> Families:
    entities = {row.id: row for row in graph.find_entities("", count=MAX_PERSONS)[0]}
    stated, alleged = list[_KinshipFact](), list[DetailFact]()
    for fact in graph.facts_of_relations(RELATIONS):
        kinship = kinship_of(fact.predicate, fact.object)
        if fact.denied or kinship is None or fact.subject_id == fact.object_id or not _are_persons(fact, entities):
            continue
        sentences = tuple(one for one in fact.sentences if not one.according_to)
        if sentences:
            stated.append(_KinshipFact(fact=replace(fact, sentences=sentences[:1]), kinship=kinship))
        elif fact.sentences:
            alleged.append(replace(fact, sentences=fact.sentences[:1]))
    ties = _with_open_parents(_ties(stated, _denials(stated, graph)), stated)
    families = _families(ties, stated, entities)
    families.sort(key=lambda family: (-len(family.members), family.members[0].name))
    return Families(families=tuple(families), alleged=tuple(alleged))


def _are_persons(fact: DetailFact, entities: Mapping[str, FoundEntity]) -> bool:
    """Whether both ends may be persons: an end without a type may be one."""
    types = (entities[id_].type for id_ in (fact.subject_id, fact.object_id) if id_ in entities)
    return all(type_class(type_) in ("person", "") for type_ in types)


# --------------------------------------------------------------------------------------------------------------------
# Ties


def _ties(stated: Sequence[_KinshipFact], denials: set[frozenset[str]]) -> list[FamilyTie]:
    """Each pair with each kind once, with the facts that say it. A closer tie leaves out "relative"."""
    facts = defaultdict[tuple[TieKind, str, str], list[DetailFact]](list)
    names = dict[str, str]()
    for kinship_fact in stated:
        fact, kind = kinship_fact.fact, kinship_fact.kinship.kind
        names |= {fact.subject_id: fact.subject, fact.object_id: fact.object}
        ends = fact.subject_id, fact.object_id
        if kind == "parent":
            ends = ends if kinship_fact.kinship.inverse else (ends[1], ends[0])
        elif kind != "relative":
            ends = min(ends), max(ends)
        facts[kind, *ends].append(fact)
    close = {frozenset(ends) for kind, *ends in facts if kind != "relative"}
    ties = [
        FamilyTie(
            kind=kind,
            first_id=first,
            first=names[first],
            other_id=other,
            other=names[other],
            open=False,
            denied=frozenset((first, other)) in denials,
            facts=tuple(sorted(rows, key=lambda fact: (-fact.weight, fact.fact_id))[:MAX_FACTS_PER_TIE]),
        )
        for (kind, first, other), rows in facts.items()
        if kind != "relative" or frozenset((first, other)) not in close
    ]
    order = list(KINDS.values())
    return sorted(ties, key=lambda tie: (order.index(tie.kind), tie.first, tie.other, tie.first_id, tie.other_id))


def _denials(stated: Sequence[_KinshipFact], graph: PersonGraph) -> set[frozenset[str]]:
    """The pairs of which a fact denies that they are relatives."""
    ids = sorted(
        {id_ for kinship_fact in stated for id_ in (kinship_fact.fact.subject_id, kinship_fact.fact.object_id)}
    )
    return {
        frozenset((fact.subject_id, fact.object_id))
        for fact in (graph.facts_among(ids) if ids else ())
        if fact.denied and kin_word(fact.predicate)
    }


def _with_open_parents(ties: Sequence[FamilyTie], stated: Sequence[_KinshipFact]) -> list[FamilyTie]:
    """The ties; ties to parents that exclude each other are marked as open."""
    parents = defaultdict[str, set[str]](set)
    for tie in ties:
        if tie.kind == "parent":
            parents[tie.other_id].add(tie.first_id)
    genders = _genders(stated)

    def is_open(tie: FamilyTie) -> bool:
        if tie.kind != "parent":
            return False
        others = parents[tie.other_id] - {tie.first_id}
        gender = genders.get(tie.first_id, "")
        alike = gender and any(genders.get(other, "") == gender for other in others)
        return bool(len(others) > 1 or alike or tie.other_id in parents[tie.first_id])

    return [replace(tie, open=is_open(tie)) for tie in ties]


def _genders(stated: Iterable[_KinshipFact]) -> dict[str, str]:
    """The genders of parents, by their kinship word or by their names."""
    genders = dict[str, str]()
    for kinship_fact in stated:
        if kinship_fact.kinship.kind == "parent":
            ends = (
                (kinship_fact.fact.subject_id, kinship_fact.fact.subject),
                (kinship_fact.fact.object_id, kinship_fact.fact.object),
            )
            id_, name = ends[0] if kinship_fact.kinship.inverse else ends[1]
            if gender := kinship_fact.kinship.gender or parse(name).gender:
                genders.setdefault(id_, gender)
    return genders


# --------------------------------------------------------------------------------------------------------------------
# Generations


def _components(ties: Sequence[FamilyTie]) -> list[list[str]]:
    near = defaultdict[str, set[str]](set)
    for tie in ties:
        near[tie.first_id].add(tie.other_id)
        near[tie.other_id].add(tie.first_id)
    known, components = set[str](), list[list[str]]()
    for start in sorted(near):
        if start in known:
            continue
        component, waiting = list[str](), deque([start])
        known.add(start)
        while waiting:
            id_ = waiting.popleft()
            component.append(id_)
            new = near[id_] - known
            known |= new
            waiting.extend(sorted(new))
        components.append(component)
    return components


def _families(
    ties: Sequence[FamilyTie], stated: Sequence[_KinshipFact], entities: Mapping[str, FoundEntity]
) -> list[Family]:
    components = _components(ties)
    number_of = {id_: number for number, ids in enumerate(components) for id_ in ids}
    ties_of, stated_of = defaultdict[int, list[FamilyTie]](list), defaultdict[int, list[_KinshipFact]](list)
    for tie in ties:
        ties_of[number_of[tie.first_id]].append(tie)
    for kinship_fact in stated:  # each makes a tie, or comes with a closer one: both ends are in one component
        stated_of[number_of[kinship_fact.fact.subject_id]].append(kinship_fact)
    return [
        _family(ids[:MAX_MEMBERS], ties_of[number], stated_of[number], entities)
        for number, ids in enumerate(components)
    ]


def _family(
    ids: Sequence[str],
    all_ties: Sequence[FamilyTie],
    stated: Sequence[_KinshipFact],
    entities: Mapping[str, FoundEntity],
) -> Family:
    """`all_ties` and `stated`: of the component that `ids` are the first members of."""
    own = set(ids)
    ties = [tie for tie in all_ties if {tie.first_id, tie.other_id} <= own]
    names = {id_: name for tie in ties for id_, name in ((tie.first_id, tie.first), (tie.other_id, tie.other))}
    sentences = defaultdict[str, list[str]](list)
    for kinship_fact in stated:
        for id_ in {kinship_fact.fact.subject_id, kinship_fact.fact.object_id} & own:
            sentences[id_] += [one.sentence for one in kinship_fact.fact.sentences]
    generations = _generations(ids, ties, stated)
    members = [
        FamilyMember(
            id=id_,
            name=names[id_],
            maiden_name=maiden_name((names[id_], *(entities[id_].aliases if id_ in entities else ())), sentences[id_]),
            generation=generations[id_],
        )
        for id_ in _drawing_order(generations, ties, names)
    ]
    return Family(members=tuple(members), ties=tuple(ties))


def _generations(ids: Sequence[str], ties: Sequence[FamilyTie], stated: Sequence[_KinshipFact]) -> dict[str, int]:
    """Generations from 0, the oldest. If ties contradict each other the first one counts, open ones last."""
    above = {
        (kinship_fact.fact.subject_id, kinship_fact.fact.object_id): kinship_fact.kinship.above
        for kinship_fact in stated
        if kinship_fact.kinship.kind == "relative"
    }
    steps = defaultdict[str, list[_Step]](list)
    for tie in sorted(ties, key=lambda tie: tie.open):
        down = (
            1 if tie.kind == "parent" else above.get((tie.first_id, tie.other_id), 0) if tie.kind == "relative" else 0
        )
        steps[tie.first_id].append(_Step(to=tie.other_id, down=down))
        steps[tie.other_id].append(_Step(to=tie.first_id, down=-down))
    generations, waiting = {ids[0]: 0}, deque([ids[0]])
    while waiting:
        id_ = waiting.popleft()
        for step in steps[id_]:
            if step.to not in generations:
                generations[step.to] = generations[id_] + step.down
                waiting.append(step.to)
    oldest = min(generations.values())
    return {id_: generations.get(id_, oldest) - oldest for id_ in ids}


def _drawing_order(generations: Mapping[str, int], ties: Sequence[FamilyTie], names: Mapping[str, str]) -> list[str]:
    """The members as they are drawn: by generation, children below their parents, spouses beside each other."""
    parents, spouses = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for tie in ties:
        if tie.kind == "parent":
            parents[tie.other_id].append(tie.first_id)
        elif tie.kind == "spouse":
            spouses[tie.first_id].append(tie.other_id)
            spouses[tie.other_id].append(tie.first_id)
    drawn, places = list[str](), dict[str, int]()

    def below_parents(id_: str) -> tuple[float, str, str]:
        above = [places[parent] for parent in parents[id_] if parent in places]
        return (sum(above) / len(above) if above else float(len(places))), names[id_], id_

    for generation in range(max(generations.values()) + 1):
        here = sorted((id_ for id_, own in generations.items() if own == generation), key=below_parents)
        row = list[str]()
        for id_ in here:
            if id_ not in row:
                row += [id_, *(other for other in spouses[id_] if other in here and other not in (*row, id_))]
        places.update((id_, number) for number, id_ in enumerate(row))
        drawn += row
    return drawn

"""Corrections of people, merges by rules, near misses and questions of who is who, for display."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Protocol

from filigraph.graph.corrections.questions import bearers, near_scores, questions
from filigraph.graph.model.names import AliasGroup, Decision, StoredCorrection
from filigraph.graph.records.corrections import ListedDecision, ListedQuestion
from filigraph.graph.records.entities import NamePlace
from filigraph.graph.tables.mention_table import Mentions

SHOWN_NAMES = 5  # per side of a listed decision
NEAREST = 5000  # near misses from which questions are made


class DecisionReader(Protocol):
    """Read access to decisions, near misses and the places of names."""

    def mentions(self) -> Mentions: ...
    def corrections(self) -> Sequence[StoredCorrection]: ...
    def alias_groups(self) -> Sequence[AliasGroup]: ...
    def near_misses(self, *, first: int, count: int) -> Sequence[Decision]: ...
    def joined_pairs(self, *, by: str, first: int, count: int) -> list[tuple[Decision, str]]: ...
    def count_pairs(self, *, review: bool) -> int: ...
    def name_places(self, mention_ids: Sequence[str]) -> Sequence[NamePlace]: ...


def list_near_misses(*, graph: DecisionReader, first: int, count: int) -> tuple[list[ListedDecision], int]:
    """A page of near misses, by descending score, and their total number."""
    rows = graph.near_misses(first=first, count=count)
    place = _place_of(graph, [id_ for row in rows for id_ in (row.first, row.second)])
    return [_of_rule(row, "", place) for row in rows], graph.count_pairs(review=True)


def list_questions(*, graph: DecisionReader, count: int) -> list[ListedQuestion]:
    """The most important questions of who is who, each name with its first sentence."""
    mentions = graph.mentions()
    entity_of = {row.id: row.entity_id for row in mentions}
    near = graph.near_misses(first=0, count=NEAREST)
    entities = {entity for pair in near_scores(near, entity_of) for entity in pair}
    among = bearers(mentions, entity_of, entities)
    apart = _distinct_pairs(graph.corrections(), mentions)
    listed = questions(among, near, entity_of, apart=apart, most=count)
    place = _place_of(
        graph, [among[entity].mention for question in listed for entity in (question.entity, *question.others)]
    )
    return [
        ListedQuestion(
            name=place(among[question.entity].mention),
            others=tuple(place(among[other].mention) for other in question.others),
        )
        for question in listed
    ]


def _distinct_pairs(decisions: Iterable[StoredCorrection], mentions: Mentions) -> set[frozenset[str]]:
    """Pairs of entities that persons kept apart."""
    apart: set[frozenset[str]] = set()
    for decision in decisions:
        if decision.kind == "distinct":
            sides = (
                [mentions.by_id[id_].entity_id for id_ in mentions.there(s)] for s in (decision.names, decision.others)
            )
            apart.update(map(frozenset, product(*sides)))
    return apart


def list_decisions(*, by: str, graph: DecisionReader, first: int, count: int) -> tuple[list[ListedDecision], int]:
    """A page of decisions, and their total number: of persons, newest first, then of rules, by descending score.

    `by`: "person", "rule", "" for both.
    """
    persons: list[StoredCorrection | AliasGroup] = []
    if by != "rule":
        decisions = sorted(graph.corrections(), key=lambda decision: (decision.at, decision.id), reverse=True)
        persons = [*decisions, *graph.alias_groups()]
    rules = graph.count_pairs(review=False) if by != "person" else 0
    shown = persons[first : first + count]
    pairs: list[tuple[Decision, str]] = []
    if rules and len(shown) < count:
        pairs = graph.joined_pairs(by="rule", first=max(first - len(persons), 0), count=count - len(shown))
    mentions = graph.mentions() if shown else Mentions(())
    wanted = [id_ for pair, _ in pairs for id_ in (pair.first, pair.second)]
    for row in shown:
        if isinstance(row, StoredCorrection):
            for side in (row.names, row.others):
                wanted += mentions.there(side)[:SHOWN_NAMES]
    place = _place_of(graph, wanted)
    listed = [_of_person(row, mentions, place) for row in shown] + [
        _of_rule(pair, decided_at, place) for pair, decided_at in pairs
    ]
    return listed, len(persons) + rules


PlaceOf = Callable[[str], NamePlace]


def _place_of(graph: DecisionReader, mention_ids: Iterable[str]) -> PlaceOf:
    """A lookup: mention id -> its form and first sentence; an empty row for an unknown id."""
    places = {place.id: place for place in graph.name_places(sorted(set(mention_ids)))}

    def place(mention_id: str) -> NamePlace:
        return places.get(mention_id, NamePlace(id=mention_id))

    return place


def _of_rule(row: Decision, decided_at: str, place: PlaceOf) -> ListedDecision:
    return ListedDecision(
        id=f"{row.first}-{row.second}",
        kind="same" if row.same else "distinct",
        rule=row.rule,
        score=row.score,
        by=row.by,
        names=(place(row.first),),
        others=(place(row.second),),
        at=decided_at,
    )


def _of_person(row: StoredCorrection | AliasGroup, mentions: Mentions, place: PlaceOf) -> ListedDecision:
    if isinstance(row, AliasGroup):
        names = tuple(NamePlace(id="", form=name, document_id=row.document_id) for name in row.names)
        return ListedDecision(id=row.id, kind="aliases", rule="alias-file", score=1.0, by="person", names=names)
    sides = []
    for side in (row.names, row.others):
        present = [place(id_) for id_ in mentions.there(side)[:SHOWN_NAMES]]
        gone = [NamePlace(id=name.id, form=name.form, document_id=name.document_id) for name in side[:SHOWN_NAMES]]
        sides.append((tuple(present or gone), bool(present or not side)))
    return ListedDecision(
        id=row.id,
        kind=row.kind,
        rule="person",
        score=1.0,
        by="person",
        names=sides[0][0],
        others=sides[1][0],
        holds=sides[0][1] and sides[1][1],
        at=row.at,
        note=row.note,
        name=row.name,
        forms=row.forms,
        places=len(row.places),
    )

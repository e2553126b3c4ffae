"""Correct entity resolution: look up names -> check -> write the decision -> derive again, without an LLM.

Persons join or separate two names, split or rename an entity, and undo decisions. Each decision is a record
(`PersonDecision`), and the graph is derived from the records, so undo leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from filigraph.graph.curate.corrections import CorrectedGraph, Correction, correct
from filigraph.graph.curate.editor import Outcome
from filigraph.graph.curate.questions import bearers, near_scores, questions
from filigraph.graph.derive import derive
from filigraph.graph.model.names import AliasGroup, Decision, Occurrence, PersonDecision
from filigraph.graph.models.embed import Embedder
from filigraph.graph.records.entities import NamePlace
from filigraph.graph.tables.mention_table import Mentions

SHOWN_NAMES = 5  # per side of a listed decision
NEAREST = 5000  # near misses that questions are made of


class DecisionReader(Protocol):
    """Read access to decisions, near misses and the places of names."""

    def mentions(self) -> Mentions: ...
    def person_decisions(self) -> Sequence[PersonDecision]: ...
    def alias_groups(self) -> Sequence[AliasGroup]: ...
    def near_misses(self, *, first: int, count: int) -> Sequence[Decision]: ...
    def joined(self, *, by: str, first: int, count: int) -> list[tuple[Decision, str]]: ...
    def count_pairs(self, *, review: bool) -> int: ...
    def name_places(self, mention_ids: Sequence[str]) -> Sequence[NamePlace]: ...


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A person's verdict on two names or entities, each given by id of a mention or entity, or by name."""

    first: str
    second: str
    same: bool
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class ListedDecision:
    """A decision or near miss, for display."""

    id: str
    kind: str  # as of PersonDecision; "aliases": an alias group
    rule: str
    score: float
    by: str  # "rule", "person"
    names: tuple[NamePlace, ...]  # at most SHOWN_NAMES of each side
    others: tuple[NamePlace, ...] = ()
    holds: bool = True  # both sides have a name that still occurs in a document
    at: str = ""
    note: str = ""
    name: str = ""  # kinds name, type: the name, the type; fold, restated: the new predicate; wrong: the fact's
    forms: tuple[str, ...] = ()  # kinds fold, restated: the replaced predicates
    places: int = 0  # kind part: number of places split off


@dataclass(frozen=True, kw_only=True)
class ListedQuestion:
    """Who of these others is this one? For display."""

    name: NamePlace
    others: tuple[NamePlace, ...]


# --------------------------------------------------------------------------------------------------------------------
# Decide


def decide(verdicts: Sequence[Verdict], *, graph: CorrectedGraph, embedder: Embedder) -> Outcome:
    """Store the valid verdicts, then derive once. The others are reported in `refused`.

    Raises the first error (InputError, NotFound, AlreadyDecided) if no verdict is valid.
    """
    rows = [
        Correction(kind="same" if row.same else "apart", about=row.first, other=row.second, note=row.note)
        for row in verdicts
    ]
    return correct(rows, graph=graph, embedder=embedder)


def split(
    entity: str,
    names: Sequence[str],
    places: Sequence[Occurrence],
    *,
    note: str = "",
    graph: CorrectedGraph,
    embedder: Embedder,
) -> Outcome:
    """Split mentions (ids in `names`) or single places of mentions off an entity, as an entity of their own.

    Raises NotFound for an unknown entity, mention or place, InputError if nothing would be left or split off.
    """
    row = Correction(kind="split", about=entity, names=names, places=places, note=note)
    return correct([row], graph=graph, embedder=embedder)


def rename(entity: str, name: str, *, note: str = "", graph: CorrectedGraph, embedder: Embedder) -> Outcome:
    """Set the name of an entity. Raises InputError if it has no letter or digit, or more than MOST_NAME characters."""
    row = Correction(kind="name", about=entity, value=name, note=note)
    return correct([row], graph=graph, embedder=embedder)


def undo(decision_ids: Sequence[str], *, graph: CorrectedGraph, embedder: Embedder) -> None:
    """Remove decisions of persons and derive the graph without them. Raises NotFound."""
    for decision_id in decision_ids:
        graph.undo(decision_id)
    derive(graph, embedder=embedder)


# --------------------------------------------------------------------------------------------------------------------
# Look


def review(*, graph: DecisionReader, first: int, count: int) -> tuple[list[ListedDecision], int]:
    """A page of near misses, by descending score, and their total number."""
    rows = graph.near_misses(first=first, count=count)
    place = _place_of(graph, [id_ for row in rows for id_ in (row.first, row.second)])
    return [_of_rule(row, "", place) for row in rows], graph.count_pairs(review=True)


def who(*, graph: DecisionReader, count: int) -> list[ListedQuestion]:
    """The questions of who is who that matter most, each name with its first sentence."""
    mentions = graph.mentions()
    entity_of = {row.id: row.entity_id for row in mentions}
    near = graph.near_misses(first=0, count=NEAREST)
    asked = {entity for pair in near_scores(near, entity_of) for entity in pair}
    among = bearers(mentions, entity_of, asked)
    apart = _told_apart(graph.person_decisions(), mentions)
    found = questions(among, near, entity_of, apart=apart, most=count)
    place = _place_of(graph, [among[entity].mention for one in found for entity in (one.entity, *one.others)])
    return [
        ListedQuestion(
            name=place(among[one.entity].mention), others=tuple(place(among[other].mention) for other in one.others)
        )
        for one in found
    ]


def _told_apart(decisions: Iterable[PersonDecision], mentions: Mentions) -> set[frozenset[str]]:
    """Pairs of entities that persons told apart."""
    found: set[frozenset[str]] = set()
    for decision in decisions:
        if decision.kind == "apart":
            sides = (
                [mentions.by_id[id_].entity_id for id_ in mentions.there(s)] for s in (decision.names, decision.others)
            )
            found.update(map(frozenset, product(*sides)))
    return found


def joined(*, by: str, graph: DecisionReader, first: int, count: int) -> tuple[list[ListedDecision], int]:
    """A page of decisions, and their total number: of persons, newest first, then of rules, by descending score.

    `by`: "person", "rule", "" for both.
    """
    persons: list[PersonDecision | AliasGroup] = []
    if by != "rule":
        decisions = sorted(graph.person_decisions(), key=lambda decision: (decision.at, decision.id), reverse=True)
        persons = [*decisions, *graph.alias_groups()]
    rules = graph.count_pairs(review=False) if by != "person" else 0
    shown = persons[first : first + count]
    pairs: list[tuple[Decision, str]] = []
    if rules and len(shown) < count:
        pairs = graph.joined(by="rule", first=max(first - len(persons), 0), count=count - len(shown))
    mentions = graph.mentions() if shown else Mentions(())
    wanted = [id_ for pair, _ in pairs for id_ in (pair.first, pair.second)]
    for row in shown:
        if isinstance(row, PersonDecision):
            for side in (row.names, row.others):
                wanted += mentions.there(side)[:SHOWN_NAMES]
    place = _place_of(graph, wanted)
    listed = [_of_person(row, mentions, place) for row in shown] + [_of_rule(pair, at, place) for pair, at in pairs]
    return listed, len(persons) + rules


PlaceOf = Callable[[str], NamePlace]


def _place_of(graph: DecisionReader, mention_ids: Iterable[str]) -> PlaceOf:
    """A lookup: mention id -> its form and first sentence; an empty row for an unknown id."""
    found = {place.id: place for place in graph.name_places(sorted(set(mention_ids)))}

    def place(mention_id: str) -> NamePlace:
        return found.get(mention_id, NamePlace(id=mention_id))

    return place


def _of_rule(row: Decision, at: str, place: PlaceOf) -> ListedDecision:
    return ListedDecision(
        id=f"{row.first}-{row.second}",
        kind="same" if row.same else "apart",
        rule=row.rule,
        score=row.score,
        by=row.by,
        names=(place(row.first),),
        others=(place(row.second),),
        at=at,
    )


def _of_person(row: PersonDecision | AliasGroup, mentions: Mentions, place: PlaceOf) -> ListedDecision:
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

"""Correct what was joined, top to bottom: look a name up -> check -> write the decision -> derive anew, without an LLM.

Persons say that two names are the same or are not, split an entity, call it otherwise, and take any of it back. Each is
a record (`PersonDecision`); the graph is what follows from the records, so what is undone was never there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from filigraph.graph import ids
from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.errors import FiligraphError, InputError, NotFound
from filigraph.graph.model import AliasGroup, Decision, DecisionKind, Occurrence, PersonDecision
from filigraph.graph.models.embed import Embedder
from filigraph.graph.names.decisions import Mentions, Referring, check, decided
from filigraph.graph.rows import MentionRow, NamePlace, WorkspaceRow
from filigraph.graph.text.names.parse import name_key

MOST_NAMES = 20  # of an entity that a merge or a new name is told by: it holds while one of them stands
SHOWN_NAMES = 5  # of each side of a decision that is told
MOST_NAME = 200  # characters


class DecisionReader(Protocol):
    """What was decided of names, and where they stand."""

    def mentions(self) -> Sequence[MentionRow]: ...
    def person_decisions(self) -> Sequence[PersonDecision]: ...
    def alias_groups(self) -> Sequence[AliasGroup]: ...
    def near_misses(self, *, first: int, count: int) -> Sequence[Decision]: ...
    def joined(self, *, by: str, first: int, count: int) -> list[tuple[Decision, str]]: ...
    def count_pairs(self, *, review: bool) -> int: ...
    def name_places(self, mention_ids: Sequence[str]) -> Sequence[NamePlace]: ...


class MergeGraph(DeriveGraph, Protocol):
    """A workspace whose names are corrected."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def add_person_decisions(self, decisions: Sequence[PersonDecision]) -> None: ...
    def undo(self, decision_id: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a person says of two names, or two entities: each a mention's id, an entity's, or a name that one bears."""

    first: str
    second: str
    same: bool
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A verdict that was not taken, and why."""

    number: int  # among those that came, from 1
    code: str  # of the error
    cause: str
    cure: str


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of verdicts."""

    decisions: tuple[PersonDecision, ...]
    refused: tuple[Refused, ...]


@dataclass(frozen=True, kw_only=True)
class ListedDecision:
    """A decision, or a near miss, as people look at it."""

    id: str
    kind: str  # as of PersonDecision; "aliases": an alias group
    rule: str
    score: float
    by: str  # "rule", "person"
    names: tuple[NamePlace, ...]  # some of each side
    others: tuple[NamePlace, ...] = ()
    holds: bool = True  # the names that it is about stand in a document
    at: str = ""
    note: str = ""
    name: str = ""  # kind name: what it is called; kind fold: what the predicates are folded into
    forms: tuple[str, ...] = ()  # kind fold: the predicates
    places: int = 0  # kind part: how many were split off


# --------------------------------------------------------------------------------------------------------------------
# Decide


def decide(verdicts: Sequence[Verdict], *, graph: MergeGraph, embedder: Embedder) -> Outcome:
    """Note what a person says of names, then derive once. What cannot be taken is reported, the rest is done.

    Raises the error itself (InputError, NotFound, AlreadyDecided) where not one verdict can be taken.
    """
    editor = _Editor(graph)
    refused: list[tuple[Refused, FiligraphError]] = []
    for number, verdict in enumerate(verdicts, start=1):
        try:
            first, second = (
                find_mentions(verdict.first, editor.mentions),
                find_mentions(verdict.second, editor.mentions),
            )
            if {row.id for row in first} & {row.id for row in second}:
                raise InputError("Both are the same name: there is nothing to decide.", cure="Name two.")
            side = _most_told if verdict.same else list
            editor.take("same" if verdict.same else "apart", side(first), side(second), note=verdict.note)
        except InputError as error:
            refused.append((Refused(number=number, code=error.code, cause=error.cause, cure=error.cure), error))
    if refused and not editor.new:
        raise refused[0][1]
    editor.write(embedder)
    return Outcome(decisions=tuple(editor.new), refused=tuple(row for row, _ in refused))


def split(
    entity: str,
    names: Sequence[str],
    places: Sequence[Occurrence],
    *,
    note: str = "",
    graph: MergeGraph,
    embedder: Embedder,
) -> Outcome:
    """Take mentions, or single places of mentions, out of an entity, to be one of their own.

    Raises NotFound for what is not there, InputError where nothing would be left or taken.
    """
    editor = _Editor(graph)
    members = {row.id: row for row in find_mentions(entity, editor.mentions)}
    strangers = [name for name in names if name not in members]
    if strangers:
        raise NotFound(f"{strangers[0]} is no name of this entity.", cure="Look at its names for their ids.")
    apart = [members[name] for name in dict.fromkeys(names)]
    chosen = editor.parts(members, places, set(names))
    if not apart and not chosen:
        raise InputError("Nothing is to be split off.", cure="Choose names, or places of names.")
    rest = [row for row in members.values() if row.id not in set(names)]
    if not rest:
        raise InputError("Nothing of the entity would be left.", cure="Leave at least one of its names.")
    if apart:
        editor.take("apart", apart, rest, note=note)
    for row, own in chosen:
        editor.take("part", [row], (), places=own, note=note)
    editor.write(embedder)
    return Outcome(decisions=tuple(editor.new), refused=())


def rename(entity: str, name: str, *, note: str = "", graph: MergeGraph, embedder: Embedder) -> Outcome:
    """Call an entity by a name. Raises InputError for a name without a letter or digit, or of more than 200."""
    name = " ".join(name.split())
    if not name_key(name) or len(name) > MOST_NAME:
        raise InputError(f"{name[:40]!r} is no name.", cure=f"Give 1 to {MOST_NAME} characters, with a letter.")
    editor = _Editor(graph)
    editor.take("name", _most_told(find_mentions(entity, editor.mentions)), (), name=name, note=note)
    editor.write(embedder)
    return Outcome(decisions=tuple(editor.new), refused=())


def undo(decision_ids: Sequence[str], *, graph: MergeGraph, embedder: Embedder) -> None:
    """Take decisions of persons back: the graph is what it would be without them. Raises NotFound."""
    for decision_id in decision_ids:
        graph.undo(decision_id)
    derive(graph, embedder=embedder)


class _Editor:
    """The mentions and decisions of a workspace, and what is decided now."""

    def __init__(self, graph: MergeGraph) -> None:
        self._graph = graph
        self._said = graph.person_decisions()
        self._aliases = graph.alias_groups()
        self.mentions = Mentions(graph.mentions())
        self.new: list[PersonDecision] = []

    def take(
        self,
        kind: DecisionKind,
        names: Sequence[Referring],
        others: Sequence[Referring],
        *,
        places: Iterable[Occurrence] = (),
        name: str = "",
        note: str = "",
    ) -> None:
        """Keep a decision to be written. Raises AlreadyDecided."""
        made = decided(self._graph.workspace.name, kind, names, others, places=places, name=name, note=note)
        check(made, [*self._said, *self.new], self.mentions, self._aliases)
        if made.id not in {decision.id for decision in self.new}:
            self.new.append(made)

    def write(self, embedder: Embedder) -> None:
        self._graph.add_person_decisions(self.new)
        derive(self._graph, embedder=embedder)

    def parts(
        self, members: dict[str, Referring], places: Sequence[Occurrence], whole: set[str]
    ) -> list[tuple[Referring, list[Occurrence]]]:
        """The mentions of which some places, but not all, were chosen. Raises NotFound for what is no place of one."""
        mine = [row for row in members.values() if row.id not in whole]
        chunks = sorted({place.chunk_id for place in places})
        where = self._graph.places([row.id for row in mine], chunks) if places else {}
        owner = {(chunk, *span): members[id_] for (id_, chunk), spans in where.items() for span in spans}
        chosen: dict[str, list[Occurrence]] = {}
        for place in dict.fromkeys(places):
            row = owner.get((place.chunk_id, place.start, place.end))
            if row is None:
                at = f"{place.chunk_id}:{place.start}-{place.end}"
                raise NotFound(f"No name of this entity stands at {at}.", cure="Look at its places.")
            chosen.setdefault(row.id, []).append(place)
        for id_, own in chosen.items():
            every = self._graph.places([id_], self._graph.chunks_of_mentions([id_]))
            if len(own) >= sum(len(spans) for spans in every.values()):
                raise InputError(
                    f"These are all places of {members[id_].form!r} in its document.",
                    cure="Split the name off instead.",
                )
            if members[id_].part_of:
                raise InputError(
                    f"{members[id_].form!r} is a part already.", cure="Undo that split, and choose the places anew."
                )
        return [(members[id_], own) for id_, own in chosen.items()]


def find_mentions(reference: str, mentions: Mentions) -> list[Referring]:
    """The mentions that an id or a name means: of a mention, of an entity as it is or once was, a name that one entity
    alone bears. Raises NotFound, or InputError where several bear it."""
    if reference in mentions.by_id:
        return [mentions.by_id[reference]]
    if reference and reference in mentions.of_entity:
        return mentions.of_entity[reference]
    today = current_entity(reference, mentions)
    if today:
        return mentions.of_entity[today]
    entities = sorted({row.entity_id for row in mentions.by_key.get(name_key(reference[:MOST_NAME]), [])})
    if len(entities) > 1:
        raise InputError(
            f"{len(entities)} entities bear the name {reference[:80]!r}.",
            cure=f"Give the id of one: {', '.join(entities[:5])}.",
        )
    if not entities:
        raise NotFound(
            f"{reference[:80]!r} is neither a name, nor the id of a name or an entity: what bore it was changed or "
            "deleted, or it never was.",
            cure="Look for the entity by its name.",
        )
    return mentions.of_entity[entities[0]]


def current_entity(entity_id: str, mentions: Mentions) -> str:
    """The entity in which the smallest mention of a former one, or a mention itself, is today; "" if it is gone."""
    if entity_id in mentions.by_id:
        return mentions.by_id[entity_id].entity_id
    return next((row.entity_id for row in mentions.rows if ids.entity_id(row.id) == entity_id), "")


def _most_told(rows: Sequence[Referring]) -> list[Referring]:
    return sorted(rows, key=lambda row: (-row.count, row.id))[:MOST_NAMES]


# --------------------------------------------------------------------------------------------------------------------
# Look


def review(*, graph: DecisionReader, first: int, count: int) -> tuple[list[ListedDecision], int]:
    """The near misses, nearest first, and how many there are."""
    rows = graph.near_misses(first=first, count=count)
    tell = _teller(graph, [id_ for row in rows for id_ in (row.first, row.second)])
    return [_of_rule(row, "", tell) for row in rows], graph.count_pairs(review=True)


def joined(*, by: str, graph: DecisionReader, first: int, count: int) -> tuple[list[ListedDecision], int]:
    """What persons decided, newest first, then what rules joined, surest first; and how many there are.

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
    mentions = Mentions(graph.mentions()) if shown else Mentions([])
    wanted = [id_ for pair, _ in pairs for id_ in (pair.first, pair.second)]
    for row in shown:
        if isinstance(row, PersonDecision):
            for side in (row.names, row.others):
                wanted += mentions.there(side)[:SHOWN_NAMES]
    tell = _teller(graph, wanted)
    told = [_of_person(row, mentions, tell) for row in shown] + [_of_rule(pair, at, tell) for pair, at in pairs]
    return told, len(persons) + rules


Tell = Callable[[str], NamePlace]


def _teller(graph: DecisionReader, mention_ids: Iterable[str]) -> Tell:
    """What is known of a mention, with the sentence in which it stands first."""
    found = {place.id: place for place in graph.name_places(sorted(set(mention_ids)))}

    def tell(mention_id: str) -> NamePlace:
        return found.get(mention_id, NamePlace(id=mention_id))

    return tell


def _of_rule(row: Decision, at: str, tell: Tell) -> ListedDecision:
    return ListedDecision(
        id=f"{row.first}-{row.second}",
        kind="same" if row.same else "apart",
        rule=row.rule,
        score=row.score,
        by=row.by,
        names=(tell(row.first),),
        others=(tell(row.second),),
        at=at,
    )


def _of_person(row: PersonDecision | AliasGroup, mentions: Mentions, tell: Tell) -> ListedDecision:
    if isinstance(row, AliasGroup):
        names = tuple(NamePlace(id="", form=name, document_id=row.document_id) for name in row.names)
        return ListedDecision(id=row.id, kind="aliases", rule="alias-file", score=1.0, by="person", names=names)
    sides = []
    for side in (row.names, row.others):
        there = [tell(id_) for id_ in mentions.there(side)[:SHOWN_NAMES]]
        gone = [NamePlace(id=name.id, form=name.form, document_id=name.document_id) for name in side[:SHOWN_NAMES]]
        sides.append((tuple(there or gone), bool(there or not side)))
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

"""What persons decided of names, turned into what `resolve` and `derive_entities` take.

A decision names mentions by their ids. Where a later reading gave a mention another id (another type), it holds for
what bears the same name in the same document; where nothing does any more, it waits. So a decision survives every new
reading of a document, and the same decisions in any order say the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from filigraph.graph import ids
from filigraph.graph.errors import AlreadyDecided
from filigraph.graph.ids import content_part
from filigraph.graph.model import (
    AliasGroup,
    DecidedName,
    Decision,
    DecisionKind,
    MentionLike,
    Occurrence,
    PersonDecision,
)
from filigraph.graph.text.names.parse import name_key


class Referring(MentionLike, Protocol):
    """A mention, and what it refers to as the graph is now."""

    @property
    def entity_id(self) -> str: ...


@dataclass(frozen=True)
class Mentions:
    """The mentions of a workspace, to be looked up."""

    rows: Sequence[Referring]

    @cached_property
    def by_id(self) -> dict[str, Referring]:
        return {row.id: row for row in self.rows}

    @cached_property
    def by_name(self) -> dict[tuple[str, str], list[str]]:
        """(document id, key) -> mention ids, sorted; without parts."""
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in sorted(self.rows, key=lambda row: row.id):
            if not row.part_of:
                found[row.document_id, row.key].append(row.id)
        return found

    @cached_property
    def by_key(self) -> dict[str, list[Referring]]:
        found: dict[str, list[Referring]] = defaultdict(list)
        for row in self.rows:
            found[row.key].append(row)
        return found

    @cached_property
    def of_entity(self) -> dict[str, list[Referring]]:
        found: dict[str, list[Referring]] = defaultdict(list)
        for row in sorted(self.rows, key=lambda row: row.id):
            found[row.entity_id].append(row)
        return found

    def there(self, names: Iterable[DecidedName]) -> list[str]:
        """The mentions that are meant today, in the order of the names, each once."""
        found: dict[str, None] = {}
        for name in names:
            if name.id in self.by_id:
                found[name.id] = None
            elif name.key:
                found.update(dict.fromkeys(self.by_name.get((name.document_id, name.key), [])))
        return list(found)


def decided_name(row: MentionLike) -> DecidedName:
    """How a decision names a mention."""
    key = "" if row.part_of else row.key
    return DecidedName(id=row.id, document_id=row.document_id, key=key, form=row.form)


def decided(
    workspace: str,
    kind: DecisionKind,
    names: Iterable[MentionLike],
    others: Iterable[MentionLike] = (),
    *,
    places: Iterable[Occurrence] = (),
    name: str = "",
    forms: Sequence[str] = (),
    note: str = "",
) -> PersonDecision:
    """The record of a decision. Its id is that of what is decided, not of when or by which words."""
    sides = [sorted(map(decided_name, side), key=lambda named: named.id) for side in (names, others)]
    if kind == "same":
        sides.sort(key=lambda side: [named.id for named in side])
    where = sorted(set(places), key=lambda place: (place.chunk_id, place.start, place.end))
    parts = [kind, *(content_part(named.id) for named in sides[0]), "|"]
    parts += [*(content_part(named.id) for named in sides[1]), "|", name]
    parts += [f"{content_part(place.chunk_id)}:{place.start}:{place.end}" for place in where]
    parts += forms
    return PersonDecision(
        id=ids.decision_id(workspace, *parts),
        kind=kind,
        names=tuple(sides[0]),
        others=tuple(sides[1]),
        places=tuple(where),
        name=name,
        forms=tuple(forms),
        note=note,
    )


# --------------------------------------------------------------------------------------------------------------------
# What follows


def pairs(decisions: Iterable[PersonDecision], mentions: Mentions) -> list[Decision]:
    """What the decisions say of the mentions that are there, two by two; of each the telling pair first."""
    found: list[Decision] = []
    for decision in decisions:
        names, others = mentions.there(decision.names), mentions.there(decision.others)
        if decision.kind == "same" and names and others:
            found += _pair(decision, names[0], others[0], same=True)
        elif decision.kind == "apart" and names:
            for other in others:
                for name in names:
                    found += _pair(decision, name, other, same=False)
            for name in names[1:]:
                found += _pair(decision, names[0], name, same=True)
        elif decision.kind == "part" and names:
            part = ids.part_id(names[0], decision.id)
            if part in mentions.by_id:  # and so the places are still there
                found += _pair(decision, names[0], part, same=False)
    return found


def mention_to_split(part: PersonDecision, mentions: Mentions) -> str:
    """The mention from which a decision of kind `part` takes places; "" if the document no longer has the name."""
    there = mentions.there(part.names)
    given_all = [name.id for name in part.names if ids.part_id(name.id, part.id) in mentions.by_id]
    return next(iter([*there, *given_all]), "")


def _pair(decision: PersonDecision, first: str, second: str, *, same: bool) -> list[Decision]:
    low, high = sorted((first, second))
    if low == high:
        return []
    return [Decision(first=low, second=high, same=same, rule="person", score=1.0, by="person", id=decision.id)]


def values_given(
    kind: Literal["name", "type"],
    decisions: Iterable[PersonDecision],
    mentions: Mentions,
    entity_of: Mapping[str, str],
) -> dict[str, str]:
    """Entity id -> the name or type that a person gave it. Of two, after a merge, that of the smaller decision id."""
    found: dict[str, tuple[str, str]] = {}
    for decision in decisions:
        there = mentions.there(decision.names) if decision.kind == kind else []
        if there:
            entity = entity_of[there[0]]
            found[entity] = min((decision.id, decision.name), found.get(entity, (decision.id, decision.name)))
    return {entity: name for entity, (_, name) in found.items()}


def folded(workspace: str, into: str, forms: Iterable[str], *, note: str = "") -> PersonDecision:
    """The record that predicates say the same as another."""
    those = tuple(sorted(set(forms)))
    id_ = ids.decision_id(workspace, "fold", into, *those)
    return PersonDecision(id=id_, kind="fold", name=into, forms=those, note=note)


def folds(decisions: Iterable[PersonDecision]) -> dict[str, str]:
    """Predicate -> the one that it is folded into."""
    return {form: decision.name for decision in decisions if decision.kind == "fold" for form in decision.forms}


def check_fold(new: PersonDecision, decisions: Iterable[PersonDecision]) -> None:
    """Raises AlreadyDecided where a predicate would be folded twice, or over another: a table has one step."""
    for earlier in decisions:
        if earlier.kind != "fold" or earlier.id == new.id:
            continue
        for form in earlier.forms:
            if form in new.forms or form == new.name:
                raise _already(earlier.id, f"{form!r} was folded into {earlier.name!r} before")
        if earlier.name in new.forms:
            raise _already(earlier.id, f"{earlier.forms[0]!r} was folded into {earlier.name!r} before")


# --------------------------------------------------------------------------------------------------------------------
# Contradictions


def check(
    new: PersonDecision,
    decisions: Sequence[PersonDecision],
    mentions: Mentions,
    alias_groups: Sequence[AliasGroup] = (),
) -> None:
    """Raises AlreadyDecided, naming the earlier decision, if persons decided otherwise before.

    A merge contradicts whatever keeps a name of the one entity, as it is today, from one of the other; a split
    contradicts the decisions that lead from one side to the other.
    """
    said = pairs([*decisions, new], mentions)
    if new.kind == "same":
        _check_same(new, [pair for pair in said if not pair.same], [*decisions, new], mentions)
    elif new.kind in ("apart", "part"):
        splits = {earlier.id for earlier in decisions if earlier.kind in ("apart", "part")}
        _check_apart(new, said, alias_groups, mentions, splits)
    elif new.kind in ("name", "type"):
        entity = {row.id: row.entity_id for row in mentions.rows}
        mine = {entity[id_] for id_ in mentions.there(new.names)[:1]}
        for earlier in decisions:
            there = mentions.there(earlier.names)[:1] if earlier.kind == new.kind and earlier.id != new.id else []
            if any(entity[id_] in mine for id_ in there):
                was = "called" if new.kind == "name" else "of the type"
                raise _already(earlier.id, f"It was {was} {earlier.name!r} before")


def _check_same(
    new: PersonDecision, apart: Sequence[Decision], decisions: Sequence[PersonDecision], mentions: Mentions
) -> None:
    """Entities as they are, and what persons joined that is not derived yet, are taken as wholes."""
    joined = _Joined({row.id: row.entity_id or row.id for row in mentions.rows})
    for pair in pairs([d for d in decisions if d.id != new.id], mentions):
        if pair.same:
            joined.join(pair.first, pair.second)
    sides = [{joined.of(id_) for id_ in mentions.there(side)} for side in (new.names, new.others)]
    for pair in apart:
        first, second = joined.of(pair.first), joined.of(pair.second)
        if first != second and any(first in a and second in b for a, b in (sides, sides[::-1])):
            forms = " and ".join(repr(mentions.by_id[id_].form[:80]) for id_ in (pair.first, pair.second))
            raise _already(pair.id, f"{forms} were kept apart before")


def _check_apart(
    new: PersonDecision,
    said: Sequence[Decision],
    alias_groups: Sequence[AliasGroup],
    mentions: Mentions,
    splits: Set[str],
) -> None:
    """Look for a way over what was said to be the same, from one side to the other (breadth first)."""
    ways: dict[str, list[tuple[str, str]]] = defaultdict(list)
    steps = [(pair.first, pair.second, pair.id) for pair in said if pair.same]
    for group in alias_groups:
        members = alias_members(group, mentions)
        steps += [(members[0], member, group.id) for member in members[1:]]
    for first, second, by in steps:
        ways[first].append((second, by))
        ways[second].append((first, by))
    for apart in (pair for pair in said if pair.id == new.id and not pair.same):
        came: dict[str, tuple[str, str]] = {apart.first: ("", "")}
        queue = [apart.first]
        for here in queue:
            for there, by in ways[here]:
                if there not in came:
                    came[there] = (here, by)
                    queue.append(there)
        here, by = apart.second, ""
        while came.get(here, ("", ""))[0]:
            here, step = came[here]
            by = step if step != new.id else by
        if by:
            forms = " and ".join(repr(mentions.by_id[id_].form[:80]) for id_ in (apart.first, apart.second))
            how = "stayed together when others were split off before" if by in splits else "were said to be one before"
            raise _already(by, f"{forms} {how}")


def alias_members(group: AliasGroup, mentions: Mentions) -> list[str]:
    """The mentions that bear the names of a group, where it holds."""
    keys = sorted({name_key(name) for name in group.names})
    found = (row for key in keys for row in mentions.by_key.get(key, []))
    return [row.id for row in found if group.document_id in ("", row.document_id) and not row.part_of]


def _already(id_: str, cause: str) -> AlreadyDecided:
    return AlreadyDecided(f"{cause}, by decision {id_}.", cure=f"Undo that first: `filigraph merges undo {id_}`.")


class _Joined:
    """Union-find over mentions, which begin in groups."""

    def __init__(self, group_of: Mapping[str, str]) -> None:
        self._group_of = group_of
        self._parent: dict[str, str] = {}

    def of(self, mention: str) -> str:
        group = self._group_of[mention]
        while group in self._parent:
            group = self._parent[group]
        return group

    def join(self, first: str, second: str) -> None:
        a, b = self.of(first), self.of(second)
        if a != b:
            self._parent[max(a, b)] = min(a, b)

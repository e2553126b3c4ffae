"""Corrections by persons on names, converted to the input of `resolve` and `derive_entities`.

A correction refers to mentions by id. If a later reading changes the id of a mention (another type), the correction
applies to the mentions with the same key in the same document; if there are none, it has no effect. So corrections
survive new readings of a document, and their order does not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Literal

from filigraph.graph import ids
from filigraph.graph.errors import AlreadyDecided
from filigraph.graph.ids import content_part
from filigraph.graph.model.names import (
    STORED_KINDS,
    AliasGroup,
    CorrectedName,
    Decision,
    MentionLike,
    Occurrence,
    StoredCorrection,
    StoredCorrectionKind,
)
from filigraph.graph.tables.disjoint_sets import DisjointSets
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.text.names.parse import name_key


def corrected_name(row: MentionLike) -> CorrectedName:
    """A reference to a mention that survives a new reading; a part has no key and is found by id only."""
    key = "" if row.part_of else row.key
    return CorrectedName(id=row.id, document_id=row.document_id, key=key, form=row.form)


def stored_correction(
    workspace: str,
    kind: StoredCorrectionKind,
    names: Iterable[MentionLike],
    others: Iterable[MentionLike] = (),
    *,
    places: Iterable[Occurrence] = (),
    name: str = "",
    forms: Sequence[str] = (),
    note: str = "",
) -> StoredCorrection:
    """The record of a correction. Its id is a hash of what is decided, without time or note."""
    sides = [sorted(map(corrected_name, side), key=lambda named: named.id) for side in (names, others)]
    if kind == "same":
        sides.sort(key=lambda side: [named.id for named in side])
    where = sorted(set(places), key=lambda place: (place.chunk_id, place.start, place.end))
    parts = [STORED_KINDS[kind], *(content_part(named.id) for named in sides[0]), "|"]
    parts += [*(content_part(named.id) for named in sides[1]), "|", name]
    parts += [f"{content_part(place.chunk_id)}:{place.start}:{place.end}" for place in where]
    parts += forms
    return StoredCorrection(
        id=ids.correction_id(workspace, *parts),
        kind=kind,
        names=tuple(sides[0]),
        others=tuple(sides[1]),
        places=tuple(where),
        name=name,
        forms=tuple(forms),
        note=note,
    )


# --------------------------------------------------------------------------------------------------------------------
# Pairs, names and types that follow from corrections


def decisions_of(corrections: Iterable[StoredCorrection], mentions: Mentions) -> list[Decision]:
    """The corrections as pairs of existing mentions; the most specific pairs of each correction come first."""
    decisions: list[Decision] = []
    for correction in corrections:
        names, others = mentions.there(correction.names), mentions.there(correction.others)
        if correction.kind == "same" and names and others:
            decisions += _decision_of_pair(correction, names[0], others[0], same=True)
        elif correction.kind == "distinct" and names:
            for other in others:
                for name in names:
                    decisions += _decision_of_pair(correction, name, other, same=False)
            for name in names[1:]:
                decisions += _decision_of_pair(correction, names[0], name, same=True)
        elif correction.kind == "split_off" and names:
            part = ids.part_id(names[0], correction.id)
            if part in mentions.by_id:  # the part exists, and so do its places
                decisions += _decision_of_pair(correction, names[0], part, same=False)
    return decisions


def _decision_of_pair(correction: StoredCorrection, first: str, second: str, *, same: bool) -> list[Decision]:
    low, high = sorted((first, second))
    if low == high:
        return []
    return [Decision(first=low, second=high, same=same, rule="person", score=1.0, by="person", id=correction.id)]


def values_given(
    kind: Literal["name", "type"],
    corrections: Iterable[StoredCorrection],
    mentions: Mentions,
    entity_of: Mapping[str, str],
) -> dict[str, str]:
    """Entity id -> the name or type that a person gave it. If a merge leaves two, the smaller correction id wins."""
    chosen: dict[str, tuple[str, str]] = {}
    for correction in corrections:
        existing = mentions.there(correction.names) if correction.kind == kind else []
        if existing:
            entity = entity_of[existing[0]]
            chosen[entity] = min((correction.id, correction.name), chosen.get(entity, (correction.id, correction.name)))
    return {entity: name for entity, (_, name) in chosen.items()}


def fold_correction(workspace: str, into: str, forms: Iterable[str], *, note: str = "") -> StoredCorrection:
    """The record of a correction that folds the predicates `forms` into `into`."""
    those = tuple(sorted(set(forms)))
    id_ = ids.correction_id(workspace, STORED_KINDS["merge_predicates"], into, *those)
    return StoredCorrection(id=id_, kind="merge_predicates", name=into, forms=those, note=note)


def folds(corrections: Iterable[StoredCorrection]) -> dict[str, str]:
    """Predicate -> the predicate it is folded into."""
    return {
        form: correction.name
        for correction in corrections
        if correction.kind == "merge_predicates"
        for form in correction.forms
    }


def check_fold(new: StoredCorrection, corrections: Iterable[StoredCorrection]) -> None:
    """Raises AlreadyDecided if a predicate would be folded twice or a fold would be chained: lookups take one step."""
    for earlier in corrections:
        if earlier.kind != "merge_predicates" or earlier.id == new.id:
            continue
        for form in earlier.forms:
            if form in new.forms or form == new.name:
                raise _already_decided(earlier.id, f"{form!r} was folded into {earlier.name!r} before")
        if earlier.name in new.forms:
            raise _already_decided(earlier.id, f"{earlier.forms[0]!r} was folded into {earlier.name!r} before")


# --------------------------------------------------------------------------------------------------------------------
# Contradictions


def check_correction(
    new: StoredCorrection,
    corrections: Sequence[StoredCorrection],
    mentions: Mentions,
    alias_groups: Sequence[AliasGroup] = (),
) -> None:
    """Raises AlreadyDecided, with the id of the earlier correction, if `new` contradicts it.

    A merge contradicts a correction that separates a name of one current entity from a name of the other; a split
    contradicts a chain of corrections that joins its two sides.
    """
    known_pairs = decisions_of([*corrections, new], mentions)
    if new.kind == "same":
        _check_same(new, [pair for pair in known_pairs if not pair.same], [*corrections, new], mentions)
    elif new.kind in ("distinct", "split_off"):
        splits = {earlier.id for earlier in corrections if earlier.kind in ("distinct", "split_off")}
        _check_apart(new, known_pairs, alias_groups, mentions, splits)
    elif new.kind in ("name", "type"):
        own_entities = {mentions.by_id[id_].entity_id for id_ in mentions.there(new.names)[:1]}
        for earlier in corrections:
            existing = mentions.there(earlier.names)[:1] if earlier.kind == new.kind and earlier.id != new.id else []
            if any(mentions.by_id[id_].entity_id in own_entities for id_ in existing):
                was = "called" if new.kind == "name" else "of the type"
                raise _already_decided(earlier.id, f"It was {was} {earlier.name!r} before")


def _check_same(
    new: StoredCorrection, apart: Sequence[Decision], corrections: Sequence[StoredCorrection], mentions: Mentions
) -> None:
    """Compare whole groups: current entities, extended by joins that are decided but not yet derived."""
    joined = DisjointSets()

    def entity_or_group(mention: str) -> str:
        return joined.find(mentions.by_id[mention].entity_id or mention)

    for pair in decisions_of([d for d in corrections if d.id != new.id], mentions):
        if pair.same:
            joined.union(entity_or_group(pair.first), entity_or_group(pair.second))
    sides = [{entity_or_group(id_) for id_ in mentions.there(side)} for side in (new.names, new.others)]
    for pair in apart:
        first, second = entity_or_group(pair.first), entity_or_group(pair.second)
        if first != second and any(first in a and second in b for a, b in (sides, sides[::-1])):
            forms = " and ".join(repr(mentions.by_id[id_].form[:80]) for id_ in (pair.first, pair.second))
            raise _already_decided(pair.id, f"{forms} were kept apart before")


def _check_apart(
    new: StoredCorrection,
    known_pairs: Sequence[Decision],
    alias_groups: Sequence[AliasGroup],
    mentions: Mentions,
    splits: Set[str],
) -> None:
    """Breadth-first search for a path of "same" corrections and alias groups between the two sides of a split."""
    ways: dict[str, list[tuple[str, str]]] = defaultdict(list)
    steps = [(pair.first, pair.second, pair.id) for pair in known_pairs if pair.same]
    for group in alias_groups:
        members = alias_members(group, mentions)
        steps += [(members[0], member, group.id) for member in members[1:]]
    for first, second, by in steps:
        ways[first].append((second, by))
        ways[second].append((first, by))
    for apart in (pair for pair in known_pairs if pair.id == new.id and not pair.same):
        came: dict[str, tuple[str, str]] = {apart.first: ("", "")}
        queue = [apart.first]
        for here in queue:
            for neighbour, by in ways[here]:
                if neighbour not in came:
                    came[neighbour] = (here, by)
                    queue.append(neighbour)
        here, by = apart.second, ""
        while came.get(here, ("", ""))[0]:
            here, step = came[here]
            by = step if step != new.id else by
        if by:
            forms = " and ".join(repr(mentions.by_id[id_].form[:80]) for id_ in (apart.first, apart.second))
            how = "stayed together when others were split off before" if by in splits else "were said to be one before"
            raise _already_decided(by, f"{forms} {how}")


def alias_members(group: AliasGroup, mentions: Mentions) -> list[str]:
    """The mentions with a name of the group, in the group's document or, without one, in all documents."""
    keys = sorted({name_key(name) for name in group.names})
    rows = (row for key in keys for row in mentions.by_key.get(key, ()))
    return [row.id for row in rows if group.document_id in ("", row.document_id) and not row.part_of]


def _already_decided(id_: str, cause: str) -> AlreadyDecided:
    return AlreadyDecided(
        f"{cause}, by correction {id_}.", cure=f"Undo that first: `filigraph corrections undo {id_}`."
    )

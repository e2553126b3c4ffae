"""Candidates: the names of a workspace and the pairs of them that are worth comparing. The result does not depend on
the order of the mentions or on earlier calls; stored results only save time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, TypeVar
from weakref import ref

import numpy as np

from filigraph.graph import ids
from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.names import MentionLike, are_alike
from filigraph.graph.names.incremental import Change, names_after
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Keys, Pair, Pairing, pair_names

# Kinds of difference that cosine may decide. Others are too risky: "Abdallah al-Duri", "Abdallah al-Ubaidi" have 0.93.
BY_VECTOR = ("none", "near word", "initials")


@dataclass(frozen=True, eq=False)  # hash by identity, so that a cache can use candidates as keys
class Candidates:
    """Input of `resolve`: mentions, name index, candidate pairs. Made by `find_candidates`."""

    mentions: Sequence[MentionLike]  # sorted by id, with parts
    names: Names
    pairing: Pairing
    change: CandidateChange | None = None

    def __getstate__(self) -> dict[str, Any]:
        """For a file, without the reference to earlier candidates: whoever has those computes everything."""
        return {**vars(self), "change": None}

    @property
    def pairs(self) -> Mapping[Keys, Pair]:
        """Of full names, from blocking."""
        return self.pairing.pairs

    @cached_property
    def by_id(self) -> dict[str, MentionLike]:
        return {mention.id: mention for mention in self.mentions}

    @cached_property
    def unnamed(self) -> Sequence[MentionLike]:
        """The parts, and the mentions without a letter or digit. There are few."""
        return [mention for mention in self.mentions if mention.part_of or not mention.key]

    @cached_property
    def entity_alone(self) -> dict[str, str]:
        """Mention id -> id of the entity that the mention has if no other mention belongs to it."""
        return {mention.id: ids.entity_id(mention.id) for mention in self.mentions}

    @cached_property
    def texts(self) -> list[str]:
        """The texts to embed for `resolve`, sorted: names without title and epithet, as written."""
        wanted = (pair for pair in self.pairs.values() if pair.kind in BY_VECTOR)
        return sorted({name.bare for pair in wanted for name in (pair.first, pair.second)})

    @cached_property
    def vectors(self) -> dict[str, Mapping[str, Vector]]:
        """Fingerprint of a model -> unit vectors of `texts`, for the models used so far."""
        return {}


@dataclass(frozen=True)
class CandidateChange:
    """How candidates differ from the earlier ones that they were computed from."""

    before: ref[Candidates]
    names: Change
    touched: Set[str]  # mentions that differ, or whose name does


MAX_CHANGED_SHARE = 0.1  # share of the mentions: if more were added, removed or changed, compute everything

Value = TypeVar("Value")


def find_candidates(mentions: Iterable[MentionLike], state: DerivationState | None = None) -> Candidates:
    """Index the mentions and pair their names, in near-linear time. With the same `state`, equal mentions give the same
    object: a decision changes no name, and a document changes few.

    Parts and mentions without a letter or digit have no name: only a person's decision joins them.
    """
    ordered = sorted(mentions, key=attrgetter("id"))
    last = state.last(Candidates) if state else None
    if last is not None and _are_same(last.mentions, ordered):
        return last
    candidates = _find(ordered, last)
    if state:
        state.keep(candidates)
    return candidates


def _find(mentions: Sequence[MentionLike], before: Candidates | None) -> Candidates:
    named = [mention for mention in mentions if mention.key and not mention.part_of]
    gone, came = removed_and_added(before.mentions, mentions) if before else ((), mentions)
    if before is None or len(gone) + len(came) > MAX_CHANGED_SHARE * len(mentions):
        names = Names(named)
        pairing = pair_names(Pairing(), names, (names.signatures[key] for key in names.full))
        return Candidates(mentions=mentions, names=names, pairing=pairing)
    names, change = names_after(before.names, named, *(filter(_is_named, group) for group in (gone, came)))
    again = change.turned | change.full
    signatures = {group.signatures[key] for key in again for group in (before.names, names) if key in group.of}
    candidates = Candidates(
        mentions=mentions,
        names=names,
        pairing=pair_names(before.pairing, names, signatures),
        change=CandidateChange(ref(before), change, _touched_mentions(before, gone, came, names, change)),
    )
    left = [mention.id for mention in gone]
    vars(candidates)["by_id"] = _without_keys(before.by_id, left) | {mention.id: mention for mention in came}
    vars(candidates)["entity_alone"] = _without_keys(before.entity_alone, left) | {
        m.id: ids.entity_id(m.id) for m in came
    }
    return candidates


def removed_and_added(
    before: Sequence[MentionLike], now: Sequence[MentionLike]
) -> tuple[Sequence[MentionLike], Sequence[MentionLike]]:
    """The mentions that were removed and those that were added; a changed mention is in both."""
    known, there = {*map(id, before)}, {*map(id, now)}  # most are the same objects
    old = {mention.id: mention for mention in before if id(mention) not in there}
    new = [mention for mention in now if id(mention) not in known]
    came = [mention for mention in new if mention.id not in old or not are_alike(old[mention.id], mention)]
    alike = {mention.id for mention in new}.difference(mention.id for mention in came)
    return [mention for id_, mention in old.items() if id_ not in alike], came


def _without_keys(values: Mapping[str, Value], keys: Iterable[str]) -> dict[str, Value]:
    remaining = dict(values)
    for key in keys:
        del remaining[key]
    return remaining


def _is_named(mention: MentionLike) -> bool:
    return bool(mention.key) and not mention.part_of


def _touched_mentions(
    before: Candidates, gone: Iterable[MentionLike], came: Iterable[MentionLike], names: Names, change: Change
) -> Set[str]:
    """The mentions whose names may differ; see `CandidateChange`."""
    turned = (m.id for index in (before.names, names) for key in change.turned for m in index.by_key.get(key, ()))
    unnamed = (m.id for m in before.unnamed if m.key in change.turned)
    return {*turned, *unnamed, *(mention.id for mention in chain(gone, came))}


def _are_same(before: Sequence[MentionLike], now: Sequence[MentionLike]) -> bool:
    """Whether the candidates are the same for both lists: the mentions differ in nothing that candidates depend on."""
    return len(before) == len(now) and all(map(are_alike, before, now))


def name_cosine(pair: Pair, vectors: Mapping[str, Vector]) -> float | None:
    """Cosine of the names of a pair, None without vectors. Rounded to 4 decimals: the same on all platforms."""
    first, second = vectors.get(pair.first.bare), vectors.get(pair.second.bare)
    if first is None or second is None:
        return None
    return round(float(np.dot(first.astype(np.float32), second.astype(np.float32))), 4)

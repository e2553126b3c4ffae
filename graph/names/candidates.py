"""Candidates: the names of a workspace and the pairs of them that are worth comparing. Independent of the order of the
mentions, and of what was asked before: what is kept of the last names saves time alone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from weakref import ref

import numpy as np

from filigraph.graph import ids
from filigraph.graph.model import MentionLike, Vector, are_alike
from filigraph.graph.names.incremental import differing, names_after
from filigraph.graph.names.index import Names
from filigraph.graph.names.pairing import Pair, Pairing, pair_names

# Kinds of difference that cosine may decide. Others are too risky: "Abdallah al-Duri", "Abdallah al-Ubaidi" have 0.93.
BY_VECTOR = ("none", "near word", "initials")


@dataclass(frozen=True, eq=False)  # so that what follows from candidates can be kept by which they are
class Candidates:
    """Input of `resolve`: mentions, name index, candidate pairs. Made by `find_candidates`."""

    mentions: Sequence[MentionLike]  # sorted by id, with parts
    names: Names
    pairing: Pairing
    since: ref[Candidates] | None = None  # those that they were brought up from
    touched: Set[str] = frozenset()  # mentions that differ since then, or of which the name does

    @property
    def pairs(self) -> Sequence[Pair]:
        """Of full names, from blocking, sorted by keys."""
        return self.pairing.pairs

    @cached_property
    def by_id(self) -> dict[str, MentionLike]:
        return {mention.id: mention for mention in self.mentions}

    @cached_property
    def entity_alone(self) -> dict[str, str]:
        """Mention id -> id of its entity if no other mention is of it."""
        return {mention.id: ids.entity_id(mention.id) for mention in self.mentions}

    @cached_property
    def texts(self) -> list[str]:
        """The texts to embed for `resolve`, sorted: names without title and epithet, as written."""
        wanted = (pair for pair in self.pairs if pair.kind in BY_VECTOR)
        return sorted({name.bare for pair in wanted for name in (pair.first, pair.second)})

    @cached_property
    def vectors(self) -> dict[str, Mapping[str, Vector]]:
        """Fingerprint of a model -> `texts` -> their unit vectors, for the models that were asked."""
        return {}


class _Cache:
    """The candidates that were found last: a decision changes no name, and a document few. Thread-safe."""

    def __init__(self) -> None:
        self._found: Candidates | None = None
        self._lock = threading.Lock()

    def find(self, mentions: Sequence[MentionLike]) -> Candidates:
        with self._lock:
            before = self._found
        if before is not None and _are_same(before.mentions, mentions):
            return before
        found = _find(mentions, before)
        with self._lock:
            self._found = found
        return found

    def forget(self) -> None:
        with self._lock:
            self._found = None


CACHE = _Cache()


def find_candidates(mentions: Iterable[MentionLike]) -> Candidates:
    """Index the mentions and pair their names, in near-linear time. Equal mentions get the same object.

    Parts and mentions without a letter or digit get no name: only a person's decision joins them.
    """
    return CACHE.find(sorted(mentions, key=lambda mention: mention.id))


def _find(mentions: Sequence[MentionLike], before: Candidates | None) -> Candidates:
    named = [mention for mention in mentions if mention.key and not mention.part_of]
    after = names_after(before.names, named) if before else None
    if before is None or after is None:
        names = Names(named)
        pairing = pair_names(Pairing(), names, (names.signatures[key] for key in names.full))
        return Candidates(mentions=mentions, names=names, pairing=pairing)
    names, change = after
    again = change.turned | change.full
    signatures = {of.signatures[key] for key in again for of in (before.names, names) if key in of.of}
    found = Candidates(
        mentions=mentions,
        names=names,
        pairing=pair_names(before.pairing, names, signatures),
        since=ref(before),
        touched=_touched(before.mentions, mentions, change.turned),
    )
    alone = before.entity_alone
    vars(found)["entity_alone"] = {m.id: alone.get(m.id) or ids.entity_id(m.id) for m in mentions}
    return found


def _touched(before: Sequence[MentionLike], now: Sequence[MentionLike], turned: Set[str]) -> Set[str]:
    named = (mention.id for of in (before, now) for mention in of if mention.key in turned)
    return {*named, *(mention.id for mention in chain(*differing(before, now)))}


def _are_same(before: Sequence[MentionLike], now: Sequence[MentionLike]) -> bool:
    """Whether candidates depend on nothing in which mentions differ."""
    return len(before) == len(now) and all(map(are_alike, before, now))


def cosine(pair: Pair, vectors: Mapping[str, Vector]) -> float | None:
    """Cosine of the names of a pair, None without vectors. Rounded to 4 decimals to be stable across platforms."""
    first, second = vectors.get(pair.first.bare), vectors.get(pair.second.bare)
    if first is None or second is None:
        return None
    return round(float(np.dot(first.astype(np.float32), second.astype(np.float32))), 4)

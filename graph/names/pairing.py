"""Which full names of a workspace are worth comparing, updated incrementally.

Names are compared in Latin letters. In a block, the first name of each spelling represents all with that spelling;
names of one spelling are compared with each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from filigraph.graph.names.index import Names
from filigraph.graph.text.names.blocks import block_keys, by_nickname, close_pairs, exchange_members
from filigraph.graph.text.names.pairs import Signature, conflict, difference, one_sided, romanized
from filigraph.graph.text.names.parse import Name

SOFT = "first name"  # the only conflict that remains a candidate pair, for review: Sergi and Sergei Lavrov

Spelled = tuple[Signature, Signature]  # in Latin letters, the first before the second
Keys = tuple[str, str]  # of two names, the first before the second
Bearers = Mapping[Signature, Mapping[Signature, Name]]  # spelling in Latin letters -> words -> their first full name


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names worth comparing (first.key < second.key), with how their spellings differ."""

    first: Name
    second: Name
    kind: str  # `Difference.kind`, or SOFT
    similarity: float

    @property
    def keys(self) -> Keys:
        return self.first.key, self.second.key


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairing:
    """The pairs, and the tables that they come from. Without arguments: of no names."""

    pairs: Mapping[Keys, Pair] = field(default_factory=dict)
    bearers: Bearers = field(default_factory=dict)
    blocks: Mapping[str, Sequence[Signature]] = field(default_factory=dict)  # of spellings, sorted
    close: Mapping[Spelled, int] = field(default_factory=dict)  # number of blocks in which two spellings meet
    again: Set[Keys] = frozenset()  # the pairs that were added, removed or compared again since the last update


def pair_names(before: Pairing, names: Names, signatures: Iterable[Signature]) -> Pairing:
    """The pairs of the full names after a change of the names with these `signatures`. Time is near-linear in these
    names and their blocks. It omits pairs that a guard rejects (except SOFT), and pairs with the same words, which
    another rule joins.
    """
    bearers, changed = _update_bearers(before, names, signatures)
    came, gone = changed - before.bearers.keys(), changed - bearers.keys()
    blocks, close = dict(before.blocks), dict(before.close)
    again = _update_close_pairs(came, gone, bearers, before.bearers, blocks, close)
    for spelling in changed - came - gone:
        again.update(pair for pair in _pairs_of(spelling, blocks, bearers) if pair in close)

    dropped = {_keys(a, b) for a, b in _names_to_compare(again, changed, before.bearers, before.close)}
    made = {_keys(a, b): pair for a, b in _names_to_compare(again, changed, bearers, close) if (pair := _compare(a, b))}
    pairs = dict(before.pairs)
    for keys in dropped:
        pairs.pop(keys, None)
    pairs |= made
    return Pairing(pairs=pairs, bearers=bearers, blocks=blocks, close=close, again=dropped | made.keys())


def _names_to_compare(
    spelled: Iterable[Spelled], changed: Iterable[Signature], bearers: Bearers, close: Container[Spelled]
) -> Iterator[tuple[Name, Name]]:
    """The names to compare for these pairs of spellings, if the spellings meet, and within the `changed` spellings."""
    for one, other in spelled:
        if (one, other) in close:
            yield next(iter(bearers[one].values())), next(iter(bearers[other].values()))
    for spelling in changed:
        yield from pairwise(bearers.get(spelling, {}).values())


def _update_bearers(before: Pairing, names: Names, signatures: Iterable[Signature]) -> tuple[Bearers, Set[Signature]]:
    """Update the names of each spelling. Also returns the spellings whose names changed."""
    spelled: dict[Signature, set[Signature]] = defaultdict(set)
    for words in signatures:
        spelled[tuple(map(romanized, words))].add(words)
    bearers, differing = dict(before.bearers), set()
    for spelling, changed in spelled.items():
        known = before.bearers.get(spelling, {})
        now: dict[Signature, Name] = {}
        for words in sorted(changed | known.keys()):
            key = next((key for key in names.keys_of.get(words, ()) if key in names.full), None)
            if key is not None:
                now[words] = names.of[key]
        if now != known:
            differing.add(spelling)
            if now:
                bearers[spelling] = now
            else:
                del bearers[spelling]
    return bearers, differing


def _update_close_pairs(
    came: Set[Signature],
    gone: Set[Signature],
    bearers: Bearers,
    before: Bearers,
    blocks: dict[str, Sequence[Signature]],
    close: dict[Spelled, int],
) -> set[Spelled]:
    """Update `blocks` and `close` after spellings were added and removed. Returns the pairs that began or ceased to
    meet.
    """
    ways: dict[Spelled, int] = defaultdict(int)
    for members, now in exchange_members(blocks, _in_blocks(gone), _in_blocks(came)):
        for pair in close_pairs(members):
            ways[pair] -= 1
        for pair in close_pairs(now):
            ways[pair] += 1
    for pair in _nickname_pairs(gone, before):
        ways[pair] -= 1
    for pair in _nickname_pairs(came, bearers):
        ways[pair] += 1
    changed = set()
    for pair, difference_ in ways.items():
        count = close.get(pair, 0) + difference_
        if (pair in close) != bool(count):
            changed.add(pair)
        if count:
            close[pair] = count
        else:
            close.pop(pair, None)
    return changed


def _in_blocks(spellings: Iterable[Signature]) -> Mapping[str, Set[Signature]]:
    blocks: dict[str, set[Signature]] = defaultdict(set)
    for spelling in spellings:
        for key in block_keys(spelling):
            blocks[key].add(spelling)
    return blocks


def _nickname_pairs(spellings: Iterable[Signature], there: Bearers) -> set[Spelled]:
    return {
        (spelling, other) if spelling < other else (other, spelling)
        for spelling in spellings
        for other in by_nickname(spelling)
        if other in there
    }


def _pairs_of(spelling: Signature, blocks: Mapping[str, Sequence[Signature]], bearers: Bearers) -> Iterator[Spelled]:
    """All pairs in which a spelling may meet another."""
    for key in block_keys(spelling):
        yield from (pair for pair in close_pairs(blocks[key]) if spelling in pair)
    yield from _nickname_pairs((spelling,), bearers)


def _keys(a: Name, b: Name) -> Keys:
    return (a.key, b.key) if a.key < b.key else (b.key, a.key)


def _compare(a: Name, b: Name) -> Pair | None:
    if a.key > b.key:
        a, b = b, a
    against = conflict(a, b)
    if against not in ("", SOFT) or one_sided(a, b):
        return None
    seen = difference(a, b)
    kind = seen.kind if not against else SOFT
    return Pair(first=a, second=b, kind=kind, similarity=round(seen.similarity, 4))

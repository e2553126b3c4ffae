"""Blocking: select the pairs of names to compare, in near-linear time.

A block contains the names that share a word, the first or last letters of a long word, or the first six letters without
spaces. A small block gives all its pairs. A big one (a frequent surname, "University") is sorted by beginnings and by
ends, and each name is paired with its next neighbours only (sorted neighbourhood method, Hernández & Stolfo, "The
merge/purge problem for large databases", SIGMOD 1995).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import TypeVar

from rapidfuzz.distance import Indel

from filigraph.graph.text.names.pairs import Given, Signature, canonicals_of, is_short_of, nicknames_of, stems_of
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.patronymics import has_patronymic
from filigraph.graph.text.names.tables import FUNCTION_WORDS, GIVEN_NAMES, PARTICLES

Block = TypeVar("Block", bound=Hashable)

MAX_SMALL_BLOCK_NAMES = 12  # names; a block of n gives n (n - 1) / 2 pairs
WINDOW_NAMES = 4  # neighbours on each side that a name of a big block is paired with
_PREFIX_LETTERS = 4  # letters at either end of a word of at least 6
MIN_SIMILARITY = 0.7  # normalized Indel similarity without spaces, below which a pair is dropped


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def block_keys(words: Signature) -> frozenset[str]:
    """The blocks that contain a name, given by its words."""
    keys = {"".join(words)[:6]}
    for word in words:
        if len(word) > 2 and word not in FUNCTION_WORDS:
            keys.add(f"={word}")
            if len(word) >= 6:
                keys.update((f"{word[:_PREFIX_LETTERS]}~", f"~{word[-_PREFIX_LETTERS:]}"))
    return frozenset(keys)


def exchange_members(
    blocks: dict[Block, Sequence[Signature]],
    leaving: Mapping[Block, Set[Signature]],
    entering: Mapping[Block, Set[Signature]],
) -> list[tuple[Sequence[Signature], Sequence[Signature]]]:
    """Update blocks, each its names in order, after names left and entered them. Returns the members of each such block
    before and now.
    """
    exchanged: list[tuple[Sequence[Signature], Sequence[Signature]]] = []
    for key in leaving.keys() | entering.keys():
        before, came = blocks.pop(key, ()), entering.get(key, ())
        now = sorted({*before}.difference(leaving.get(key, ())).union(came) if before else came)
        if now:
            blocks[key] = now
        exchanged.append((before, now))
    return exchanged


def close_pairs(block: Sequence[Signature]) -> Sequence[tuple[Signature, Signature]]:
    """The pairs of a block to compare, the first before the second. `block`: distinct names, sorted, so that the result
    is deterministic."""
    if len(block) < 2:
        return ()
    compact = ["".join(words) for words in block]
    places = range(len(block))
    if len(block) <= MAX_SMALL_BLOCK_NAMES:
        index_pairs = {*_similar_neighbours(places, len(block), compact)}
    else:
        by_end = sorted(places, key=lambda i: compact[i][::-1])
        index_pairs = {
            *_similar_neighbours(places, WINDOW_NAMES, compact),
            *_similar_neighbours(by_end, WINDOW_NAMES, compact),
        }
    return tuple((block[i], block[j]) for i, j in index_pairs)


def _similar_neighbours(places: Sequence[int], reach: int, compact: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of places, at most `reach` apart in this order, whose names have enough letters in common."""
    for at, i in enumerate(places):
        word = compact[i]
        for j in places[at + 1 : at + 1 + reach]:
            if Indel.normalized_similarity(word, compact[j], score_cutoff=MIN_SIMILARITY):
                yield (i, j) if i < j else (j, i)


def by_nickname(words: Signature) -> Iterator[Signature]:
    """The names that differ from this one only in the given name, one short for the other; their letters may differ
    (Bill, William).
    """
    if len(words) > 1:
        for other_form in nicknames_of(words[0]) | canonicals_of(words[0]):
            if other_form != words[0]:
                yield other_form, *words[1:]


def longer_names(names: Mapping[str, Name], given_names: Given = GIVEN_NAMES) -> dict[str, frozenset[str]]:
    """Key -> the keys of the names it is short for (`is_short_of`); only proper names other than a bare office.

    Candidates come from indexes by the end of the name, by its first word, and by last word and given name, so the time
    is proportional to the number of candidates. A diminutive that ends or begins no longer name is short for its given
    name.
    """
    by_end: dict[tuple[str, ...], list[str]] = defaultdict(list)
    by_first: dict[str, list[str]] = defaultdict(list)
    by_given: dict[tuple[str, str], list[str]] = defaultdict(list)  # (last word, given name or written initial) -> keys
    by_letter: dict[tuple[str, str], list[str]] = defaultdict(list)  # (last word, first letter of a given name) -> keys
    cores = {name.core for name in names.values() if name.core and name.proper and not name.role}
    last_words = {core[-1] for core in cores if len(core) > 1}
    for key, name in names.items():
        head = name.core[: name.head]
        if not name.proper or len(name.core) < 2 or head[-1].isdigit():
            continue
        for start in range(len(head)):
            if len(head) - start < len(name.core) and head[start:] in cores:
                by_end[head[start:]].append(key)
        if head[:1] in cores or head[0] in given_names:
            by_first[head[0]].append(key)
        if head[-1] not in last_words:
            continue
        before_last = {word for word in head[:-1] if word not in PARTICLES}
        for word in before_last:
            by_given[head[-1], word].append(key)
        for letter in {word[0] for word in before_last}:
            by_letter[head[-1], letter].append(key)
    firsts = sorted(word for word in by_first if word in given_names)
    longer_of: dict[str, frozenset[str]] = {}
    for key, name in names.items():
        if not name.core or not name.proper or name.role:
            continue
        near = set(by_end.get(name.core, ()))
        if len(name.core) == 1:
            near.update(by_first.get(name.core[0], ()))
            if not near and not name.titles and not name.kin:
                for given_name in _full_forms(name.core[0], firsts):
                    near.update(by_first[given_name])
        else:
            if len(name.core) == 2 and has_patronymic(name.core):
                near.update(by_first.get(name.core[0], ()))
            last, first = name.core[-1], next((i for i, word in enumerate(name.core) if word not in PARTICLES), 0)
            word = name.core[first]
            if first in name.initials:
                near.update(by_letter.get((last, word), ()))
            else:
                near.update(by_given.get((last, word), ()), by_given.get((last, word[0]), ()))
        longer = frozenset(other for other in near if other != key and is_short_of(name, names[other], given_names))
        if longer:
            longer_of[key] = longer
    return longer_of


def _full_forms(word: str, firsts: Sequence[str]) -> Iterator[str]:
    """The sorted given names that may have a word as a diminutive."""
    for stem in stems_of(word):
        for at in range(bisect_left(firsts, stem), len(firsts)):
            if not firsts[at].startswith(stem):
                break
            yield firsts[at]

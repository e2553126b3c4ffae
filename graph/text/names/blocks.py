"""Blocking: select the pairs of names to compare, in near-linear time.

A block contains the names that share a word, the first or last letters of a long word, or the first six letters without
spaces. A small block gives all its pairs. A big one (a frequent surname, "University") is sorted by beginnings and by
ends, and each name is paired with its next neighbours only (sorted neighbourhood method, Hernández & Stolfo, "The
merge/purge problem for large databases", SIGMOD 1995).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz.distance import Indel

from filigraph.graph.text.names.pairs import Given, is_short_of, nicknames_of
from filigraph.graph.text.names.parse import Name
from filigraph.graph.text.names.tables import FUNCTION_WORDS, GIVEN_NAMES, PARTICLES

SMALL_BLOCK = 12  # names; a block of n gives n (n - 1) / 2 pairs
WINDOW = 4  # neighbours on each side that a name of a big block is paired with
_PREFIX = 4  # letters at either end of a word of at least 6
MIN_SIMILARITY = 0.7  # normalized Indel similarity without spaces, below which a pair is dropped


def close_pairs(signatures: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Index pairs (i < j) of names to compare, sorted. `signatures`, each the words of a name, must be distinct and
    sorted, so that the result is deterministic."""
    blocks: dict[str, list[int]] = defaultdict(list)
    compact = ["".join(words) for words in signatures]
    for i, words in enumerate(signatures):
        keys = {compact[i][:6]}
        for word in words:
            if len(word) > 2 and word not in FUNCTION_WORDS:
                keys.add(f"={word}")
                if len(word) >= 6:
                    keys.update((f"{word[:_PREFIX]}~", f"~{word[-_PREFIX:]}"))
        for key in keys:
            blocks[key].append(i)
    pairs: set[tuple[int, int]] = set()
    for members in blocks.values():
        size = len(members)
        if size < 2:
            continue
        reach = size if size <= SMALL_BLOCK else WINDOW
        _add_neighbours(members, reach, compact, pairs)
        if size > SMALL_BLOCK:
            _add_neighbours(sorted(members, key=lambda i: compact[i][::-1]), reach, compact, pairs)
    pairs.update(_nicknames(signatures))
    return sorted(pairs)


def _nicknames(signatures: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Names that differ in the given name alone, one short for the other; their letters may differ (Bill, William)."""
    at = {words: i for i, words in enumerate(signatures) if len(words) > 1}
    for words, i in at.items():
        for nickname in nicknames_of(words[0]):
            j = at.get((nickname, *words[1:]))
            if j is not None and j != i:
                yield (i, j) if i < j else (j, i)


def _add_neighbours(members: list[int], reach: int, compact: Sequence[str], pairs: set[tuple[int, int]]) -> None:
    for at, i in enumerate(members):
        mine = compact[i]
        for j in members[at + 1 : at + 1 + reach]:
            if Indel.normalized_similarity(mine, compact[j], score_cutoff=MIN_SIMILARITY):
                pairs.add((i, j) if i < j else (j, i))


def longer_names(names: Mapping[str, Name], given_names: Given = GIVEN_NAMES) -> dict[str, frozenset[str]]:
    """Key -> the keys of the names it is short for (`is_short_of`); only proper names that are no bare office.

    Candidates come from indexes by the end of the name, by its first word, and by last word and given name, so the time
    is proportional to the number of candidates.
    """
    by_end: dict[tuple[str, ...], list[str]] = defaultdict(list)
    by_first: dict[str, list[str]] = defaultdict(list)
    by_given: dict[tuple[str, str], list[str]] = defaultdict(list)  # (last word, given name or written initial) -> keys
    by_letter: dict[tuple[str, str], list[str]] = defaultdict(list)  # (last word, first letter of a given name) -> keys
    for key, name in names.items():
        head = name.core[: name.head]
        if not name.proper or len(name.core) < 2 or head[-1].isdigit():
            continue
        for start in range(len(head)):
            if len(head) - start < len(name.core):
                by_end[head[start:]].append(key)
        by_first[head[0]].append(key)
        given = {word for word in head[:-1] if word not in PARTICLES}
        for word in given:
            by_given[head[-1], word].append(key)
        for letter in {word[0] for word in given}:
            by_letter[head[-1], letter].append(key)
    found: dict[str, frozenset[str]] = {}
    for key, name in names.items():
        if not name.core or not name.proper or name.role:
            continue
        near = set(by_end.get(name.core, ()))
        if len(name.core) == 1:
            near.update(by_first.get(name.core[0], ()))
        else:
            last, first = name.core[-1], next((i for i, word in enumerate(name.core) if word not in PARTICLES), 0)
            word = name.core[first]
            if first in name.initials:
                near.update(by_letter.get((last, word), ()))
            else:
                near.update(by_given.get((last, word), ()), by_given.get((last, word[0]), ()))
        longer = frozenset(other for other in near if other != key and is_short_of(name, names[other], given_names))
        if longer:
            found[key] = longer
    return found

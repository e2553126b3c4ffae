"""Blocking: which names are worth comparing, in near-linear time.

Names that share a word, the beginning of a long word, or all letters but the spaces fall into one block. Within a small
block all pairs are taken; a big one (a frequent surname, "University") is sorted by what its names say besides, and each
name meets only its neighbours (sorted neighbourhood, Hernández & Stolfo 1995). Never all pairs of a workspace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rapidfuzz.distance import Indel

from filigraph.graph.text.name_tables import FUNCTION_WORDS

SMALL_BLOCK = 12  # names; a block of n gives n (n - 1) / 2 pairs
WINDOW = 4  # neighbours that a name of a big block meets on each side
_PREFIX = 4  # letters of a word of at least 6
MIN_SIMILARITY = 0.7  # of the letters, spaces aside (Indel); names less alike than that are no spelling of each other


def close_pairs(signatures: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Index pairs (i < j) of names worth comparing, sorted. `signatures` are distinct, in an order that does not depend on
    how they came (sorted); each is the words of a name."""
    blocks: dict[str, list[int]] = defaultdict(list)
    compact = ["".join(words) for words in signatures]
    for i, words in enumerate(signatures):
        keys = {compact[i][:6]}
        for word in words:
            if len(word) > 2 and word not in FUNCTION_WORDS:
                keys.add(f"={word}")
                if len(word) >= 6:
                    keys.add(f"{word[:_PREFIX]}~")
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
    return sorted(pairs)


def _add_neighbours(members: list[int], reach: int, compact: Sequence[str], pairs: set[tuple[int, int]]) -> None:
    for at, i in enumerate(members):
        mine = compact[i]
        for j in members[at + 1 : at + 1 + reach]:
            if Indel.normalized_similarity(mine, compact[j], score_cutoff=MIN_SIMILARITY):
                pairs.add((i, j) if i < j else (j, i))

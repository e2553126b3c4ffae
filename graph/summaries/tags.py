"""Tags: the words that set a stretch of text apart from the rest of its document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.words import IDEOGRAPHS, tokens

MAX_TAGS = 6
MIN_TAG_LETTERS = 4  # letters; in Han one is a word
MIN_OCCURRENCES = 2  # a word that occurs once may be anything


def count_words(text: str) -> Counter[str]:
    """The number of times that each possible tag, a lower-case word, occurs in a text: names are entities, not tags."""
    return Counter(token.text for token in tokens(text) if _may_be_tag(token.text, token.folded))


def tags(counts: Mapping[str, int], windows: Mapping[str, int], total: int) -> tuple[str, ...]:
    """The words that occur here and in few of the `total` windows of the document: TF-IDF (Sparck Jones 1972)."""
    often = [word for word, count in counts.items() if count >= MIN_OCCURRENCES]
    score = {word: counts[word] * math.log((1 + total) / windows[word]) for word in often}
    return tuple(sorted(score, key=lambda word: (-score[word], -len(word), word))[:MAX_TAGS])


def spread_over(counts: Sequence[Mapping[str, int]]) -> Counter[str]:
    """In how many windows each word occurs."""
    return Counter(word for window in counts for word in window)


def _may_be_tag(word: str, folded: str) -> bool:
    if folded in FUNCTION_WORDS or not word[0].isalpha() or word[0].isupper():
        return False
    return (
        len(word) >= MIN_TAG_LETTERS
        or ("\u3400" <= word[0] <= "\u9fff" and word[0] in IDEOGRAPHS)
        or word[0] > "\u3000"
    )

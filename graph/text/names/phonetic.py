"""Phonetic code of a word after romanization: Soundex (Russell 1918) without the first letter and the fixed length.

Vowels are dropped and consonants of one place of articulation share a digit, so "Lavrov", "Лавров" and "Lavroff" have
the same code. Works for scripts without vowels, too.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from filigraph.graph.text.names.pairs import romanized

_CODES = {
    letter: code
    for code, letters in (("1", "bfpv"), ("2", "cgjkqsxz"), ("3", "dt"), ("4", "l"), ("5", "mn"), ("6", "r"))
    for letter in letters
}


@lru_cache(maxsize=1 << 18)  # as many as the cache of `parse`
def phonetic_code(word: str) -> str:
    """The code of a word, "" if it has no consonants. W, y and h count as vowels, as in Arabic."""
    codes = [_CODES.get(letter, "") for letter in romanized(word).lower() if letter not in "'-"]
    return "".join(code for code, _ in groupby(code for code in codes if code))

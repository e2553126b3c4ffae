"""How a name sounds, roughly: what is left of it when vowels go and consonants made in one place are one (Soundex,
Russell 1918), after romanization. "Lavrov", "Лавров" and "Lavroff" are alike, and scripts without vowels have such a
code, too.
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


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """The code of a word, "" for one of vowels alone. W, y and h are vowels here, as they are in Arabic."""
    codes = [_CODES.get(letter, "") for letter in romanized(word).lower() if letter not in "'-"]
    return "".join(code for code, _ in groupby(code for code in codes if code))

"""Numbers in headings: "Part II", "Second Period", "Livre premier", "2e partie", "VII. The Boat" have a number, and
most a word before or after it. Two headings have the same number if both agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from filigraph.graph.text.numbers.number_words import DAYS, ROMAN, numbers_in_words, value_of_digits
from filigraph.graph.text.words import fold

CHAPTER = re.compile(r"(?:chapters?|chap\.?|ch\.|chapitres?|kapitel|cap[ií]tulos?|capitol[oi]|hoofdstuk)\s+(?=\S)")
_CHAPTER_WORD = "chapter"
_ORDINAL_ENDING = "(?:st|nd|rd|th|er|re|ere|eme|e|o|a|º|ª)"
_WORD_FIRST = re.compile(
    rf"(?P<word>[^\W\d_]+)\.?\s+(?:the\s+)?(?:n[o°º]\.?\s*)?(?P<number>\d{{1,4}}|{ROMAN}|[^\W\d_]+(?:-[^\W\d_]+)*)\b"
)
_NUMBER_FIRST = re.compile(
    rf"(?:the\s+|la\s+|le\s+)?(?P<number>\d{{1,4}}{_ORDINAL_ENDING}?|[^\W\d_]+(?:-[^\W\d_]+)*)\s+(?P<word>[^\W\d_]+)\b"
)
_BARE = re.compile(rf"(?P<number>\d{{1,4}}|{ROMAN})(?![^\s.:)\]–—-])")
_MARKS = ".:)]–—,;"


def _ordinals() -> dict[str, int]:
    """Folded ordinal -> number, in English and French."""
    french = {"premier": 1, "premiere": 1, "second": 2, "seconde": 2}
    for word, number in DAYS["fr"].items():
        stem = {"cinq": "cinqu", "neuf": "neuv"}.get(word, word.removesuffix("e"))
        if number > 1:
            french[f"{stem}ieme"] = number
    return {**DAYS["en"], **french}


_ORDINALS = _ordinals()


@dataclass(frozen=True, kw_only=True)
class HeadingNumber:
    """The number of a heading: "chapter" 12, "period" 1; `word` is "" for a bare number."""

    word: str
    number: int

    def counts_as(self, other: HeadingNumber) -> bool:
        """Whether both mean the same; "part" and "partie" do, and a chapter needs no word."""
        words = {_CHAPTER_WORD if word in ("", _CHAPTER_WORD) else word for word in (self.word, other.word)}
        first, *rest = sorted(words, key=len)
        return self.number == other.number and all(len(first) > 3 and word.startswith(first) for word in rest)


def heading_of(text: str, *, whole: bool = False) -> HeadingNumber | None:
    """The number of a heading; None if it has none. `whole`: only if it is nothing but its word and number."""
    folded = " ".join(fold(text).split()).rstrip(" .:")
    if chapter := CHAPTER.match(folded):
        rest = folded[chapter.end() :]
        number = 0 if whole and " " in rest else _parse_number(rest.split()[0].strip(_MARKS))
        return HeadingNumber(word=_CHAPTER_WORD, number=number) if number else None
    if (bare := _BARE.match(folded)) and (not whole or bare.end() == len(folded)):
        return HeadingNumber(word="", number=value_of_digits(bare["number"]))
    for pattern in (_NUMBER_FIRST, _WORD_FIRST):
        match = pattern.match(folded)
        if not match or (whole and match.end() < len(folded)):
            continue
        if number := _parse_number(match["number"], ordinal=pattern is _NUMBER_FIRST):
            return HeadingNumber(word=match["word"], number=number)
    return None


def _parse_number(word: str, *, ordinal: bool = False) -> int:
    """The value of a word that may be a number; 0 if it is not one. `ordinal`: a roman one would be a word of a
    name.
    """
    if match := re.fullmatch(rf"(\d{{1,4}}){_ORDINAL_ENDING}?", word):
        return int(match[1])
    if not ordinal and word and re.fullmatch(ROMAN, word):
        return value_of_digits(word)
    if word in _ORDINALS:
        return _ORDINALS[word]
    values = [value for language in ("en", "fr") for _, _, value in numbers_in_words(word, language)]
    return values[0] if values and not ordinal else 0

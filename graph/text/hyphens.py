"""Join words that are divided at the end of a line.

A soft hyphen is deleted together with the line end after it; if something is between them, such as a page number, it
counts as a hard hyphen. A hard hyphen is deleted before a small letter ("ware-" "house"), unless it is part of the
word: before a capital (Anne-Marie), in a word with another hyphen (mother-in-law), before French words that verbs are
joined to (dit-il), and if the text writes the word with it elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

SOFT = "\u00ad"
_HYPHENS = "\u2010-"  # the plain one last: at the end of a character class it is literal
_LAST = re.compile(rf"(?P<word>[^\W\d_][\w'’.{_HYPHENS}]*)(?P<hyphen>[{SOFT}{_HYPHENS}])$")
_FIRST = re.compile(r"[^\W_][\w'’]*")
_JOINED_BY_HYPHEN = frozenset(  # French: "dit-il", "celui-ci", "donne-moi", "lui-même"
    "il elle ils elles on je tu nous vous ce ci là moi toi le la les lui leur y en t même mêmes".split()  # noqa: SIM905
)
_FIRST_PARTS = frozenset(  # of compounds: "vice-président", "porte-monnaie", "grand-mère", "twenty-five", "well-known"
    "vice porte demi arrière avant après belle belles grand half well twenty thirty forty fifty sixty seventy eighty "  # noqa: SIM905
    "ninety vingt trente quarante cinquante soixante quatre".split()
)
_COMPOUNDS = frozenset((  # their first part also begins other words
    "beau-frère", "beau-père", "beau-fils", "beaux-frères", "beaux-parents", "beaux-arts", "peut-être", "quelques-uns",
    "quelques-unes", "dix-sept", "dix-huit", "dix-neuf", "au-dessus", "au-dessous", "au-delà", "là-bas", "là-haut",
    "ex-minister", "ex-president", "ex-husband", "ex-wife", "ex-soldier", "ex-convict", "ex-officer", "ex-policeman",
    "ex-mayor", "ex-king", "ex-director", "ex-ministre", "ex-président", "ex-maire", "ex-directeur", "ex-époux",
    "ex-épouse", "là-dessus", "là-dedans", "par-dessus", "par-dessous", "par-delà", "sous-préfet", "sous-lieutenant",
    "sous-sol",
    "rendez-vous", "ex-mari", "ex-femme", "non-lieu", "no-one", "to-day", "to-morrow", "to-night", "mid-day",
))  # fmt: skip
_LINE_END = re.compile(
    rf"(?P<before>(?<![^\W\d_])[^\W\d_][\w'’{_HYPHENS}]{{0,80}}(?<![{_HYPHENS}])[{_HYPHENS}])[^\S\n]*\n[^\S\n]*(?P<after>[^\W_][\w'’]*)"
)
_NUMBER_LAST, _NUMBER_FIRST = re.compile(r"\b\d{1,4}[-–]$"), re.compile(r"\d{1,4}\b")  # "1914-", "1918"
_RANGE_END = re.compile(r"(?<=\b[12]\d{3})([-–])[^\S\n]*\n[^\S\n]*(?=[12]\d{3}\b)")  # "1914-", "1918"
# What may be between the two parts of a divided word: also the end of a page or a paragraph, and the beginning of the
# next line of a quoted mail.
_SOFT_END = re.compile(rf"(?<!{SOFT}){SOFT}++[^\S\n]*+\n(?P<between>[\s>]*)(?P<after>\w?)")
_WORD = re.compile(rf"[\w{_HYPHENS}]+")


def join_divided_word(before: str, after: str, vocabulary: Mapping[str, int]) -> tuple[str, str] | None:
    """The remaining line and the next line, to be joined without a space, if a hyphen divides a word at the end of the
    first; None otherwise. `vocabulary`: the result of `vocabulary_of`.
    """
    if _NUMBER_LAST.search(before[-10:]) and _NUMBER_FIRST.match(after):
        return before, after
    match = _LAST.search(before[-80:])
    start = _FIRST.match(after)
    if not match or not start:
        return None
    unhyphenated = before[:-1]
    if match["hyphen"] == SOFT:
        return unhyphenated, after
    return (before if _keeps_hyphen(match["word"], start[0], vocabulary) else unhyphenated), after


def _keeps_hyphen(first: str, second: str, vocabulary: Mapping[str, int]) -> bool:
    if not second[0].islower() or any(hyphen in first for hyphen in _HYPHENS):
        return True
    whole = vocabulary.get((first + second).casefold(), 0)
    parted = vocabulary.get(f"{first}-{second}".casefold(), 0)
    if whole or parted:
        return parted > whole
    if first in _FIRST_PARTS or f"{first}-{second}".casefold() in _COMPOUNDS:
        return True
    return second in _JOINED_BY_HYPHEN and len(first) > 1


def without_soft_hyphens(text: str) -> str:
    """A text with
    as line ends, without soft hyphens and the line ends after them.
    """

    def join_halves(match: re.Match[str]) -> str:
        goes_on = match["after"].islower() or (match["after"].isalpha() and "\n" not in match["between"])
        return match["after"] if goes_on else f"-\n{match['between']}{match['after']}"

    return _SOFT_END.sub(join_halves, text).replace(SOFT, "") if SOFT in text else text


def vocabulary_of(text: str) -> Mapping[str, int]:
    """The words of a text, folded, with their counts."""
    return Counter(word.casefold() for word in _WORD.findall(text))


def without_divided_words(text: str) -> str:
    """A text in lines, in which words that a hyphen divides at a line end are whole, and ranges of years. The rest of
    the word's line begins the next one.
    """
    text = _RANGE_END.sub(r"\1", text)
    if not _LINE_END.search(text):
        return text
    vocabulary = vocabulary_of(text)

    def whole(match: re.Match[str]) -> str:
        first, second = match["before"][:-1], match["after"]
        if second[0].isupper() and not first[0].isupper():
            return match[0]  # "the pre-\nWar" stays; a dash at the end of a line is not a hyphen
        return (match["before"] if _keeps_hyphen(first, second, vocabulary) else first) + second

    return _LINE_END.sub(whole, text)

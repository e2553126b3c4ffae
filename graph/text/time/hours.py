"""Parse hours of the day in English and French: "ten minutes past two", "half past one", "9 p.m.", "11 h 52", "midi
moins huit". The result is in minutes after noon or midnight, because a text seldom says which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.text.numbers.number_words import numbers_in_words
from filigraph.graph.text.words import fold

HALF_DAY_MINUTES = 12 * 60
_N = r"(\d{1,2})"
_NAMED = {"noon": "12", "midnight": "12", "midi": "12", "minuit": "12", "half": "30", "quarter": "15"}
_NAMED |= {"et demie": "et 30", "et demi": "et 30", "et quart": "et 15", "moins le quart": "moins 15"}
_BEFORE_HOUR = (
    r"(?:^|[,;:.(“\"] |\b(?:at|about|by|till|until|was|is|be|nearly|almost|before|after|around|towards|since|exactly"
    r"|just"
    r"|than|that|then|only|still|s|show(?:s|ed)|said|struck|reads?) )"
)
_RULES = {
    "en": (
        (re.compile(rf"\b(?:a )?{_N}(?: minutes?)? past {_N}\b"), lambda minute, hour: 60 * hour + minute),
        (
            re.compile(rf"\b(?:a (?=15\b)|(?=\d+ minutes)){_N}(?: minutes)? to {_N}\b"),
            lambda minute, hour: 60 * hour - minute,
        ),
        # without "minutes", only what clocks are told by: "numbered 5 to 10" is a range
        (
            re.compile(
                rf"{_BEFORE_HOUR}(5|10|20|25) to (1[0-2]|[1-9])\b"
                r"(?! (?:of|or|men|women|people|children|feet|foot|per|percent|hundred|thousand|million|[a-z]+s)\b)"
            ),
            lambda minute, hour: 60 * hour - minute,
        ),
        (re.compile(rf"\b{_N}[.:](\d\d)(?= ?[ap]\.? ?m\b|\b)"), lambda hour, minute: 60 * hour + minute),
        (re.compile(rf"\b{_N} ?[ap]\.? ?m\b"), lambda hour: 60 * hour),
        (re.compile(rf"\b{_N} o.?clock\b"), lambda hour: 60 * hour),
        (re.compile(rf"\b(?:at|about|by|till|until) {_N}\b(?! \w)"), lambda hour: 60 * hour),
    ),
    "fr": (
        (re.compile(rf"\b{_N} ?(?:h|heures?) moins {_N}\b"), lambda hour, minute: 60 * hour - minute),
        (re.compile(rf"\b{_N} ?(?:h|heures?|:) ?(?:et )?{_N}\b"), lambda hour, minute: 60 * hour + minute),
        (re.compile(r"\b(12) moins (\d{1,2})\b"), lambda hour, minute: 60 * hour - minute),
        (re.compile(rf"\b{_N} ?(?:h|heures?)\b"), lambda hour: 60 * hour),
    ),
}


def hours_in(text: str, language: str) -> list[int]:
    """The hours in a text, each in minutes after noon or midnight; [] in other languages."""
    if language not in _RULES:
        return []
    plain = _in_digits(text, language)
    hours: list[int] = []
    for pattern, minutes in _RULES[language]:
        for match in pattern.finditer(plain):
            clock = [int(part) for part in match.groups()]
            if max(clock) < 60:
                hours.append(minutes(*clock) % HALF_DAY_MINUTES)
        plain = pattern.sub(" ", plain)
    return hours


def _in_digits(text: str, language: str) -> str:
    """The text, folded, with its numbers in digits."""
    parts, at = [], 0
    for start, end, value in numbers_in_words(text, language):
        parts += [text[at:start], str(value)]
        at = end
    plain = fold("".join([*parts, text[at:]]))
    for word, digits in _NAMED.items():
        plain = re.sub(rf"\b{word}\b", digits, plain)
    return " ".join(plain.split())


def minutes_apart(first: Sequence[int], other: Sequence[int]) -> int:
    """The fewest minutes between an hour of one text and one of the other, on a dial of twelve hours."""
    gaps = [abs(a - b) for a in first for b in other]
    return min((min(gap, HALF_DAY_MINUTES - gap) for gap in gaps), default=0)

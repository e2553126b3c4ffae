"""Values: the hours, days, amounts and measures in a text, compared by what they are and not by how they are written:
"half past one" is "1 h 30", and "two hundred pounds" is "£200"."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from functools import lru_cache

from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.numbers.answer_numbers import MONTHS
from filigraph.graph.text.numbers.number_words import numbers_in_words
from filigraph.graph.text.numbers.quantities import quantities
from filigraph.graph.text.numbers.quantity_units import UNITS
from filigraph.graph.text.time.dates import dates_in
from filigraph.graph.text.time.hours import hours_in
from filigraph.graph.text.words import tokens

Values = frozenset[tuple[Hashable, ...]]

_LANGUAGES = ("en", "fr")  # whose numbers are read; a step may be in another one than its text
_OF_HOURS = frozenset(
    word
    for words in (
        "h hour hours minute minutes past to half quarter clock o'clock am pm a.m p.m noon midnight morning evening",
        "heure heures midi minuit demie demi quart moins et matin soir",
    )
    for word in words.split()
)

# Digits that look like an hour: a price, the number of a chapter, how long something takes, a share.
_NO_HOUR = re.compile(
    r"[£$€]\s?\d+[.:]\d\d|\b(?:chapter|chap\.|chapitre|section|verse|verset|v\.|no\.|n°|§)\s?\d+[.:]\d\d"
    r"|\b\d+ ?(?:h|hours?|heures?) (?:later|ago|after|before|plus tard|après|avant)|\b\d+ to \d+ of\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)
def values_in(text: str) -> Values:
    values: set[tuple[Hashable, ...]] = set()
    for language in _LANGUAGES:
        values.update(("hour", minutes) for minutes in hours_in(_NO_HOUR.sub(" ", text), language))
        values.update(("day", day) for day in dates_in(text, language))
        values.update((one.unit, one.value) for one in quantities(text, language) if one.kind != "count")
    return frozenset(values)


@lru_cache(maxsize=10_000)
def as_value(text: str) -> Values:
    """The values of a text that says nothing else; none for any other text."""
    words = [token for token in tokens(text) if not any(map(str.isdigit, token.text))]
    in_numbers = {
        token.start
        for language in _LANGUAGES
        for start, end, _ in numbers_in_words(text, language)
        for token in words
        if start <= token.start < end
    }
    known: Sequence[Collection[str]] = (FUNCTION_WORDS, _OF_HOURS, MONTHS, UNITS)
    is_value = all(token.start in in_numbers or any(token.folded in names for names in known) for token in words)
    return values_in(text) if is_value else frozenset()

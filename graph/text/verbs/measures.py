"""Detect dates, hours and amounts among the objects of facts."""

from __future__ import annotations

import re

from filigraph.graph.text.verbs.relation_lists import LANGUAGES, lexicon

MAX_NAME_CHARS = 200  # characters of a name that are checked

_TIME = re.compile(r"\w[\w:/.-]*\w'?|\w'?")
_AMOUNT = re.compile(r"[£$€]?\s?\d[\d\s.,]*(?:\s?(?:[^\W\d]{1,8}\d?|[€%]))?(?:\s\d+)?")
_DAY = re.compile(r"le \d{1,2}")
_NUMBER = re.compile(r"\d{1,4}(?:st|nd|rd|th|er|e|ème)?")
_HOUR_OR_DATE = re.compile(r"\d{1,2}[:h]\d{0,2}|h|1[0-9]\d\d|20\d\d|\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d\d-\d\d")


def is_amount(name: str) -> bool:
    """Whether a name is a number or an amount: "£86,400", "37 francs 40", "412 m3"."""
    return _AMOUNT.fullmatch(name[:MAX_NAME_CHARS].strip()) is not None


def is_time(name: str, language: str) -> bool:
    """Whether a name is a date or an hour: "6 June 1912", "21 h 30", "last Monday"."""
    if language not in LANGUAGES:
        return False
    listed, words = lexicon(language), _TIME.findall(name[:MAX_NAME_CHARS].lower().replace("’", "'"))
    telling = [word for word in words if listed.has("times", word) or _HOUR_OR_DATE.fullmatch(word)]
    beside = [word for word in words if _NUMBER.fullmatch(word) or listed.has("beside times", word)]
    alone = len(words) == 1 and not (_HOUR_OR_DATE.fullmatch(words[0]) or listed.has("times alone", words[0]))
    telling_time = bool(telling) and {*telling, *beside} == {*words} and not alone
    return telling_time or (language == "fr" and _DAY.fullmatch(name.lower()) is not None)

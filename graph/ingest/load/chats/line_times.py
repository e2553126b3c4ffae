"""The time of each part of a chat, a transcript or a log: a line has a time, which also applies to the next lines
without one.

[2024-03-12 21:14:00] Ana: I left.      26/01/2020, 4:19 pm - Ana: I left.      [00:04:13:52]      00 04 13 52 CMP
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from filigraph.graph.model.documents import LinePlace

_OF_MONTH, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_DAY = (
    rf"(?:\d{{4}}(?P<by>[./-]){_MONTH}(?P=by){_OF_MONTH}"
    rf"|(?:{_OF_MONTH}(?P<of>[./-]){_MONTH}|{_MONTH}(?P<us>[./-]){_OF_MONTH})[./-](?:\d{{4}}|\d\d))(?!\d)"
)
_HOUR, _SIXTY = r"(?:[01]?\d|2[0-3])", r"[0-5]\d"
_HALF = r"[ \u00a0\u202f]?[ap]\.?[ \u00a0\u202f]?m\b\.?"
_SENDER = r"(?=\]|\s[-–]\s[^\n:]{1,60}:\s)"  # what follows the time of a message
# A full stop also occurs in amounts: it separates the parts of a time only with seconds, a half of the day or a sender.
_CLOCK = (
    rf"{_HOUR}(?:[:h]{_SIXTY}(?:[:.]{_SIXTY})?(?:{_HALF})?"
    rf"|\.{_SIXTY}(?:[:.]{_SIXTY}(?:{_HALF})?|{_HALF}|{_SENDER}))"
)
_CODE = rf"\d{{1,3}}(?::{_SIXTY}){{1,3}}"
_STAMP = re.compile(
    rf"^\W{{0,2}}(?P<day>{_DAY})(?:,?\s+|T(?=\d\d:))"
    rf"(?:(?:à|um|at|a las|alle|kl\.?|klo) (?P<told>{_HOUR}[.:h]{_SIXTY}(?:[:.]{_SIXTY})?(?:{_HALF})?)"
    rf"|(?P<clock>{_CLOCK}))(?:[.,]\d{{3,6}})?(?!:?\d)"
    rf"|^[\[(](?P<code>{_CODE})(?:[.,]\d{{1,3}})?[\])]"
    rf"|^(?P<alone>{_CODE})(?:[.,]\d{{1,3}})?[ \t]*$"
    rf"|^(?P<apart>\d{{2,3}} (?:[01]\d|2[0-3])(?: {_SIXTY}){{2}})(?=\s)(?![ \t]+\d)",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_FEWEST = 3  # min. lines with a time
_SHARE = 0.05  # min. share of the lines that are not blank: in any text a few lines begin with a time
_OF_ONE_FORM = 0.5  # min. share of the times of one form: a chat or a log uses one
# min. share of the times without a day that are not before the last one: telephone numbers are not in order
_IN_ORDER = 0.8


def line_times(text: str) -> tuple[LinePlace, ...]:
    """The start of each time; () for a text that is not divided by times."""
    stamps = list(_STAMP.finditer(text))
    if len(stamps) < max(_FEWEST, _SHARE * sum(map(bool, map(str.strip, text.split("\n"))))) or not _regular(stamps):
        return ()
    times: list[LinePlace] = []
    for stamp in stamps:
        label = " ".join((_code(stamp) or f"{stamp['day']} {stamp['clock'] or stamp['told']}").split())
        if not times or times[-1].label != label:
            times.append(LinePlace(kind="time", label=label, start=stamp.start()))
    return tuple(times)


def _regular(stamps: Sequence[re.Match[str]]) -> bool:
    forms = Counter(_NUMBER.sub("0", stamp[0]) for stamp in stamps)
    codes = [[int(part) for part in code.split(":")] for stamp in stamps if (code := _code(stamp))]
    in_order = sum(before <= after for before, after in pairwise(codes))
    return max(forms.values()) >= _OF_ONE_FORM * len(stamps) and in_order >= _IN_ORDER * (len(codes) - 1)


def _code(stamp: re.Match[str]) -> str:
    return str(stamp["code"] or stamp["alone"] or (stamp["apart"] or "").replace(" ", ":"))

"""When each part of a chat, a transcript or a log was said: its lines say so, and what follows was said then too.

[2024-03-12 21:14:00] Ana: I left.      26/01/2020, 4:19 pm - Ana: I left.      [00:04:13:52]      00 04 13 52 CMP
"""

from __future__ import annotations

import re

from filigraph.graph.model.documents import LinePlace

_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_CLOCK = r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:[ \u00a0\u202f]?[ap]\.?[ \u00a0\u202f]?m\b\.?)?"
_CODE = r"\d{1,3}(?::\d{2}){1,3}"
_STAMP = re.compile(
    rf"^\W{{0,2}}(?P<day>{_DAY}),?\s+(?:(?:à|um|at|a las|alle) )?(?P<clock>{_CLOCK})"
    rf"|^[\[(](?P<code>{_CODE})(?:[.,]\d{{1,3}})?[\])]"
    rf"|^(?P<alone>{_CODE})(?:[.,]\d{{1,3}})?[ \t]*$"
    r"|^(?P<apart>\d{2,3}(?: \d{2}){3})(?=\s)",
    re.MULTILINE | re.IGNORECASE,
)
_FEWEST = 3  # lines with a time
_SHARE = 0.05  # of the lines that are not blank: a few times begin lines of any text


def line_times(text: str) -> tuple[LinePlace, ...]:
    """Where each time begins; () for a text that is not told by times."""
    stamps = list(_STAMP.finditer(text))
    if len(stamps) < max(_FEWEST, _SHARE * sum(map(bool, map(str.strip, text.split("\n"))))):
        return ()
    times: list[LinePlace] = []
    for stamp in stamps:
        label = f"{stamp['day']} {stamp['clock']}" if stamp["day"] else _code(stamp)
        if not times or times[-1].label != label:
            times.append(LinePlace(kind="time", label=" ".join(label.split()), start=stamp.start()))
    return tuple(times)


def _code(stamp: re.Match[str]) -> str:
    return str(stamp["code"] or stamp["alone"] or stamp["apart"].replace(" ", ":"))

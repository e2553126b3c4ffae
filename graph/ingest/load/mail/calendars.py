"""Calendars (iCalendar, `.ics`): a paragraph for each event, with its day, its place and its participants.

SUMMARY:Sale of the Petrel                      2022-05-10, 14:00 to 15:00 (Europe/Paris)
DTSTART;TZID=Europe/Paris:20220510T140000       Sale of the Petrel
ORGANIZER;CN=Ada Finch:mailto:ada@f.example     Organizer: Ada Finch
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta

from filigraph.graph.ingest.load.content import LEFT_OUT, Content, check_length, clean, one_line
from filigraph.graph.ingest.load.content_lines import ContentLine, content_lines, left_out, unescaped
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.model.documents import LinePlace

_ENTRIES = frozenset(("VEVENT", "VTODO", "VJOURNAL"))
_TIME = re.compile(r"(?P<day>\d{8})(?:T(?P<clock>\d{4})\d{0,2}(?P<utc>Z?))?")
_LABELS = {
    "DUE": "Due", "LOCATION": "Place", "ORGANIZER": "Organizer", "CONTACT": "Contact", "CATEGORIES": "Categories",
    "STATUS": "Status",
}  # fmt: skip
_ANSWERS = {"ACCEPTED": "Present", "DECLINED": "Declined"}
_THINGS = frozenset(("ROOM", "RESOURCE"))
_TEXTS = frozenset(("DTSTART", "DTEND", "SUMMARY", "ATTENDEE", "DESCRIPTION", "COMMENT", "RRULE"))
_TECHNICAL = frozenset(("UID", "DTSTAMP", "SEQUENCE", "CREATED", "LAST-MODIFIED", "TRANSP"))  # for programs
_WELL = frozenset(("CONFIRMED",))  # the normal status, which is left out


def read_calendar(content: bytes, declared: str = "") -> Content:
    decoded, warnings = decode(content, declared)
    entries = sorted(_entries(decoded), key=_start)
    if not entries:
        return Content(text=clean(decoded), warnings=(*warnings, f"no event of a calendar: {AS_PLAIN_TEXT}"))
    text = ""
    places: list[LinePlace] = []
    for entry in entries:
        words = clean(_event_text(entry))
        gap = "\n\n" if text else ""
        if label := _start(entry)[:10]:
            places.append(LinePlace(kind="time", label=label, start=len(text) + len(gap)))
        text += gap + words
        check_length(len(text))
    repeated = sum(line.name == "RRULE" for entry in entries for line in entry)
    left = (f"{LEFT_OUT} rules by which events are repeated: {repeated:,}",) if repeated else ()
    unread = left_out(entries, _LABELS.keys() | _TEXTS | _TECHNICAL)
    title = next((line.text for line in content_lines(decoded) if line.name == "X-WR-CALNAME"), "")
    return Content(text=text, title=title, lines=tuple(places), warnings=(*warnings, *left, *unread))


def _entries(text: str) -> Iterator[Sequence[ContentLine]]:
    """The events, without the alarms and time zones around and inside them."""
    within: list[str] = []
    entry: list[ContentLine] = []
    for line in content_lines(text):
        if line.name == "BEGIN":
            within.append(line.value.strip().upper())
            entry = [] if within[-1] in _ENTRIES else entry
        elif line.name == "END":
            if within and within.pop() in _ENTRIES:
                yield entry
        elif within and within[-1] in _ENTRIES:
            entry.append(line)


def _event_text(entry: Sequence[ContentLine]) -> str:
    first: Mapping[str, ContentLine] = {line.name: line for line in reversed(entry)}
    start, end = (first.get(name) for name in ("DTSTART", "DTEND"))
    lines = [_span(start, end), first["SUMMARY"].text if "SUMMARY" in first else ""]
    values_of: dict[str, list[str]] = {label: [] for label in (*_LABELS.values(), *_ANSWERS.values())}
    for line in entry:
        if (value := _line_value(line)) and value not in _WELL:
            values_of.setdefault(_label(line), []).append(value)
    lines += [f"{label}: {'; '.join(dict.fromkeys(values))}" for label, values in values_of.items() if label and values]
    text = "\n".join(filter(None, lines))
    about = "\n\n".join(unescaped(line.value).strip() for line in entry if line.name in ("DESCRIPTION", "COMMENT"))
    return f"{text}\n\n{about}" if about.strip() else text


def _label(line: ContentLine) -> str:
    """The label of a property in the text; "" if it has its own place there."""
    if line.name != "ATTENDEE":
        return _LABELS.get(line.name, "")
    if line.parameters.get("CUTYPE", "").upper() in _THINGS:
        return "Reserved"
    return _ANSWERS.get(line.parameters.get("PARTSTAT", "").upper(), "Invited")


def _line_value(line: ContentLine) -> str:
    if line.name in ("ORGANIZER", "ATTENDEE"):
        return one_line(line.parameters.get("CN", "")) or one_line(re.sub(r"(?i)^mailto:", "", line.value))
    return _time_text(line) if line.name == "DUE" else line.text


def _start(entry: Sequence[ContentLine]) -> str:
    return next((_time_text(line) for line in entry if line.name in ("DTSTART", "DUE")), "")


def _span(start: ContentLine | None, end: ContentLine | None) -> str:
    """The time of an event: "2022-05-10, 14:00 to 15:00 (Europe/Paris)"."""
    if start is None:
        return ""
    begins = _time_text(start)
    ends = _end_of_event(end, begins) if end is not None else ""
    same_day = ends[:10] == begins[:10]
    until = ends[12:] if same_day else ends
    zone = "UTC" if start.value.strip().endswith("Z") else start.parameters.get("TZID", "")
    span = f"{begins} to {until}" if until and (", " in begins or not same_day) else begins
    return f"{span} ({one_line(zone)})" if zone and ", " in begins else span


def _end_of_event(end: ContentLine, begins: str) -> str:
    """The end of an event: for whole days, the file has the day after the last one."""
    moment = _time_text(end)
    with suppress(ValueError, OverflowError):  # not a date, or one with an hour
        return max(begins, (date.fromisoformat(moment) - timedelta(days=1)).isoformat())
    return moment


def _time_text(line: ContentLine) -> str:
    match = _TIME.match(line.value.strip())
    if not match:
        return line.text
    day, clock = match["day"], match["clock"]
    written = f"{day[:4]}-{day[4:6]}-{day[6:]}"
    return f"{written}, {clock[:2]}:{clock[2:]}" if clock else written

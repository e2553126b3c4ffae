"""Files of content lines: calendars (RFC 5545) and contacts (RFC 6350 and earlier). A line has a name, parameters and a
value; a line that begins with a blank continues the one above.

ORGANIZER;CN="Finch, Ada":mailto:ada@finch.example
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import LEFT_OUT, one_line
from filigraph.graph.ingest.load.encoding import decode

_NEWLINES = re.compile(r"\r\n?")
_LINE = re.compile(r'(?:[\w-]+\.)?(?P<name>[\w-]+)(?P<parameters>(?:;(?:"[^"]*"|[^":;])*)*):(?P<value>.*)$', re.DOTALL)
_PARAMETER = re.compile(r';(?:(?P<name>[\w-]+)=)?(?P<value>(?:"[^"]*"|[^";])*)')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PARTS = re.compile(r"(?<!\\);")


@dataclass(frozen=True, kw_only=True)
class ContentLine:
    """A property: `DTSTART;TZID=Europe/Paris:20220510T140000`."""

    name: str  # in capitals
    parameters: Mapping[str, str]
    value: str  # as written

    @property
    def text(self) -> str:
        """The value on one line."""
        return one_line(unescaped(self.value).replace("\n", " "), len(self.value) + 1)

    @property
    def parts(self) -> list[str]:
        """The components of a structured value: "Quill;Martha;;Dr."."""
        return [one_line(unescaped(part)) for part in _PARTS.split(self.value)]


def unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)


def content_lines(text: str) -> Iterator[ContentLine]:
    """The properties of a file; other lines are skipped."""
    for line in _unfolded(_NEWLINES.sub("\n", text).split("\n")):
        if match := _LINE.match(line):
            parameters = {(name or "TYPE").upper(): value.strip('"') for name, value in _PARAMETER.findall(match[2])}
            yield ContentLine(
                name=match["name"].upper(), parameters=parameters, value=_decoded(match["value"], parameters)
            )


def left_out(entries: Iterable[Sequence[ContentLine]], read: Set[str]) -> tuple[str, ...]:
    """A warning with the names of properties that are not `read`."""
    names = sorted({line.name for entry in entries for line in entry if line.value.strip()} - read)
    return (f"{LEFT_OUT} properties {one_line(', '.join(names))}",) if names else ()


def _unfolded(lines: Iterable[str]) -> Iterator[str]:
    """Each property on one line. In a card of version 2.1 the blank of a folded line belongs to its text, and "=" ends
    a line that continues.
    """
    parts: list[str] = []
    blank_is_text = goes_on = is_quoted = False
    for line in lines:
        if goes_on:
            parts[-1] = parts[-1][:-1]
            parts.append(line.lstrip(" \t"))
        elif parts and line[:1] in (" ", "\t"):
            parts.append(line if blank_is_text else line[1:])
        else:
            yield "".join(parts)
            parts = [line]
            head = line.upper()
            blank_is_text = head.startswith("VERSION:2.1") or (blank_is_text and not head.startswith("BEGIN:"))
            is_quoted = "QUOTED-PRINTABLE" in head.partition(":")[0]
        goes_on = is_quoted and line.endswith("=")
    yield "".join(parts)


def _decoded(value: str, parameters: Mapping[str, str]) -> str:
    printable = "QUOTED-PRINTABLE" in (parameters.get("ENCODING", "").upper(), parameters.get("TYPE", "").upper())
    if not printable:
        return value
    try:
        content = quopri.decodestring(value.encode())
        return decode(content, parameters.get("CHARSET", ""))[0].replace("\r\n", "\n").replace("\n", "\\n")
    except (UnreadableDocument, ValueError):
        return value

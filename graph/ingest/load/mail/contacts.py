"""Address books (vCard, `.vcf`): one table with a row for each card, so that each row is about its person; notes below.

BEGIN:VCARD                  | Name | Organization | Born |
FN:Dr. Martha Quill          | Dr. Martha Quill | Solway Dock, Accounts | 1971-03-04 |
ORG:Solway Dock;Accounts
BDAY:19710304                Dr. Martha Quill: Met Otto Reiss in Cadiz.
NOTE:Met Otto Reiss in Cadiz.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from filigraph.graph.ingest.load.content import LEFT_OUT, Content, check_length, clean
from filigraph.graph.ingest.load.content_lines import ContentLine, content_lines, left_out, unescaped
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.ingest.load.tables.tables import numbered_table
from filigraph.graph.model.documents import LinePlace

_COLUMNS = {
    "NICKNAME": "Nickname", "ORG": "Organization", "TITLE": "Occupation", "ROLE": "Role", "BDAY": "Born",
    "DEATHDATE": "Died", "ADR": "Address", "TEL": "Telephone", "EMAIL": "Mail", "URL": "Page", "MEMBER": "Member",
    "RELATED": "Related",
}  # fmt: skip
_PICTURES = frozenset(("PHOTO", "LOGO", "SOUND", "KEY"))
_NAMES = frozenset(("FN", "N"))
_TECHNICAL = frozenset(("VERSION", "PRODID", "REV", "UID"))  # for programs
_DAYS = frozenset(("BDAY", "DEATHDATE"))
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T.*)?")


def read_contacts(content: bytes, declared: str = "") -> Content:
    decoded, warnings = decode(content, declared)
    cards = list(_cards(decoded))
    names = [_name(card) for card in cards]
    if not any(names):
        return Content(text=clean(decoded), warnings=(*warnings, f"no card of an address book: {AS_PLAIN_TEXT}"))
    columns = [name for name in _COLUMNS if any(line.name == name for card in cards for line in card)]
    rows = [["Name", *(_COLUMNS[name] for name in columns)]]
    rows += [[who, *(_values(card, name) for name in columns)] for who, card in zip(names, cards, strict=True)]
    text, lines = numbered_table(enumerate(rows))
    places = [replace(line, kind="entry", label=names[int(line.label) - 1]) for line in lines if line.label != "0"]
    for who, card in zip(names, cards, strict=True):
        if remarks := clean("\n".join(unescaped(line.value) for line in card if line.name == "NOTE")).strip():
            places.append(LinePlace(kind="entry", label=who, start=len(text) + 2))
            text += f"\n\n{who}: {remarks}"
            check_length(len(text))
    pictures = sum(line.name in _PICTURES for card in cards for line in card)
    left = (f"{LEFT_OUT} pictures of cards: {pictures:,}",) if pictures else ()
    unread = left_out(cards, {*_COLUMNS, *_PICTURES, *_NAMES, *_TECHNICAL, "NOTE"})
    return Content(text=text, lines=tuple(places), warnings=(*warnings, *left, *unread))


def _cards(text: str) -> Iterator[Sequence[ContentLine]]:
    """The cards, including unfinished ones. A card within another, such as its AGENT, is separate."""
    open_cards: list[list[ContentLine]] = []
    for line in content_lines(text):
        if line.name == "BEGIN":
            if open_cards and open_cards[-1] and _is_open_agent(open_cards[-1][-1]):
                open_cards[-1].pop()
            elif open_cards:
                yield open_cards.pop()
            open_cards.append([])
        elif line.name == "END":
            if open_cards:
                yield open_cards.pop()
        elif open_cards:
            open_cards[-1].append(line)
    yield from reversed(open_cards)


def _is_open_agent(line: ContentLine) -> bool:
    return line.name == "AGENT" and not line.value.strip()


def _name(card: Sequence[ContentLine]) -> str:
    """The displayed name, else the name from its parts: "Quill;Martha;Anne;Dr.;"."""
    first: Mapping[str, ContentLine] = {line.name: line for line in reversed(card)}
    if "FN" in first and first["FN"].text:
        return first["FN"].text
    if "N" in first:
        surname, given, more, before, after = [*first["N"].parts, *[""] * 5][:5]
        return " ".join(filter(None, (before, given, more, surname, after)))
    return first["ORG"].text if "ORG" in first else ""


def _values(card: Sequence[ContentLine], name: str) -> str:
    values = [", ".join(filter(None, line.parts)) for line in card if line.name == name]
    return "; ".join(dict.fromkeys(_day(value) if name in _DAYS else value for value in values if value))


def _day(value: str) -> str:
    match = _DAY.fullmatch(value)
    return "-".join(match.groups()) if match else value

"""What the lines of registers in plain text state. Registers write the surname first.

1. DELMAS, Jules, baker, born 1871       Delmas, Jules  is  baker;  Delmas, Jules  born  1871
Delmas, Jules - cook                     Delmas, Jules  is  cook
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from filigraph.graph.ingest.extract.patterns.tables import Row
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.extraction import Triplet
from filigraph.graph.text.names.inverted import is_given, is_in_capitals, may_be_place, surname_first
from filigraph.graph.text.words import tokens

FEWEST_ENTRIES = 2  # min. lines of one form in a register
LONGEST_ENTRY = 160  # characters of a line
LONGEST_TRADE = 5  # words of "baker at Vienne"

_LINE = re.compile(r"\S[^\n]*")
_ENTRY = re.compile(
    r"(?:(?:[Nn][º°o]\.? ?)?\d{1,5}[.)°:]?[ \t]+|[-*•–][ \t]+)?"
    r"(?P<name>[^\W\d_][^,;:.()\d\n]{0,40}, ?[^\W\d_][^,;:()\d\n]{0,30}?)"
    r"(?P<rest>\s*[,;(].*|\s+[-–—]\s.*|:\s.*|)\.?\s*$"
)
_PARTS = re.compile(r"\s*[,;()]\s*|\s+[-–—]\s+|^:\s")
_EVENT = re.compile(
    r"(?P<what>(?:born|baptized|died|buried|married|née?|baptisée?|morte?|décédée?|inhumée?|mariée?|geboren|gestorben|b\.|d\.|geb\."
    r"|gest\.|n\.|†|\*)(?: (?:in|on|at|about|around|before|after|to|en|le|à|au|aux|vers|avant|après|am|im|um))?)\s+"
    r"(?P<object>[^\W_].*)$"
)
_IS = {"en": "is", "fr": "est", "de": "ist", "es": "es", "it": "è"}


@dataclass(frozen=True, kw_only=True)
class _Entry:
    span: Span  # of its line
    name: str
    rest: str


def read_registers(text: str, offsets: Sequence[Span], language: str) -> Iterator[Row]:
    """The sentences of a text that are entries of registers, each with its triplets."""
    by_line = {entry.span[0]: entry for register in _registers(text) for entry in register}
    for start, end in offsets if by_line else ():
        lines = [match.start() for match in _LINE.finditer(text, start, end)]
        entries = [by_line[line] for line in lines if line in by_line]
        if entries and len(entries) == len(lines):
            read_entries = [_entry_triplets(entry, language) for entry in entries]
            yield Row(
                span=(start, end),
                triplets=tuple(triplet for triplets, _ in read_entries for triplet in triplets),
                unread=tuple(part for _, unread in read_entries for part in unread),
                names=tuple(entry.name for entry in entries),
            )


def _registers(text: str) -> Iterator[list[_Entry]]:
    """The consecutive entries, if they are about persons."""
    register: list[_Entry] = []
    for match in _LINE.finditer(text):
        if entry := _entry(match):
            register.append(entry)
            continue
        if _is_of_persons(register):
            yield register
        register = []
    if _is_of_persons(register):
        yield register


def _entry(match: re.Match[str]) -> _Entry | None:
    line = match[0].rstrip()
    entry = _ENTRY.match(line) if "," in line and len(line) <= LONGEST_ENTRY else None
    if not entry or not surname_first(entry["name"]):
        return None
    return _Entry(span=(match.start(), match.start() + len(line)), name=entry["name"], rest=entry["rest"])


def _is_of_persons(register: Sequence[_Entry]) -> bool:
    """Whether most entries have a known given name, or the surname in capitals; "Lyon, France" has another name of the
    list after each comma.
    """
    behind = {entry.name.partition(",")[2].strip() for entry in register}
    known = [entry for entry in register if _is_person(entry.name)]
    return len(register) >= FEWEST_ENTRIES and len(behind) > 1 and 2 * len(known) > len(register)


def _is_person(name: str) -> bool:
    inverted = surname_first(name)
    return inverted is not None and (is_in_capitals(name) or (is_given(inverted[1][0]) and not may_be_place(name)))


def _entry_triplets(entry: _Entry, language: str) -> tuple[list[Triplet], list[str]]:
    """What an entry states about its person, and what else it names."""
    triplets, unread = list[Triplet](), list[str]()
    for part in filter(None, (part.strip(" .") for part in _PARTS.split(entry.rest))):
        words = tokens(part)
        if event := _EVENT.match(part):
            predicate, what = event["what"], event["object"]
        elif len(words) <= LONGEST_TRADE and part[0].islower() and not any(map(str.isdigit, part)):
            predicate, what = _IS.get(language, _IS["en"]), part
        else:
            unread.append(part)
            continue
        start, end = entry.span
        triplets.append(Triplet(subject=entry.name, predicate=predicate, object=what, start=start, end=end))
    return triplets, unread

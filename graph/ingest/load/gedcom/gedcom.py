"""Family trees (GEDCOM): the events and ties of each record as sentences, all other fields under their tags, each as a
paragraph, because a parser would join lines without a full stop. The place of a quote is its record.

0 @I1@ INDI           Ann Low
1 NAME Ann /Low/
1 BIRT                Ann Low was born in Kiel on 3 May 1880.
2 DATE 3 MAY 1880
2 PLAC Kiel
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, check_length, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.ingest.load.gedcom.ansel import decode_ansel
from filigraph.graph.ingest.load.gedcom.gedcom_words import (
    WORDS,
    Words,
    child_words,
    date_words,
    is_wedding,
    linked,
    whole_line,
)
from filigraph.graph.model.documents import LinePlace

MOST_LINES = 5_000_000
_LINE = re.compile(r"\s*(\d{1,2})[ \t]+(?:@([^@\s][^@]{0,60})@[ \t]+)?(\w{1,40})(?:[ \t](.*))?$")
_POINTER = re.compile(r"@([^@\s#][^@]{0,60})@")
_CHARSET = re.compile(rb"^[^\S\n]*1[ \t]+CHAR[ \t]+([\w-]+)", re.MULTILINE)
_CODECS = {"ANSI": "cp1252", "IBMPC": "cp437", "IBM": "cp437", "MACINTOSH": "mac_roman", "ASCII": "cp1252"}
_HEAD_BYTES = 20_000  # bytes that contain the name of the encoding
_OF_PROGRAMS = frozenset("CHAN CREA RIN AFN _UID UID SUBM RESN REFN".split())  # noqa: SIM905
_NAMED = frozenset(("NAME", "SEX", "FAMC", "FAMS", "HUSB", "WIFE", "CHIL"))  # tags that sentences contain
_PARTS_OF_NAMES = frozenset(("NPFX", "GIVN", "SPFX", "SURN", "NSFX"))
_FRENCH = re.compile(r"fr(?:e|a|ench|[-_].*)?|fran[cç]ais.*", re.IGNORECASE)
_TO_PARENT = {"HUSB": "_FREL", "WIFE": "_MREL"}  # tags with the relation of a child to its father, and to its mother
_BY_BIRTH = frozenset(("birth", "natural", "biological"))
_DOUBTED = frozenset(("challenged", "disproven"))  # status of a child in a family
_MOST_NAMED = 10  # names in a warning


@dataclass(kw_only=True)
class Node:
    """A line of the file with the lines below it."""

    tag: str
    key: str = ""  # id of a record
    parts: list[str] = field(default_factory=list)
    below: list[Node] = field(default_factory=list)

    @property
    def value(self) -> str:
        return "".join(self.parts).strip()

    @property
    def pointer(self) -> str:
        match = _POINTER.fullmatch(self.value)
        return match[1] if match else ""

    def all(self, tag: str) -> Iterator[Node]:
        return (node for node in self.below if node.tag == tag)

    def first(self, tag: str) -> str:
        return next((node.value for node in self.all(tag)), "")


def read_gedcom(content: bytes, declared: str = "") -> Content:
    """The content of a GEDCOM file. Raises UnreadableDocument for more than MOST_LINES lines."""
    charset = _CHARSET.search(content[:_HEAD_BYTES])
    own = charset[1].decode().upper() if charset else ""
    text, warnings = decode_ansel(content) if own == "ANSEL" else ("", ())
    if not text:
        text, warnings = decode(content, declared or _CODECS.get(own, ""))
    records, odd = _records(text)
    if not records:
        return Content(text=clean(text), warnings=(*warnings, f"no record of a family tree: {AS_PLAIN_TEXT}"))
    head = next((record for record in records if record.tag == "HEAD"), None)
    language = "fr" if head and _FRENCH.fullmatch(head.first("LANG")) else "en"
    writer = _Writer(records, WORDS[language])
    lines: list[LinePlace] = []
    parts: list[str] = []
    length = at = 0
    for record in records:
        written: list[str] = []
        for line in writer.lines_of_record(record):
            written.append(line)
            length += len(line) + 2
            check_length(length)
        record_text = clean("\n\n".join(written))
        if not record_text.strip():
            continue
        if record.tag:
            lines.append(LinePlace(kind="entry", label=one_line(record.key or record.tag), start=at))
        parts.append(record_text)
        at += len(record_text) + 2
    return Content(
        text="\n\n".join(parts),
        lines=tuple(lines),
        language=language,
        warnings=(*warnings, *odd, *writer.warnings()),
    )


def _records(text: str) -> tuple[list[Node], tuple[str, ...]]:
    """The records, and warnings of lines that are not valid: they continue the line above; before all records, they
    form one without a tag.
    """
    records: list[Node] = []
    before: list[str] = []
    open_: list[Node] = []  # the last node of each level
    odd = 0
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if number > MOST_LINES:
            raise UnreadableDocument(f"The file has more than {MOST_LINES:,} lines.", cure="Send it in several files.")
        match = _LINE.match(line)
        if match is None:
            if line.strip() and open_:
                open_[-1].parts.append(f"\n{line}")
                odd += 1
            elif line.strip():
                before.append(line)
            continue
        level, tag, value = int(match[1]), match[3].upper(), (match[4] or "").replace("@@", "@")
        if level and not open_:
            return [], ()
        del open_[level:]
        if tag in ("CONC", "CONT") and open_:
            open_[-1].parts.append(value if tag == "CONC" else f"\n{value}")
            continue
        node = Node(tag=tag, key=match[2] or "", parts=[value])
        (open_[-1].below if open_ else records).append(node)
        open_.append(node)
    warnings: list[str] = []
    if records and before:
        records.insert(0, Node(tag="", parts=["\n".join(before)]))
        warnings.append(f"lines before the first record, read as text: {len(before):,}")
    if odd:
        warnings.append(f"lines without a level, read as a part of the line above: {odd:,}")
    return records, tuple(warnings)


@dataclass(frozen=True, kw_only=True)
class _Record:
    """A record, in the form that sentences use."""

    name: str = ""  # of a person
    woman: bool = False
    partners: tuple[str, ...] = ()  # of a family


class _Writer:
    """Puts records into words."""

    def __init__(self, records: Sequence[Node], words: Words) -> None:
        self._words = words
        self._records: dict[str, Node] = {}
        for record in records:
            self._records.setdefault(record.key, record)
        self._records.pop("", None)
        self._names = {key: _name(node) for key, node in self._records.items() if node.tag == "INDI"}
        self._sexes = {key: _sex(node) for key, node in self._records.items() if node.tag == "INDI"}
        self._titles: dict[str, str] = {}  # titles of other records
        self._children: dict[str, dict[str, None]] = {}
        self._descents: dict[tuple[str, str], dict[str, str]] = {}  # relation of a child in a family, by tag
        for key, node in self._records.items():
            if node.tag == "FAM":
                named = (self._name_at(parent.value) for parent in islice(_parents(node), _MOST_NAMED))
                self._titles[key] = one_line(" – ".join(filter(None, named)))
                for child in node.all("CHIL"):
                    self._add_child(key, child.value, child)
            elif node.tag == "INDI":
                for family in node.all("FAMC"):
                    self._add_child(family.pointer, f"@{key}@", family)
                for adoption in node.all("ADOP"):
                    self._add_adoption(f"@{key}@", adoption)
            else:
                self._titles[key] = one_line(node.first("TITL") or node.first("NAME"))
        self._left_out = Counter[str]()
        self._missing: dict[str, None] = {}

    def lines_of_record(self, record: Node) -> Iterator[str]:
        if record.tag in ("HEAD", "TRLR", "SUBM", "SUBN"):
            if record.tag != "TRLR":
                self._left_out[record.tag] += 1
            return
        if record.tag == "INDI":
            yield from self._person(record)
        elif record.tag == "FAM":
            yield from self._family(record)
        elif record.value:
            yield record.value
        subject = self._subject(record)
        for node in record.below:
            if node.tag in _NAMED and record.tag in ("INDI", "FAM"):
                yield from self._below_named(node)
            else:
                yield from self._event_or_field(node, subject)

    def warnings(self) -> tuple[str, ...]:
        warnings: list[str] = []
        if self._left_out:
            parts = ", ".join(f"{tag} ({times} times)" for tag, times in self._left_out.most_common())
            warnings.append(f"{LEFT_OUT} {one_line(parts)}")
        if self._missing:
            keys = list(self._missing)
            warnings.append(f"records that are named but are not there: {one_line(', '.join(keys[:_MOST_NAMED]))}")
        shared = [name for name, times in Counter(filter(None, self._names.values())).most_common() if times > 1]
        if shared:
            more = f" and {len(shared) - _MOST_NAMED:,} more" if len(shared) > _MOST_NAMED else ""
            warnings.append(f"several persons have one name: {', '.join(shared[:_MOST_NAMED])}{more}")
        return tuple(warnings)

    def _person(self, person: Node) -> Iterator[str]:
        name = _name(person) or person.key
        yield name
        for number, other in enumerate(person.all("NAME")):
            called = _name_text(other)
            if number and called and called != name:
                yield f"{name} {self._words.also} {called}."
            elif called != name and one_line(called) == name:
                yield called  # all of it: sentences contain only one line of a name

    def _family(self, family: Node) -> Iterator[str]:
        partners = self._partners(family)
        yield " – ".join(partners) or family.key
        if len(partners) > 1 and not any(family.all("MARR")):
            yield f"{linked(f'{partners[0]} {self._words.spouse}', partners[1])}."
        parents = [(node.tag, name) for node in _parents(family) if (name := self._name_of_pointer(node.value))]
        for value in self._children.get(family.key, ()):
            child, sex = self._name_of_pointer(value), self._sexes.get(value.strip("@"), "")
            descent_fields = self._descents.get((family.key, value), {})
            for tag, parent in parents if child and descent_fields.get("STAT") not in _DOUBTED else ():
                descent = descent_fields.get(_TO_PARENT[tag]) or descent_fields.get("PEDI", "")
                if tie := child_words("" if descent in _BY_BIRTH else descent, sex, self._words):
                    yield f"{linked(f'{child} {tie}', parent)}."

    def _add_child(self, family: str, child: str, node: Node) -> None:
        """`node` says that the child belongs to the family, and how."""
        self._children.setdefault(family, {})[child] = None
        descent_fields = self._descents.setdefault((family, child), {})
        for part in node.below:
            if part.value and part.tag in ("PEDI", "STAT", *_TO_PARENT.values()):
                descent_fields.setdefault(part.tag, part.value.lower())

    def _add_adoption(self, child: str, adoption: Node) -> None:
        for family in adoption.all("FAMC"):
            who = family.first("ADOP").upper()
            descent_fields = self._descents.setdefault((family.pointer, child), {})
            for parent, tag in _TO_PARENT.items():
                if who in (parent, "BOTH", ""):
                    descent_fields.setdefault(tag, "adopted")

    def _partners(self, family: Node) -> list[str]:
        return list(filter(None, (self._name_of_pointer(node.value) for node in _parents(family))))

    def _name_of_pointer(self, value: str) -> str:
        """The name of the person that a line points to."""
        match = _POINTER.fullmatch(value)
        if match and match[1] not in self._records:
            self._missing[match[1]] = None
        return self._name_at(value)

    def _name_at(self, value: str) -> str:
        match = _POINTER.fullmatch(value)
        return (self._names.get(match[1]) or match[1]) if match else whole_line(value)

    def _below_named(self, node: Node) -> Iterator[str]:
        """The fields below a name or a tie that are not in a sentence, on one line."""
        name = _name_text(node) if node.tag == "NAME" else ""
        parts = [self._details(part) for part in node.below if part.below or not _is_in_sentence(part, name)]
        if any(parts):
            yield "; ".join(filter(None, [f"{self._label(node)}: {name or self._value_or_name(node)}", *parts]))

    def _event_or_field(self, node: Node, subject: _Record) -> Iterator[str]:
        """An event as a sentence; anything else under its tag, with the fields below it."""
        if node.tag in _OF_PROGRAMS:
            self._left_out[node.tag] += 1
            return
        when, where = date_words(node.first("DATE"), self._words), _place_text(node.first("PLAC"), self._words)
        parts = [f" {self._words.at} {where}" if where else "", f" {when}" if when else ""]
        at = "".join(parts if self._words.place_first else reversed(parts))
        sentence = self._event_sentence(node, subject, at)
        kind = "" if sentence else whole_line(node.first("TYPE"))
        if not sentence:
            value = self._value_or_name(node)
            label = f"{self._label(node)}{f' ({kind})' if kind else ''}"
            rest = f"{value}, {at.lstrip()}" if value and at else value or at.lstrip()
            sentence = f"{label}: {rest}" if rest or kind or node.below else ""
        taken = {id(next(node.all(tag), None)) for tag in ("DATE", "PLAC", *(["TYPE"] if kind else []))}
        details = (self._details(part) for part in node.below if id(part) not in taken or part.below)
        yield from filter(None, [sentence, *details])

    def _subject(self, record: Node) -> _Record:
        if record.tag == "FAM":
            return _Record(partners=tuple(self._partners(record)))
        return _Record(name=_name(record) or record.key if record.tag == "INDI" else "", woman=_sex(record) == "F")

    def _event_sentence(self, node: Node, subject: _Record, at: str) -> str:
        if node.value not in ("", "Y"):
            return ""
        if len(subject.partners) > 1 and node.tag in self._words.of_two:
            if not is_wedding(node.first("TYPE")):
                return ""
            first, second = subject.partners[:2]
            return f"{linked(f'{first} {self._words.of_two[node.tag]}', second)}{at}."
        if subject.name and node.tag in self._words.events and (at or node.value):
            return f"{subject.name} {self._words.events[node.tag][subject.woman]}{at}."
        return ""

    def _label(self, node: Node) -> str:
        return self._words.labels.get(node.tag, node.tag.lstrip("_").lower())

    def _details(self, node: Node) -> str:
        """The fields below an event, on one line."""
        if node.tag in _OF_PROGRAMS or node.tag == "MAP":
            self._left_out[node.tag] += 1
            return ""
        value = self._value_or_name(node)
        inner = map(self._details, node.below)
        return "; ".join(filter(None, [f"{self._label(node)}: {value}" if value else "", *inner]))

    def _value_or_name(self, node: Node) -> str:
        """A value; if it points to a record, its name and key."""
        if not node.pointer:
            return node.value
        if node.pointer not in self._records:
            self._missing[node.pointer] = None
            return node.pointer
        called = self._names.get(node.pointer) or self._titles.get(node.pointer)
        return f"{called} ({node.pointer})" if called else node.pointer


def _is_in_sentence(part: Node, name: str) -> bool:
    """Whether the fields below a name or a tie add nothing to the sentences."""
    if part.tag in _PARTS_OF_NAMES:
        return set(part.value.replace(",", " ").split()) <= set(name.split())
    return part.tag in ("PEDI", *_TO_PARENT.values()) and part.value.lower() in _BY_BIRTH


def _parents(family: Node) -> Iterator[Node]:
    return (node for node in family.below if node.tag in _TO_PARENT)


def _sex(person: Node) -> str:
    return person.first("SEX").upper()[:1]


def _name(person: Node) -> str:
    return one_line(next((name for node in person.all("NAME") if (name := _name_text(node))), ""))


def _name_text(node: Node) -> str:
    """ "Ann Low" from "Ann /Low/", or from its parts if there is no name."""
    name = whole_line(node.value.replace("/", " "))
    return name or " ".join(filter(None, (whole_line(node.first(tag)) for tag in ("NPFX", "GIVN", "SURN", "NSFX"))))


def _place_text(value: str, words: Words) -> str:
    """ "Kiel (Germany)" of "Kiel, , Germany"."""
    own, *regions = [part.strip() for part in whole_line(value).split(",") if part.strip()] or [""]
    return own + (words.region.format(", ".join(regions)) if regions else "")

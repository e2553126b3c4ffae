"""Bibliographies (BibTeX, RIS, Web of Science): an entry a paragraph, first its title and year, then who wrote it and
all else that it says, each under its name. A quote is in the entry of that key.

@book{moss11, author = {Moss, Bo and Low, Ann}, title = {Fogs}, year = 1911}

Fogs (1911)
type: book
authors: Bo Moss; Ann Low
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.model.documents import LinePlace

_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_KEY = re.compile(r"\s*([^\s,{}()=\"]*)\s*,")
_FIELD = re.compile(r"[\s,]*([^\s=,{}\"#]+)\s*=\s*")
_BARE = re.compile(r"[^,}\s)#]+")
_NO_ENTRY = frozenset(("comment", "preamble", "string"))
_PEOPLE = frozenset(("author", "editor", "translator"))
_PERSONS_APART = re.compile(r"\s+and\s+", re.IGNORECASE)
_MARKS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
          "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a"}  # fmt: skip
_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
            "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ"}  # fmt: skip
_ACCENT = re.compile(r"\\(?:([\x27`^\"~=.])\s*|([uvHckr])(?=[\s{])\s*)(?:\{\s*(\\?[A-Za-z])\s*\}|(\\?[A-Za-z]))")
_LETTER = re.compile(rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z])(?:\s|\{{\}})?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*")
_TAG = re.compile(r"^([A-Z][A-Z0-9])(?:  ?- ?| (?=\S)|[ \t]*$)(.*)$")
_TAGS = {
    "TI": "title", "T1": "title", "AU": "author", "A1": "author", "AF": "full names", "ED": "editor", "A2": "editor",
    "PY": "year", "Y1": "year", "JO": "journal", "JF": "journal", "T2": "in", "BT": "in", "SO": "in", "PB": "publisher",
    "PU": "publisher", "CY": "place", "PI": "place", "AB": "abstract", "N2": "abstract", "KW": "keywords",
    "DE": "keywords", "ID": "keywords", "DO": "doi", "DI": "doi", "UR": "url", "SP": "first page", "BP": "first page",
    "EP": "last page", "VL": "volume", "IS": "number", "SN": "issn", "N1": "note", "LA": "language", "DT": "type",
    "TY": "type",
}  # fmt: skip
_KEYS = {True: "ID", False: "UT"}  # in RIS, and in what the Web of Science writes
_FIRST = ("title", "year", "type", "author", "editor", "in", "booktitle", "journal", "publisher")


def read_bibtex(content: bytes, declared: str = "") -> Content:
    text, warnings = decode(content, declared)
    return _written(list(_bibtex(text)), text, warnings)


def read_ris(content: bytes, declared: str = "") -> Content:
    text, warnings = decode(content, declared)
    return _written(list(_tagged(text)), text, warnings)


def _written(entries: list[tuple[str, Mapping[str, list[str]]]], text: str, warnings: tuple[str, ...]) -> Content:
    if not entries:
        return Content(text=clean(text), warnings=(*warnings, f"no entry of a bibliography: {AS_PLAIN_TEXT}"))
    parts: list[str] = []
    lines: list[LinePlace] = []
    length = 0
    for key, fields in entries:
        words = clean(_entry(fields))
        lines.append(LinePlace(kind="entry", label=one_line(key).replace(",", " "), start=length))
        parts.append(words)
        length += len(words) + 2
        check_length(length)
    return Content(text="\n\n".join(parts), lines=tuple(lines), warnings=warnings)


def _entry(fields: Mapping[str, list[str]]) -> str:
    title, year = (" ".join(fields.get(name, ())) for name in ("title", "year"))
    head = f"{title} ({year})" if title and year else title or year
    names = [*(name for name in _FIRST[2:] if name in fields), *(name for name in fields if name not in _FIRST)]
    said = []
    for name in names:
        values = [value for value in fields[name] if value]
        label = f"{name}s" if name in _PEOPLE and len(values) > 1 else name
        said += [f"{label}: {'; '.join(values)}"] if values else []
    return "\n".join(filter(None, [head, *said]))


# --------------------------------------------------------------------------------------------------------------------
# BibTeX


def _bibtex(text: str) -> Iterator[tuple[str, Mapping[str, list[str]]]]:
    short: dict[str, str] = {}
    at = 0
    while match := _ENTRY.search(text, at):
        kind, at = match[1].lower(), match.end()
        if kind == "string":
            short |= dict(_fields(text, at, {})[0])
        if kind in _NO_ENTRY:
            continue
        key = _KEY.match(text, at)
        if key is None:
            continue
        pairs, at = _fields(text, key.end(), short)
        fields: dict[str, list[str]] = {"type": [kind]}
        for name, value in pairs:
            values = map(_in_order, _PERSONS_APART.split(value)) if name in _PEOPLE else [value]
            fields.setdefault(name, []).extend(filter(None, map(_plain, values)))
        yield key[1] or "without a key", fields


def _fields(text: str, at: int, short: Mapping[str, str]) -> tuple[list[tuple[str, str]], int]:
    """The fields from there on, and where they end. `short`: what names stand for."""
    pairs: list[tuple[str, str]] = []
    while field := _FIELD.match(text, at):
        value, at = _value(text, field.end(), short)
        while joined := re.compile(r"\s*#\s*").match(text, at):
            more, at = _value(text, joined.end(), short)
            value += more
        pairs.append((field[1].lower(), value))
    return pairs, at


def _value(text: str, at: int, short: Mapping[str, str]) -> tuple[str, int]:
    if text[at : at + 1] not in ("{", '"'):
        bare = _BARE.match(text, at)
        return (short.get(bare[0].lower(), bare[0]), bare.end()) if bare else ("", at + 1)
    quoted = text[at] == '"'
    depth, end = 0, at
    while end < len(text):
        letter = text[end]
        if letter == "\\":
            end += 1
        elif letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        if end > at and depth == 0 and letter == ('"' if quoted else "}"):
            break
        end += 1
    return text[at + 1 : end], end + 1


def _in_order(person: str) -> str:
    """ "Bo Moss" of "Moss, Bo", "Ann Low Jr." of "Low, Jr., Ann"."""
    parts = [part.strip() for part in person.split(",")]
    return " ".join([parts[-1], *parts[:-1]]) if 1 < len(parts) < 4 else person.strip()


def _plain(value: str) -> str:
    """A value without TeX's signs."""
    value = _ACCENT.sub(_accented, value)
    value = _LETTER.sub(lambda match: _LETTERS[match[1]], value)
    value = _ESCAPED.sub(r"\1", value).replace("~", " ").replace("---", "—").replace("--", "–").replace("\\-", "")
    return " ".join(_COMMAND.sub("", value).replace("{", "").replace("}", "").split())


def _accented(match: re.Match[str]) -> str:
    letter = (match[3] or match[4]).lstrip("\\")
    return unicodedata.normalize("NFC", letter + _MARKS[match[1] or match[2]])


# --------------------------------------------------------------------------------------------------------------------
# RIS, and what the Web of Science writes


def _tagged(text: str) -> Iterator[tuple[str, Mapping[str, list[str]]]]:
    fields: dict[str, list[str]] = {}
    number, last = 1, ""
    for line in text.replace("\r\n", "\n").split("\n"):
        tag = _TAG.match(line.lstrip("\ufeff"))
        if tag is None:
            if last and line.strip():
                _go_on(fields[last], line, last)
            continue
        if tag[1] in ("ER", "EF"):
            if fields:
                yield " ".join(fields.pop("key", [])) or str(number), fields
            fields, number, last = {}, number + 1, ""
            continue
        own = _KEYS[line[len(tag[1]) :].lstrip()[:1] == "-"]  # RIS has a dash after a tag
        last = "key" if tag[1] == own else _TAGS.get(tag[1], tag[1])
        value = tag[2].strip()
        fields.setdefault(last, []).append(_in_order(value) if last in _PEOPLE else value)
    if fields:
        yield " ".join(fields.pop("key", [])) or str(number), fields


def _go_on(values: list[str], line: str, name: str) -> None:
    """A further line of a field: another person, or more of its value."""
    if name in (*_PEOPLE, "full names", "CR"):
        values.append(_in_order(line.strip()) if name in _PEOPLE else line.strip())
    else:
        values[-1] = f"{values[-1]} {line.strip()}"

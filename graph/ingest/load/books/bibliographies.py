"""Bibliographies (BibTeX, RIS, Web of Science): one paragraph per entry, with title and year, then the authors and all
other fields, each with its name. The place of a quote is the key of its entry.

@book{moss11, author = {Moss, Bo and Low, Ann}, title = {Fogs}, year = 1911}

Fogs (1911)
type: book
authors: Bo Moss; Ann Low
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.model.documents import LinePlace

_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_KEY = re.compile(r"([^,{}=\"]{0,500}),")  # some contain blanks and brackets: "10.1016/S0140-6736(20)30183-5"
_FIELD = re.compile(r"[\s,]*([^\s=,{}\"#]+)\s*=\s*")
_NEXT_FIELD = re.compile(r",\s*[^\s=,{}\"#]+\s*=")
_END = re.compile(r"[\s,]*[})]")
_MORE = re.compile(r"\s*#\s*")
_BARE = re.compile(r"[^,}\s)#]+")
_MOST_NAMED = 10  # entries in a warning
_NO_ENTRY = frozenset(("comment", "preamble", "string"))
_PEOPLE = frozenset(("author", "editor", "translator"))
_PERSONS_APART = re.compile(r" and ", re.IGNORECASE)
_ADDRESSES = frozenset(("doi", "url"))  # their special characters are literal
_MARKS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
          "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a"}  # fmt: skip
_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
            "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ"}  # fmt: skip
_ACCENT = re.compile(r"\\(?:([\x27`^\"~=.])\s*|([uvHckr])(?=[\s{])\s*)(?:\{\s*(\\?[A-Za-z])\s*\}|(\\?[A-Za-z]))")
_LETTER = re.compile(rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z])(?:\s|\{{\}})?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_FONT_NAMES = (
    "em it bf sc sl tt rm sf itshape slshape scshape upshape bfseries mdseries rmfamily sffamily ttfamily normalfont "
    "tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge"
)
_FONTS = frozenset(_FONT_NAMES.split())
_COMMAND = re.compile(r"\\([A-Za-z]+)(\s*)(\{(?!\}))?")
_TAG = re.compile(r"^([A-Z][A-Z0-9])(?:  ?- ?| (?=\S)|[ \t]*$)(.*)$")
_TAG_OF_RIS = re.compile(r"^([A-Z][A-Z0-9])  -[ \t]?(.*)$")
_IS_RIS = re.compile(r"^\ufeff?TY  -", re.MULTILINE)
_TAGS = {
    "TI": "title", "T1": "title", "AU": "author", "A1": "author", "AF": "full names", "ED": "editor", "A2": "editor",
    "PY": "year", "Y1": "year", "JO": "journal", "JF": "journal", "T2": "in", "BT": "in", "SO": "in", "PB": "publisher",
    "PU": "publisher", "CY": "place", "PI": "place", "AB": "abstract", "N2": "abstract", "KW": "keywords",
    "DE": "keywords", "ID": "keywords", "DO": "doi", "DI": "doi", "UR": "url", "SP": "first page", "BP": "first page",
    "EP": "last page", "VL": "volume", "IS": "number", "SN": "issn", "N1": "note", "LA": "language", "DT": "type",
    "TY": "type",
}  # fmt: skip
_KEYS = {True: "ID", False: "UT"}  # in RIS, and in the Web of Science's format
_ENDS, _ENTRY_ENDS = ("ER", "EF"), "end"
_ONE_A_LINE = (*_PEOPLE, "full names", "CR")  # fields with one value per line
_IN_HEAD = ("title", "year")
_FIRST = ("title", "year", "type", "author", "editor", "in", "booktitle", "journal", "publisher")


def read_bibtex(content: bytes, declared: str = "") -> Content:
    text, warnings = decode(content, declared)
    unread: list[str] = []
    read = _content_of_entries(_bibtex(text, unread), text, warnings)
    if not unread:
        return read
    more = len(unread) - _MOST_NAMED
    named = ", ".join(unread[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return replace(read, warnings=(*read.warnings, f"not read to their end, an error is in them: {named}"))


def read_ris(content: bytes, declared: str = "") -> Content:
    text, warnings = decode(content, declared)
    return _content_of_entries(_tagged(text), text, warnings)


def _content_of_entries(
    entries: Iterable[tuple[str, Mapping[str, list[str]]]], text: str, warnings: tuple[str, ...]
) -> Content:
    parts: list[str] = []
    lines: list[LinePlace] = []
    length = 0
    for key, fields in entries:
        words = clean(_entry(fields))
        lines.append(LinePlace(kind="entry", label=one_line(key).replace(",", " "), start=length))
        parts.append(words)
        length += len(words) + 2
        check_length(length)
    if not parts:
        return Content(text=clean(text), warnings=(*warnings, f"no entry of a bibliography: {AS_PLAIN_TEXT}"))
    return Content(text="\n\n".join(parts), lines=tuple(lines), warnings=warnings)


def _entry(fields: Mapping[str, list[str]]) -> str:
    title, year = (next(filter(None, fields.get(name, ())), "") for name in _IN_HEAD)
    head = f"{title} ({year})" if title and year else title or year
    names = [*(name for name in _FIRST if name in fields), *(name for name in fields if name not in _FIRST)]
    lines = []
    for name in names:
        values = [value for value in fields[name] if value and not (name in _IN_HEAD and value in (title, year))]
        label = f"{name}s" if name in _PEOPLE and len(values) > 1 else name
        lines += [f"{label}: {'; '.join(values)}"] if values else []
    return "\n".join(filter(None, [head, *lines]))


# --------------------------------------------------------------------------------------------------------------------
# BibTeX


def _bibtex(text: str, unread: list[str]) -> Iterator[tuple[str, Mapping[str, list[str]]]]:
    """`unread` receives the names of entries with unreadable parts."""
    short: dict[str, str] = {}
    shortened = at = 0
    while match := _ENTRY.search(text, at):
        kind, at = match[1].lower(), match.end()
        if kind == "string":
            own = dict(_fields(text, at, {})[0])
            shortened += sum(map(len, own.values()))
            check_length(shortened)
            short |= own
        if kind in _NO_ENTRY:
            continue
        key = _KEY.match(text, at)
        name = " ".join(key[1].split()) if key else ""
        pairs, at, is_whole = _fields(text, key.end() if key else at, short)
        if not is_whole:
            unread.append(one_line(name or f"@{match[1]}"))
        if not key and not pairs:
            continue
        fields: dict[str, list[str]] = {"type": [kind]}
        for field, value in pairs:
            people = _PERSONS_APART.split(" ".join(value.split())) if field in _PEOPLE else ()
            plain = (
                map(without_tex, map(_in_order, people))
                if people
                else [without_tex(value, is_address=field in _ADDRESSES)]
            )
            fields.setdefault(field, []).extend(filter(None, plain))
        yield name or "without a key", fields


def _fields(text: str, at: int, short: Mapping[str, str]) -> tuple[list[tuple[str, str]], int, bool]:
    """The fields from there on, their end, and whether all were readable; after an error it continues with the next
    field. `short`: the definitions of names.
    """
    pairs: list[tuple[str, str]] = []
    length, next_entry, is_whole = 0, at, True
    while True:
        while field := _FIELD.match(text, at):
            value, at = _read_value(text, field.end(), short)
            length += len(value)
            while joined := _MORE.match(text, at):
                more, at = _read_value(text, joined.end(), short)
                length += len(more)
                check_length(length)
                value += more
            check_length(length)
            pairs.append((field[1].lower(), value))
        if end := _END.match(text, at):
            return pairs, end.end(), is_whole
        is_whole = False
        if next_entry <= at:
            entry = _ENTRY.search(text, at)
            next_entry = entry.start() if entry else len(text)
        further = _NEXT_FIELD.search(text, at, next_entry)
        if further is None:
            return pairs, at, is_whole
        at = further.start()


def _read_value(text: str, at: int, short: Mapping[str, str]) -> tuple[str, int]:
    if text[at : at + 1] not in ("{", '"'):
        bare = _BARE.match(text, at)
        return (short.get(bare[0].lower(), bare[0]), bare.end()) if bare else ("", at)
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
    """ "Bo Moss" for "Moss, Bo", "Ann Low Jr." for "Low, Jr., Ann"."""
    parts = [part.strip() for part in person.split(",")]
    return " ".join([parts[-1], *parts[:-1]]) if 1 < len(parts) < 4 else person.strip()


def without_tex(value: str, *, is_address: bool = False) -> str:
    """A value without TeX's markup."""
    if not is_address:
        value = _ACCENT.sub(_accented, value)
        value = _LETTER.sub(lambda match: _LETTERS[match[1]], value)
        value = value.replace("~", " ").replace("---", "—").replace("--", "–").replace("\\-", "")
    value = _COMMAND.sub(_command, _ESCAPED.sub(r"\1", value)).replace("\\ ", " ")
    return " ".join(value.replace("{", "").replace("}", "").split())


def _command(match: re.Match[str]) -> str:
    """The text of a command: "" if it only formats its argument; its name if it is a symbol: \\LaTeX, \\gamma."""
    return "" if match[3] or match[1] in _FONTS else f"{match[1]}{match[2]}"


def _accented(match: re.Match[str]) -> str:
    letter = (match[3] or match[4]).lstrip("\\")
    return unicodedata.normalize("NFC", letter + _MARKS[match[1] or match[2]])


# RIS, and the Web of Science's format


def _tagged(text: str) -> Iterator[tuple[str, Mapping[str, list[str]]]]:
    fields: dict[str, list[str]] = {}
    number = 1
    for name, lines in tagged_fields(text):
        if name == _ENTRY_ENDS:
            if fields:
                yield " ".join(fields.pop("key", [])) or str(number), fields
            fields, number = {}, number + 1
            continue
        values = lines if name in _ONE_A_LINE else [" ".join(lines)]
        fields.setdefault(name, []).extend(map(_in_order, values) if name in _PEOPLE else values)
    if fields:
        yield " ".join(fields.pop("key", [])) or str(number), fields


def tagged_fields(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each field with its lines: a value may continue below its tag."""
    any_tag = _TAG_OF_RIS if _IS_RIS.search(text) else _TAG  # a continued line may begin with "ER stress"
    name, lines = "", list[str]()
    for line in text.replace("\r\n", "\n").split("\n"):
        tag = any_tag.match(line.lstrip("\ufeff"))
        if tag is None:
            if name and line.strip():
                lines.append(line.strip())
            continue
        if name:
            yield name, lines
        if tag[1] in _ENDS:
            name, lines = "", []
            yield _ENTRY_ENDS, []
            continue
        own = _KEYS[line[len(tag[1]) :].lstrip()[:1] == "-"]  # RIS has a dash after a tag
        name, lines = "key" if tag[1] == own else _TAGS.get(tag[1], tag[1]), [tag[2].strip()]
    if name:
        yield name, lines

"""RTF: the words in order, each in the encoding of its font, and notes after their paragraph. Pictures, styles and
other destinations are skipped.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace
from typing import Literal

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.text.hyphens import SOFT
from filigraph.graph.text.note_marks import is_mark, raise_digits, takes_mark

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)
_SKIPPED = frozenset(
    b"colortbl stylesheet pict object header footer headerl headerr headerf footerl footerr footerf ftncn "
    b"listtable listoverridetable themedata colorschememapping datastore latentstyles rsidtbl generator xmlnstbl "
    b"filetbl fldinst pgdsctbl revtbl annotation atnid atnauthor ftnsep ftnsepc aftnsep aftnsepc aftncn xe tc "
    b"nonesttables".split()
)
_BREAKS = {
    b"par": "\n\n", b"line": "\n", b"sect": "\n\n", b"page": "\n\n", b"row": "\n", b"cell": " | ",
    b"nestcell": " | ", b"tab": " ", b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•",
}  # fmt: skip
_SYMBOLS = {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\u00a0", b"_": "-", b"-": SOFT, b"\n": "\n", b"\r": "\n"}
_BLANK_LINES = re.compile(r"\n{3,}")  # empty paragraphs
_DEEPEST = 10_000  # max. nesting of groups
_MAX_NAMED_BYTES = 5  # bytes in a warning
_INFO = {b"title": "title", b"author": "author"}  # metadata of a file
_SYSTEMS = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
_PAGES = {10000: "mac_roman", 10001: "shift_jis", 10006: "mac_greek", 10007: "mac_cyrillic", 10029: "mac_latin2",
          10081: "mac_turkish", 20866: "koi8_r", 28591: "cp1252", 28605: "iso8859_15", 65001: "utf-8",
          936: "gb18030", 950: "big5hkscs"}  # fmt: skip
_CHARSETS = {77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs",
             161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
             204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850"}  # fmt: skip
_READ = ("text", "note", "info")
_ANSI = 0  # of a font: Windows-1252, if the file gives the encodings of other fonts


@dataclass(frozen=True, kw_only=True)
class _State:
    """The state that a group inherits from the enclosing one."""

    place: Literal["text", "note", "fonts", "info", "nowhere"] = "text"
    field: str = ""  # in the metadata
    raised: bool = False
    font: int = -1
    skip_next: int = 1  # replacement characters after \u for programs that do not support it


@dataclass(kw_only=True)
class _Fonts:
    """The encodings of a file."""

    default: str = "cp1252"
    first: int = -1
    codecs: dict[int, str] = field(default_factory=dict)  # encodings of fonts
    ansi: set[int] = field(default_factory=set)

    def codec(self, font: int) -> str:
        font = self.first if font < 0 else font
        return self.codecs.get(font, "cp1252" if font in self.ansi and self.codecs else self.default)

    def note(self, font: int, charset: int) -> None:
        if charset == _ANSI:
            self.ansi.add(font)
        elif charset in _CHARSETS:
            self.codecs[font] = _CHARSETS[charset]


class _Reader:
    def __init__(self) -> None:
        self.state = _State()
        self.stack: list[_State] = []
        self.broken: list[str] = []  # bytes without a letter
        self.info: dict[str, list[str]] = {}
        self._fonts = _Fonts()
        self._text: list[str] = []
        self._note: list[str] = []
        self._notes: list[str] = []  # the notes of this paragraph
        self._count = 0
        self._held: list[str] = []  # raised letters, until it is known whether they are the mark of a note
        self._raw = bytearray()
        self._pending = 0

    def text(self) -> str:
        self._settle()
        self._end_paragraph()
        return "".join(self._text)

    def brace(self, brace: bytes) -> None:
        self._flush()
        self._pending = 0
        if brace == b"{":
            self.stack.append(self.state)
            return
        if self.state.raised and self.stack and not self.stack[-1].raised:
            self._settle()
        before, self.state = self.state, self.stack.pop() if self.stack else _State()
        if before.place == "note" and self.state.place != "note":
            self._end_note()

    def word(self, word: bytes, number: int | None) -> None:
        if self.state.place == "fonts":
            self._font_table(word, number)
        elif word in _SKIPPED or (word == b"deleted" and number != 0):
            self._enter("nowhere")
        elif word == b"fonttbl":
            self._enter("fonts")
        elif word == b"info" and self.state.place == "text":
            self._enter("info")
        elif self.state.place == "info" and word not in (b"u", b"uc"):
            self._flush()
            self.state = replace(self.state, field=_INFO.get(word, "") or self.state.field)
        elif self.state.place == "nowhere":
            if word == b"nestrow" and self.stack and self.stack[-1].place == "text":  # in the format of the row
                self._write("\n")
        elif word == b"footnote":
            self._settle()
            self._enter("note")
        elif word == b"u" and number is not None:
            self._flush()
            self._write(chr(number % 0x10000))
            self._pending = self.state.skip_next
        elif word in _BREAKS:
            self._flush()
            self._write(_BREAKS[word])
            if word in (b"par", b"sect", b"page", b"row"):
                self._end_paragraph()
        else:
            self._set(word, number)

    def _font_table(self, word: bytes, number: int | None) -> None:
        if word == b"f" and number is not None:
            self.state = replace(self.state, font=number)
            if self.stack:  # the rest of the table's own group has this font, too
                self._fonts.first = number if self._fonts.first < 0 else self._fonts.first
        elif word == b"fcharset" and number is not None:
            self._fonts.note(self.state.font, number)
        elif word == b"cpg" and number is not None:
            self._fonts.codecs[self.state.font] = _codec_of_page(number)

    def _set(self, word: bytes, number: int | None) -> None:
        if word == b"f" and number is not None:
            self._flush()
            self.state = replace(self.state, font=number)
        elif word in (b"super", b"up", b"nosupersub", b"sub", b"dn", b"plain"):
            self._flush()
            self.state = replace(self.state, raised=word in (b"super", b"up") and number != 0)
            if word == b"plain":
                self.state = replace(self.state, font=-1)
        elif word == b"uc" and number is not None:
            self.state = replace(self.state, skip_next=min(max(0, number), 10))
        elif word in _SYSTEMS:
            self._fonts.default = _SYSTEMS[word]
        elif word == b"ansicpg" and number is not None:
            self._fonts.default = _codec_of_page(number)
        elif word == b"deff" and number is not None:
            self._fonts.first = number

    def byte(self, code: bytes) -> None:
        if self._pending:
            self._pending -= 1
        elif self.state.place in _READ:
            self._raw += bytes.fromhex(code.decode())

    def plain(self, words: bytes) -> None:
        left = words[self._pending :]
        self._pending = max(0, self._pending - len(words))
        if self.state.place in _READ:
            self._raw += left

    def symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._enter("nowhere")
        elif symbol in _SYMBOLS and self.state.place in _READ:
            self._flush()
            self._write(_SYMBOLS[symbol])
            if symbol in (b"\n", b"\r"):  # like \\par
                self._end_paragraph()

    def _enter(self, place: Literal["note", "fonts", "info", "nowhere"]) -> None:
        self._flush()
        self.state = replace(self.state, place=place, raised=False)

    def _flush(self) -> None:
        if not self._raw:
            return
        codec = self._fonts.codec(self.state.font)
        try:
            words = self._raw.decode(codec)
        except UnicodeDecodeError as error:
            self.broken.append(f"0x{self._raw[error.start : error.end].hex()} in {codec}")
            words = self._raw.decode(codec, "replace")
        self._raw.clear()
        self._write(words)

    def _write(self, words: str) -> None:
        if self.state.place == "info":
            if self.state.field:
                self.info.setdefault(self.state.field, []).append(words)
            return
        if self.state.raised:
            self._held.append(words)
            return
        self._settle()
        (self._note if self.state.place == "note" else self._text).append(words)

    def _settle(self) -> None:
        """Write raised letters that are not the mark of a note."""
        self._flush()
        words = "".join(self._held)
        self._held.clear()
        target = self._note if self.state.place == "note" else self._text
        if not is_mark(words):
            target.append(words)
        elif not takes_mark("".join(target[-5:])[-20:]) and target is self._text:
            target.append(raise_digits(words))

    def _end_note(self) -> None:
        self._count += 1
        words = " ".join("".join(self._note).split())
        self._note.clear()
        if words:
            self._notes.append(f"[{self._count}] {words}\n\n")

    def _end_paragraph(self) -> None:
        if self._notes and self.state.place == "text":
            self._text += [] if not self._text or self._text[-1].endswith("\n") else ["\n"]
            self._text += self._notes
            self._notes.clear()


def read_rtf(content: bytes) -> Content:
    """The content of an RTF file. Raises UnreadableDocument if it is cut off within a group, or nested too deeply."""
    reader = _Reader()
    at = 0
    while match := _TOKEN.match(content, at):
        at = match.end()
        word, number, code, symbol, brace, plain = match.groups()
        if brace:
            reader.brace(brace)
            if len(reader.stack) > _DEEPEST:
                raise UnreadableDocument("The RTF file is nested too deeply.", cure="Save it as text.")
        elif word == b"bin" and number:
            at += max(0, int(number))
        elif word:
            reader.word(word, int(number) if number else None)
        elif code:
            reader.byte(code)
        elif symbol:
            reader.symbol(symbol)
        elif plain:
            reader.plain(plain)
    if len(reader.stack) > 1:
        raise UnreadableDocument(
            "The RTF file is cut off.", cure="Open it in the program that made it and save it again."
        )
    text = reader.text().encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # \u gives halves of characters
    text = "\n".join(map(_table_row, _BLANK_LINES.sub("\n\n", clean(text)).split("\n"))).strip("\n")
    about = {name: value for name, words in reader.info.items() if (value := one_line("".join(words)))}
    metadata = {"author": about["author"]} if "author" in about else {}
    return Content(text=text, title=about.get("title", ""), metadata=metadata, warnings=_warnings(reader.broken))


def _warnings(broken: list[str]) -> tuple[str, ...]:
    if not broken:
        return ()
    named = list(dict.fromkeys(broken))
    more = " and more" if len(named) > _MAX_NAMED_BYTES else ""
    return (f"what could not be read is marked \ufffd ({', '.join(named[:_MAX_NAMED_BYTES])}{more})",)


def _table_row(line: str) -> str:
    """The row of a table in the usual form; any other line as it is."""
    cells = [cell.strip() for cell in line.split(" | ")]
    return f"| {' | '.join(cells[:-1])} |" if len(cells) > 1 and not cells[-1] else line.rstrip()


def _codec_of_page(page: int) -> str:
    codec = _PAGES.get(page, f"cp{page}")
    try:
        codecs.lookup(codec)  # decoding an empty text does not look up the codec
    except LookupError:
        return "cp1252"
    return codec

"""Word files of before 2007 (.doc): paragraphs, headings, tables, notes; comments and boxes below the text."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from html import escape

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import RESAVE
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, one_line
from filigraph.graph.ingest.load.markup.markup import content_of_markup
from filigraph.graph.ingest.load.office.word import with_comments
from filigraph.graph.ingest.load.office.word_97_file import WordFile, joined, open_word_97
from filigraph.graph.ingest.load.office.word_parts import HEAD_CHARS

_CELL, _NOTE, _COMMENT = "\x07\x02\x05"
_ENDS = "\r\x0c\x0e"  # of a paragraph, of a page or a section, of a column
_WRITTEN = {"\x0b": "<br/>", "\x1e": "-", "\x1f": "\u00ad"}
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_DAMAGE = (OSError, struct.error, ValueError, LookupError, OverflowError)


def read_word_97(content: bytes) -> Content:
    """Raises UnreadableDocument for what is encrypted, damaged or of Word 95."""
    try:
        file, title = open_word_97(content)
        read = content_of_markup(joined(_markup(file)))
        comments = _notes(file, "comments", _COMMENT)
        warnings = tuple(_warnings(file))
    except _DAMAGE as error:
        raise UnreadableDocument(f"The Word file is damaged: {error!r}.", cure=RESAVE) from error
    text, places = with_comments(read, comments)
    return Content(text=text, title=one_line(title) or read.title, places=places, warnings=warnings)


def _markup(file: WordFile) -> Iterator[str]:
    """As HTML, what boxes and notes say below the text; the signs of notes go."""
    words: list[str] = []
    cells: list[str] = []
    rows: list[str] = []
    for at, letter in file.letters("text"):
        if file.tables[at] == 2 and letter == _CELL:
            rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
            cells, words = [], []
        elif letter == _CELL:
            cells.append("".join(words))
            words = []
        elif letter in _ENDS and file.tables[at]:
            words.append("<br/>")
        elif letter in _ENDS:
            yield from _closed(rows)
            rows = []
            level = file.levels[at]
            yield f"<h{level + 1}>{''.join(words)}</h{level + 1}>" if level else f"<p>{''.join(words)}</p>"
            words = []
        else:
            words.append(_WRITTEN.get(letter, "" if _CONTROL.match(letter) else escape(letter)))
    yield from _closed(rows)
    yield f"<p>{''.join([*cells, *words])}</p>"
    below = [*_paragraphs(file.part_text("boxes")), *_notes(file, "footnotes", _NOTE), *_notes(file, "endnotes", _NOTE)]
    yield from (f"<p>{escape(words)}</p>" for words in below)


def _closed(rows: list[str]) -> Iterator[str]:
    if rows:
        yield f"<table>{''.join(rows)}</table>"


def _notes(file: WordFile, part: str, sign: str) -> list[str]:
    """The notes of a part, each of which begins with a sign."""
    return [" ".join(_paragraphs(note)) for note in file.part_text(part).split(sign)[1:]]


def _paragraphs(text: str) -> list[str]:
    parts = re.split(r"[\r\x07\x0b\x0c]+", text)
    return [words for part in parts if (words := " ".join(_CONTROL.sub("", part).split()))]


def _warnings(file: WordFile) -> Iterator[str]:
    heads = list(dict.fromkeys(words for words in _paragraphs(file.part_text("heads")) if any(map(str.isalpha, words))))
    if heads:
        shown = ", ".join(f"“{one_line(words, HEAD_CHARS)}”" for words in heads)
        yield f"{LEFT_OUT} the head or foot of pages: {shown}"
    taken_out = "".join(letter for letter, out in zip(file.text, file.deleted, strict=True) if out)
    if count := len(taken_out.split()):
        yield f"{LEFT_OUT} what reviewers took out: {count:,} words"

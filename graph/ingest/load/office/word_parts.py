"""The parts of a Word file beside its text: comments, which are read below it; heads and feet of pages and reviewers'
deletions, which are only reported; and the styles of headings.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from filigraph.graph.ingest.load.archives import read_member, tag_of, xml_of
from filigraph.graph.ingest.load.content import LEFT_OUT, one_line
from filigraph.graph.ingest.load.office.office import pictures_in
from filigraph.graph.text.time.dates import iso_date

_MARGINS = re.compile(r"word/(?:header|footer)\d*\.xml")
_DRAWN = re.compile(r"word/diagrams/data\d*\.xml")
_MOST_DRAWN = 5  # in a warning
_INSERTED = re.compile(r"(?:word/)?afchunk[^/]*|word/[^/]*\.(?:mht|mhtml|html?|rtf|txt)", re.IGNORECASE)
_DELETED = re.compile(rb"<(?:\w+:)?delText\b[^<>]*>([^<]*)<")
_FORMULA = re.compile(rb"<\w+:oMath[\s>]")
_READING = re.compile(rb"<\w+:ruby[\s>]")
_HEADING = re.compile(r"heading (\d)\b", re.IGNORECASE)
_DEEPEST = 20  # max. length of a chain of styles based on each other
LEVELS = 5  # levels of headings
HEAD_CHARS = 80  # characters of a head in a warning


@dataclass(frozen=True, kw_only=True)
class WordParts:
    """The parts of a Word file beside its text."""

    headings: dict[str, int]  # id of a style -> its level, from 1
    comments: tuple[str, ...]
    warnings: tuple[str, ...]


def word_parts(archive: zipfile.ZipFile) -> WordParts:
    names = archive.namelist()
    headings = _heading_styles(xml_of(archive, "word/styles.xml")) if "word/styles.xml" in names else {}
    comments = tuple(_comments(xml_of(archive, "word/comments.xml"))) if "word/comments.xml" in names else ()
    margins = [_text_of_tree(xml_of(archive, name)) for name in sorted(names) if _MARGINS.fullmatch(name)]
    margin_texts = list(dict.fromkeys(words for words in margins if any(map(str.isalpha, words))))
    warnings = []
    if margin_texts:
        warnings.append(
            f"{LEFT_OUT} the head or foot of pages: {', '.join(f'“{one_line(w, HEAD_CHARS)}”' for w in margin_texts)}"
        )
    document = read_member(archive, "word/document.xml") if "word/document.xml" in names else b""
    if deleted := count_deleted_words(document):
        warnings.append(f"{LEFT_OUT} what reviewers took out: {deleted:,} words")
    drawn = [
        words for name in sorted(names) if _DRAWN.fullmatch(name) and (words := _text_of_tree(xml_of(archive, name)))
    ]
    if drawn:
        shown = ", ".join(f"“{one_line(words, HEAD_CHARS)}”" for words in drawn[:_MOST_DRAWN])
        warnings.append(f"{LEFT_OUT} diagrams: {shown}")
    if formulas := len(_FORMULA.findall(document)):
        warnings.append(f"{LEFT_OUT} formulas: {formulas:,}")
    if readings := len(_READING.findall(document)):
        warnings.append(f"{LEFT_OUT} readings beside the letters (ruby): {readings:,}")
    warnings += [f"{LEFT_OUT} {pictures}" for pictures in pictures_in(archive)]
    if inserted := sum(bool(_INSERTED.fullmatch(name)) for name in names):
        warnings.append(f"{LEFT_OUT} inserted files, which only Word shows: {inserted}")
    return WordParts(headings=headings, comments=comments, warnings=tuple(warnings))


def _heading_styles(styles: Element) -> dict[str, int]:
    """The paragraph styles with an outline level: their own, the one in their name, or the one of the style that they
    are based on.
    """
    based: dict[str, str] = {}
    levels: dict[str, int] = {}
    for style in (node for node in styles if tag_of(node) == "style"):
        own = _attribute(style, "styleId")
        for node in style.iter():
            value = _attribute(node, "val")
            if tag_of(node) == "basedOn":
                based[own] = value
            elif tag_of(node) == "outlineLvl" and value.isdigit():
                levels[own] = int(value) + 1
            elif tag_of(node) == "name" and (level := _HEADING.match(value)):
                levels.setdefault(own, int(level[1]))
    level_of: dict[str, int] = {}
    for style_id in {*based, *levels}:
        at, steps = style_id, 0
        while at not in levels and at in based and steps < _DEEPEST:
            at, steps = based[at], steps + 1
        if levels.get(at, LEVELS + 1) <= LEVELS:
            level_of[style_id] = levels[at]
    return level_of


def _comments(tree: Element) -> Iterator[str]:
    """Each comment with its author and time."""
    for node in (part for part in tree if tag_of(part) == "comment"):
        words = _text_of_tree(node)
        if words:
            when = iso_date(_attribute(node, "date")[:10])
            who = one_line(_attribute(node, "author"))
            yield f"{f'[{when}] ' if when else ''}{f'{who}: ' if who else ''}{words}"


def count_deleted_words(document: bytes) -> int:
    """The number of deleted words; the text of a long book is too large for a tree."""
    return sum(len(match[1].split()) for match in _DELETED.finditer(document))


def _text_of_tree(tree: Element) -> str:
    spaces = {"tab": " ", "br": " ", "p": " "}
    parts = ((part.text or "") if tag_of(part) == "t" else spaces.get(tag_of(part), "") for part in tree.iter())
    return " ".join("".join(parts).split())


def _attribute(node: Element, name: str) -> str:
    return next((value for key, value in node.attrib.items() if key.rpartition("}")[2] == name), "")

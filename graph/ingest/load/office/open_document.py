"""OpenDocument: texts (.odt), spreadsheets (.ods) and slides (.odp)."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element

from filigraph.graph.ingest.load.archives import tag_of
from filigraph.graph.ingest.load.content import Content, one_line
from filigraph.graph.ingest.load.office.office import Part, attribute, read_parts, tree_at
from filigraph.graph.ingest.load.tables.tables import numbered_table, table_text
from filigraph.graph.text.note_marks import is_mark, raise_digits, takes_mark
from filigraph.graph.text.time.dates import iso_date

_COLUMNS_REPEATED, _MOST_REPEATED = "number-columns-repeated", 50
_ROWS_REPEATED = "number-rows-repeated"
_SPACES = {"s": " ", "tab": " ", "line-break": "\n", "p": " "}  # a paragraph in a paragraph belongs to a note
_RAISED = re.compile(r"super|[1-9]")  # a position above the line: "super 58%", "33% 58%"
_MARGINS = frozenset("header header-left header-first footer footer-left footer-first".split())  # noqa: SIM905
_BESIDE = {
    "annotation": "remarks of reviewers",
    "deletion": "passages that reviewers took out",
    "ruby-text": "readings beside the letters (ruby)",
}
_OF_PICTURES = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"  # their titles and descriptions
_MAX_HEAD_CHARS = 80  # characters of a head in a warning


def read_odt(content: bytes) -> Content:
    """Paragraphs, headings and tables."""
    return read_parts(_packed(content), _blocks)


def read_ods(content: bytes) -> Content:
    """Each sheet as a table below its name, with the comments on its cells."""
    return read_parts(_packed(content), _sheets)


def read_odp(content: bytes) -> Content:
    """The slides in order, each with its notes."""
    return read_parts(_packed(content), _slides)


def _packed(content: bytes) -> bytes:
    """An archive with the one part that a flat file (.fodt) is."""
    if content.startswith(b"PK"):
        return content
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("content.xml", content)
    return packed.getvalue()


def _sheets(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[Part]:
    for table in (node for node in tree_at(archive, "content.xml").iter() if tag_of(node) == "table"):
        comments: list[str] = []
        rows: list[tuple[int, list[str]]] = []
        number = 1
        for row in _rows(table):
            times = int(repeated) if (repeated := attribute(row, _ROWS_REPEATED)).isdecimal() else 1
            if any(cells := _cells(row, _Words(()))):
                rows += [(number + n, cells) for n in range(min(times, _MOST_REPEATED))]
            comments += _comments(row)
            number += times
        words, lines = numbered_table(rows)
        yield Part(label=attribute(table, "name"), text=words, lines=lines)
        yield from (Part(text=comment) for comment in comments)


def _comments(tree: Element) -> Iterator[str]:
    """The comments on the cells of a row, or on a slide."""
    for node in (part for part in tree.iter() if tag_of(part) == "annotation"):
        fields = {tag_of(part): one_line("".join(part.itertext())) for part in node}
        words = one_line(" ".join("".join(part.itertext()) for part in _paragraphs(node)), 5_000)
        day, who = iso_date(fields.get("date", "")[:10]), fields.get("creator", "")
        if words:
            yield f"{f'[{day}] ' if day else ''}{f'{who}: ' if who else ''}Comment: {words}"


def _slides(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[Part]:
    for number, page in enumerate((n for n in tree_at(archive, "content.xml").iter() if tag_of(n) == "page"), 1):
        inside: set[Element] = set()
        reader = _Words(())
        paragraphs = []
        for node in page.iter():
            if node in inside:
                continue
            if tag_of(node) == "annotation":
                inside.update(node.iter())
            elif tag_of(node) in ("p", "h"):
                inside.update(node.iter())
                paragraphs.append(reader.words(node))
        paragraphs += _comments(page)
        yield Part(label=f"Slide {number}", text="\n\n".join(filter(str.strip, paragraphs)))


def _blocks(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[Part]:
    tree = tree_at(archive, "content.xml")
    left_out += _parts_outside_text(archive, tree)
    # a form of a number in its styles has an element "text", too
    body = next(
        (part for node in tree.iter() if tag_of(node) == "body" for part in node if tag_of(part) == "text"), None
    )
    raised_styles = {
        attribute(style, "name")
        for style in tree.iter()
        if tag_of(style) == "style" and any(_RAISED.match(attribute(part, "text-position")) for part in style)
    }
    inside: set[Element] = set()
    notes = 0
    for node in body.iter() if body is not None else ():
        if node in inside:
            continue
        reader = _Words(raised_styles)
        if tag_of(node) == "tracked-changes":  # text that reviewers deleted
            inside.update(node.iter())
        elif tag_of(node) == "table":
            inside.update(node.iter())
            yield Part(text=table_text(_cells(row, reader) for row in _rows(node)))
        elif tag_of(node) in ("p", "h"):
            inside.update(node.iter())
            words = reader.words(node)
            yield Part(label=words if tag_of(node) == "h" else "", text=words)
        for note in reader.notes:
            notes += 1
            yield Part(text=f"[{notes}] {note}")


def _parts_outside_text(archive: zipfile.ZipFile, tree: Element) -> list[str]:
    """Parts of the file outside the text: heads and feet of pages, comments and deletions by reviewers."""
    parts = []
    styles = tree_at(archive, "styles.xml") if "styles.xml" in archive.namelist() else None
    margins = (node for node in (styles.iter() if styles is not None else ()) if tag_of(node) in _MARGINS)
    heads = [words for node in margins if (words := one_line(" ".join(node.itertext()), _MAX_HEAD_CHARS))]
    if heads:
        parts.append(f"the head or foot of pages: {', '.join(f'“{words}”' for words in dict.fromkeys(heads))}")
    for tag, what in _BESIDE.items():
        if times := sum(tag_of(node) == tag for node in tree.iter()):
            parts.append(f"{what}: {times}")
    described = {words for node in tree.iter() if _is_description(node) and (words := one_line(node.text or ""))}
    return [*parts, f"descriptions of pictures: {len(described)}"] if described else parts


def _is_description(node: Element) -> bool:
    return str(node.tag).startswith(_OF_PICTURES) and tag_of(node) in ("title", "desc")


def _cells(row: Element, reader: _Words) -> list[str]:
    cells: list[str] = []
    for cell in (node for node in row if tag_of(node) in ("table-cell", "covered-table-cell")):
        times = attribute(cell, _COLUMNS_REPEATED)
        text = attribute(cell, "date-value") or " ".join(reader.words(part) for part in _paragraphs(cell))
        cells += [text] * (min(int(times), _MOST_REPEATED) if times.isdigit() else 1)
    return cells


def _rows(table: Element) -> Iterator[Element]:
    """The rows of a table, without those of nested tables: a cell has all its text."""
    for part in table:
        if tag_of(part) == "table-row":
            yield part
        elif tag_of(part) != "table":
            yield from _rows(part)


def _paragraphs(node: Element) -> Iterator[Element]:
    """The paragraphs of a cell, including those of lists and tables in it."""
    for part in node:
        if tag_of(part) in ("p", "h"):
            yield part
        elif tag_of(part) != "annotation":
            yield from _paragraphs(part)


class _Words:
    """Reads paragraphs; collects their notes and removes the marks."""

    def __init__(self, raised_styles: Collection[str]) -> None:
        self.notes: list[str] = []
        self._raised_styles = raised_styles

    def words(self, node: Element) -> str:
        """The text of a paragraph; spaces, tabs and line breaks are elements. Reviewers' comments are left out."""
        parts = [node.text or ""]
        for part in node:
            parts.append(_SPACES.get(tag_of(part), ""))
            self._add(part, parts)
            parts.append(part.tail or "")
        return "".join(parts)

    def _add(self, node: Element, parts: list[str]) -> None:
        if tag_of(node) == "note":
            bodies = (part for part in node if tag_of(part) == "note-body")
            self.notes += [words for body in bodies if (words := " ".join(self.words(body).split()))]
        elif tag_of(node) == "span" and attribute(node, "style-name") in self._raised_styles:
            words = self.words(node)
            if not is_mark(words) or not takes_mark("".join(parts[-5:])[-20:]):
                parts.append(raise_digits(words) if is_mark(words) else words)
        elif tag_of(node) not in ("annotation", "tracked-changes", "ruby-text") and not _is_description(node):
            parts.append(self.words(node))

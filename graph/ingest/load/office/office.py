"""Spreadsheets (.xlsx), slides (.pptx) and OpenDocument texts (.odt): archives of XML; their text is read.

Without a library: openpyxl, python-pptx and odfpy hold a whole document model in memory and open any archive; this
needs only the text, from an archive within limits (docs/decisions/0021-more-formats.md).
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from xml.etree.ElementTree import Element, ParseError

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import RESAVE, open_archive, tag_of, text_of, xml_of
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, check_length, clean, one_line
from filigraph.graph.ingest.load.office.office_extras import chart_text, comments_of_sheet, comments_of_slide, people_of
from filigraph.graph.ingest.load.tables.tables import numbered_table, table_text
from filigraph.graph.model.documents import LinePlace, Place
from filigraph.graph.text.note_marks import is_mark, raised, takes_mark

_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # built-in formats
_DATE_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_COLUMN = re.compile(r"[A-Z]{1,3}")
_EPOCHS = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}
_ROW_REPEATED, _MOST_REPEATED = "number-columns-repeated", 50
_MOST_COLUMNS = 16_384
_ODT_SPACES = {"s": " ", "tab": " ", "line-break": "\n", "p": " "}  # a paragraph in a paragraph belongs to a note
_RAISED = re.compile(r"super|[1-9]")  # a position above the line: "super 58%", "33% 58%"
_ODT_MARGINS = frozenset("header header-left header-first footer footer-left footer-first".split())  # noqa: SIM905
_ODT_BESIDE = {"annotation": "remarks of reviewers", "deletion": "passages that reviewers took out"}
_LONGEST_HEAD = 80  # characters of a head in a warning
_DEEPEST = 200  # max. nesting
_FURTHER = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A sheet, a slide or a paragraph: a label that is not empty begins a place."""

    text: str
    label: str = ""
    lines: tuple[LinePlace, ...] = ()  # labels from its beginning on


def read_xlsx(content: bytes) -> Content:
    """Each sheet as a table below its name."""
    return _read(content, _sheets)


def read_pptx(content: bytes) -> Content:
    """The slides in order, each with its notes."""
    return _read(content, _slides)


def read_odt(content: bytes) -> Content:
    """Paragraphs, headings and tables."""
    return _read(content, _odt_blocks)


def _read(content: bytes, blocks: Callable[[zipfile.ZipFile, list[str]], Iterator[_Part]]) -> Content:
    """`blocks` also fills a list with the parts that are left out."""
    text, places = "", []
    left_out: list[str] = []
    lines: list[LinePlace] = []
    parts: list[str] = []
    length = 0
    try:
        with open_archive(content) as archive:
            title = _title(archive)
            for block in blocks(archive, left_out):
                words = clean(block.text).strip()
                if not words:
                    continue
                if block.label:
                    places.append(Place(kind="chapter", label=one_line(block.label), start=length))
                lines += [replace(line, start=length + line.start) for line in block.lines]
                parts.append(words)
                length += len(words) + 2
                check_length(length)
    except (ParseError, KeyError, ValueError, IndexError, OverflowError, OSError, zipfile.BadZipFile) as error:
        raise UnreadableDocument(f"The file is damaged: {error!r}.", cure=RESAVE) from error
    text = "\n\n".join(parts)
    warnings = (f"{LEFT_OUT} {', '.join(left_out)}",) if left_out else ()
    return Content(text=text, title=one_line(title), places=tuple(places), lines=tuple(lines), warnings=warnings)


def _title(archive: zipfile.ZipFile) -> str:
    for name in ("docProps/core.xml", "meta.xml"):
        if name in archive.namelist():
            return text_of(_tree(archive, name), "title")
    return ""


# --------------------------------------------------------------------------------------------------------------------
# Spreadsheets


def _sheets(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[_Part]:
    book = _tree(archive, "xl/workbook.xml")
    targets = _relations(archive, "xl/workbook.xml")
    names = archive.namelist()
    shared = _shared(_tree(archive, "xl/sharedStrings.xml")) if "xl/sharedStrings.xml" in names else []
    dated = _dated(_tree(archive, "xl/styles.xml")) if "xl/styles.xml" in names else frozenset[int]()
    epoch = _EPOCHS[any(_attribute(node, "date1904") in ("1", "true") for node in book.iter())]
    persons = [name for name in names if name.startswith("xl/persons/") and name.endswith(".xml")]
    people = people_of([_tree(archive, name) for name in persons])
    for sheet in (node for node in book.iter() if tag_of(node) == "sheet"):
        target = targets.get(_attribute(sheet, "id"), "")
        name = clean(_attribute(sheet, "name")).strip() or "-"
        if _attribute(sheet, "state") not in ("", "visible"):
            left_out.append(f"the hidden sheet “{one_line(name)}”")
        elif target in names:
            table, rows = numbered_table(_rows(_tree(archive, target), shared, dated, epoch))
            beside = dict.fromkeys(_relations(archive, target).values())
            comments = comments_of_sheet(
                [_tree(archive, one) for one in beside if one in names and "/comments" in one],
                [_tree(archive, one) for one in beside if one in names and "/threadedComments/" in one],
                people,
            )
            text = f"{name}\n\n{table}"
            lines = [replace(row, start=len(text) - len(table) + row.start) for row in rows]
            for row_number, words in comments:
                text = f"{text.rstrip()}\n\n{words}"
                if row_number:
                    lines.append(LinePlace(kind="row", label=str(row_number), start=len(text) - len(words)))
            yield _Part(label=name, text=text if table or comments else "", lines=tuple(lines))


def _rows(
    sheet: Element, shared: Sequence[str], dated: frozenset[int], epoch: datetime
) -> Iterator[tuple[int, list[str]]]:
    """Each row with its number."""
    number = 0
    for row in (node for node in sheet.iter() if tag_of(node) == "row"):
        number = int(own) if (own := _attribute(row, "r")).isdigit() else number + 1
        cells: list[str] = []
        for cell in row:
            column = _column(_attribute(cell, "r"))
            if 0 <= column < _MOST_COLUMNS and column >= len(cells):
                cells += [""] * (column - len(cells))
            cells.append(_cell(cell, shared, dated, epoch))
        yield number, cells


def _cell(cell: Element, shared: Sequence[str], dated: frozenset[int], epoch: datetime) -> str:
    kind = _attribute(cell, "t")
    if kind == "inlineStr":
        return _words(cell, "t")
    value = text_of(cell, "v")
    if kind == "s":
        return shared[int(value)] if value else ""
    if kind == "b":
        return {"1": "true", "0": "false"}.get(value, value)
    style = _attribute(cell, "s")
    if kind in ("", "n") and value and style.isdigit() and int(style) in dated:
        with suppress(ValueError, OverflowError):  # not an existing day: the number itself
            return _date(float(value), epoch)
    return value


def _date(days: float, epoch: datetime) -> str:
    moment = epoch + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return moment.strftime("%H:%M")
    return f"{moment:%Y-%m-%d}" if moment.hour == moment.minute == 0 else f"{moment:%Y-%m-%d %H:%M}"


def _shared(strings: Element) -> list[str]:
    return [_words(item, "t") for item in strings if tag_of(item) == "si"]


def _dated(styles: Element) -> frozenset[int]:
    """The numbers of the styles that show a date or a time."""
    own = {
        int(_attribute(node, "numFmtId")): _DATE_FORMAT.sub("", _attribute(node, "formatCode"))
        for node in styles.iter()
        if tag_of(node) == "numFmt"
    }
    shown = {number for number, form in own.items() if re.search("[ymdhs]", form, re.IGNORECASE)}
    formats = next((node for node in styles if tag_of(node) == "cellXfs"), ())
    wanted = _DATES - own.keys() | shown
    return frozenset(n for n, node in enumerate(formats) if int(_attribute(node, "numFmtId") or 0) in wanted)


def _column(reference: str) -> int:
    """2 for "C7"; -1 if it is not given."""
    letters = _COLUMN.match(reference)
    number = 0
    for letter in letters[0] if letters else "":
        number = 26 * number + ord(letter) - 64
    return number - 1


# --------------------------------------------------------------------------------------------------------------------
# Slides


def _slides(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[_Part]:
    show, targets = _tree(archive, "ppt/presentation.xml"), _relations(archive, "ppt/presentation.xml")
    order = [targets.get(_attribute(node, "id", last=True), "") for node in show.iter() if tag_of(node) == "sldId"]
    names = archive.namelist()
    authors = people_of(
        [_tree(archive, name) for name in ("ppt/commentAuthors.xml", "ppt/authors.xml") if name in names]
    )
    for number, name in enumerate((name for name in order if name in names), start=1):
        slide = list(_shapes(_tree(archive, name)))
        beside = [target for target in dict.fromkeys(_relations(archive, name).values()) if target in names]
        slide += [chart_text(_tree(archive, target)) for target in beside if "/charts/" in target]
        for target in [target for target in beside if "/notesSlides/" in target][:1]:
            slide += [block for block in _shapes(_tree(archive, target)) if not _FURTHER.fullmatch(block)]
        comments = [_tree(archive, target) for target in beside if "/comments/" in target]
        slide += comments_of_slide(comments, authors)
        yield _Part(label=f"{number}", text="\n".join(slide))


def _shapes(tree: Element) -> Iterator[str]:
    """Paragraphs and tables, in the order of the file."""
    in_tables: set[Element] = set()
    for node in tree.iter():
        if tag_of(node) == "tbl":
            in_tables.update(node.iter())
            rows = (row for row in node.iter() if tag_of(row) == "tr")
            yield table_text([_words(cell, "t") for cell in row if tag_of(cell) == "tc"] for row in rows)
        elif tag_of(node) == "p" and node not in in_tables and (words := _words(node, "t").strip()):
            yield words


# --------------------------------------------------------------------------------------------------------------------
# OpenDocument


def _odt_blocks(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[_Part]:
    tree = _tree(archive, "content.xml")
    left_out += _odt_beside(archive, tree)
    body = next((node for node in tree.iter() if tag_of(node) == "text"), None)
    raised_styles = {
        _attribute(style, "name")
        for style in tree.iter()
        if tag_of(style) == "style" and any(_RAISED.match(_attribute(part, "text-position")) for part in style)
    }
    inside: set[Element] = set()
    notes = 0
    for node in body.iter() if body is not None else ():
        if node in inside:
            continue
        reader = _OdtText(raised_styles)
        if tag_of(node) == "tracked-changes":  # text that reviewers deleted
            inside.update(node.iter())
        elif tag_of(node) == "table":
            inside.update(node.iter())
            yield _Part(text=table_text(_odt_cells(row, reader) for row in _odt_rows(node)))
        elif tag_of(node) in ("p", "h"):
            inside.update(node.iter())
            words = reader.words(node)
            yield _Part(label=words if tag_of(node) == "h" else "", text=words)
        for note in reader.notes:
            notes += 1
            yield _Part(text=f"[{notes}] {note}")


def _odt_beside(archive: zipfile.ZipFile, tree: Element) -> list[str]:
    """Parts of the file outside the text: heads and feet of pages, comments and deletions by reviewers."""
    said = []
    styles = _tree(archive, "styles.xml") if "styles.xml" in archive.namelist() else None
    margins = (node for node in (styles.iter() if styles is not None else ()) if tag_of(node) in _ODT_MARGINS)
    heads = [words for node in margins if (words := one_line(" ".join(node.itertext()), _LONGEST_HEAD))]
    if heads:
        said.append(f"the head or foot of pages: {', '.join(f'“{words}”' for words in dict.fromkeys(heads))}")
    for tag, what in _ODT_BESIDE.items():
        if times := sum(tag_of(node) == tag for node in tree.iter()):
            said.append(f"{what}: {times}")
    return said


def _odt_cells(row: Element, reader: _OdtText) -> list[str]:
    cells: list[str] = []
    for cell in (node for node in row if tag_of(node) in ("table-cell", "covered-table-cell")):
        times = _attribute(cell, _ROW_REPEATED)
        text = " ".join(reader.words(part) for part in _odt_paragraphs(cell))
        cells += [text] * (min(int(times), _MOST_REPEATED) if times.isdigit() else 1)
    return cells


def _odt_rows(table: Element) -> Iterator[Element]:
    """The rows of a table, without those of nested tables: a cell has all its text."""
    for part in table:
        if tag_of(part) == "table-row":
            yield part
        elif tag_of(part) != "table":
            yield from _odt_rows(part)


def _odt_paragraphs(node: Element) -> Iterator[Element]:
    """The paragraphs of a cell, including those of lists and tables in it."""
    for part in node:
        if tag_of(part) in ("p", "h"):
            yield part
        else:
            yield from _odt_paragraphs(part)


class _OdtText:
    """Reads paragraphs; collects their notes and removes the marks."""

    def __init__(self, raised_styles: Collection[str]) -> None:
        self.notes: list[str] = []
        self._raised_styles = raised_styles

    def words(self, node: Element) -> str:
        """The text of a paragraph; spaces, tabs and line breaks are elements. Reviewers' comments are left out."""
        parts = [node.text or ""]
        for part in node:
            parts.append(_ODT_SPACES.get(tag_of(part), ""))
            self._add(part, parts)
            parts.append(part.tail or "")
        return "".join(parts)

    def _add(self, node: Element, parts: list[str]) -> None:
        if tag_of(node) == "note":
            bodies = (part for part in node if tag_of(part) == "note-body")
            self.notes += [words for body in bodies if (words := " ".join(self.words(body).split()))]
        elif tag_of(node) == "span" and _attribute(node, "style-name") in self._raised_styles:
            words = self.words(node)
            if not is_mark(words) or not takes_mark("".join(parts[-5:])[-20:]):
                parts.append(raised(words) if is_mark(words) else words)
        elif tag_of(node) not in ("annotation", "tracked-changes"):
            parts.append(self.words(node))


# --------------------------------------------------------------------------------------------------------------------
# Small things


def _tree(archive: zipfile.ZipFile, path: str) -> Element:
    """The XML of a member. Raises UnreadableDocument if its nesting is unreasonable."""
    tree = xml_of(archive, path)
    level, depth = [tree], 0
    while level := [part for node in level for part in node]:
        depth += 1
        if depth > _DEEPEST:
            raise UnreadableDocument("The file's parts are nested without end.", cure=RESAVE)
    return tree


def _relations(archive: zipfile.ZipFile, path: str) -> dict[str, str]:
    """Relation id -> the member it names."""
    folder, name = posixpath.split(path)
    listed = f"{folder}/_rels/{name}.rels"
    if listed not in archive.namelist():
        return {}
    targets = {}
    for node in _tree(archive, listed):
        target = _attribute(node, "Target")
        whole = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
        targets[_attribute(node, "Id")] = whole
    return targets


def _attribute(node: Element, name: str, *, last: bool = False) -> str:
    """An attribute in any namespace; if several have the name, optionally the last one."""
    values = [value for key, value in node.attrib.items() if key.rpartition("}")[2] == name]
    return (values[-1] if last else values[0]) if values else ""


def _words(node: Element, tag: str) -> str:
    return "".join(part.text or "" for part in node.iter() if tag_of(part) == tag)

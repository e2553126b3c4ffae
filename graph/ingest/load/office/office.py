"""Spreadsheets (.xlsx) and slides (.pptx): archives of XML; their text is read.

Without a library: openpyxl, python-pptx and odfpy hold a whole document model in memory and open any archive; this
needs only the text, from an archive within limits (docs/decisions/0021-more-formats.md).
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
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

_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # built-in formats
_DATE_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_COLUMN = re.compile(r"[A-Z]{1,3}")
EPOCHS = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}
_MOST_COLUMNS = 16_384
_MERGED = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")
_MOST_MERGED = 100_000  # rows of merged cells in a sheet
_DEEPEST = 200  # max. nesting
_PICTURE = re.compile(r"(?:(?:word|ppt|xl)/media|Pictures)/[^/]+")
_FURTHER = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A sheet, a slide or a paragraph: a label that is not empty begins a place."""

    text: str
    label: str = ""
    lines: tuple[LinePlace, ...] = ()  # labels from its beginning on


def read_xlsx(content: bytes) -> Content:
    """Each sheet as a table below its name."""
    return read_parts(content, _sheets)


def read_pptx(content: bytes) -> Content:
    """The slides in order, each with its notes."""
    return read_parts(content, _slides)


def read_parts(content: bytes, blocks: Callable[[zipfile.ZipFile, list[str]], Iterator[Part]]) -> Content:
    """`blocks` also fills a list with the parts that are left out."""
    left_out: list[str] = []
    try:
        with open_archive(content) as archive:
            left_out += pictures_in(archive)
            return content_of_parts(blocks(archive, left_out), _title(archive), left_out)
    except (ParseError, KeyError, ValueError, IndexError, OverflowError, OSError, zipfile.BadZipFile) as error:
        raise UnreadableDocument(f"The file is damaged: {error!r}.", cure=RESAVE) from error


def pictures_in(archive: zipfile.ZipFile) -> list[str]:
    """What a report says of the pictures of a document; [] if there are none."""
    pictures = sum(bool(_PICTURE.fullmatch(name)) for name in archive.namelist())
    return [f"pictures: {pictures:,}"] if pictures else []


def content_of_parts(blocks: Iterable[Part], title: str, left_out: Sequence[str]) -> Content:
    """`left_out` may be filled while `blocks` is read."""
    places: list[Place] = []
    lines: list[LinePlace] = []
    parts: list[str] = []
    length = 0
    for block in blocks:
        words = clean(block.text).strip()
        if not words:
            continue
        if block.label:
            places.append(Place(kind="chapter", label=one_line(block.label), start=length))
        lines += [replace(line, start=length + line.start) for line in block.lines]
        parts.append(words)
        length += len(words) + 2
        check_length(length)
    text = "\n\n".join(parts)
    warnings = (f"{LEFT_OUT} {', '.join(left_out)}",) if left_out else ()
    return Content(text=text, title=one_line(title), places=tuple(places), lines=tuple(lines), warnings=warnings)


def _title(archive: zipfile.ZipFile) -> str:
    for name in ("docProps/core.xml", "meta.xml"):
        if name in archive.namelist():
            return text_of(tree_at(archive, name), "title")
    return ""


# --------------------------------------------------------------------------------------------------------------------
# Spreadsheets


def _sheets(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[Part]:
    book = tree_at(archive, "xl/workbook.xml")
    targets = _relations(archive, "xl/workbook.xml")
    names = archive.namelist()
    shared = _shared_strings(tree_at(archive, "xl/sharedStrings.xml")) if "xl/sharedStrings.xml" in names else []
    dated = _date_styles(tree_at(archive, "xl/styles.xml")) if "xl/styles.xml" in names else frozenset[int]()
    epoch = EPOCHS[any(attribute(node, "date1904") in ("1", "true") for node in book.iter())]
    persons = [name for name in names if name.startswith("xl/persons/") and name.endswith(".xml")]
    people = people_of([tree_at(archive, name) for name in persons])
    for sheet in (node for node in book.iter() if tag_of(node) == "sheet"):
        target = targets.get(attribute(sheet, "id"), "")
        name = clean(attribute(sheet, "name")).strip() or "-"
        if attribute(sheet, "state") not in ("", "visible"):
            left_out.append(hidden_sheet(name))
        elif target in names:
            beside = dict.fromkeys(_relations(archive, target).values())
            comments = comments_of_sheet(
                [tree_at(archive, one) for one in beside if one in names and "/comments" in one],
                [tree_at(archive, one) for one in beside if one in names and "/threadedComments/" in one],
                people,
            )
            drawn = [(0, words) for one in beside if one in names and (words := _drawn(archive, one, names))]
            comments = [*comments, *drawn]
            yield sheet_part(name, _rows(tree_at(archive, target), shared, dated, epoch), comments)


_DRAWING = re.compile(r".*/(?:(?:drawings|charts)/[^/]*|diagrams/data[^/]*)\.xml")


def _drawn(archive: zipfile.ZipFile, target: str, names: Sequence[str]) -> str:
    """What the text boxes, diagrams and charts of a drawing say."""
    if not _DRAWING.fullmatch(target):
        return ""
    if "/charts/" in target:
        return chart_text(tree_at(archive, target))
    own = list(_shapes(tree_at(archive, target)))
    beside = [one for one in dict.fromkeys(_relations(archive, target).values()) if one in names]
    return "\n".join([*own, *(_drawn(archive, one, names) for one in beside if "/drawings/" not in one)])


def hidden_sheet(name: str) -> str:
    return f"the hidden sheet “{one_line(name)}”"


def sheet_part(name: str, rows: Iterable[tuple[int, Sequence[str]]], comments: Sequence[tuple[int, str]]) -> Part:
    """A sheet as a table below its name; rows and comments with the numbers of their rows."""
    table, row_lines = numbered_table(rows)
    text = f"{name}\n\n{table}"
    lines = [replace(row, start=len(text) - len(table) + row.start) for row in row_lines]
    for row_number, words in comments:
        text = f"{text.rstrip()}\n\n{words}"
        if row_number:
            lines.append(LinePlace(kind="row", label=str(row_number), start=len(text) - len(words)))
    return Part(label=name, text=text if table or comments else "", lines=tuple(lines))


def _rows(
    sheet: Element, shared: Sequence[str], dated: frozenset[int], epoch: datetime
) -> Iterator[tuple[int, list[str]]]:
    """Each row with its number. A cell that is merged over several rows belongs to each."""
    number = 0
    merged = _merged(sheet)
    above: dict[int, str] = {}  # column -> the text of its last merged cell
    for row in (node for node in sheet.iter() if tag_of(node) == "row"):
        number = int(own) if (own := attribute(row, "r")).isdigit() else number + 1
        cells: list[str] = []
        for cell in row:
            column = _column(attribute(cell, "r"))
            if 0 <= column < _MOST_COLUMNS and column >= len(cells):
                cells += [""] * (column - len(cells))
            cells.append(_cell(cell, shared, dated, epoch))
        for column, first in merged.get(number, ()) if any(cells) else ():
            cells += [""] * (column + 1 - len(cells))
            if first:
                above[column] = cells[column]
            cells[column] = cells[column] or above.get(column, "")
        yield number, cells


def _merged(sheet: Element) -> dict[int, list[tuple[int, bool]]]:
    """The columns that are merged over several rows, by row, and whether the row is the first of them."""
    columns: dict[int, list[tuple[int, bool]]] = {}
    left = _MOST_MERGED
    for node in (part for part in sheet.iter() if tag_of(part) == "mergeCell"):
        if match := _MERGED.fullmatch(attribute(node, "ref")):
            first, last, column = int(match[2]), int(match[4]), _column(match[1])
            left -= last - first
            if last > first and left > 0 and column < _MOST_COLUMNS:
                for row in range(first, last + 1):
                    columns.setdefault(row, []).append((column, row == first))
    return columns


def _cell(cell: Element, shared: Sequence[str], dated: frozenset[int], epoch: datetime) -> str:
    kind = attribute(cell, "t")
    if kind == "inlineStr":
        return _text_at(cell, "t")
    value = text_of(cell, "v")
    if kind == "s":
        return shared[int(value)] if value else ""
    if kind == "b":
        return {"1": "true", "0": "false"}.get(value, value)
    style = attribute(cell, "s")
    if kind in ("", "n") and value and style.isdigit() and int(style) in dated:
        with suppress(ValueError, OverflowError):  # not an existing day: the number itself
            return shown_date(float(value), epoch)
    return value


def shown_date(days: float, epoch: datetime) -> str:
    moment = epoch + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return moment.strftime("%H:%M")
    return f"{moment:%Y-%m-%d}" if moment.hour == moment.minute == 0 else f"{moment:%Y-%m-%d %H:%M}"


def _shared_strings(strings: Element) -> list[str]:
    return [_text_at(item, "t") for item in strings if tag_of(item) == "si"]


def _date_styles(styles: Element) -> frozenset[int]:
    """The numbers of the styles that show a date or a time."""
    own = {
        int(attribute(node, "numFmtId")): _DATE_FORMAT.sub("", attribute(node, "formatCode"))
        for node in styles.iter()
        if tag_of(node) == "numFmt"
    }
    shown = {number for number, form in own.items() if re.search("[ymdhs]", form, re.IGNORECASE)}
    formats = next((node for node in styles if tag_of(node) == "cellXfs"), ())
    wanted = _DATES - own.keys() | shown
    return frozenset(n for n, node in enumerate(formats) if int(attribute(node, "numFmtId") or 0) in wanted)


def _column(reference: str) -> int:
    """2 for "C7"; -1 if it is not given."""
    letters = _COLUMN.match(reference)
    number = 0
    for letter in letters[0] if letters else "":
        number = 26 * number + ord(letter) - 64
    return number - 1


# --------------------------------------------------------------------------------------------------------------------
# Slides


def _slides(archive: zipfile.ZipFile, left_out: list[str]) -> Iterator[Part]:
    show, targets = tree_at(archive, "ppt/presentation.xml"), _relations(archive, "ppt/presentation.xml")
    order = [targets.get(attribute(node, "id", last=True), "") for node in show.iter() if tag_of(node) == "sldId"]
    names = archive.namelist()
    authors = people_of(
        [tree_at(archive, name) for name in ("ppt/commentAuthors.xml", "ppt/authors.xml") if name in names]
    )
    for number, name in enumerate((name for name in order if name in names), start=1):
        slide = list(_shapes(tree_at(archive, name)))
        beside = [target for target in dict.fromkeys(_relations(archive, name).values()) if target in names]
        slide += [
            words for target in beside if "/drawings/" not in target and (words := _drawn(archive, target, names))
        ]
        for target in [target for target in beside if "/notesSlides/" in target][:1]:
            slide += [block for block in _shapes(tree_at(archive, target)) if not _FURTHER.fullmatch(block)]
        comments = [tree_at(archive, target) for target in beside if "/comments/" in target]
        slide += comments_of_slide(comments, authors)
        yield Part(label=f"{number}", text="\n".join(slide))


def _shapes(tree: Element) -> Iterator[str]:
    """Paragraphs and tables, in the order of the file."""
    in_tables: set[Element] = set()
    for node in tree.iter():
        if tag_of(node) == "tbl":
            in_tables.update(node.iter())
            rows = (row for row in node.iter() if tag_of(row) == "tr")
            yield table_text([_text_at(cell, "t") for cell in row if tag_of(cell) == "tc"] for row in rows)
        elif tag_of(node) == "p" and node not in in_tables and (words := _text_at(node, "t").strip()):
            yield words


# --------------------------------------------------------------------------------------------------------------------
# Small things


def tree_at(archive: zipfile.ZipFile, path: str) -> Element:
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
    for node in tree_at(archive, listed):
        target = attribute(node, "Target")
        whole = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
        targets[attribute(node, "Id")] = whole
    return targets


def attribute(node: Element, name: str, *, last: bool = False) -> str:
    """An attribute in any namespace; if several have the name, optionally the last one."""
    values = [value for key, value in node.attrib.items() if key.rpartition("}")[2] == name]
    return (values[-1] if last else values[0]) if values else ""


def _text_at(node: Element, tag: str) -> str:
    return "".join(part.text or "" for part in node.iter() if tag_of(part) == tag)

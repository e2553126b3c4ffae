"""Files attached to a PDF or to a place on a page. For damaged or odd files pypdf may raise anything, not only its own
errors, so each step catches all exceptions.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.ingest.load.mail.mail_parts import Attachment, file_name

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_FILES = 1_000  # in one PDF
MOST_BYTES = 300_000_000  # bytes of its files together, unpacked
MAX_TREE_NODES = 100_000  # names and branches of the tree of file names; a damaged tree may share them
MOST_ANNOTATIONS = 100_000  # annotations on pages; pages may share them
MOST_DAMAGED = 300  # entries of the tree, or annotations: pypdf parses shared ones again each time
_SIGNS = (b"/EF", b"/ObjStm")  # without both, the PDF contains no file: the second may hide the first


@dataclass(frozen=True, kw_only=True)
class _File:
    name: str
    stream: Any  # None: damaged


def attached_to_pdf(content: bytes) -> tuple[list[Attachment], list[str]]:
    """The files, and lines about unreadable ones. A PDF that cannot be opened has none: loading it reports the
    fault.
    """
    attached: list[Attachment] = []
    problems: list[str] = []
    reader = _open_reader(content) if any(sign in content for sign in _SIGNS) else None
    if reader is None:
        return attached, problems
    size = 0
    try:
        for number, file in enumerate(_files(reader, problems), start=1):
            if number > MOST_FILES or size > MOST_BYTES:
                why = f"there are more than {MOST_FILES:,}" if number > MOST_FILES else "they unpack to too much"
                problems.append(f"attachment {file.name} and those after it are not read: {why}")
                break
            if part := _read(file, problems):
                size += len(part.content)
                attached.append(part)
    except Exception as error:  # noqa: BLE001
        problems.append(one_line(f"not all that is attached can be read ({type(error).__name__}: {error})"))
    return attached, problems


def _open_reader(content: bytes) -> PdfReader | None:
    from pypdf import PdfReader

    with suppress(Exception):
        reader = PdfReader(io.BytesIO(content))
        if not reader.is_encrypted or reader.decrypt(""):
            return reader
    return None


def _read(file: _File, problems: list[str]) -> Attachment | None:
    try:
        data = file.stream.get_data()
        declared = (resolved_entry(file.stream, "/Params") or {}).get("/Size")
        media_type = str(file.stream.get("/Subtype") or "").removeprefix("/")
    except Exception:  # noqa: BLE001
        data, declared, media_type = b"", None, ""
    if not data:
        why = "it is damaged or empty, unpacks to too much, or is packed in an unknown way"
        problems.append(f"attachment {file.name} is not read: {why}")
        return None
    if isinstance(declared, int) and len(data) < declared:  # pypdf reads the rest of a damaged file
        problems.append(f"attachment {file.name} is read in part: {len(data):,} of {declared:,} bytes")
    return Attachment(name=file.name, media_type=media_type, content=data)


def names_of_files(reader: PdfReader) -> list[str]:
    """The names of the files, as far as they are readable."""
    names: list[str] = []
    with suppress(Exception):  # earlier names remain
        for file, _ in zip(_files(reader, []), range(MOST_FILES), strict=False):
            names.append(file.name)
    return names


def _files(reader: PdfReader, problems: list[str]) -> Iterator[_File]:
    """Each file once, even if the PDF refers to it several times."""
    streams: dict[int, Any] = {}  # kept alive, so that ids are unique
    count = 0
    for label, reference in specifications(reader, problems):
        called, name, stream = "", "", None
        with suppress(Exception):
            called = file_name(str(label))
        with suppress(Exception):
            specification = reference.get_object()
            embedded = None if isinstance(specification, str | bytes) else resolved_entry(specification, "/EF")
            if embedded is None:  # a file outside the PDF, perhaps only by path
                continue
            name = file_name(str(resolved_entry(specification, "/UF") or resolved_entry(specification, "/F") or ""))
            stream = resolved_entry(embedded, "/F" if "/F" in embedded else "/UF")
        if stream is not None:
            if id(stream) in streams:
                continue
            streams[id(stream)] = stream
        count += 1
        yield _File(name=name or called or f"part {count}", stream=stream)


def specifications(reader: PdfReader, problems: list[str]) -> Iterator[tuple[Any, Any]]:
    """The file specifications, each with its name in the PDF."""
    yield from _in_name_tree(reader, problems)
    for _, note in page_annotations(reader, problems):
        reference = None
        with suppress(Exception):
            if resolved_entry(note, "/Subtype") == "/FileAttachment" and "/FS" in note:
                reference = note.raw_get("/FS")
        if reference is not None:
            yield "", reference


def _in_name_tree(reader: PdfReader, problems: list[str]) -> Iterator[tuple[Any, Any]]:
    """The specifications in the tree of names."""
    nodes: list[Any] = []
    seen: dict[int, Any] = {}  # kept alive, as above
    count = unread = 0
    try:
        names = _entry(reader.root_object, "/Names")
        tree = _entry(names, "/EmbeddedFiles") if names is not None else None
        nodes = [tree] if tree is not None else []
    except Exception:  # noqa: BLE001
        unread = 1
    while nodes and unread < MOST_DAMAGED:
        try:
            node = nodes.pop().get_object()
            if id(node) in seen:
                continue
            pairs, kids = _array(node, "/Names"), _array(node, "/Kids")
        except Exception:  # noqa: BLE001
            unread += 1
            continue
        seen[id(node)] = node
        room = MAX_TREE_NODES - count
        yield from ((pairs[n], pairs[n + 1]) for n in range(0, min(len(pairs) - 1, 2 * room), 2))
        count += len(pairs) // 2 + len(kids)
        if count > MAX_TREE_NODES:
            problems.append(f"the list of its attachments is read in part: it has more than {MAX_TREE_NODES:,} entries")
            break
        nodes += reversed(kids)
    if unread:
        problems.append(f"parts of the list of its attachments that cannot be read: {_count_text(unread)}")


def page_annotations(reader: PdfReader, problems: list[str]) -> Iterator[tuple[int, Any]]:
    """The annotations on the pages, each with its page, from 1."""
    unread: list[int] = []
    for count, (number, reference) in enumerate(_annotated(reader), start=1):
        if count > MOST_ANNOTATIONS:
            problems.append(f"annotations after the first {MOST_ANNOTATIONS:,} and their attachments are not read")
            break
        note = None
        with suppress(Exception):
            note = reference.get_object()
        if isinstance(note, dict):
            yield number, note
            continue
        unread.append(number)
        if len(unread) == MOST_DAMAGED:
            break
    if unread:
        where = f"{_count_text(len(unread))} (the first on page {unread[0]})"
        problems.append(f"annotations that cannot be read, nor what is attached there: {where}")


def _count_text(unread: int) -> str:
    return f"{unread} and all after them" if unread == MOST_DAMAGED else str(unread)


def _annotated(reader: PdfReader) -> Iterator[tuple[int, Any]]:
    """Pages, each with a reference to an annotation; None if it is damaged."""
    for number, page in enumerate(reader.pages, start=1):
        references = [None]
        with suppress(Exception):
            references = _array(page, "/Annots")
        yield from ((number, reference) for reference in references)


def _array(entries: Any, name: str) -> list[Any]:
    value = _entry(entries, name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise TypeError(f"{name} is not an array")
    return value


def _entry(entries: Any, name: str) -> Any:
    """As `resolved_entry`; None for null, too."""
    from pypdf.generic import NullObject

    value = resolved_entry(entries, name)
    return None if isinstance(value, NullObject) else value


def resolved_entry(entries: Any, name: str) -> Any:
    """The entry itself, if it is a separate object; None if it is missing."""
    value = entries.get(name)
    return None if value is None else value.get_object()

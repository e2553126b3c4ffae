"""Files that are attached to a PDF: to the whole of it, or to a place on a page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filigraph.graph.ingest.load.mail_parts import Attachment, file_name

if TYPE_CHECKING:
    from pypdf import PdfReader

# What pypdf meets in a damaged file is not always an error of its own.
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, AssertionError, OSError)
MOST_FILES = 1_000  # of one PDF
MOST_BYTES = 300_000_000  # of its files together, unpacked
_MOST_NODES = 10_000  # of the tree that names the files
_MOST_NOTES = 100_000  # on pages, which may share them
_SIGNS = (b"/EF", b"/ObjStm")  # without both no file is in it: the second may hide the first


@dataclass(frozen=True, kw_only=True)
class _File:
    name: str
    stream: Any  # None: damaged


def attached_to_pdf(content: bytes) -> tuple[list[Attachment], list[str]]:
    """The files, and one line for each that cannot be read. A PDF that cannot be opened has none."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    attached: list[Attachment] = []
    problems: list[str] = []
    if not any(sign in content for sign in _SIGNS):
        return attached, problems
    with suppress(PyPdfError, *DAMAGE):
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return attached, problems
        size = 0
        for number, file in enumerate(_files(reader), start=1):
            if number > MOST_FILES or size > MOST_BYTES:
                why = f"there are more than {MOST_FILES:,}" if number > MOST_FILES else "they unpack to too much"
                problems.append(f"attachment {file.name} and those after it are not read: {why}")
                break
            try:
                data = file.stream.get_data()
                declared = (resolved_entry(file.stream, "/Params") or {}).get("/Size")
            except (PyPdfError, *DAMAGE):
                data, declared = b"", None
            if not data:
                problems.append(f"attachment {file.name} is not read: it is damaged or empty, or unpacks to too much")
                continue
            if isinstance(declared, int) and len(data) < declared:  # pypdf reads what is left of a damaged file
                problems.append(f"attachment {file.name} is read in part: {len(data):,} of {declared:,} bytes")
            size += len(data)
            media_type = str(file.stream.get("/Subtype") or "").removeprefix("/")
            attached.append(Attachment(name=file.name, media_type=media_type, content=data))
    return attached, problems


def names_of_files(reader: PdfReader) -> list[str]:
    """What the files are called, as far as they are read."""
    return [file.name for file, _ in zip(_files(reader), range(MOST_FILES), strict=False)]


def _files(reader: PdfReader) -> Iterator[_File]:
    """Each file once, however often the PDF refers to it."""
    from pypdf.errors import PyPdfError

    streams: dict[int, Any] = {}  # kept, so that an id is of one only
    count = 0
    for called, reference in _specifications(reader):
        name, stream = "", None
        with suppress(PyPdfError, *DAMAGE):
            specification = reference.get_object()
            embedded = resolved_entry(specification, "/EF")
            if embedded is None:  # a file beside the PDF
                continue
            name = file_name(str(resolved_entry(specification, "/UF") or resolved_entry(specification, "/F") or called))
            stream = resolved_entry(embedded, "/F" if "/F" in embedded else "/UF")
        if stream is not None:
            if id(stream) in streams:
                continue
            streams[id(stream)] = stream
        count += 1
        yield _File(name=name or file_name(called) or f"part {count}", stream=stream)


def _specifications(reader: PdfReader) -> Iterator[tuple[str, Any]]:
    """What describes files, each with the name that the PDF has for it."""
    from pypdf.errors import PyPdfError

    with suppress(PyPdfError, *DAMAGE):
        names = resolved_entry(reader.root_object, "/Names") or {}
        nodes = [resolved_entry(names, "/EmbeddedFiles")]
        seen: set[int] = set()
        while nodes and len(seen) < _MOST_NODES:
            node = nodes.pop()
            if node is None or id(node) in seen:
                continue
            seen.add(id(node))
            pairs = list(resolved_entry(node, "/Names") or ())
            yield from ((str(pairs[n]), pairs[n + 1]) for n in range(0, len(pairs) - 1, 2))
            nodes += [kid.get_object() for kid in reversed(resolved_entry(node, "/Kids") or ())]
    notes = 0
    for page in reader.pages:
        with suppress(PyPdfError, *DAMAGE):
            for reference in resolved_entry(page, "/Annots") or ():
                notes += 1
                if notes > _MOST_NOTES:
                    return
                note = reference.get_object()
                if resolved_entry(note, "/Subtype") == "/FileAttachment" and "/FS" in note:
                    yield "", note["/FS"]


def resolved_entry(entries: Any, name: str) -> Any:
    """What stands there, also where it is an object of its own; None where nothing does."""
    value = entries.get(name)
    return None if value is None else value.get_object()

"""The parts of a PDF beside the text of its pages: comments and form values, which are read after the text, each with
its page; and the names of attached files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filigraph.graph.ingest.load.content import clean, one_line
from filigraph.graph.ingest.load.pdf.pdf_attachments import names_of_files, page_annotations, resolved_entry
from filigraph.graph.text.time.dates import iso_date

if TYPE_CHECKING:
    from pypdf import PdfReader

_REMARKS = frozenset("/Text /FreeText /Highlight /Underline /StrikeOut /Squiggly /Caret /Note /Square".split())  # noqa: SIM905
_DAY = re.compile(r"D:(\d{4})(\d{2})(\d{2})")
_LONGEST = 5_000  # characters of a comment or a field
_MOST = 10_000  # comments and fields


@dataclass(frozen=True, kw_only=True)
class PdfExtras:
    """Comments and fields by page, from 1."""

    said: tuple[tuple[int, str], ...] = ()
    attached: tuple[str, ...] = ()  # names of files


def pdf_extras(reader: PdfReader) -> PdfExtras:
    remarks: list[tuple[int, str]] = []
    fields: dict[int, Any] = {}
    for number, note in page_annotations(reader, []):
        with suppress(Exception):  # a damaged comment affects neither the text nor other comments
            remarks += [(number, words) for words in _texts_of_note(note, fields)]
        if len(remarks) > _MOST:
            break
    return PdfExtras(said=tuple(remarks), attached=tuple(names_of_files(reader)))


def _texts_of_note(note: Any, fields: dict[int, Any]) -> Iterator[str]:
    kind = resolved_entry(note, "/Subtype")
    if kind == "/Widget":
        yield from _field(note, fields)
    elif kind in _REMARKS and (words := _clean_line(resolved_entry(note, "/Contents"))):
        day = _DAY.match(str(resolved_entry(note, "/M") or resolved_entry(note, "/CreationDate") or ""))
        when = iso_date("-".join(day.groups())) if day else ""
        who = one_line(str(resolved_entry(note, "/T") or ""))
        yield f"{f'[{when}] ' if when else ''}{f'{who}: ' if who else ''}Comment: {words}"


def _field(note: Any, fields: dict[int, Any]) -> Iterator[str]:
    """A field of a form with its value, once for all its places (`fields`: those read so far); empty fields and
    signatures are skipped.
    """
    parent = resolved_entry(note, "/Parent") or {}
    field = note if "/V" in note else parent
    if "/V" not in field or id(field) in fields:
        return
    fields[id(field)] = field
    value = field["/V"]
    words = "" if isinstance(value, dict) else _clean_line(value).removeprefix("/")
    name = one_line(str(resolved_entry(note, "/T") or resolved_entry(parent, "/T") or ""))
    if words and words != "Off":
        yield f"{name}: {words}" if name else words


def _clean_line(value: Any) -> str:
    return one_line(clean(str(value or "")), _LONGEST)

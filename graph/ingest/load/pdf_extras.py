"""What a PDF holds beside what its pages show as text: people's remarks and what was filled into its form, which are
read after the text, each with its page; and attached files, which are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from filigraph.graph.ingest.load.content import clean, one_line
from filigraph.graph.text.time.dates import iso_date

if TYPE_CHECKING:
    from pypdf import PdfReader

_REMARKS = frozenset("/Text /FreeText /Highlight /Underline /StrikeOut /Squiggly /Caret /Note /Square".split())  # noqa: SIM905
_DAY = re.compile(r"D:(\d{4})(\d{2})(\d{2})")
_LONGEST = 5_000  # characters of a remark or a field
_MOST = 10_000  # remarks and fields
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError)


@dataclass(frozen=True, kw_only=True)
class PdfExtras:
    """Remarks and fields by their page, from 1."""

    said: tuple[tuple[int, str], ...] = ()
    warnings: tuple[str, ...] = ()


def pdf_extras(reader: PdfReader) -> PdfExtras:
    from pypdf.errors import PyPdfError

    said: list[tuple[int, str]] = []
    for number, page in enumerate(reader.pages, start=1):
        with suppress(PyPdfError, *_DAMAGE):  # a damaged remark costs no text
            said += [(number, words) for words in _said_on(page)]
        if len(said) > _MOST:
            break
    names: list[str] = []
    with suppress(PyPdfError, *_DAMAGE):
        names = [one_line(str(name)) for name in reader.attachments]
    warnings = (f"attached files are not read: {', '.join(names[:10])}",) if names else ()
    return PdfExtras(said=tuple(said), warnings=warnings)


def _said_on(page: Any) -> Iterator[str]:
    for reference in page.get("/Annots") or ():
        note = reference.get_object()
        if note.get("/Subtype") == "/Widget":
            yield from _field(note)
        elif note.get("/Subtype") in _REMARKS and (words := _words(note.get("/Contents"))):
            day = _DAY.match(str(note.get("/M") or note.get("/CreationDate") or ""))
            when = iso_date("-".join(day.groups())) if day else ""
            who = one_line(str(note.get("/T") or ""))
            yield f"{f'[{when}] ' if when else ''}{f'{who}: ' if who else ''}Comment: {words}"


def _field(note: Any) -> Iterator[str]:
    """A field of a form with its value; what is not filled in says nothing."""
    parent = note["/Parent"].get_object() if "/Parent" in note else {}
    value = note.get("/V", parent.get("/V"))
    words = "" if value is None else _words(value).removeprefix("/")
    name = one_line(str(note.get("/T") or parent.get("/T") or ""))
    if words and words != "Off":
        yield f"{name}: {words}" if name else words


def _words(value: Any) -> str:
    return one_line(clean(str(value or "")), _LONGEST)

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
    fields: dict[int, Any] = {}
    for number, page in enumerate(reader.pages, start=1):
        references: list[Any] = []
        with suppress(PyPdfError, *_DAMAGE):
            references = list(_of(page, "/Annots") or ())
        for reference in references:
            with suppress(PyPdfError, *_DAMAGE):  # a damaged remark costs neither text nor other remarks
                said += [(number, words) for words in _said_by(reference.get_object(), fields)]
        if len(said) > _MOST:
            break
    names: list[str] = []
    with suppress(PyPdfError, *_DAMAGE):
        names = [one_line(str(name)) for name in reader.attachments]
    warnings = (f"attached files are not read: {', '.join(names[:10])}",) if names else ()
    return PdfExtras(said=tuple(said), warnings=warnings)


def _of(entries: Any, name: str) -> Any:
    """What stands there, also where it is an object of its own; None where nothing does."""
    found = entries.get(name)
    return None if found is None else found.get_object()


def _said_by(note: Any, fields: dict[int, Any]) -> Iterator[str]:
    kind = _of(note, "/Subtype")
    if kind == "/Widget":
        yield from _field(note, fields)
    elif kind in _REMARKS and (words := _words(_of(note, "/Contents"))):
        day = _DAY.match(str(_of(note, "/M") or _of(note, "/CreationDate") or ""))
        when = iso_date("-".join(day.groups())) if day else ""
        who = one_line(str(_of(note, "/T") or ""))
        yield f"{f'[{when}] ' if when else ''}{f'{who}: ' if who else ''}Comment: {words}"


def _field(note: Any, fields: dict[int, Any]) -> Iterator[str]:
    """A field of a form with its value, once of all places where it stands (`fields`: those that were met); what is
    not filled in, or signed, says nothing."""
    parent = _of(note, "/Parent") or {}
    field = note if "/V" in note else parent
    if "/V" not in field or id(field) in fields:
        return
    fields[id(field)] = field
    value = field["/V"]
    words = "" if isinstance(value, dict) else _words(value).removeprefix("/")
    name = one_line(str(_of(note, "/T") or _of(parent, "/T") or ""))
    if words and words != "Off":
        yield f"{name}: {words}" if name else words


def _words(value: Any) -> str:
    return one_line(clean(str(value or "")), _LONGEST)

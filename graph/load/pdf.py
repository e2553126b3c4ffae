"""PDF, page by page."""

from __future__ import annotations

import io
import logging

from ..errors import UnreadableDocument
from ..model import Place
from .content import Content, clean, one_line

# What pypdf meets in a damaged file is not always an error of its own.
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, AssertionError, OSError)


def read_pdf(content: bytes) -> Content:
    """Each page a Place, numbered from 1 as viewers count. Pages without text are named in the warnings."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of each oddity that it gets over
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted()
        pages = len(reader.pages)
        title = (reader.metadata.title if reader.metadata else "") or ""
    except DependencyError as error:  # a cipher that pypdf leaves to another library
        raise _encrypted() from error
    except (PyPdfError, *_DAMAGE) as error:
        raise UnreadableDocument(
            f"The PDF is damaged: {error}.", cure="Open it in a viewer and print it to a new PDF."
        ) from error

    parts: list[str] = []
    places: list[Place] = []
    warnings: list[str] = []
    length = 0
    for number in range(1, pages + 1):
        try:
            text = clean(reader.pages[number - 1].extract_text()).strip()
        except (PyPdfError, *_DAMAGE) as error:
            warnings.append(f"page {number} cannot be read: {error}")
            text = ""
        else:
            if not text:
                warnings.append(f"page {number} has no text")
        places.append(Place(kind="page", label=str(number), start=length))
        parts.append(text)
        length += len(text) + 1  # a sentence may go on over the page
    text = "\n".join(parts)
    if not text.strip():
        raise UnreadableDocument(
            f"None of the PDF's {pages} pages has text: they are images.", cure="Run OCR over it first (ocrmypdf)."
        )
    return Content(text=text, title=one_line(str(title)), places=tuple(places), warnings=tuple(warnings))


def _encrypted() -> UnreadableDocument:
    return UnreadableDocument("The PDF is encrypted.", cure="Save it without a password (qpdf --decrypt).")

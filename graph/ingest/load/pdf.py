"""PDF, page by page."""

from __future__ import annotations

import io
import logging

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.model import Place

MAX_DRAWN = 300_000_000  # bytes that draw the pages, unpacked; a page of text has some 5,000
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
    length = drawn = 0
    for number in range(1, pages + 1):
        try:
            page = reader.pages[number - 1]
            contents = page.get_contents()  # which many pages may share
            drawn += len(contents.get_data()) if contents is not None else 0
            text = clean(page.extract_text()).strip() if drawn <= MAX_DRAWN else ""
        except (PyPdfError, *_DAMAGE) as error:
            warnings.append(f"page {number} cannot be read: {error}")
            text = ""
        else:
            if not text:
                warnings.append(f"page {number} has no text")
        if drawn > MAX_DRAWN:
            raise UnreadableDocument(
                f"The PDF's pages unpack to more than {MAX_DRAWN / 1e6:,.0f} MB.",
                cure="Send its text, or send it in several files.",
            )
        places.append(Place(kind="page", label=str(number), start=length))
        parts.append(text)
        length += len(text) + 1  # a sentence may go on over the page
        check_length(length)
    text = "\n".join(parts)
    if not text.strip():
        raise UnreadableDocument(
            f"None of the PDF's {pages} pages has text: they are images.", cure="Run OCR over it first (ocrmypdf)."
        )
    return Content(text=text, title=one_line(str(title)), places=tuple(places), warnings=tuple(warnings))


def _encrypted() -> UnreadableDocument:
    return UnreadableDocument("The PDF is encrypted.", cure="Save it without a password (qpdf --decrypt).")

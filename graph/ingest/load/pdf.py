"""PDF, page by page; pages that are pictures of text by OCR, where that is installed."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Iterator
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import ocr
from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.model import Place

MAX_DRAWN = 300_000_000  # bytes that draw the pages, unpacked; a page of text has some 5,000
# What pypdf meets in a damaged file is not always an error of its own.
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, AssertionError, OSError)

_DOTS_PER_INCH = 300  # what tesseract reads best
_MOST_PIXELS = 40_000_000  # of a drawn page: a sheet of A3 has 17 million
_PDFIUM = threading.Lock()  # it is not thread-safe


def read_pdf(content: bytes, languages: str = ocr.LANGUAGES) -> Content:
    """Each page a Place, numbered from 1 as viewers count. Pages without text are read by OCR in these `languages`;
    they are named in the warnings, as are those that stay without text."""
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
        if drawn > MAX_DRAWN:
            raise UnreadableDocument(
                f"The PDF's pages unpack to more than {MAX_DRAWN / 1e6:,.0f} MB.",
                cure="Send its text, or send it in several files.",
            )
        parts.append(text)
        length += len(text) + 1  # a sentence may go on over the page
        check_length(length)
    warnings += _read_pictures(content, parts, languages)
    text = "\n".join(parts)
    if not text.strip():
        raise UnreadableDocument(f"None of the PDF's {pages} pages has text: they are images.", cure=ocr.CURE)
    starts = [0, *accumulate(len(part) + 1 for part in parts)]
    places = tuple(Place(kind="page", label=str(n), start=start) for n, start in enumerate(starts[:-1], 1))
    return Content(text=text, title=one_line(str(title)), places=places, warnings=tuple(warnings))


def _read_pictures(content: bytes, parts: list[str], languages: str) -> Iterator[str]:
    """Fill the pages of `parts` that have no text, by OCR; a warning for each of them."""
    empty = [n for n, part in enumerate(parts) if not part]
    found = ocr.usable(languages, ocr.installed_languages()) if empty else ""
    for n in empty:
        if not found:
            yield f"page {n + 1} has no text"
            continue
        try:
            parts[n] = ocr.text_of_picture(_drawn(content, n), found)
        except UnreadableDocument as error:
            yield f"page {n + 1} has no text ({error.cause})"
        else:
            yield f"page {n + 1} is {ocr.BY_OCR} ({found})" if parts[n] else f"page {n + 1} has no text"
        check_length(sum(map(len, parts)))
    if empty and not found:
        yield ocr.CURE


def _drawn(content: bytes, number: int) -> bytes:
    """A page as a grey picture (PNM)."""
    import pypdfium2

    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(content)
            try:
                page = document[number]
                width, height = page.get_size()
                scale = min(_DOTS_PER_INCH / 72, (_MOST_PIXELS / max(width * height, 1)) ** 0.5)
                pixels: npt.NDArray[np.uint8] = page.render(scale=scale, grayscale=True).to_numpy()
            finally:
                document.close()
        except (pypdfium2.PdfiumError, *_DAMAGE) as error:
            raise UnreadableDocument(f"It cannot be drawn: {error}.", cure=ocr.CURE) from error
    return b"P5 %d %d 255\n" % (pixels.shape[1], pixels.shape[0]) + pixels.tobytes()


def _encrypted() -> UnreadableDocument:
    return UnreadableDocument("The PDF is encrypted.", cure="Save it without a password (qpdf --decrypt).")

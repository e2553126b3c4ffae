"""PDF, page by page; pages that are pictures of text are read by OCR, if it is installed."""

from __future__ import annotations

import io
import logging
import re
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.chapters import chapters_of_plain_text, numbered_apart
from filigraph.graph.ingest.load.content import Content, check_length, one_line
from filigraph.graph.ingest.load.mail.mail import named_attachments
from filigraph.graph.ingest.load.pdf import ocr
from filigraph.graph.ingest.load.pdf.pdf_extras import PdfExtras, pdf_extras
from filigraph.graph.ingest.load.pdf.pdf_first_letters import with_first_letters, words_of
from filigraph.graph.ingest.load.pdf.pdf_flow import Page, Paragraph, margin_warnings, paragraphs, recurring
from filigraph.graph.ingest.load.pdf.pdf_glyphs import Run, page_glyphs
from filigraph.graph.ingest.load.pdf.pdf_layout import reading_order, usual_gutter, without_line_numbers
from filigraph.graph.model.documents import Place

# The errors of pypdf and pdfium for damaged files are not always their own.
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, AssertionError, OSError)
MAX_DRAWN = 300_000_000  # bytes of drawing instructions, unpacked; a page of text has some 5,000

_SHOWN = re.compile(rb"T[jJ]\b")
_FEWEST_PIECES = 100  # of a page that is full of text
_DOTS_PER_INCH = 300  # the best resolution for tesseract
_MOST_PIXELS = 40_000_000  # max. pixels of a drawn page: a sheet of A3 has 17 million
_PAGES_FOR_GUTTER = 50  # pages that are enough to show whether a document has columns
_BY_PROGRAM = re.compile(
    r"^Microsoft (?:Word|PowerPoint|Excel) - |\.(?:docx?|odt|rtf|tex|dvi|indd|qxd|pdf)$", re.IGNORECASE
)
_NO_TITLE = re.compile(
    r"\(?(?:untitled|unknown|anonymous|unspecified|sans titre|sans nom|unbenannt)(?: ?\d*)\)?", re.IGNORECASE
)
_PAGE_WORD = re.compile(r"^(?:pages?|seite|p\.|s\.) ", re.IGNORECASE)
_LONGEST_LABEL = 20  # characters
_PDFIUM = threading.Lock()  # it is not thread-safe


def read_pdf(content: bytes, languages: str = ocr.LANGUAGES) -> Content:
    """A PDF whose places are its pages, counted from 1 as in viewers, with the printed number if the file gives another
    ("18 (PDF 6)"), and the chapters of its table of contents. Pages without text are read by OCR in these `languages`;
    the warnings name them, and the pages that remain without text.
    """
    title, drawn, entries, beside, labels = _open_pdf(content)
    pages = len(drawn)
    runs, scans, warnings = _runs(content, pages)
    warnings += _unread(drawn, runs)
    left_out = recurring([own[0] if own else () for own in runs])
    laid_out = []
    gone = {id(run) for margin in left_out for row in margin for run in row}
    body_runs = [[[run for run in part if id(run) not in gone] for part in own] for own in runs]
    words = words_of(body_runs)
    gutter = usual_gutter([own[0] for own in body_runs[:_PAGES_FOR_GUTTER] if own])
    for number, own in enumerate(body_runs, start=1):
        whole = (with_first_letters(without_line_numbers(part), words) for part in own)
        lines = [line for part in whole for line in reading_order(part, gutter)]
        laid_out.append(Page(number=number, lines=tuple(lines)))
        check_length(sum(sum(map(len, line.parts)) for line in lines))
    laid_out, doubts = _with_ocr(content, laid_out, scans, languages)
    warnings += [*doubts, *margin_warnings(left_out)]
    text, places = _join_paragraphs(
        [*paragraphs(laid_out), *(Paragraph(parts=[remark]) for remark in beside.said)], pages
    )
    remarks = sum(len(words) + 2 for _, words in beside.said)
    body = text[: max(0, len(text) - remarks)]
    comments = [Place(kind="section", label="Comments", start=len(text) - remarks + 2)] if remarks else []
    if not text.strip():
        raise UnreadableDocument(f"None of the PDF's {pages} pages has text: they are images.", cure=ocr.CURE)
    chapters = _chapters(entries, body, places) or chapters_of_plain_text(body)
    places = [replace(place, label=_with_printed(labels, int(place.label))) for place in places]
    both = sorted([*places, *chapters, *comments], key=lambda place: place.start)
    return Content(
        text=text,
        title=_title_of_author(title),
        places=tuple(both),
        metadata=named_attachments(beside.attached),
        warnings=tuple(warnings),
    )


def _title_of_author(title: str) -> str:
    """The title in the file, unless it is a program's default."""
    bare = _BY_PROGRAM.sub("", one_line(title)).strip()
    return "" if _NO_TITLE.fullmatch(bare) else bare


def _with_printed(labels: Sequence[str], number: int) -> str:
    """The label of a page: its number, after the printed one if that differs."""
    printed = labels[number - 1] if number <= len(labels) else ""
    return f"{printed} (PDF {number})" if printed not in ("", str(number)) else str(number)


def _printed(label: str) -> str:
    """What a page is called by the file, without "Page" and the signs that separate the parts of a place."""
    return _PAGE_WORD.sub("", one_line(re.sub(r"[,()]", " ", label), _LONGEST_LABEL)).strip()


def _open_pdf(content: bytes) -> tuple[str, list[int], list[tuple[int, str]], PdfExtras, list[str]]:
    """The title, how many pieces of text each page draws, the chapters of the table of contents as (page from 1,
    label), the parts beside the text, and the printed numbers of the pages.
    """
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of each small fault
    drawn = 0
    shown: list[int] = []
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted_error()
        title = (reader.metadata.title if reader.metadata else "") or ""
        for page in reader.pages:  # pdfium has no limit on unpacking
            shown.append(0)
            with suppress(PyPdfError, *DAMAGE):
                contents = page.get_contents()  # many pages may share a resource
                data = contents.get_data() if contents is not None else b""
                drawn += len(data)
                shown[-1] = len(_SHOWN.findall(data))
            if drawn > MAX_DRAWN:
                raise UnreadableDocument(
                    f"The PDF's pages unpack to more than {MAX_DRAWN / 1e6:,.0f} MB.",
                    cure="Send its text, or send it in several files.",
                )
    except (DependencyError, NotImplementedError) as error:  # a cipher or a key server that pypdf does not know
        raise _encrypted_error() from error
    except (PyPdfError, *DAMAGE) as error:
        raise UnreadableDocument(
            f"The PDF is damaged: {error}.", cure="Open it in a viewer and print it to a new PDF."
        ) from error
    entries: list[tuple[int, str]] = []
    with suppress(PyPdfError, *DAMAGE):  # without a damaged table of contents
        entries = [
            (number + 1, one_line(str(entry.title)))
            for entry in _outline(reader.outline)
            if (number := reader.get_destination_page_number(entry)) is not None and number >= 0
        ]
    labels: list[str] = []
    with suppress(PyPdfError, *DAMAGE):
        labels = [_printed(label) for label in reader.page_labels]
    return str(title), shown, entries, pdf_extras(reader), labels


def _unread(drawn: Sequence[int], runs: Sequence[Sequence[Sequence[Run]]]) -> Iterator[str]:
    """The pages that draw more pieces of text than letters could be read of them."""
    for number, (pieces, own) in enumerate(zip(drawn, runs, strict=True), start=1):
        letters = sum(len(run.glyphs) for part in own for run in part)
        if pieces >= _FEWEST_PIECES and letters < pieces:
            yield (
                f"page {number}: most of its text cannot be read, in a font of which the file does not say which "
                "letters it has (run OCR over it: ocrmypdf --force-ocr)"
            )


def _outline(entries: Iterable[Any], level: int = 0) -> Iterator[Any]:
    """The entries of the two highest levels."""
    for entry in entries:
        if not isinstance(entry, list):
            yield entry
        elif level < 1:
            yield from _outline(entry, level + 1)


def _runs(content: bytes, pages: int) -> tuple[list[tuple[tuple[Run, ...], ...]], set[int], list[str]]:
    """The runs of each page by reading direction, the numbers of scanned pages, and warnings of unreadable text."""
    import pypdfium2

    page_runs: list[tuple[tuple[Run, ...], ...]] = []
    warnings: list[str] = []
    scans: set[int] = set()
    letters = 0
    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(content)
        except (pypdfium2.PdfiumError, *DAMAGE) as error:
            raise UnreadableDocument(
                f"The PDF is damaged: {error}.", cure="Open it in a viewer and print it to a new PDF."
            ) from error
        try:
            for number in range(1, pages + 1):
                try:
                    page = page_glyphs(document[number - 1])
                except (pypdfium2.PdfiumError, *DAMAGE) as error:
                    warnings.append(f"page {number} cannot be read: {error}")
                    page_runs.append(())
                    continue
                letters += sum(len(run.glyphs) for runs in page.runs for run in runs)
                check_length(letters)
                if page.unknown:
                    warnings.append(
                        f"page {number}: the file does not say which letters {page.unknown} signs are; they are "
                        "marked \ufffd (run OCR over it: ocrmypdf --force-ocr)"
                    )
                page_runs.append(page.runs)
                scans.update([number] if page.is_scan else [])
        finally:
            document.close()
    return page_runs, scans, warnings


def _with_ocr(
    content: bytes, pages: Sequence[Page], scans: Collection[int], languages: str
) -> tuple[list[Page], list[str]]:
    """The pages, with OCR for those without text but a stamp, and a warning for each of these."""
    texts = ["text" if page.lines and page.number not in scans else "" for page in pages]
    stamped = {page.number for page in pages if page.lines and page.number in scans}
    warnings = list(_read_pictures(content, texts, stamped, languages))
    return [
        Page(number=page.number, text=text) if text and (not page.lines or page.number in stamped) else page
        for page, text in zip(pages, texts, strict=True)
    ], warnings


def _join_paragraphs(blocks: Sequence[Paragraph], pages: int) -> tuple[str, list[Place]]:
    """The text of paragraphs, and the start of each page: again if a note of it comes later."""
    parts: list[str] = []
    places: list[Place] = []
    length = 0
    seen: set[int] = set()
    for paragraph in blocks:
        if parts:
            parts.append("\n\n")
            length += 2
        for page, text in paragraph.parts:
            if not places or places[-1].label != str(page):
                begin = length + len(text) - len(text.lstrip())
                between = range(int(places[-1].label) + 1 if places else 1, page)
                places += [Place(kind="page", label=str(n), start=begin) for n in between if n not in seen]
                places.append(Place(kind="page", label=str(page), start=begin))
                seen.update(range(1, page + 1))
            parts.append(text)
            length += len(text)
            check_length(length)
    last = max(seen, default=0)
    places += [Place(kind="page", label=str(n), start=length) for n in range(last + 1, pages + 1)]
    return "".join(parts), places


def _chapters(entries: Sequence[tuple[int, str]], text: str, places: Sequence[Place]) -> tuple[Place, ...]:
    """The starts of the chapters of a table of contents: at their heading on the page, else at the start of the
    page.
    """
    first: dict[str, int] = {}
    for place in places:
        first.setdefault(place.label, place.start)
    labels: dict[int, str] = {}
    for page, label in entries:
        start, end = first.get(str(page)), first.get(str(page + 1), len(text))
        if start is None or not label:
            continue
        words = r"\s+".join(map(re.escape, label.split()))
        heading = re.search(rf"^{words}", text[start:end], re.IGNORECASE | re.MULTILINE)
        labels.setdefault(start + heading.start() if heading else start, label)
    return numbered_apart(sorted(labels.items())) if len(labels) > 1 else ()


def _read_pictures(content: bytes, parts: list[str], stamped: Collection[int], languages: str) -> Iterator[str]:
    """Fill the pages of `parts` without text by OCR; returns a warning for each of them. Those `stamped` have a line of
    text above a picture.
    """
    empty = [n for n, part in enumerate(parts) if not part]
    usable_languages = ocr.known_languages(languages, ocr.installed_languages()) if empty else ""
    for n in empty:
        unread = f"page {n + 1} has no text" + (" but a line above its picture" if n + 1 in stamped else "")
        if not usable_languages:
            yield unread
            continue
        try:
            parts[n] = ocr.text_of_picture(render_page(content, n), usable_languages)
        except UnreadableDocument as error:
            yield f"{unread} ({error.cause})"
        else:
            yield f"page {n + 1} is {ocr.BY_OCR} ({usable_languages})" if parts[n] else unread
        check_length(sum(map(len, parts)))
    if empty and not usable_languages:
        yield ocr.CURE


def render_page(content: bytes, number: int) -> bytes:
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
        except (pypdfium2.PdfiumError, *DAMAGE) as error:
            raise UnreadableDocument(f"It cannot be drawn: {error}.", cure=ocr.CURE) from error
    return b"P5 %d %d 255\n" % (pixels.shape[1], pixels.shape[0]) + pixels.tobytes()


def _encrypted_error() -> UnreadableDocument:
    return UnreadableDocument("The PDF is encrypted.", cure="Save it without a password (qpdf --decrypt).")

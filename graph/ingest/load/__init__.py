"""Load: bytes to a document as text, with its title, language, pages or chapters. No network, no other files;
but for OCR no other program.

    bytes -> kind (by what they are, then by name) -> one reader -> Content -> LoadedDocument

The readers: plain text and Markdown here, `markup.py` (HTML), `archives.py` (DOCX, EPUB), `pdf.py`, `mail.py`,
`outlook.py` (MSG), `tables.py` (CSV), `office.py` (XLSX, PPTX, ODT), `rtf.py`, `subtitles.py` (SRT, VTT),
`ocr.py` (pictures of text).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import ocr
from filigraph.graph.ingest.load.archives import kind_of_archive, read_docx
from filigraph.graph.ingest.load.chapters import chapters_of_headings, chapters_of_plain_text, markdown_headings
from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.ingest.load.epub import read_epub
from filigraph.graph.ingest.load.gutenberg import edit_content
from filigraph.graph.ingest.load.mail import read_mail, read_saved_mail
from filigraph.graph.ingest.load.markup import read_html
from filigraph.graph.ingest.load.ocr import read_picture
from filigraph.graph.ingest.load.office import read_odt, read_pptx, read_xlsx
from filigraph.graph.ingest.load.outlook import read_outlook
from filigraph.graph.ingest.load.pdf import read_pdf
from filigraph.graph.ingest.load.rtf import read_rtf
from filigraph.graph.ingest.load.subtitles import read_subtitles
from filigraph.graph.ingest.load.tables import read_csv
from filigraph.graph.model import LoadedDocument, Source
from filigraph.graph.text import language
from filigraph.graph.text.dates import iso_date
from filigraph.graph.text.hyphens import without_divided_words
from filigraph.graph.text.identifiers import LANGUAGES
from filigraph.graph.text.json_lines import check_whole, json_object, numbered_lines

__all__ = ["CODE", "MAX_BYTES", "load", "split_jsonl"]

MAX_BYTES = 200_000_000
CODE = "text/x-source"  # the media type of source code

_CURE = "Send text, Markdown, PDF, DOCX, ODT, RTF, XLSX, PPTX, CSV, HTML, EPUB, subtitles or a mail (.eml, .msg)."
_MEDIA_TYPES = {
    "code": CODE,
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "epub": "application/epub+zip",
    "html": "text/html",
    "mail": "message/rfc822",
    "markdown": "text/markdown",
    "odt": "application/vnd.oasis.opendocument.text",
    "outlook": "application/vnd.ms-outlook",
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "rtf": "application/rtf",
    "subtitles": "text/vtt",
    "text": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_EXTENSIONS = {
    ".htm": "html", ".html": "html", ".xhtml": "html", ".eml": "mail", ".md": "markdown", ".markdown": "markdown",
    **dict.fromkeys(LANGUAGES, "code"), ".csv": "csv", ".tsv": "csv", ".srt": "subtitles", ".vtt": "subtitles",
}  # fmt: skip
_DECLARED = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "message/rfc822": "mail",
    "text/markdown": "markdown",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "text/vtt": "subtitles",
    "application/x-subrip": "subtitles",
}
_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype html|html)\b", re.I | re.S
)
_PICTURES = (
    (b"\x89PNG", "a PNG image", "image/png"),
    (b"\xff\xd8\xff", "a JPEG image", "image/jpeg"),
    (b"II*\0", "a TIFF image", "image/tiff"),
    (b"MM\0*", "a TIFF image", "image/tiff"),
)
# Files that people send by mistake, by their first bytes; any other binary is caught by its control characters.
_NOT_DOCUMENTS = (
    (b"\x7fELF", "a program", _CURE),
    (b"%!PS", "a PostScript file", "Convert it to PDF (ps2pdf)."),
    (b"\x1f\x8b", "a compressed file", "Unpack it and send what is inside."),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it and send what is inside."),
    (b"Rar!\x1a", "a RAR archive", "Unpack it and send what is inside."),
)


def load(source: Source, *, limit: int = MAX_BYTES, ocr_languages: str = ocr.LANGUAGES) -> LoadedDocument:
    """The document in `source`; pictures of text are read in `ocr_languages`. Title, from the surest on: the source's
    metadata, the file's own, its first heading, its name. Raises UnreadableDocument, with cause and cure, for what is
    empty, binary, damaged, encrypted, of an unknown kind, larger than `limit` bytes or than MAX_CHARACTERS."""
    if len(source.content) > limit:
        raise UnreadableDocument(
            f"The file has {len(source.content) / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
            cure="Send it in several files.",
        )
    if not source.content.strip():
        raise UnreadableDocument("The file is empty.", cure="Send a file that holds text.")
    kind = _kind(source)
    content = _READERS[kind](source, ocr_languages)
    check_length(len(content.text))
    if not any(letter.isalnum() for letter in content.text):
        raise UnreadableDocument("The file holds no text.", cure="If it holds pictures of text, run OCR over it first.")
    name = PurePosixPath(source.name.replace("\\", "/"))
    metadata = {**content.metadata, **source.metadata}
    if date := iso_date(one_line(metadata.get("date", ""))):
        metadata["date"] = date
    given = one_line(source.metadata.get("title", ""))
    return LoadedDocument(
        source=source.name,
        title=given or content.title or one_line(name.stem.replace("_", " ")) or one_line(source.name),
        text=content.text,
        sha256=hashlib.sha256(source.content).hexdigest(),
        media_type=_picture(source.content)[1] if kind == "picture" else _MEDIA_TYPES[kind],
        language=(kind != "code" and language.detect(content.text)) or _code(content.language),
        places=content.places,
        metadata=metadata,
        warnings=content.warnings,
    )


def _kind(source: Source) -> str:
    """A key of _READERS. The bytes decide where they can, then the name, then the declared type; text otherwise."""
    start = source.content[:1024]
    if b"%PDF-" in start:
        return "pdf"
    if start.startswith(b"PK\x03\x04"):
        if kind := kind_of_archive(source.content):
            return kind
        raise UnreadableDocument("The file is an archive, and no document that is read.", cure=f"Unpack it. {_CURE}")
    if start.startswith(b"{\\rtf"):
        return "rtf"
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        return "outlook"
    if any(start.startswith(signature) for signature, *_ in _PICTURES):
        return "picture"
    for signature, what, cure in _NOT_DOCUMENTS:
        if start.startswith(signature):
            raise UnreadableDocument(f"The file is {what}.", cure=cure)
    if _HTML.match(start):
        return "html"
    by_name = _EXTENSIONS.get(PurePosixPath(source.name.replace("\\", "/")).suffix.lower())
    return by_name or _DECLARED.get(_media_type(source), "text")


def _picture(content: bytes) -> tuple[str, str]:
    """What it is called, and its media type."""
    return next((what, media_type) for signature, what, media_type in _PICTURES if content.startswith(signature))


def _media_type(source: Source) -> str:
    return source.media_type.partition(";")[0].strip().lower()


def _charset(source: Source) -> str:
    found = re.search(r"charset=[\"']?([\w.:-]+)", source.media_type, re.IGNORECASE)
    return found[1] if found else ""


def _read_text(source: Source) -> Content:
    decoded, warnings = decode(source.content, _charset(source))
    text = without_divided_words(clean(decoded))
    mail = read_saved_mail(text)
    metadata = mail.metadata if mail and "date" in mail.metadata else {}
    bare = edit_content(Content(text=text, metadata=metadata, warnings=warnings), plain=True)
    chapters = chapters_of_plain_text(bare.text)
    return replace(bare, places=tuple(sorted([*bare.places, *chapters], key=lambda place: place.start)))


def _read_code(source: Source) -> Content:
    """A file of source code, titled by its folder and name; its words give the language."""
    decoded, warnings = decode(source.content, _charset(source))
    return Content(text=clean(decoded), title="/".join(source.name.split("/")[-2:]), language="en", warnings=warnings)


def _read_markdown(source: Source) -> Content:
    plain = _read_text(source)
    title, places = chapters_of_headings(markdown_headings(plain.text))
    return replace(plain, title=title, places=places or plain.places)


def _read_mail(source: Source) -> Content:
    mail = read_mail(source.content)
    if mail:
        return mail
    plain = _read_text(source)
    if saved := read_saved_mail(plain.text):
        return replace(saved, places=plain.places, warnings=plain.warnings)
    return replace(plain, warnings=(*plain.warnings, f"no mail header: {AS_PLAIN_TEXT}"))


_READERS: dict[str, Callable[[Source, str], Content]] = {  # given the languages for OCR
    "code": lambda source, _: _read_code(source),
    "csv": lambda source, _: read_csv(source.content, _charset(source)),
    "docx": lambda source, _: read_docx(source.content),
    "epub": lambda source, _: read_epub(source.content),
    "html": lambda source, _: edit_content(read_html(source.content, _charset(source))),
    "mail": lambda source, _: _read_mail(source),
    "markdown": lambda source, _: _read_markdown(source),
    "odt": lambda source, _: read_odt(source.content),
    "outlook": lambda source, _: read_outlook(source.content),
    "pdf": lambda source, languages: read_pdf(source.content, languages),
    "picture": lambda source, languages: read_picture(source.content, _picture(source.content)[0], languages),
    "pptx": lambda source, _: read_pptx(source.content),
    "rtf": lambda source, _: read_rtf(source.content),
    "subtitles": lambda source, _: read_subtitles(source.content, _charset(source)),
    "text": lambda source, _: _read_text(source),
    "xlsx": lambda source, _: read_xlsx(source.content),
}


def _code(declared: str) -> str:
    """ "fr" of "fr-FR"; "" of what is no ISO 639-1 code."""
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    return code if re.fullmatch("[a-z]{2}", code) else ""


def split_jsonl(source: Source) -> tuple[list[Source], list[str]]:
    """The rows {id, title, text, date} of a .jsonl file as sources of their own, named by `id`, with title and date in
    their metadata; and one line for each row that cannot be used. Raises UnreadableDocument for what is no text."""
    decoded, doubts = _decode_rows(source)
    sources: dict[str, Source] = {}
    problems = [f"{source.name}: {doubt}" for doubt in doubts]
    for number, line in numbered_lines(decoded):
        try:
            row = _row(line)
        except (ValueError, RecursionError) as error:
            problems.append(f"{source.name}, line {number}: {error}")
            continue
        name, title, date, text = row
        if name in sources:
            problems.append(f"{source.name}, line {number}: the id {one_line(name)!r} was used before")
            continue
        known = {"title": title, "date": date}
        metadata = {**source.metadata, **{key: value for key, value in known.items() if value}}
        content = text.encode()
        sources[name] = Source(name=name, content=content, media_type="text/plain; charset=utf-8", metadata=metadata)
    return list(sources.values()), problems


def _decode_rows(source: Source) -> tuple[str, tuple[str, ...]]:
    """The text of a .jsonl file, and warnings. UTF-8 with half of a character in it is not taken for another encoding:
    the rows that hold one are refused, the others are as they should be."""
    text, doubts = decode(source.content, _charset(source))
    if doubts:
        with suppress(UnicodeDecodeError):
            return source.content.decode("utf-8", "surrogatepass").removeprefix("\ufeff"), ()
    return text, doubts


def _row(line: str) -> tuple[str, str, str, str]:
    """(id, title, date, text). Raises ValueError that says what is missing."""
    row = json_object(line, "id, title, text")
    name, title, date, text = row.get("id"), row.get("title") or "", row.get("date") or "", row.get("text")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise ValueError("no id")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no text")
    if not isinstance(title, str):
        raise ValueError("the title is no text")
    if not isinstance(date, str | int) or isinstance(date, bool):
        raise ValueError("the date is no text")
    for what, part in (("id", str(name)), ("title", title), ("date", str(date)), ("text", text)):
        check_whole(what, part)
    return str(name).strip(), title, str(date), text

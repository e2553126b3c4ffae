"""Load: bytes to a document as text, with its title, language, pages or chapters. It uses no network, no other files,
and no other program except for OCR.

    bytes -> kind (by content, then by name) -> one reader -> Content -> LoadedDocument

One file may hold several documents: `unpack.py` finds them. Plain text and Markdown are read here. The other readers
are in `mail`, `office` (also Word and RTF), `pdf` (also OCR), `books`, `chats` (also subtitles), `tables`, `gedcom`
(family trees) and `markup` (HTML, XML).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.books.bibliographies import read_bibtex, read_ris
from filigraph.graph.ingest.load.books.epub import read_epub
from filigraph.graph.ingest.load.books.gutenberg import edit_content
from filigraph.graph.ingest.load.books.line_numbers import without_line_numbers
from filigraph.graph.ingest.load.books.page_numbers import without_page_numbers
from filigraph.graph.ingest.load.books.paragraph_lines import with_blank_lines
from filigraph.graph.ingest.load.books.readings import read_with_readings
from filigraph.graph.ingest.load.books.title_page import title_page
from filigraph.graph.ingest.load.chapters import chapters_of_headings, chapters_of_plain_text, markdown_headings
from filigraph.graph.ingest.load.chats.chat_pages import read_chat_page
from filigraph.graph.ingest.load.chats.chats import read_chat, without_notices
from filigraph.graph.ingest.load.chats.line_times import line_times
from filigraph.graph.ingest.load.chats.slack import refuse_list
from filigraph.graph.ingest.load.chats.sms import read_messages
from filigraph.graph.ingest.load.chats.subtitles import read_subtitles
from filigraph.graph.ingest.load.content import Content, check_length, clean, one_line
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.ingest.load.file_types import CODE, MEDIA_TYPES, charset_of, kind_of, picture_of, refuse_other
from filigraph.graph.ingest.load.gedcom.gedcom import read_gedcom
from filigraph.graph.ingest.load.mail.calendars import read_calendar
from filigraph.graph.ingest.load.mail.contacts import read_contacts
from filigraph.graph.ingest.load.mail.mail import read_mail, read_saved_mail, read_web_archive
from filigraph.graph.ingest.load.mail.outlook import read_outlook
from filigraph.graph.ingest.load.markup.as_markdown import asciidoc_as_markdown, org_as_markdown
from filigraph.graph.ingest.load.markup.front_matter import front_matter
from filigraph.graph.ingest.load.markup.latex_wiki import (
    latex_as_markdown,
    rst_as_markdown,
    templates_left_out,
    wiki_as_markdown,
)
from filigraph.graph.ingest.load.markup.markdown import without_signs
from filigraph.graph.ingest.load.markup.markup import content_of_markup, declared_encoding
from filigraph.graph.ingest.load.markup.xml_text import read_xml
from filigraph.graph.ingest.load.office.excel_97 import read_xls
from filigraph.graph.ingest.load.office.office import read_pptx, read_xlsx
from filigraph.graph.ingest.load.office.open_document import read_odp, read_ods, read_odt
from filigraph.graph.ingest.load.office.rtf import read_rtf
from filigraph.graph.ingest.load.office.word import read_docx
from filigraph.graph.ingest.load.office.word_97 import read_word_97
from filigraph.graph.ingest.load.pdf import ocr
from filigraph.graph.ingest.load.pdf.ocr import read_picture
from filigraph.graph.ingest.load.pdf.pdf import read_pdf
from filigraph.graph.ingest.load.tables.bank import read_bank
from filigraph.graph.ingest.load.tables.fixed_width import with_bars
from filigraph.graph.ingest.load.tables.json_text import json_text, read_notebook
from filigraph.graph.ingest.load.tables.tables import read_csv
from filigraph.graph.ingest.load.unpack import documents_in
from filigraph.graph.model.documents import LoadedDocument, Source
from filigraph.graph.text import language
from filigraph.graph.text.hyphens import without_divided_words
from filigraph.graph.text.time.dates import iso_date

__all__ = ["CODE", "MAX_BYTES", "documents_in", "load"]

MAX_BYTES = 200_000_000
# These readers know the language of the text; others know what a file declares, which is often wrong.
_KNOWS_ITS_LANGUAGE = frozenset(("code", "gedcom", "mail"))


def load(source: Source, *, limit: int = MAX_BYTES, ocr_languages: str = ocr.LANGUAGES) -> LoadedDocument:
    """The document in `source`; pictures of text are read in `ocr_languages`. The title is the most reliable of: the
    source's metadata, the file's own, its first heading, its name. Raises UnreadableDocument, with cause and cure, if
    the file is empty, binary, damaged, encrypted, of an unknown kind, or larger than `limit` bytes or MAX_CHARACTERS.
    """
    refuse_other(source.content[:1024])
    if len(source.content) > limit:
        raise UnreadableDocument(
            f"The file has {len(source.content) / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
            cure="Send it in several files.",
        )
    if not source.content.strip():
        raise UnreadableDocument("The file is empty.", cure="Send a file that contains text.")
    kind = kind_of(source)
    content = READERS[kind](source, ocr_languages)
    check_length(len(content.text))
    if not any(letter.isalnum() for letter in content.text):
        raise UnreadableDocument(
            "The file contains no text.", cure=("If it contains pictures of text, run OCR on it first.")
        )
    name = PurePosixPath(source.name.replace("\\", "/"))
    metadata = {**content.metadata, **source.metadata}
    if date := iso_date(one_line(metadata.get("date", ""))):
        metadata["date"] = date
    own_title = one_line(source.metadata.get("title", ""))
    known_language = _code(content.language)
    if not content.language or kind not in _KNOWS_ITS_LANGUAGE:
        known_language = language.detect(content.text) or known_language
    return LoadedDocument(
        source=source.name,
        title=own_title or content.title or one_line(name.stem.replace("_", " ")) or one_line(source.name),
        text=content.text,
        sha256=hashlib.sha256(source.content).hexdigest(),
        media_type=picture_of(source.content)[1] if kind == "picture" else MEDIA_TYPES[kind],
        language=known_language,
        places=content.places,
        lines=content.lines,
        metadata=metadata,
        warnings=content.warnings,
    )


def _read_text(source: Source) -> Content:
    decoded, warnings = decode(source.content, charset_of(source))
    return _content_of_text(clean(decoded), warnings)


def _content_of_text(text: str, warnings: tuple[str, ...]) -> Content:
    """The document of a clean text."""
    if "《" in text and (japanese := read_with_readings(text)):
        return replace(japanese, warnings=(*warnings, *japanese.warnings))
    text, notices = without_notices(text)
    warnings = (*warnings, *notices)
    unnumbered, pages = without_line_numbers(text)
    text = unnumbered if pages else without_divided_words(with_bars(unnumbered))
    if not pages:
        text, pages = without_page_numbers(text)
    mail = read_saved_mail(text)
    if not (pages or mail or line_times(text)):
        text = with_blank_lines(text)
    metadata = mail.metadata if mail and "date" in mail.metadata else {}
    content = Content(text=text, places=pages, metadata=metadata, warnings=warnings)
    bare = edit_content(content, plain=True)
    chapters = chapters_of_plain_text(bare.text)
    title, author = ("", "") if bare.title or mail else title_page(bare.text)
    if title:
        bare = replace(bare, title=title, metadata={"author": author, **bare.metadata})
    places = tuple(sorted([*bare.places, *chapters], key=lambda place: place.start))
    return replace(bare, places=places, lines=line_times(bare.text))


def _read_json(source: Source) -> Content:
    """The messages of a chat, the cells of a notebook; of any other JSON its values, or where it is none all of it."""
    decoded, warnings = decode(source.content, charset_of(source))
    if chat := read_chat(decoded):
        return replace(chat, warnings=(*warnings, *chat.warnings))
    refuse_list(source.name, decoded)
    if notebook := read_notebook(decoded):
        return _marked_down(notebook.text, (*warnings, *notebook.warnings))
    return _content_of_text(json_text(decoded) or clean(decoded), warnings)


def _read_html(source: Source) -> Content:
    markup, warnings = decode(source.content, charset_of(source) or declared_encoding(source.content))
    if chat := read_chat_page(markup):
        return replace(chat, warnings=(*warnings, *chat.warnings))
    return edit_content(content_of_markup(markup, warnings))


def _read_code(source: Source) -> Content:
    """A file of source code, titled by its folder and name; its words give the language."""
    decoded, warnings = decode(source.content, charset_of(source))
    return Content(text=clean(decoded), title="/".join(source.name.split("/")[-2:]), language="en", warnings=warnings)


def _read_markdown(source: Source) -> Content:
    decoded, warnings = decode(source.content, charset_of(source))
    return _marked_down(clean(decoded), warnings)


def _read_as_markdown(source: Source, as_markdown: Callable[[str], tuple[Mapping[str, str], str]]) -> Content:
    decoded, warnings = decode(source.content, charset_of(source))
    about, text = as_markdown(clean(decoded))
    return _marked_down(text, warnings, about)


def _read_wiki(source: Source) -> Content:
    page = _read_as_markdown(source, wiki_as_markdown)
    left_out = templates_left_out(decode(source.content, charset_of(source))[0])
    return replace(page, warnings=(*page.warnings, *left_out))


def _marked_down(text: str, warnings: tuple[str, ...], known: Mapping[str, str] | None = None) -> Content:
    """A text of Markdown; `known`: what it says of itself elsewhere."""
    about, text = front_matter(text) if known is None else (known, text)
    plain = _content_of_text(without_signs(text), warnings)
    title, places = chapters_of_headings(markdown_headings(plain.text))
    metadata = {**plain.metadata, **{name: value for name, value in about.items() if name != "title"}}
    return replace(plain, title=about.get("title", "") or title, places=places or plain.places, metadata=metadata)


def _read_web_archive(source: Source) -> Content:
    return read_web_archive(source.content) or _read_text(source)


def _read_mail(source: Source) -> Content:
    mail = read_mail(_in_bytes(source.content))
    if mail:
        return mail
    plain = _read_text(source)
    if saved := read_saved_mail(plain.text):
        return replace(saved, places=plain.places, warnings=plain.warnings)
    return replace(plain, warnings=(*plain.warnings, f"no mail header: {AS_PLAIN_TEXT}"))


def _in_bytes(content: bytes) -> bytes:
    """A mail that was saved as "Unicode" as UTF-8: its head is ASCII."""
    return content if b"\0" not in content[:100] else clean(decode(content)[0]).encode()


READERS: dict[str, Callable[[Source, str], Content]] = {  # these take the languages for OCR
    "asciidoc": lambda source, _: _read_as_markdown(source, asciidoc_as_markdown),
    "bank": lambda source, _: read_bank(source.content),
    "bibtex": lambda source, _: read_bibtex(source.content, charset_of(source)),
    "calendar": lambda source, _: read_calendar(source.content, charset_of(source)),
    "code": lambda source, _: _read_code(source),
    "contacts": lambda source, _: read_contacts(source.content, charset_of(source)),
    "csv": lambda source, _: read_csv(source.content, charset_of(source)),
    "docx": lambda source, _: read_docx(source.content),
    "epub": lambda source, _: read_epub(source.content),
    "gedcom": lambda source, _: read_gedcom(source.content, charset_of(source)),
    "html": lambda source, _: _read_html(source),
    "json": lambda source, _: _read_json(source),
    "latex": lambda source, _: _read_as_markdown(source, latex_as_markdown),
    "mail": lambda source, _: _read_mail(source),
    "markdown": lambda source, _: _read_markdown(source),
    "odp": lambda source, _: read_odp(source.content),
    "ods": lambda source, _: read_ods(source.content),
    "odt": lambda source, _: read_odt(source.content),
    "org": lambda source, _: _read_as_markdown(source, org_as_markdown),
    "outlook": lambda source, _: read_outlook(source.content),
    "pdf": lambda source, languages: read_pdf(source.content, languages),
    "picture": lambda source, languages: read_picture(source.content, picture_of(source.content)[0], languages),
    "pptx": lambda source, _: read_pptx(source.content),
    "ris": lambda source, _: read_ris(source.content, charset_of(source)),
    "rst": lambda source, _: _read_as_markdown(source, rst_as_markdown),
    "rtf": lambda source, _: read_rtf(source.content),
    "subtitles": lambda source, _: read_subtitles(source.content, charset_of(source)),
    "text": lambda source, _: _read_text(source),
    "web archive": lambda source, _: _read_web_archive(source),
    "wiki": lambda source, _: _read_wiki(source),
    "word 97": lambda source, _: read_word_97(source.content),
    "xls": lambda source, _: read_xls(source.content),
    "xlsx": lambda source, _: read_xlsx(source.content),
    "xml": lambda source, _: read_messages(source.content) or read_xml(source.content, charset_of(source)),
}


def _code(declared: str) -> str:
    """ "fr" for "fr-FR"; "" for text that is not an ISO 639-1 code."""
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    return code if re.fullmatch("[a-z]{2}", code) else ""

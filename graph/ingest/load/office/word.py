"""Word files (.docx), with mammoth, which markitdown also uses; comments are below the text."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ExpatError, ParserCreate

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import MAX_MEMBER, RESAVE, open_archive, read_member, text_of, xml_of
from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.ingest.load.markup.markup import content_of_markup
from filigraph.graph.ingest.load.office.word_parts import WordParts, word_parts
from filigraph.graph.model.documents import Place

# Elements that mammoth skips with all their content: moved text, fields, text in another direction, letters with their
# reading. It knows smart tags.
_AROUND = re.compile(rb"(</?\w+:)(?:moveTo|fldSimple|dir|bdo|customXml|ruby|rubyBase)(?=[\s/>])")
_READING = re.compile(rb"<\w{1,20}:rt>(?:[^<]++|<(?!/?\w{1,20}:rt>))*+</\w{1,20}:rt>")
_TEXTS = re.compile(r"word/(?:document|footnotes|endnotes)\d*\.xml")
LONGEST_STYLE = 250  # characters of a style's name, as in Word
MAX_ELEMENTS = 1_000_000  # mammoth takes 1 kB and 0.1 ms for each; a long novel has 300,000
_UNREAD = WordParts(headings={}, comments=(), warnings=("comments, heads and feet of pages cannot be read",))
# Word's title style is above headings of level 1.
_WORD_STYLES = "\n".join(
    ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]
    + [f"p[style-name='Heading {level}'] => h{level + 1}:fresh" for level in range(1, 6)]
)


def read_docx(content: bytes) -> Content:
    """The content of a Word file."""
    import mammoth  # type: ignore[import-untyped]

    with open_archive(content) as archive:
        properties = xml_of(archive, "docProps/core.xml") if "docProps/core.xml" in archive.namelist() else None
        parts = _parts_outside_text(archive)
    if parts is None:
        content, parts = _without_comments(content), _UNREAD
    title = text_of(properties, "title")
    content = _with_known_elements(content)
    try:
        _check_elements(content)
        result = mammoth.convert_to_html(
            io.BytesIO(content),
            transform_document=lambda document: _without_repeats(document, parts.headings),
            style_map=_WORD_STYLES,
            include_embedded_style_map=False,  # it may have any amount of markup around each word
            convert_image=mammoth.images.img_element(lambda image: {}),  # without the images' bytes
        )
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        SyntaxError,
        ExpatError,
        RecursionError,
        OSError,
        zipfile.BadZipFile,
    ) as error:
        raise UnreadableDocument(f"The Word file is damaged: {error!r}.", cure=RESAVE) from error
    content_read = content_of_markup(result.value)
    text, places = with_comments(content_read, parts.comments)
    return Content(text=text, title=one_line(title) or content_read.title, places=places, warnings=parts.warnings)


def _parts_outside_text(archive: zipfile.ZipFile) -> WordParts | None:
    """The parts beside the text; None if they are damaged or too large: the text is still read."""
    try:
        return word_parts(archive)
    except (ParseError, LookupError, ValueError, OSError, zipfile.BadZipFile, zlib.error, UnreadableDocument):
        return None


def _without_comments(content: bytes) -> bytes:
    """The file without comments: mammoth would parse them, although its output does not use them."""
    target = io.BytesIO()
    with open_archive(content) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")) and name != "word/comments.xml":
                with suppress(zipfile.BadZipFile, zlib.error):  # mammoth reports missing parts
                    copy.writestr(name, read_member(archive, name))
    return target.getvalue()


def _with_known_elements(content: bytes) -> bytes:
    """The file in a form in which mammoth reads all texts."""
    with open_archive(content) as archive:
        texts = {name for name in archive.namelist() if _TEXTS.fullmatch(name)}
        try:
            if not any(_AROUND.search(read_member(archive, name)) for name in texts):
                return content
            target = io.BytesIO()
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
                for name in (name for name in archive.namelist() if name.endswith((".xml", ".rels"))):
                    member = read_member(archive, name)
                    copy.writestr(name, _as_known(member) if name in texts else member)
        except (zipfile.BadZipFile, zlib.error):  # mammoth reports it
            return content
    return target.getvalue()


def _as_known(member: bytes) -> bytes:
    return _AROUND.sub(rb"\1smartTag", _READING.sub(b"", member))


def with_comments(read: Content, comments: Sequence[str]) -> tuple[str, tuple[Place, ...]]:
    """The text with the comments below it, as a separate place: they are not statements of the text."""
    if not comments:
        return read.text, read.places
    gap = "\n\n" if read.text else ""
    place = Place(kind="section", label="Comments", start=len(read.text) + len(gap))
    comment_text = "\n\n".join(map(clean, comments))
    return f"{read.text}{gap}{comment_text}", (*read.places, place)


def _check_elements(content: bytes) -> None:
    """Raise UnreadableDocument for more XML than mammoth can hold. It reads any member that a relationship names."""
    elements = 0

    def count(name: str, attributes: object) -> None:
        nonlocal elements
        elements += 1
        if elements > MAX_ELEMENTS:
            raise UnreadableDocument(
                f"The Word file has more than {MAX_ELEMENTS:,} elements.",
                cure="Save its text alone, or in several files.",
            )

    with open_archive(content) as archive:
        for name in archive.namelist():
            parser = ParserCreate()
            parser.StartElementHandler = count
            with suppress(ExpatError):  # a picture, or damage that mammoth reports
                parser.Parse(read_member(archive, name, MAX_MEMBER), True)


def _without_repeats(document: Any, headings: Mapping[str, int]) -> Any:
    """A Word file as mammoth read it, without text that it can repeat many times although the file has it once: notes
    with several references, the targets of links, the names of styles. `headings`: heading styles, by level.
    """
    from mammoth import documents

    notes: dict[tuple[str, str], Any] = {}

    def limit_styles(element: Any) -> None:
        if isinstance(element, documents.Hyperlink):
            element.href, element.anchor = "", None
        if isinstance(element, documents.Paragraph | documents.Run) and len(element.style_name or "") > LONGEST_STYLE:
            element.style_id = element.style_name = None
        if isinstance(element, documents.Paragraph) and (level := headings.get(element.style_id or "")):
            element.style_name = f"Heading {level}"
        if not hasattr(element, "children"):
            return
        children = []
        for child in element.children:
            if isinstance(child, documents.NoteReference):
                key = (child.note_type, child.note_id)
                if key in notes:
                    continue
                notes[key] = document.notes.resolve(child)
            limit_styles(child)
            children.append(child)
        element.children = children

    limit_styles(document)
    for note in list(notes.values()):
        for element in note.body:
            limit_styles(element)
    return document

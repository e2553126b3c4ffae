"""Archives, bounded in what they unpack to; and DOCX."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from typing import Any
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError, ParserCreate

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, one_line
from filigraph.graph.ingest.load.markup import content_of_markup

MAX_UNPACKED = 300_000_000  # bytes, all members together
MAX_MEMBER = 50_000_000  # bytes of one that is read; the XML of a long novel has 15 million
MAX_TREE = 10_000_000  # bytes of one that is held in memory as a tree
LONGEST_STYLE = 250  # characters of a style's name, as Word has it
MAX_ELEMENTS = 1_000_000  # of a Word file; mammoth takes 1 kB and 0.1 ms for each, a long novel has 300,000
_MEMBERS = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
_MAX_RATIO = 200  # unpacked to packed; XML of a book reaches 20
_MAX_MEMBERS = 20_000
RESAVE = "Open it in the program that made it and save it again."
# Word's title comes above its headings of level 1.
_WORD_STYLES = "\n".join(
    ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]
    + [f"p[style-name='Heading {level}'] => h{level + 1}:fresh" for level in range(1, 6)]
)


def open_archive(content: bytes) -> zipfile.ZipFile:
    """The archive, once its directory shows that it can be unpacked safely. zipfile never unpacks more of a member
    than the directory says."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
        raise UnreadableDocument(f"The file is a broken archive: {error}.", cure=RESAVE) from error
    members = archive.infolist()
    if any(member.flag_bits & 1 for member in members):
        raise UnreadableDocument("The file is encrypted.", cure="Save it without a password.")
    unpacked = sum(member.file_size for member in members)
    packed_tightly = any(
        member.file_size > 10_000_000 and member.file_size > _MAX_RATIO * max(1, member.compress_size)
        for member in members
    )
    if unpacked > MAX_UNPACKED or packed_tightly or len(members) > _MAX_MEMBERS:
        raise UnreadableDocument(
            f"The file unpacks to {unpacked / 1e6:,.0f} MB in {len(members):,} parts, which looks like an attack.",
            cure="Save the text alone, without images, or in several files.",
        )
    return archive


def kind_of_archive(content: bytes) -> str:
    """ "docx", "epub", "xlsx", "pptx", "odt", or "" for any other archive."""
    names = set(open_archive(content).namelist())
    if kind := next((kind for kind, member in _MEMBERS.items() if member in names), ""):
        return kind
    if "content.xml" in names and "mimetype" in names:
        with open_archive(content) as archive:
            text = read_member(archive, "mimetype", 200).strip() == b"application/vnd.oasis.opendocument.text"
        return "odt" if text else ""
    return "epub" if "META-INF/container.xml" in names else ""


def read_docx(content: bytes) -> Content:
    """By mammoth, which is what markitdown reads DOCX with."""
    import mammoth  # type: ignore[import-untyped]

    with open_archive(content) as archive:
        properties = xml_of(archive, "docProps/core.xml") if "docProps/core.xml" in archive.namelist() else None
    title = text_of(properties, "title")
    try:
        _check_elements(content)
        result = mammoth.convert_to_html(
            io.BytesIO(content),
            transform_document=_said_once,
            style_map=_WORD_STYLES,
            include_embedded_style_map=False,  # which may put any amount of markup around each word
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
    return Content(text=content_read.text, title=one_line(title) or content_read.title, places=content_read.places)


def _check_elements(content: bytes) -> None:
    """Raise UnreadableDocument for more XML than mammoth can hold. It reads whatever member a relationship names."""
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
            with suppress(ExpatError):  # a picture, or damage that mammoth will tell
                parser.Parse(read_member(archive, name, MAX_MEMBER), True)


def _said_once(document: Any) -> Any:
    """A Word file, as mammoth read it, without what it can say many times over though the file says it once: notes that
    are referred to again, the targets of links, the names of styles."""
    from mammoth import documents

    notes: dict[tuple[str, str], Any] = {}

    def tame(element: Any) -> None:
        if isinstance(element, documents.Hyperlink):
            element.href, element.anchor = "", None
        if isinstance(element, documents.Paragraph | documents.Run) and len(element.style_name or "") > LONGEST_STYLE:
            element.style_id = element.style_name = None
        if not hasattr(element, "children"):
            return
        children = []
        for child in element.children:
            if isinstance(child, documents.NoteReference):
                key = (child.note_type, child.note_id)
                if key in notes:
                    continue
                notes[key] = document.notes.resolve(child)
            tame(child)
            children.append(child)
        element.children = children

    tame(document)
    for note in list(notes.values()):
        for element in note.body:
            tame(element)
    return document


def xml_of(archive: zipfile.ZipFile, path: str) -> ElementTree.Element:
    # expat >= 2.4.1 bounds entities
    return ElementTree.fromstring(read_member(archive, path, MAX_TREE))  # noqa: S314


def read_member(archive: zipfile.ZipFile, path: str, limit: int | None = None) -> bytes:
    """The bytes of a member of at most `limit` bytes. Raises UnreadableDocument for a larger one."""
    limit = MAX_MEMBER if limit is None else limit
    size = archive.getinfo(path).file_size
    if size > limit:
        raise UnreadableDocument(
            f"The file's part {one_line(path)} has {size / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
            cure="Save the text alone, without images, or in several files.",
        )
    return archive.read(path)


def tag_of(node: ElementTree.Element) -> str:
    return str(node.tag).rpartition("}")[2]


def text_of(tree: ElementTree.Element | None, tag: str) -> str:
    nodes = tree.iter() if tree is not None else ()
    return next(("".join(node.itertext()).strip() for node in nodes if tag_of(node) == tag), "")

"""DOCX and EPUB: archives, so first of all bounded in what they unpack to."""

from __future__ import annotations

import io
import posixpath
import zipfile
from contextlib import suppress
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError, ParserCreate

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.chapters import Heading, chapters_of_headings
from filigraph.graph.ingest.load.content import Content, check_length, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup import content_of_markup, declared_encoding, read_markup
from filigraph.graph.model import Place

MAX_UNPACKED = 300_000_000  # bytes, all members together
MAX_MEMBER = 50_000_000  # bytes of one that is read; the XML of a long novel has 15 million
MAX_TREE = 10_000_000  # bytes of one that is held in memory as a tree
LONGEST_STYLE = 250  # characters of a style's name, as Word has it
MAX_ELEMENTS = 1_000_000  # of a Word file; mammoth takes 1 kB and 0.1 ms for each, a long novel has 300,000
_MEMBERS = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
_MAX_RATIO = 200  # unpacked to packed; XML of a book reaches 20
_MAX_MEMBERS = 20_000
RESAVE = "Open it in the program that made it and save it anew."
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
            text = _read(archive, "mimetype", 200).strip() == b"application/vnd.oasis.opendocument.text"
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
    found = content_of_markup(result.value)
    return Content(text=found.text, title=one_line(title) or found.title, places=found.places)


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
                parser.Parse(_read(archive, name, MAX_MEMBER), True)


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
        kept = []
        for child in element.children:
            if isinstance(child, documents.NoteReference):
                key = (child.note_type, child.note_id)
                if key in notes:
                    continue
                notes[key] = document.notes.resolve(child)
            tame(child)
            kept.append(child)
        element.children = kept

    tame(document)
    for note in list(notes.values()):
        for element in note.body:
            tame(element)
    return document


def read_epub(content: bytes) -> Content:
    """The spine in order, each file a chapter under its heading, or under its label in the table of contents."""
    with open_archive(content) as archive:
        try:
            return _read_spine(archive)
        except (
            KeyError,
            ValueError,
            ElementTree.ParseError,
            zipfile.BadZipFile,
            OSError,
            NotImplementedError,
        ) as error:
            raise UnreadableDocument(
                f"The EPUB is damaged: {error!r}.", cure="Convert it anew, or send its text."
            ) from error


def _read_spine(archive: zipfile.ZipFile) -> Content:
    names = set(archive.namelist())
    container = xml_of(archive, "META-INF/container.xml")
    rootfile = next((node for node in container.iter() if tag_of(node) == "rootfile"), None)
    package_path = rootfile.get("full-path", "") if rootfile is not None else ""
    package = xml_of(archive, package_path)
    folder = posixpath.dirname(package_path)
    manifest = {node.get("id", ""): node for node in package.iter() if tag_of(node) == "item"}
    spine: dict[str, str] = {}  # path -> as it was named; a file that is named again is still one part of the text
    for node in package.iter():
        if tag_of(node) == "itemref" and (item := manifest.get(node.get("idref", ""))) is not None:
            href = item.get("href", "")
            spine.setdefault(_path(folder, href, names), href)
    labels = _table_of_contents(archive, folder, list(manifest.values()), names)

    warnings: list[str] = []
    parts: list[str] = []
    headings: list[Heading] = []
    chapters: list[tuple[int, str]] = []
    length = 0
    for path, href in spine.items():
        if path not in names:
            warnings.append(f"{one_line(href)} is missing")
            continue
        data = _read(archive, path, MAX_MEMBER)
        markup, doubts = decode(data, declared_encoding(data))
        warnings += doubts
        text, _, found, _ = read_markup(markup)
        if not text.strip():
            continue
        headings += [Heading(level=h.level, label=h.label, start=length + h.start) for h in found]
        if label := labels.get(path) or next((heading.label for heading in found if heading.label), ""):
            chapters.append((length, label))
        parts.append(text)
        length += len(text) + 2
        check_length(length)
    places = tuple(Place(kind="chapter", label=one_line(label, 100), start=start) for start, label in chapters)
    if len(places) < 2:
        _, places = chapters_of_headings(headings)
    author = text_of(package, "creator")
    return Content(
        text="\n\n".join(parts),
        title=one_line(text_of(package, "title")),
        places=places,
        language=text_of(package, "language"),
        metadata={"author": one_line(author)} if author else {},
        warnings=tuple(warnings),
    )


def _table_of_contents(
    archive: zipfile.ZipFile, folder: str, items: list[ElementTree.Element], names: set[str]
) -> dict[str, str]:
    """path of a file -> its first label, from EPUB 2's NCX and EPUB 3's nav."""
    labels: dict[str, str] = {}
    read: set[str] = set()
    for item in items:
        is_nav = "nav" in (item.get("properties") or "").split()
        path = _path(folder, item.get("href", ""), names)
        is_table = is_nav or item.get("media-type") == "application/x-dtbncx+xml"
        if path not in names or path in read or not is_table:
            continue
        read.add(path)
        base = posixpath.dirname(path)
        for node in xml_of(archive, path).iter():
            if tag_of(node) == "navPoint":
                source = next((child.get("src", "") for child in node if tag_of(child) == "content"), "")
                label = next(("".join(child.itertext()) for child in node if tag_of(child) == "navLabel"), "")
            elif is_nav and tag_of(node) == "a":
                source, label = node.get("href", ""), "".join(node.itertext())
            else:
                continue
            labels.setdefault(_path(base, source.partition("#")[0], names), one_line(label))
    return labels


def _path(folder: str, href: str, names: set[str]) -> str:
    """The member that an href means: relative to `folder`, percent-encoded or not."""
    decoded = posixpath.normpath(posixpath.join(folder, unquote(href)))
    return decoded if decoded in names else posixpath.normpath(posixpath.join(folder, href))


def xml_of(archive: zipfile.ZipFile, path: str) -> ElementTree.Element:
    # expat >= 2.4.1 bounds entities
    return ElementTree.fromstring(_read(archive, path, MAX_TREE))  # noqa: S314


def _read(archive: zipfile.ZipFile, path: str, limit: int) -> bytes:
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

"""DOCX and EPUB: archives, so first of all bounded in what they unpack to."""

from __future__ import annotations

import io
import posixpath
import zipfile
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError

from ..errors import UnreadableDocument
from ..model import Place
from .chapters import Heading, chapters_of_headings
from .content import Content, one_line
from .encoding import decode
from .markup import content_of_markup, declared_encoding, read_markup

MAX_UNPACKED = 300_000_000  # bytes, all members together
_MAX_RATIO = 200  # unpacked to packed; XML of a book reaches 20
_MAX_MEMBERS = 20_000
_RESAVE = "Open it in the program that made it and save it anew."
# Word's title stands above its headings of level 1.
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
        raise UnreadableDocument(f"The file is a broken archive: {error}.", cure=_RESAVE) from error
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
    """ "docx", "epub", or "" for any other archive."""
    names = set(open_archive(content).namelist())
    if "word/document.xml" in names:
        return "docx"
    return "epub" if "META-INF/container.xml" in names else ""


def read_docx(content: bytes) -> Content:
    """By mammoth, which is what markitdown reads DOCX with."""
    import mammoth  # type: ignore[import-untyped]

    with open_archive(content) as archive:
        properties = _xml(archive, "docProps/core.xml") if "docProps/core.xml" in archive.namelist() else None
    title = _text_of(properties, "title")
    try:
        result = mammoth.convert_to_html(
            io.BytesIO(content),
            style_map=_WORD_STYLES,
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
        raise UnreadableDocument(f"The Word file is damaged: {error!r}.", cure=_RESAVE) from error
    found = content_of_markup(result.value)
    return Content(text=found.text, title=one_line(title) or found.title, places=found.places)


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
    container = _xml(archive, "META-INF/container.xml")
    rootfile = next((node for node in container.iter() if _tag(node) == "rootfile"), None)
    package_path = rootfile.get("full-path", "") if rootfile is not None else ""
    package = _xml(archive, package_path)
    folder = posixpath.dirname(package_path)
    manifest = {node.get("id", ""): node for node in package.iter() if _tag(node) == "item"}
    spine = [
        manifest[id_]
        for node in package.iter()
        if _tag(node) == "itemref" and (id_ := node.get("idref", "")) in manifest
    ]
    labels = _table_of_contents(archive, folder, list(manifest.values()), names)

    warnings: list[str] = []
    parts: list[str] = []
    headings: list[Heading] = []
    chapters: list[tuple[int, str]] = []
    length = 0
    for item in spine:
        path = _path(folder, item.get("href", ""), names)
        if path not in names:
            warnings.append(f"{item.get('href', '')} is missing")
            continue
        data = archive.read(path)
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
    places = tuple(Place(kind="chapter", label=one_line(label, 100), start=start) for start, label in chapters)
    if len(places) < 2:
        _, places = chapters_of_headings(headings)
    author = _text_of(package, "creator")
    return Content(
        text="\n\n".join(parts),
        title=one_line(_text_of(package, "title")),
        places=places,
        language=_text_of(package, "language"),
        metadata={"author": one_line(author)} if author else {},
        warnings=tuple(warnings),
    )


def _table_of_contents(
    archive: zipfile.ZipFile, folder: str, items: list[ElementTree.Element], names: set[str]
) -> dict[str, str]:
    """path of a file -> its first label, from EPUB 2's NCX and EPUB 3's nav."""
    labels: dict[str, str] = {}
    for item in items:
        is_nav = "nav" in (item.get("properties") or "").split()
        path = _path(folder, item.get("href", ""), names)
        if path not in names or not (is_nav or item.get("media-type") == "application/x-dtbncx+xml"):
            continue
        base = posixpath.dirname(path)
        for node in _xml(archive, path).iter():
            if _tag(node) == "navPoint":
                source = next((child.get("src", "") for child in node if _tag(child) == "content"), "")
                label = next(("".join(child.itertext()) for child in node if _tag(child) == "navLabel"), "")
            elif is_nav and _tag(node) == "a":
                source, label = node.get("href", ""), "".join(node.itertext())
            else:
                continue
            labels.setdefault(_path(base, source.partition("#")[0], names), one_line(label))
    return labels


def _path(folder: str, href: str, names: set[str]) -> str:
    """The member that an href means: relative to `folder`, percent-encoded or not."""
    decoded = posixpath.normpath(posixpath.join(folder, unquote(href)))
    return decoded if decoded in names else posixpath.normpath(posixpath.join(folder, href))


def _xml(archive: zipfile.ZipFile, path: str) -> ElementTree.Element:
    return ElementTree.fromstring(archive.read(path))  # noqa: S314  # expat >= 2.4.1 bounds entities


def _tag(node: ElementTree.Element) -> str:
    return str(node.tag).rpartition("}")[2]


def _text_of(tree: ElementTree.Element | None, tag: str) -> str:
    nodes = tree.iter() if tree is not None else ()
    return next(("".join(node.itertext()).strip() for node in nodes if _tag(node) == tag), "")

"""EPUB: the files of the spine in order, with the chapters of the table of contents, each with its part. Parts of the
edition (cover, imprint, licence, colophon) are left out, and the report says so.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree import ElementTree

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import open_archive, read_member, tag_of, text_of, xml_of
from filigraph.graph.ingest.load.books.gutenberg import Edition, without_edition
from filigraph.graph.ingest.load.chapters import Heading, chapters_of_headings, under_parts
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, check_length, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup.markup import Markup, declared_encoding, read_markup
from filigraph.graph.model.documents import Place

_EDITION = (
    r"cover|halftitle(?:page)?|half-title|titlepage|title-page|copyright(?:-page)?|copyrightpage|imprint|colophon|"
    r"uncopyright|toc|contents|nav|landmarks|loi|lot|pg-?(?:header|footer|boilerplate)|wrap\d*|adcard|other-books|"
    r"newsletter|also-by"
)
_OF_EDITION = re.compile(rf"(?:.*[/_.-])?(?:{_EDITION})\d*", re.IGNORECASE)
_TYPES = re.compile(r"<(?:body|section|div|article)\b[^>]*?epub:type\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
# What libraries add to their exports, in files whose names say little.
_OF_LIBRARY = re.compile(
    r"\A\s*(?:à propos de cette édition électronique|about this digital edition|über diese (?:digitale )?ausgabe"
    r"|acerca de esta edición (?:digital|electrónica)|informazioni su questa edizione elettronica)"
    r"|\b(?:exporté de|exported from|exportiert aus|exportado de|esportato da) wikisource\b"
    r"|\bbibliothèque numérique wikisource\b|\bgroupe ebooks libres et gratuits\b",
    re.IGNORECASE,
)
_ENCRYPTION = "META-INF/encryption.xml"
_OF_FONTS = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
_NO_TEXT = re.compile(r"\.(?:jpe?g|png|gif|svg|webp|otf|ttf|woff2?|css|mp[34]|m4a)$", re.IGNORECASE)
_LONGEST_NOTICE = 6_000  # characters
_LONGEST_EDITION = 20_000  # characters: a longer part belongs to the book
_DEEPEST = 8  # levels of a table of contents


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """An entry of the table of contents."""

    path: str
    anchor: str
    labels: tuple[str, ...]  # its own label, after those of the parts above it


def read_epub(content: bytes) -> Content:
    """Raises UnreadableDocument for a damaged one."""
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
                f"The EPUB is damaged: {error!r}.", cure="Convert it again, or send its text."
            ) from error


def _hides_text(encryption: ElementTree.Element) -> bool:
    """Whether more than fonts and pictures is encrypted."""
    for data in [node for node in encryption.iter() if tag_of(node) == "EncryptedData"] or [encryption]:
        methods = {node.get("Algorithm", "") for node in data.iter() if tag_of(node) == "EncryptionMethod"}
        paths = [node.get("URI", "") for node in data.iter() if tag_of(node) == "CipherReference"]
        if methods - _OF_FONTS and not (paths and all(map(_NO_TEXT.search, paths))):
            return True
    return False


def _protection(archive: zipfile.ZipFile) -> list[str]:
    """A remark if the list of what is encrypted is broken. Raises UnreadableDocument if the text is encrypted."""
    try:
        encryption = xml_of(archive, _ENCRYPTION)
    except (ElementTree.ParseError, ValueError, zipfile.BadZipFile):
        return [f"{_ENCRYPTION} is broken: the text is read as if it were not encrypted"]
    if _hides_text(encryption):
        raise UnreadableDocument("The EPUB is encrypted (DRM).", cure="Send a copy without protection, or its text.")
    return []


def _read_spine(archive: zipfile.ZipFile) -> Content:
    names = set(archive.namelist())
    warnings = _protection(archive) if _ENCRYPTION in names else []
    container = xml_of(archive, "META-INF/container.xml")
    rootfile = next((node for node in container.iter() if tag_of(node) == "rootfile"), None)
    package_path = rootfile.get("full-path", "") if rootfile is not None else ""
    package = xml_of(archive, package_path)
    folder = posixpath.dirname(package_path)
    manifest = {node.get("id", ""): node for node in package.iter() if tag_of(node) == "item"}
    spine: dict[str, str] = {}  # path -> its name; a file that is referenced again is still one part of the text
    for node in package.iter():
        if tag_of(node) == "itemref" and (item := manifest.get(node.get("idref", ""))) is not None:
            href = item.get("href", "")
            spine.setdefault(_path(folder, href, names), href)
    entries = list(_table_of_contents(archive, folder, list(manifest.values()), names))
    guide = {
        _path(folder, node.get("href", "").partition("#")[0], names)
        for node in package.iter()
        if tag_of(node) == "reference" and _OF_EDITION.fullmatch(node.get("type", ""))
    }
    warnings += [f"{one_line(href)} is missing" for path, href in spine.items() if path not in names]
    files: dict[str, Markup] = {}
    left_out: list[str] = []
    for path in (path for path in spine if path in names):
        data = read_member(archive, path)
        markup, doubts = decode(data, declared_encoding(data))
        warnings += doubts
        parsed = read_markup(markup)
        if not parsed.text.strip():
            continue
        if len(parsed.text) <= _LONGEST_EDITION and (
            path in guide or _is_of_edition(path, markup) or _is_notice(parsed.text)
        ):
            left_out.append(posixpath.basename(path))
            continue
        files[path] = parsed
    gone = [
        *(map(one_line, left_out) if files else ()),
        *(what for parsed in files.values() for what in parsed.left_out),
    ]
    if gone:
        warnings.append(f"{LEFT_OUT} {', '.join(dict.fromkeys(gone))}")
    content = _join_files(files, entries)
    author = text_of(package, "creator")
    return Content(
        text=content.text,
        title=one_line(text_of(package, "title")),
        places=content.places,
        language=text_of(package, "language"),
        metadata={"author": one_line(author)} if author else {},
        warnings=(*warnings, *content.warnings),
    )


def _is_of_edition(path: str, markup: str) -> bool:
    """Whether a file belongs to the edition, from its type or name."""
    kinds = " ".join(_TYPES.findall(markup[:20_000])[:4]).lower().split()
    if {"bodymatter", "chapter", "part", "preface", "introduction", "footnotes", "endnotes", "rearnotes"} & set(kinds):
        return False
    named = [kind for kind in kinds if kind not in ("frontmatter", "backmatter")]
    by_type = any(_OF_EDITION.fullmatch(kind) for kind in named)
    return by_type or bool(_OF_EDITION.fullmatch(posixpath.splitext(posixpath.basename(path))[0]))


def _is_notice(text: str) -> bool:
    return len(text) <= _LONGEST_NOTICE and bool(_OF_LIBRARY.search(text))


def _join_files(files: dict[str, Markup], entries: Sequence[_Entry]) -> Content:
    parts: list[str] = []
    headings: list[Heading] = []
    pages: list[tuple[int, str]] = []
    listed: dict[int, tuple[str, ...]] = {}
    length = 0
    for path, markup in files.items():
        headings += [Heading(level=h.level, label=h.label, start=length + h.start) for h in markup.headings]
        pages += [(length + start, label) for start, label in markup.pages]
        own = [entry for entry in entries if entry.path == path]
        for entry in own:
            start = length + (markup.anchors.get(entry.anchor, 0) if entry.anchor else 0)
            listed.setdefault(_text_from(markup.text, start - length) + length, entry.labels)
        label = next((heading.label for heading in markup.headings if heading.label), "")
        if not own and label:
            listed.setdefault(length, (label,))
        parts.append(markup.text)
        length += len(markup.text) + 2
        check_length(length)
    chapters = under_parts(sorted(listed.items()))
    if not entries or len(chapters) < 2:
        _, by_headings = chapters_of_headings(headings)
        chapters = by_headings if len(by_headings) > 1 or len(chapters) < 2 else chapters
    places = [*(Place(kind="page", label=label, start=start) for start, label in pages), *chapters]
    editing = Edition(text="\n\n".join(parts), places=tuple(sorted(places, key=lambda place: place.start)))
    return without_edition(editing)


def _text_from(text: str, start: int) -> int:
    return start + len(text[start : start + 100]) - len(text[start : start + 100].lstrip())


def _table_of_contents(
    archive: zipfile.ZipFile, folder: str, items: list[ElementTree.Element], names: set[str]
) -> Iterator[_Entry]:
    """The entries of EPUB 3's nav, else of EPUB 2's NCX."""
    tables = [item for item in items if "nav" in (item.get("properties") or "").split()]
    tables += [item for item in items if item.get("media-type") == "application/x-dtbncx+xml"]
    for item in tables:
        path = _path(folder, item.get("href", ""), names)
        if path not in names:
            continue
        tree = xml_of(archive, path)
        toc_entries = list(
            _nav_entries(tree) if "nav" in (item.get("properties") or "").split() else _ncx_entries(tree, ())
        )
        base = posixpath.dirname(path)
        for href, labels in toc_entries:
            file, _, anchor = href.partition("#")
            yield _Entry(path=_path(base, file, names), anchor=unquote(anchor), labels=labels)
        if toc_entries:
            return


def _nav_entries(tree: ElementTree.Element) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Only the table of contents: a nav also lists landmarks and pages."""
    navs = [node for node in tree.iter() if tag_of(node) == "nav"]
    for nav in navs[:1] or [tree]:
        yield from _list_entries(nav, ())


def _list_entries(node: ElementTree.Element, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for child in node:
        tag = tag_of(child)
        if tag == "li":
            own = next((part for part in child if tag_of(part) in ("a", "span")), None)
            label = one_line("".join(own.itertext())) if own is not None else ""
            labels = (*above, label) if label else above
            if own is not None and (href := own.get("href")):
                yield href, labels
            if len(labels) < _DEEPEST:
                yield from _list_entries(child, labels)
        elif tag in ("ol", "ul", "body", "section", "div", "nav"):
            yield from _list_entries(child, above)
        elif tag == "a" and not above and child.get("href"):
            yield child.get("href", ""), (one_line("".join(child.itertext())),)


def _ncx_entries(node: ElementTree.Element, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for child in node:
        if tag_of(child) == "navPoint":
            source = next((part.get("src", "") for part in child if tag_of(part) == "content"), "")
            label = next(("".join(part.itertext()) for part in child if tag_of(part) == "navLabel"), "")
            labels = (*above, one_line(label))
            yield source, labels
            if len(labels) < _DEEPEST:
                yield from _ncx_entries(child, labels)
        elif tag_of(child) == "navMap":
            yield from _ncx_entries(child, above)


def _path(folder: str, href: str, names: set[str]) -> str:
    """The member that an href refers to: relative to `folder`, percent-encoded or not."""
    decoded = posixpath.normpath(posixpath.join(folder, unquote(href)))
    return decoded if decoded in names else posixpath.normpath(posixpath.join(folder, href))

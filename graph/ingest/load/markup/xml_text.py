"""XML with a text: TEI, FictionBook, DocBook, JATS, Akoma Ntoso, flat OpenDocument, ALTO; of any other, its words.

It writes the tree as HTML, which `markup.py` reads: headings, paragraphs, speakers, verses, tables, pages, and notes
after their paragraph.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from xml.etree import ElementTree

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import tag_of
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, check_length, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup.markup import content_of_markup
from filigraph.graph.text.hyphens import SOFT

LARGEST = 50_000_000  # bytes of a file that is held as a tree
_DEEPEST = 200  # max. nesting
_LONGEST_GAP = 200  # max. characters from a soft hyphen to the end of its line
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,30});")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)""")

_KNOWN = frozenset(
    "TEI TEI.2 teiCorpus FictionBook book article chapter document document-content alto PcGts akomaNtoso".split()  # noqa: SIM905
)
_OPEN_DOCUMENT = "meta settings styles automatic-styles master-styles font-face-decls scripts"
_SAID_OF_IT = {  # root -> elements with metadata; elsewhere the same names are parts of the text
    **dict.fromkeys(("TEI", "TEI.2", "teiCorpus"), "teiHeader"),
    "FictionBook": "description",
    **dict.fromkeys(("article", "book", "chapter"), "front-matter article-meta journal-meta info bookinfo articleinfo"),
    **dict.fromkeys(("document", "document-content"), _OPEN_DOCUMENT),
    "alto": "Description Styles",
    "akomaNtoso": "meta",
    "PcGts": "Metadata",
}
_IN_HEAD = frozenset(("abstract", "trans-abstract"))  # these are in the head of an article and belong to its text
_LEFT_OUT = frozenset("fw binary graphic figDesc del script style".split())  # noqa: SIM905
_FORMER = frozenset(("sic", "orig", "abbr"))  # left out if the editor's reading is beside them
_OF_PROGRAMS = frozenset(("binary", "graphic", "script", "style"))  # without text for a reader
_EDITION = frozenset(("editionStmt", "publicationStmt"))
_LISTS = frozenset("castList castGroup list listPerson figure".split())  # noqa: SIM905 # their heads begin no chapter
_NAMES = frozenset("name persName string-name personname".split())  # noqa: SIM905
_OF_PEOPLE = frozenset("idno ptr xref email aff address contrib-id role".split())  # noqa: SIM905
_DIVISIONS = re.compile(r"div[1-7]?|section|sec|chapter|part|book|act|scene|sect[1-5]|appendix|preface")
_HEADS = frozenset(("head", "title", "article-title", "h", "heading"))
_BLOCKS = (
    "p ab para lg stanza poem epigraph cite opener closer salute signed dateline titlePart docAuthor byline subtitle "
    "bibl ref simpara abstract item listitem list-item v-group text-author argument trailer TextBlock sp"
)
_PARAGRAPHS = frozenset(_BLOCKS.split())
_LINES = frozenset("l v TextLine speaker".split())  # noqa: SIM905
_IN_STAGE = frozenset(("note", "pb", "lb", "choice", "sp"))
_NOTES = frozenset(("note", "footnote", "fn"))
_BODIES_OF_NOTES = ("notes", "comments", "footnotes")  # in FictionBook
_CITATIONS = frozenset(
    ("element-citation", "biblStruct", "person-group", "contrib-group")
)  # without separators between its parts
_READINGS = frozenset(("rt", "rp", "rtc"))  # beside the letters of a <ruby>
_CELLS = {"table": "table", "informaltable": "table", "row": "tr", "table-row": "tr", "tr": "tr",
          "cell": "td", "table-cell": "td", "entry": "td", "td": "td", "th": "th"}  # fmt: skip


def read_xml(content: bytes, declared: str = "") -> Content:
    """The content of an XML file. Raises UnreadableDocument if it is too large, or not XML."""
    if len(content) > LARGEST:
        raise UnreadableDocument(
            f"The XML has {len(content) / 1e6:,.0f} MB; the limit is {LARGEST / 1e6:,.0f} MB.",
            cure="Send it in several files.",
        )
    declaration = _ENCODING.search(content[:300])
    text, warnings = decode(content, declared or (declaration[1].decode() if declaration else ""))
    root = _tree(text)
    about_it = frozenset(_SAID_OF_IT.get(tag_of(root), "").split())
    writer = _Writer(about_it)
    writer.write(root, 0)
    known = tag_of(root) in _KNOWN
    read = content_of_markup("".join(writer.parts), warnings)
    notes = () if known else ("XML of no kind that is known: its words are read, without the names of its elements",)
    if writer.left_out:
        read = replace(read, warnings=(*read.warnings, _left_out_text(writer.left_out)))
    about = _metadata(root, about_it)
    return replace(
        read,
        title=about.pop("title", "") or read.title,
        language=_language(root),
        metadata=about,
        warnings=(*read.warnings, *notes),
    )


def _tree(text: str) -> ElementTree.Element:
    whole = _DECLARATION.sub("", _ENTITY.sub(lambda entity: html.unescape(entity[0]), text.lstrip("\ufeff \n")))
    try:
        return ElementTree.fromstring(whole)  # noqa: S314 # expat >= 2.4.1 bounds entities
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The XML is damaged: {error}.", cure="Repair it, or send only its text.") from error


def _left_out_text(left_out: Counter[str]) -> str:
    return f"{LEFT_OUT} {', '.join(f'<{one_line(tag)}> ({times} times)' for tag, times in left_out.most_common())}"


def _metadata(root: ElementTree.Element, about_it: Collection[str]) -> dict[str, str]:
    """Title, author and date in TEI, FictionBook, JATS and Akoma Ntoso."""
    metadata: dict[str, str] = {}
    of_edition = _of_edition(root)
    for node in (part for head in root.iter() if tag_of(head) in about_it for part in head.iter()):
        tag, words = tag_of(node), one_line("".join(node.itertext()))
        if tag in ("title", "book-title", "article-title") and words:
            metadata.setdefault("title", words)
        elif tag in ("author", "creator", "contrib") and words:
            metadata.setdefault("author", _person(node))
        elif tag == "FRBRname" and (name := one_line(node.get("value", ""))):
            metadata.setdefault("title", name)
        elif tag == "FRBRdate" and (day := one_line(node.get("date", ""))):
            metadata.setdefault("date", day)
        elif tag == "date" and node not in of_edition and (when := node.get("when") or node.get("value")):
            metadata.setdefault("date", one_line(when))
    return metadata


def _of_edition(root: ElementTree.Element) -> Collection[ElementTree.Element]:
    """What the head of a TEI file says of the file itself: who published it and when, and its changes."""
    parts = [node for node in root.iter() if tag_of(node) == "revisionDesc"]
    parts += [part for node in root.iter() if tag_of(node) == "fileDesc" for part in node if tag_of(part) in _EDITION]
    return {node for part in parts for node in part.iter()}


def _person(node: ElementTree.Element) -> str:
    """A name without numbers and addresses: the first name in an author's entry."""
    parts = [part for part in node if tag_of(part) not in _OF_PEOPLE and "".join(part.itertext()).strip()]
    if not parts:
        return one_line("".join(node.itertext()))
    name = [parts[0]] if tag_of(parts[0]) in _NAMES else parts
    if tag_of(name[0]) == "name" and any(tag_of(part) == "given-names" for part in name[0]):  # these are last
        name = sorted(name[0], key=lambda part: tag_of(part) != "given-names")
    return one_line(" ".join(map(_spaced, name)))


def _spaced(node: ElementTree.Element) -> str:
    return " ".join(" ".join(node.itertext()).split())


def _language(root: ElementTree.Element) -> str:
    own = root.get("{http://www.w3.org/XML/1998/namespace}lang", "")
    return own or next((one_line(node.text or "") for node in root.iter() if tag_of(node) == "lang"), "")


class _Writer:
    """Writes a tree as HTML."""

    def __init__(self, about_it: Collection[str] = ()) -> None:
        self.parts: list[str] = []
        self.left_out: Counter[str] = Counter()  # unread elements with words
        self._about_it = about_it
        self._notes: list[str] = []
        self._number = 0
        self._length = 0
        self._block = 0  # number of open paragraphs
        self._lists = 0  # number of open lists

    def write(self, node: ElementTree.Element, depth: int, level: int = 1) -> None:
        tag = tag_of(node)
        if tag in self._about_it:
            for part in node.iter():
                if tag_of(part) in _IN_HEAD:
                    self._write_inside("div", part, depth, level + 1)
            return
        if tag in _LEFT_OUT or depth > _DEEPEST:
            if tag not in _OF_PROGRAMS and "".join(node.itertext()).strip():
                self.left_out[tag] += 1
            return
        if tag in _NOTES:
            self._write_note(node)
        elif tag == "body" and node.get("name") in _BODIES_OF_NOTES:
            for note in node:
                self._write_note(note)
        elif tag == "a" and node.get("type") == "note":
            return  # the mark of a note, whose text comes below
        elif tag == "pb" or tag == "Page":
            self._write_page(node)
            self._write_children(node, depth, level)
        elif tag in ("lb", "br"):
            self._write_markup("" if self._divides_word(node) else "<br/>" if not self._block else " ")
        elif tag in ("String", "HYP"):
            self._write_markup(html.escape(_alto_word(node)))
        elif tag == "gap":
            self._write_markup(" […] ")
        elif tag in _LISTS:
            self._lists += 1
            self._write_children(node, depth, level)
            self._lists -= 1
        elif tag in _HEADS and self._lists:
            self._write_paragraph(node, depth, level)
        elif tag in _HEADS and (tag != "title" or (depth and not self._block)):
            self._write_inside(f"h{min(level, 6)}", node, depth, level)
        elif tag in _PARAGRAPHS and not self._block:
            self._write_paragraph(node, depth, level)
        elif tag == "speaker":
            self._write_markup(f"{html.escape(_text_of_node(node))}{'' if _ends_with_stop(node) else '.'}<br/>")
        elif tag in _LINES:
            self._write_children(node, depth, level)
            self._write_markup("<br/>")
        elif tag == "stage" and not any(tag_of(part) in _IN_STAGE for part in node.iter()):
            words = _text_of_node(node).lstrip(" ,")
            self._write_markup(f" {html.escape(words if words.startswith('(') else f'({words})')} ")
        elif tag == "stage":
            self._write_markup(" (")
            self._write_children(node, depth, level)
            self._write_markup(") ")
        elif tag in _CELLS:
            self._write_inside(_CELLS[tag], node, depth, level)
        elif _DIVISIONS.fullmatch(tag):
            self._write_inside("div", node, depth, level + 1)
        else:
            self._write_unknown(node, depth, level)

    def _write_unknown(self, node: ElementTree.Element, depth: int, level: int) -> None:
        """Write an element of an unknown kind: as a paragraph, if it has its own words and is outside of any
        paragraph.
        """
        own = (node.text or "").strip() or any((child.tail or "").strip() for child in node)
        if own and not self._block:
            self._write_paragraph(node, depth, level)
        else:
            self._write_children(node, depth, level)

    def _write_paragraph(self, node: ElementTree.Element, depth: int, level: int) -> None:
        self._block += 1
        self._write_inside("p", node, depth, level)
        self._block -= 1
        notes, self._notes = self._notes, []
        for note in notes:
            self._write_markup(f"<p>{note}</p>")

    def _write_inside(self, tag: str, node: ElementTree.Element, depth: int, level: int) -> None:
        block = tag in ("h1", "h2", "h3", "h4", "h5", "h6", "td", "th")
        self._write_markup(f"<{tag}>")
        self._block += block
        self._write_children(node, depth, level)
        self._block -= block
        self._write_markup(f"</{tag}>")

    def _write_children(self, node: ElementTree.Element, depth: int, level: int) -> None:
        self._write_markup(html.escape(node.text or ""))
        is_choice = tag_of(node) == "choice"
        for child in node:
            if tag_of(node) == "ruby" and tag_of(child) in _READINGS:
                self.left_out.update(("rt",) * (tag_of(child) == "rt"))
            elif not (is_choice and tag_of(child) in _FORMER):
                self.write(child, depth + 1, level)
            if tag_of(node) in _NAMES or tag_of(node) in _CITATIONS:
                self._write_markup(" ")
            if tag_of(child) == "lb" and self._divides_word(child):
                self._write_markup(html.escape((child.tail or "").lstrip()))
            else:
                self._write_markup(html.escape(child.tail or ""))

    def _divides_word(self, node: ElementTree.Element) -> bool:
        """Whether the end of a line divides a word, according to an attribute or a soft hyphen before it."""
        return node.get("break") == "no" or "".join(self.parts[-1:])[-_LONGEST_GAP:].rstrip().endswith(SOFT)

    def _write_note(self, node: ElementTree.Element) -> None:
        self._number += 1
        label, words = node.get("n") or str(self._number), _text_of_node(node)
        if tag_of(node) == "section":  # its title is its number
            label, _, words = words.partition(" ")
        note = f"[{label}] {html.escape(words)}"
        if self._block:
            self._notes.append(note)
        else:
            self._write_markup(f"<p>{note}</p>")

    def _write_page(self, node: ElementTree.Element) -> None:
        label = html.escape(
            node.get("n") or node.get("PRINTED_IMG_NR") or node.get("PHYSICAL_IMG_NR") or "", quote=True
        )
        self._write_markup(f'<span class="pagebreak" title="{label}"></span>')

    def _write_markup(self, markup: str) -> None:
        if not markup:
            return
        self.parts.append(markup)
        self._length += len(markup)
        check_length(self._length)


def _text_of_node(node: ElementTree.Element) -> str:
    between = " " if tag_of(node) == "section" else ""
    return " ".join(between.join(node.itertext()).split())


def _alto_word(node: ElementTree.Element) -> str:
    """A word of ALTO: the first part of a divided word has all of it."""
    if tag_of(node) == "HYP" or node.get("SUBS_TYPE") == "HypPart2":
        return ""
    return f"{node.get('SUBS_CONTENT') or node.get('CONTENT') or ''} "


def _ends_with_stop(node: ElementTree.Element) -> bool:
    return "".join(node.itertext()).rstrip().endswith((".", ":", ","))

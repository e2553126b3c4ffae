"""XML that holds a text: TEI, FictionBook, DocBook, JATS, flat OpenDocument, ALTO; and any other, by its words.

The tree is written as HTML, which `markup.py` reads: headings, paragraphs, speakers, verses, tables, pages, and notes
after their paragraph.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from xml.etree import ElementTree

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import tag_of
from filigraph.graph.ingest.load.content import Content, check_length, one_line
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup import content_of_markup

LARGEST = 50_000_000  # bytes that are held as a tree
_DEEPEST = 200  # elements within each other
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,30});")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)""")

_KNOWN = frozenset("TEI TEI.2 teiCorpus FictionBook book article chapter document document-content alto PcGts".split())  # noqa: SIM905
_SAID_OF_IT = (  # what is said of the text, not in it
    "teiHeader description front-matter article-meta journal-meta info bookinfo meta settings styles automatic-styles "
    "master-styles font-face-decls scripts Description Styles Metadata"
)
_ABOUT = frozenset(_SAID_OF_IT.split())
_LEFT_OUT = frozenset("fw binary graphic figDesc del sic orig abbr script style".split())  # noqa: SIM905
_DIVISIONS = re.compile(r"div[1-7]?|section|sec|chapter|part|book|act|scene|sect[1-5]|appendix|preface")
_HEADS = frozenset(("head", "title", "article-title", "h"))
_BLOCKS = (
    "p ab para lg stanza poem epigraph cite opener closer salute signed dateline titlePart docAuthor byline subtitle "
    "bibl simpara abstract item listitem list-item v-group text-author argument trailer TextBlock sp"
)
_PARAGRAPHS = frozenset(_BLOCKS.split())
_LINES = frozenset("l v TextLine speaker".split())  # noqa: SIM905
_NOTES = frozenset(("note", "footnote", "fn"))
_BODIES_OF_NOTES = ("notes", "comments", "footnotes")  # of a FictionBook
_CELLS = {"table": "table", "informaltable": "table", "row": "tr", "table-row": "tr", "tr": "tr",
          "cell": "td", "table-cell": "td", "entry": "td", "td": "td", "th": "th"}  # fmt: skip


def read_xml(content: bytes, declared: str = "") -> Content:
    """Raises UnreadableDocument for what is too large, or no XML."""
    if len(content) > LARGEST:
        raise UnreadableDocument(
            f"The XML has {len(content) / 1e6:,.0f} MB; the limit is {LARGEST / 1e6:,.0f} MB.",
            cure="Send it in several files.",
        )
    declaration = _ENCODING.search(content[:300])
    text, warnings = decode(content, declared or (declaration[1].decode() if declaration else ""))
    root = _tree(text)
    writer = _Writer()
    writer.write(root, 0)
    known = tag_of(root) in _KNOWN
    read = content_of_markup("".join(writer.parts), warnings)
    notes = () if known else ("XML of no kind that is known: its words are read, without the names of its elements",)
    about = _about(root)
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
        raise UnreadableDocument(f"The XML is damaged: {error}.", cure="Mend it, or send its text alone.") from error


def _about(root: ElementTree.Element) -> dict[str, str]:
    """Title, author and date, as TEI, FictionBook and JATS have them."""
    head = next((node for node in root.iter() if tag_of(node) in _ABOUT), None)
    if head is None:
        return {}
    metadata: dict[str, str] = {}
    for node in head.iter():
        tag, words = tag_of(node), one_line("".join(node.itertext()))
        if tag in ("title", "book-title", "article-title") and words:
            metadata.setdefault("title", words)
        elif tag in ("author", "creator", "contrib") and words:
            parts = [one_line("".join(part.itertext())) for part in node]
            metadata.setdefault(
                "author", one_line(" ".join(filter(None, parts))) if parts and tag != "creator" else words
            )
        elif tag == "date" and (when := node.get("when") or node.get("value") or ""):
            metadata.setdefault("date", one_line(when))
    return metadata


def _language(root: ElementTree.Element) -> str:
    own = root.get("{http://www.w3.org/XML/1998/namespace}lang", "")
    return own or next((one_line(node.text or "") for node in root.iter() if tag_of(node) == "lang"), "")


class _Writer:
    """Writes a tree as HTML."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._notes: list[str] = []
        self._number = 0
        self._length = 0
        self._block = 0  # paragraphs that are open

    def write(self, node: ElementTree.Element, depth: int, level: int = 1) -> None:
        tag = tag_of(node)
        if tag in _ABOUT or tag in _LEFT_OUT or depth > _DEEPEST:
            return
        if tag in _NOTES:
            self._note(node)
        elif tag == "body" and node.get("name") in _BODIES_OF_NOTES:
            for note in node:
                self._note(note)
        elif tag == "a" and node.get("type") == "note":
            return  # the mark of a note that comes below
        elif tag == "pb" or tag == "Page":
            self._page(node)
            self._children(node, depth, level)
        elif tag == "lb":
            self._say("" if node.get("break") == "no" else "<br/>" if not self._block else " ")
        elif tag in ("String", "HYP"):
            self._say(html.escape(_printed(node)))
        elif tag == "gap":
            self._say(" […] ")
        elif tag in _HEADS and (tag != "title" or (depth and not self._block)):
            self._within(f"h{min(level, 6)}", node, depth, level)
        elif tag in _PARAGRAPHS and not self._block:
            self._paragraph(node, depth, level)
        elif tag in _LINES:
            self._children(node, depth, level)
            self._say(".<br/>" if tag == "speaker" and not _ends(node) else "<br/>")
        elif tag == "stage":
            self._say(" (")
            self._children(node, depth, level)
            self._say(") ")
        elif tag in _CELLS:
            self._within(_CELLS[tag], node, depth, level)
        elif _DIVISIONS.fullmatch(tag):
            self._within("div", node, depth, level + 1)
        else:
            self._other(node, depth, level)

    def _other(self, node: ElementTree.Element, depth: int, level: int) -> None:
        """An element of no known name: a paragraph where it holds words of its own outside of any."""
        own = (node.text or "").strip() or any((child.tail or "").strip() for child in node)
        if own and not self._block:
            self._paragraph(node, depth, level)
        else:
            self._children(node, depth, level)

    def _paragraph(self, node: ElementTree.Element, depth: int, level: int) -> None:
        self._block += 1
        self._within("p", node, depth, level)
        self._block -= 1
        notes, self._notes = self._notes, []
        for note in notes:
            self._say(f"<p>{note}</p>")

    def _within(self, tag: str, node: ElementTree.Element, depth: int, level: int) -> None:
        block = tag in ("h1", "h2", "h3", "h4", "h5", "h6", "td", "th")
        self._say(f"<{tag}>")
        self._block += block
        self._children(node, depth, level)
        self._block -= block
        self._say(f"</{tag}>")

    def _children(self, node: ElementTree.Element, depth: int, level: int) -> None:
        self._say(html.escape(node.text or ""))
        for child in node:
            self.write(child, depth + 1, level)
            if tag_of(child) == "lb" and child.get("break") == "no":
                self._say(html.escape((child.tail or "").lstrip()))
            else:
                self._say(html.escape(child.tail or ""))

    def _note(self, node: ElementTree.Element) -> None:
        self._number += 1
        label, words = node.get("n") or str(self._number), _words(node)
        if tag_of(node) == "section":  # its title is its number
            label, _, words = words.partition(" ")
        note = f"[{label}] {html.escape(words)}"
        if self._block:
            self._notes.append(note)
        else:
            self._say(f"<p>{note}</p>")

    def _page(self, node: ElementTree.Element) -> None:
        label = html.escape(
            node.get("n") or node.get("PRINTED_IMG_NR") or node.get("PHYSICAL_IMG_NR") or "", quote=True
        )
        self._say(f'<span class="pagebreak" title="{label}"></span>')

    def _say(self, markup: str) -> None:
        self.parts.append(markup)
        self._length += len(markup)
        check_length(self._length)


def _words(node: ElementTree.Element) -> str:
    between = " " if tag_of(node) == "section" else ""
    return " ".join(between.join(node.itertext()).split())


def _printed(node: ElementTree.Element) -> str:
    """A word of ALTO: one that is divided at the end of a line is whole in its first part."""
    if tag_of(node) == "HYP" or node.get("SUBS_TYPE") == "HypPart2":
        return ""
    return f"{node.get('SUBS_CONTENT') or node.get('CONTENT') or ''} "


def _ends(node: ElementTree.Element) -> bool:
    return "".join(node.itertext()).rstrip().endswith((".", ":", ","))

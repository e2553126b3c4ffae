"""HTML to plain text, with its headings.

By lxml, event by event: nothing is fetched, no depth of nesting hurts, and the sentences come out as a reader sees
them (markitdown's Markdown has `x\\_y` and `**porte**` in them: docs/decisions/0005-loading.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree  # type: ignore[import-untyped]

from filigraph.graph.ingest.load.chapters import Heading, chapters_of_headings, chapters_of_plain_text
from filigraph.graph.ingest.load.content import Content, clean, one_line
from filigraph.graph.ingest.load.encoding import decode

_SPACES = re.compile(r"[ \t\n\r\f]+")  # not the no-break space, which comes before French ! and »
_SILENT = frozenset(("script", "style", "template", "noscript", "svg"))
_PARAGRAPHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 blockquote pre table ul ol dl hr section article header footer main figure aside".split()  # noqa: SIM905
)
_LINES = frozenset(("br", "div", "li", "tr", "dt", "dd", "figcaption", "caption", "body", "html", "head", "title"))
_NOTHING, _SPACE, _LINE, _PARAGRAPH = "", " ", "\n", "\n\n"
_GAPS = (_NOTHING, _SPACE, _LINE, _PARAGRAPH)
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# XHTML closes these at once, to an HTML parser they would swallow what follows.
_EMPTY = re.compile(r"<(script|style|title|noscript|template|textarea|iframe)\b([^<>]*)/>", re.IGNORECASE)


class _Reader:
    """What lxml reports its events to; collects `text`, `headings` and `title`."""

    def __init__(self) -> None:
        self.title = ""
        self.language = ""
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0
        self._gap = 0  # index in _GAPS: what separates the next words from the last
        self._silent = 0
        self._in_title = False
        self._in_pre = 0
        self._heading: tuple[int, int] | None = None  # (level, index in _parts)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._separate(tag)
        if tag in _SILENT:
            self._silent += 1
        elif tag == "title" and not self._silent:
            self._in_title = True
        elif tag == "html":
            self.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        elif tag == "pre":
            self._in_pre += 1
        elif tag == "li":
            self._write("- ")
            self._gap = 0
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self._heading = (int(tag[1]), len(self._parts))

    def end(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag == "title":
            self._in_title = False
        elif tag == "pre":
            self._in_pre = max(0, self._in_pre - 1)
        elif self._heading and tag == f"h{self._heading[0]}":
            level, first = self._heading
            self._heading = None
            words = "".join(self._parts[first:])
            start = self._length - len(words.lstrip("\n"))
            self.headings.append(Heading(level=level, label=one_line(words), start=start))
        self._separate(tag)

    def data(self, data: str) -> None:
        if self._in_title:
            self.title += data
            return
        if self._silent:
            return
        if self._in_pre:
            self._write(clean(data))
            return
        words = _SPACES.sub(" ", clean(data))
        if words.startswith(" "):
            self._gap = max(self._gap, 1)
        if words.strip(" "):
            self._write(words.strip(" "))
            self._gap = 1 if words.endswith(" ") else 0

    def close(self) -> None:
        """lxml asks for it."""

    def _separate(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._gap = 3
        elif tag in _LINES:
            self._gap = max(self._gap, 2)
        elif tag in ("td", "th"):
            self._gap = max(self._gap, 1)

    def _write(self, words: str) -> None:
        if self._silent or not words:
            return
        gap = _GAPS[self._gap] if self._parts else ""
        self._gap = 0
        self._parts.append(gap + words)
        self._length += len(gap) + len(words)


def read_markup(markup: str) -> tuple[str, str, list[Heading], str]:
    """(text, title, headings, language) of HTML or XHTML, however broken."""
    reader = _Reader()
    parser = etree.HTMLParser(target=reader, encoding="utf-8", no_network=True)
    try:
        parser.feed(_EMPTY.sub(r"<\1\2></\1>", clean(markup)).encode())
        parser.close()
    except etree.LxmlError:  # no element at all
        pass
    return reader.text, one_line(reader.title), reader.headings, reader.language


def declared_encoding(content: bytes) -> str:
    found = _CHARSET.search(content[:4096])
    return found[1].decode("ascii", "replace") if found else ""


def read_html(content: bytes, declared: str = "") -> Content:
    markup, warnings = decode(content, declared or declared_encoding(content))
    return content_of_markup(markup, warnings)


def content_of_markup(markup: str, warnings: tuple[str, ...] = ()) -> Content:
    """A whole document of HTML. Without headings, its chapters are looked for as in plain text."""
    text, title, headings, language = read_markup(markup)
    heading, places = chapters_of_headings(headings)
    return Content(
        text=text,
        title=title or heading,
        places=places or chapters_of_plain_text(text),
        language=language,
        warnings=warnings,
    )

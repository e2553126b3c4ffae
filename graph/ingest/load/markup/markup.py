"""HTML to plain text, with its headings.

It uses lxml, event by event: it fetches nothing, any nesting is safe, and the sentences are as a reader sees them
(markitdown's Markdown has `x\\_y` and `**porte**` in them: docs/decisions/0005-loading.md).
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lxml import etree  # type: ignore[import-untyped]

from filigraph.graph.ingest.load.chapters import Heading, chapters_of_headings, chapters_of_plain_text
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, clean, one_line
from filigraph.graph.ingest.load.markup.html_tables import Grid, data_tables
from filigraph.graph.ingest.load.tables.tables import table_text
from filigraph.graph.model.documents import Place
from filigraph.graph.text.hyphens import SOFT
from filigraph.graph.text.note_marks import is_mark, raise_digits, takes_mark

_SPACES = re.compile(r"[ \t\n\r\f]+")  # not the no-break space, which is before French ! and »
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_SILENT = frozenset(("script", "style", "template", "svg"))
_READINGS = frozenset(("rt", "rp", "rtc"))  # beside Japanese and Chinese letters: within words, they would part them
_PARAGRAPHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 blockquote pre table ul ol dl hr section article header footer main figure aside".split()  # noqa: SIM905
)
_LINES = frozenset(("br", "div", "li", "tr", "dt", "dd", "figcaption", "caption", "body", "html", "head", "title"))
_SOFT_HYPHEN = re.compile(r"&(?:shy|#173|#x0*ad)\b;?", re.IGNORECASE)
_DIVIDED = re.compile(  # inside a divided word: line ends, and inline elements
    rf"(?<!{SOFT}){SOFT}++(?P<between>(?:\s++|</?(?:a|abbr|acronym|b|bdi|bdo|big|br|cite|code|del|dfn|em|font|i|ins|kbd"
    r"|mark|q|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)\b[^<>]*+>)++)"
    r"(?=(?P<after>&#?\w{1,20};|\w))",
    re.IGNORECASE,
)
_WITHIN_LINE = re.compile(r"<(?!br\b)[^<>]*>", re.IGNORECASE)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())  # noqa: SIM905
_NOTHING, _SPACE, _LINE, _PARAGRAPH = "", " ", "\n", "\n\n"
_GAPS = (_NOTHING, _SPACE, _LINE, _PARAGRAPH)
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# XHTML closes these at once; for an HTML parser they would contain the rest of the text.
_EMPTY = re.compile(
    r"<(script|style|title|noscript|template|textarea|iframe|span|a|div|i|b|sup)\b([^<>]*)/>", re.IGNORECASE
)


_NOTE_REFERENCES = frozenset(
    "noteref doc-noteref footnote-ref footnoteref fnref fnanchor footnotecall appelnote note-ref endnote-ref".split()  # noqa: SIM905
)
_PAGE_BREAKS = frozenset(("pagebreak", "doc-pagebreak", "pagenum", "pageno", "page-number", "pagebreak-inline"))
_LINE_NUMBERS = frozenset(("lnum", "linenum", "linenumber", "line-number", "lineno", "line-num", "versenum"))
_PAGE_LABEL = re.compile(r"(?:p(?:g|age)?\.?\s*)?([0-9]{1,4}|[ivxlc]{1,8})", re.IGNORECASE)
_BACK = re.compile(r"[\s\[(]*[↑↩⤴⏎^⮌\ufe0e\ufe0f]+[\s\])]*")
_REFERENCE = re.compile(r"\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}|[*†‡§]{1,3}|\[[*†‡§a-z]\]")
_CLOSING = {"[": "]", "(": ")"}
_LONGEST_MARK = 12  # characters
_NAVIGATION = frozenset(("navigation", "search"))  # roles
_BESIDE = frozenset(("footer", "aside"))  # of a site, if they are outside the article
_ARTICLE = re.compile(r"<(?:main|article)\b", re.IGNORECASE)
_DATES = frozenset("article:published_time date dc.date dcterms.date dc.date.issued datepublished pubdate".split())  # noqa: SIM905
_HEAD_CHARS = 1000  # characters in which a date is that of the whole text
_BOILERPLATE = frozenset(("pg-header", "pg-footer", "pg-machine-header", "pg-boilerplate", "pgheader", "pgfooter"))


@dataclass(frozen=True, kw_only=True)
class Markup:
    """The content of an HTML file."""

    text: str
    title: str
    headings: list[Heading]
    language: str
    pages: list[tuple[int, str]]  # start and number of each printed page
    anchors: dict[str, int]  # id of an element -> where it begins
    metadata: dict[str, str]  # author and date, as written in the file
    left_out: list[str]  # skipped parts, as the report names them


class _Buffer:
    """The content of a raised or linked element, until it is known whether it is the mark of a note."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.depth = 1
        self.words = ""
        self.raised = tag == "sup"
        self.linked = False
        self.is_reference = False


class _Reader:
    """Target of lxml's events; collects the text, headings and title."""

    def __init__(
        self, data_tables: Collection[int] = (), *, has_article: bool = False, mark_quotes: bool = False
    ) -> None:
        self._mark_quotes = mark_quotes
        self._quotes = 0  # depth of quotation
        self._bracket = ""  # what closes the brackets around a mark that is left out
        self.title = ""
        self.metadata: dict[str, str] = {}
        self.left_out: list[str] = []
        self._has_article = has_article
        self._articles = 0  # number of open articles
        self.language = ""
        self._data_tables = data_tables
        self._tables = 0  # number of tables begun so far
        self._grid: Grid | None = None  # the table of data that is being read
        self._cell: list[str] | None = None
        self._cell_attributes: Mapping[str, str] = {}
        self._cell_is_head = False
        self.headings: list[Heading] = []
        self.pages: list[tuple[int, str]] = []
        self.anchors: dict[str, int] = {}
        self._parts: list[str] = []
        self._length = 0
        self._gap = 0  # index in _GAPS: the separator before the next words
        self._silent: list[str] = []  # skipped elements that are open
        self._in_title = False
        self._in_pre = 0
        self._heading: tuple[int, int] | None = None  # (level, index in _parts)
        self._held: _Buffer | None = None
        self._page: list[str] = []  # names of open elements, within the number of a page

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "rb" and len(self._silent) == 1 and self._silent[0] in _READINGS:
            self._silent.clear()  # many files do not close a reading
        if self._silent:
            self._silent.append(tag)
            return
        if self._held and (tag in _PARAGRAPHS or tag in _LINES):
            self._flush_held(dropped=False)
        self._separate(tag)
        self._begin_in_table(tag, attributes)
        names = _names(attributes)
        if id_ := attributes.get("id") or (attributes.get("name") if tag == "a" else None):
            self.anchors.setdefault(id_, self._length)
        self._articles += tag in ("main", "article")
        self._quotes += tag == "blockquote" and self._mark_quotes
        self._note_about(tag, attributes)
        if tag in _SILENT:
            self._silent.append(tag)
        elif what := self._left_out(tag, attributes, names):
            self._silent.append(tag)
            self.left_out.append(what)
        elif self._page or (names & _PAGE_BREAKS and tag in ("span", "a", "div", "p", "small", "i", "b", "hr")):
            self._begin_page(tag, attributes)
        elif tag == "title":
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
        self._hold_note_mark(tag, attributes, names)

    def _left_out(self, tag: str, attributes: Mapping[str, str], names: frozenset[str]) -> str:
        """The kind of an element that is not part of the text, as the report names it; "" for a part of the text."""
        if names & _BOILERPLATE:
            return "Project Gutenberg's head and licence"
        if tag not in (*_VOID, "html", "body") and (
            "hidden" in attributes or _HIDDEN.search(attributes.get("style", ""))
        ):
            return "what the page hides"
        if tag == "del":
            return "what is struck out"
        if tag in _READINGS:
            return "readings beside the letters (ruby)"
        if tag == "span" and names & _LINE_NUMBERS:
            return "numbers of lines"
        return f"<{tag}>" if tag == "noscript" or self._is_of_site(tag, attributes) else ""

    def _is_of_site(self, tag: str, attributes: Mapping[str, str]) -> bool:
        """Whether an element leads to other pages, or is the same on all pages."""
        if tag == "nav" or attributes.get("role", "").lower() in _NAVIGATION:
            return True
        return self._has_article and not self._articles and tag in _BESIDE

    def _note_about(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Store author and date of publication."""
        if tag == "meta":
            name = (attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or "").lower()
            kind = "date" if name in _DATES else "author" if name in ("author", "dc.creator") else ""
            value = one_line(attributes.get("content", ""))
        else:
            kind = "date" if tag == "time" and self._length < _HEAD_CHARS else ""
            value = one_line(attributes.get("datetime", ""))
        if kind and value and not value.startswith("http"):
            self.metadata.setdefault(kind, value)

    def _begin_in_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "table":
            if self._tables in self._data_tables:
                self._grid = Grid()
            self._tables += 1
        elif self._grid and tag == "tr":
            self._end_cell()
            self._grid.begin_row()
        elif self._grid and tag in ("td", "th"):
            self._end_cell()
            self._cell, self._cell_attributes, self._gap = [], attributes, 0
            self._cell_is_head = tag == "th"

    def _end_in_table(self, tag: str) -> None:
        if self._grid and tag in ("td", "th", "tr", "table"):
            self._end_cell()
        if self._grid and tag == "table":
            rows, self._grid, self._gap = self._grid.rows(), None, 3
            self._write(table_text(rows))

    def _end_cell(self) -> None:
        if self._grid and self._cell is not None:
            words, self._cell, self._gap = " ".join("".join(self._cell).split()), None, 0
            self._grid.add(words, self._cell_attributes, is_head=self._cell_is_head)

    def _begin_page(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self._page:
            label = attributes.get("title") or attributes.get("aria-label") or attributes.get("epub:label") or ""
            self._note_page(label)
        if tag != "hr":
            self._page.append(tag)

    def _note_page(self, label: str) -> None:
        match = _PAGE_LABEL.fullmatch(label.strip(" []{}()\n\t"))
        if match and (not self.pages or self.pages[-1][1] != match[1]):
            self.pages.append((self._length, match[1]))

    def _hold_note_mark(self, tag: str, attributes: Mapping[str, str], names: frozenset[str]) -> None:
        if self._held:
            self._held.depth += tag not in _VOID
        elif tag in ("sup", "a") and not self._in_title and (tag == "sup" or "href" in attributes):
            self._held = _Buffer(tag)
        if self._held:
            self._held.raised |= tag == "sup"
            self._held.linked |= tag == "a" and "#" in attributes.get("href", "")
            self._held.is_reference |= bool(names & _NOTE_REFERENCES)

    def end(self, tag: str) -> None:
        if self._silent:
            self._silent.pop()
            return
        if self._held and tag not in _VOID:
            self._held.depth -= 1
            if not self._held.depth:
                self._flush_held(dropped=self._is_mark(self._held))
        self._articles -= tag in ("main", "article") and self._articles > 0
        self._quotes -= tag == "blockquote" and self._quotes > 0
        self._end_in_table(tag)
        if self._page:
            self._page.pop()
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

    def _is_mark(self, held: _Buffer) -> bool:
        """Whether the buffered text is not part of a word: the mark of a note, or the link back from one."""
        words = held.words.strip()
        if not words or len(words) > _LONGEST_MARK:
            return False
        if held.is_reference or (held.tag == "a" and _BACK.fullmatch(words)):
            return True
        if held.raised and is_mark(words):
            return held.linked or takes_mark(self._last_words())
        attached = self._gap == 0 and bool(self._parts) and not held.words.startswith(" ")
        return held.linked and attached and bool(_REFERENCE.fullmatch(words)) and takes_mark(self._last_words())

    def _last_words(self) -> str:
        return self._parts[-1][-20:] if self._parts else ""

    def _flush_held(self, *, dropped: bool) -> None:
        held, self._held = self._held, None
        if held and dropped:
            self._bracket = _CLOSING.get(self._last_words()[-1:], "")  # of "[1]", if only the number is a link
        elif held:
            self._take(raise_digits(held.words) if held.raised and is_mark(held.words) else held.words)

    def data(self, data: str) -> None:
        if self._silent:
            return
        if self._in_title:
            self.title += data
        elif self._page:
            if not self.pages or self.pages[-1][0] != self._length:
                self._note_page(data)
        elif self._held:
            self._held.words += data
            if len(self._held.words) > 4 * _LONGEST_MARK:
                self._flush_held(dropped=False)
        else:
            self._take(data)

    def _drop_bracket(self, data: str) -> str:
        """The words without the bracket that closes the mark of a note; the one that opens it goes, too."""
        closing, self._bracket = self._bracket, ""
        if not closing or not data.startswith(closing) or self._cell is not None:
            return data
        last = self._parts.pop()
        self._length -= len(last)
        before = last[:-1].rstrip(" ")
        if before.strip():
            self._gap = 1 if before != last[:-1] else 0
            self._parts.append(before)
            self._length += len(before)
        else:
            self._gap = _GAPS.index(before) if before in _GAPS else 0
        return data[1:]

    def _take(self, data: str) -> None:
        data = self._drop_bracket(data)
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
        """lxml requires it."""

    def _separate(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._gap = 3
        elif tag in _LINES:
            self._gap = max(self._gap, 2)
        elif tag in ("td", "th"):
            self._gap = max(self._gap, 1)

    def _write(self, words: str) -> None:
        if not words:
            return
        if self._cell is not None:
            self._cell.append(f"{' ' if self._gap else ''}{words}")
            self._gap = 0
            return
        gap = _GAPS[self._gap] if self._parts else ""
        if self._quotes:
            marks = "> " * self._quotes
            gap += marks if self._gap >= 2 or not self._parts else ""
            words = words.replace("\n", f"\n{marks}")
        self._gap = 0
        self._parts.append(gap + words)
        self._length += len(gap) + len(words)


def _names(attributes: Mapping[str, str]) -> frozenset[str]:
    """The names of an element: its class, role, id and epub:type."""
    values = (attributes.get(name, "") for name in ("class", "role", "epub:type", "id"))
    return frozenset(" ".join(values).lower().split())


def _whole_word(divided: re.Match[str]) -> str:
    goes_on = html.unescape(divided["after"])[:1].isalpha()
    return "".join(_WITHIN_LINE.findall(divided["between"])) if goes_on else divided[0]


def read_markup(markup: str, *, mark_quotes: bool = False) -> Markup:
    """The text of HTML or XHTML, even if it is invalid. `mark_quotes`: begin the lines of quotations with ">"."""
    whole_words = _DIVIDED.sub(_whole_word, _SOFT_HYPHEN.sub(SOFT, markup))
    content = _EMPTY.sub(r"<\1\2></\1>", clean(whole_words)).encode()
    reader = _Reader(data_tables(content), has_article=bool(_ARTICLE.search(markup)), mark_quotes=mark_quotes)
    parser = etree.HTMLParser(target=reader, encoding="utf-8", no_network=True)
    try:
        parser.feed(content)
        parser.close()
    except etree.LxmlError:  # not a single element
        pass
    text = reader.text
    return Markup(
        text=text,
        title=one_line(reader.title),
        headings=reader.headings,
        language=reader.language,
        pages=[(_word_from(text, start), label) for start, label in reader.pages],
        anchors=reader.anchors,
        metadata=reader.metadata,
        left_out=reader.left_out,
    )


def _word_from(text: str, start: int) -> int:
    """The next word from an offset on, including the separator before it."""
    return start + len(text[start : start + 50]) - len(text[start : start + 50].lstrip())


def declared_encoding(content: bytes) -> str:
    match = _CHARSET.search(content[:4096])
    return match[1].decode("ascii", "replace") if match else ""


def content_of_markup(markup: str, warnings: tuple[str, ...] = (), *, mark_quotes: bool = False) -> Content:
    """A whole HTML document. If it has no headings, its chapters are searched as in plain text. In a mail,
    `mark_quotes` shows where the sender's own words go on.
    """
    parsed = read_markup(markup, mark_quotes=mark_quotes)
    heading, chapters = chapters_of_headings(parsed.headings)
    pages = [Place(kind="page", label=label, start=start) for start, label in parsed.pages]
    chapters = chapters or chapters_of_plain_text(parsed.text)
    kinds = ", ".join(dict.fromkeys(parsed.left_out))
    left_out = (f"{LEFT_OUT} {kinds}",) if kinds else ()
    return Content(
        text=parsed.text,
        title=parsed.title or heading,
        places=tuple(sorted([*pages, *chapters], key=lambda place: place.start)),
        language=parsed.language,
        metadata=parsed.metadata,
        warnings=(*warnings, *left_out),
    )

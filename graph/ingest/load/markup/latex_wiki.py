r"""LaTeX, reStructuredText and MediaWiki as Markdown: headings, links, notes, tables and emphasis without their
commands; title, author and date.

\section{The fire} \emph{Ann}\footnote{Her aunt.} left.      # The fire     Ann (Her aunt.) left.
== The fire ==     [[Ann Roe|Ann]] '''left'''.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from filigraph.graph.ingest.load.content import LEFT_OUT
from filigraph.graph.ingest.load.markup.as_markdown import around_code, heading

_BLANK = re.compile(r"\n{3,}")
_ARGUMENT = r"\{([^{}\n]{0,2000}(?:\n(?!\s*\n)[^{}\n]{0,2000}){0,40})\}"
_OPTION = r"(?:\[[^\]\n]{0,300}\])?"
_TEX_REMARK = re.compile(r"(?<!\\)%[^\n]*")
_TEX_CODE = re.compile(r"^[ \t]*\\(?:begin|end)\{(?:verbatim|lstlisting|minted)\*?\}.*$", re.MULTILINE)
_TEX_FIELD = re.compile(rf"\\(title|author|date){_OPTION}\{{((?:[^{{}}]|\{{[^{{}}]{{0,300}}\}}){{0,1000}})\}}")
_TEX_HEADING = re.compile(rf"\\(part|chapter|(?:sub){{0,2}}section|paragraph)\*?{_OPTION}{_ARGUMENT}")
_TEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_TEX_NOTE = re.compile(rf"(?<!\s)\s*\\(?:footnote|endnote){_OPTION}{_ARGUMENT}")
_TEX_DROPPED = re.compile(
    r"[ ~]?\\(?:label|(?:page|eq|auto|c|name)?ref|\w*cite\w*|index|[vh]space|includegraphics|bibliography\w*|usepackage"
    rf"|input|include|begin|end|setlength|documentclass|pagestyle|newcommand)\*?{_OPTION}{_OPTION}{_ARGUMENT}{_OPTION}"
)
_TEX_TABLE = re.compile(
    r"\\begin\{(?:tabular[x*]?|array|longtable|minipage|thebibliography)\*?\}(?:\[[^\]\n]{0,50}\])?(?:\{[^{}\n]{0,300}\}){1,2}"
)
_TEX_SPACE = re.compile(r"\\[,;:!/ ]")
_TEX_LINK = re.compile(rf"\\href{_ARGUMENT}{_ARGUMENT}")
_TEX_COMMAND = re.compile(rf"\\[a-zA-Z]{{1,30}}\*?{_OPTION}{_ARGUMENT}")
_TEX_ACCENT = re.compile(r"\\([`'^\"~=.]|[cvuHk](?=[{ ]))\s?(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))")
_TEX_SIGNS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
              "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328"}  # fmt: skip
_TEX_LETTERS = {"ss": "ß", "oe": "œ", "OE": "Œ", "ae": "æ", "AE": "Æ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
                "aa": "å", "AA": "Å", "i": "i", "ldots": "…", "dots": "…", "item": "-", "LaTeX": "LaTeX",
                "TeX": "TeX"}  # fmt: skip
_TEX_WORD = re.compile(r"\\([a-zA-Z]{1,30})\*?(?:\{\})?[ \t]?")
_TEX_ESCAPED = re.compile(r"\\([&%$#_{}])")
_TEX_CELL = re.compile(r"(?<!\\)&")

_RST_HEADING = re.compile(
    r"^(?:([=\-~^\"'`#*+])\1{2,}[ \t]*\n)?[ \t]*(?P<title>[^\s:.|][^\n]{0,300})\n"
    r"(?P<sign>[=\-~^\"'`#*+])(?P=sign){2,}[ \t]*$",
    re.MULTILINE,
)
_RST_FIELD = re.compile(r"^:(author|date|title):[ \t]+(\S[^\n]*)$\n?", re.IGNORECASE | re.MULTILINE)
_RST_NOTE = re.compile(r"^\.\. \[[#*]?[\w-]*\][ \t]+", re.MULTILINE)
_RST_TARGET = re.compile(
    r"^\.\. (?:_[^\n]{1,300}:.*"
    r"|(?:image|figure|include|toctree|contents|index|raw|meta|highlight|csv-table|\|[^|\n]+\|)"
    r"[^\n]*::.*(?:\n[ \t]+:[^\n]*)*)$\n?",
    re.MULTILINE,
)
_RST_CODE = re.compile(r"^\.\. (?:code-block|code|sourcecode|literalinclude|math)::.*(?:\n[ \t]+:.*)*$", re.MULTILINE)
_RST_DIRECTIVE = re.compile(r"^\.\. [\w:-]{1,40}::[ \t]*(?:\n[ \t]+:[^\n]*)*", re.MULTILINE)
_RST_REMARK = re.compile(r"^\.\.(?:[ \t][^\n]*)?(?:\n[ \t]+\S[^\n]*)*$\n?", re.MULTILINE)
_RST_ROLE = re.compile(r"(?::[\w:+.-]{1,40}:)?(?<!`)`([^`<\n]{1,300}?)(?:\s*<[^<>`\n]{1,300}>)?`(?!`)_{0,2}")
_RST_LITERAL = re.compile(r"``([^`\n]{1,300})``")
_RST_MARK = re.compile(r"[ \t]?\[(?:#[\w-]*|\*|\d+)\]_")

_WIKI_REMARK = re.compile(r"<!--[^-]{0,5000}(?:-[^-]{1,5000}){0,50}-->")
_WIKI_TEMPLATE = re.compile(r"\{\{[^{}]{0,5000}\}\}")
_WIKI_NOTE = re.compile(r"<ref\b[^>/\n]{0,200}>([^<]{0,3000})</ref>", re.IGNORECASE)
_WIKI_TAG = re.compile(
    r"</?(?:ref|br|nowiki|small|big|sup|sub|center|div|span|blockquote|poem|gallery)\b[^<>\n]{0,300}>", re.I
)
_WIKI_FILE = re.compile(
    r"\[\[(?:file|image|fichier|datei|archivo|category|catégorie|kategorie|categoría):[^\[\]]{0,1000}"
    r"(?:\[\[[^\[\]]{0,300}\]\][^\[\]]{0,1000}){0,20}\]\]\n?",
    re.IGNORECASE,
)
_WIKI_LINK = re.compile(
    r"\[\[(?:[^\[\]|\n]{0,300}\|)?([^\[\]|\n]{1,300})\]\]|\[\w{2,6}:[^\s\[\]]{1,1000}[ \t]+([^\[\]\n]{1,300})\]"
)
_WIKI_HEADING = re.compile(r"^(={1,6})[ \t]*([^=\n][^\n]{0,300}?)[ \t]*\1[ \t]*$", re.MULTILINE)
_WIKI_EMPHASIS = re.compile(r"'{2,5}")
_WIKI_TABLE = re.compile(r"^(?:\{\|[^\n]*|\|\}|\|-[^\n]*|\|\+[ \t]*)$\n?", re.MULTILINE)
_WIKI_CELL = re.compile(r"\|\||!!")
_WIKI_CELLS = re.compile(r"^[|!][ \t]*([^\n]*)$", re.MULTILINE)
_DEEPEST = 5  # commands and templates within each other


def latex_as_markdown(text: str) -> tuple[Mapping[str, str], str]:
    """What a text in LaTeX says of itself, and the text."""
    text = _TEX_REMARK.sub("", text)
    about = {match[1]: _tex(match[2], 0).strip() for match in _TEX_FIELD.finditer(text)}
    about = {name: value for name, value in about.items() if value and value != "today"}
    _, begun, body = text.partition(r"\begin{document}")
    body = body.partition(r"\end{document}")[0] if begun else text
    used = (level for level, command in enumerate(_TEX_LEVELS) if f"\\{command}" in body)
    highest = next(used, 0) - int("title" in about)  # the level of "# "
    body = around_code(_TEX_CODE, _TEX_FIELD.sub("", body), lambda part: _tex(part, highest))
    title = f"# {about['title']}\n\n" if "title" in about else ""
    return about, title + _BLANK.sub("\n\n", body).strip("\n")


def _tex(text: str, highest: int) -> str:
    text = _TEX_ACCENT.sub(lambda match: _accented(match[2] or match[3], match[1]), text)
    text = "\n".join(map(_tex_row, text.split("\n")))
    text = _TEX_SPACE.sub(" ", _TEX_TABLE.sub("", text.replace("\\\\", "\n")))
    for _ in range(_DEEPEST):
        before = text
        text = _TEX_NOTE.sub(r" (\1)", _TEX_DROPPED.sub("", text))
        text = _TEX_HEADING.sub(
            lambda match: f"\n\n{heading(1 + _TEX_LEVELS.index(match[1]) - highest, match[2])}\n\n", text
        )
        text = _TEX_COMMAND.sub(r"\1", _TEX_LINK.sub(r"\2", text))
        if text == before:
            break
    text = _TEX_WORD.sub(lambda match: _TEX_LETTERS.get(match[1], "") + " " * (match[1] == "item"), text)
    text = re.sub(r"(?<!\\)[{}]", "", re.sub(r"(?<!\\)~", " ", text))
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    return _TEX_ESCAPED.sub(r"\1", text)


def _tex_row(line: str) -> str:
    """A row of a table as cells; any other line as it is."""
    cells, ends, _ = line.rpartition("\\\\")
    return _row(_TEX_CELL, cells) if ends and "&" in cells else line


def _row(cell: re.Pattern[str], cells: str) -> str:
    return f"| {' | '.join(map(str.strip, cell.split(cells)))} |"


def _accented(letter: str, sign: str) -> str:
    return unicodedata.normalize("NFC", letter + _TEX_SIGNS[sign])


def rst_as_markdown(text: str) -> tuple[Mapping[str, str], str]:
    """What a text in reStructuredText says of itself, and the text."""
    about = {match[1].lower(): match[2].strip() for match in _RST_FIELD.finditer(text)}
    signs: list[tuple[str, bool]] = []

    def titled(match: re.Match[str]) -> str:
        kind = (match["sign"], bool(match[1]))
        if kind not in signs:
            signs.append(kind)
        return heading(1 + signs.index(kind), match["title"])

    text = _RST_HEADING.sub(titled, _RST_FIELD.sub("", text))
    text = _RST_DIRECTIVE.sub("", _RST_CODE.sub("", _RST_TARGET.sub("", _RST_NOTE.sub("", text))))
    text = _RST_ROLE.sub(r"\1", _RST_LITERAL.sub(r"\1", _RST_MARK.sub("", _RST_REMARK.sub("", text))))
    return about, _BLANK.sub("\n\n", text).strip("\n")


def templates_left_out(text: str) -> tuple[str, ...]:
    count = text.count("{{")
    return (f"{LEFT_OUT} templates of the wiki: {count}",) if count else ()


def wiki_as_markdown(text: str) -> tuple[Mapping[str, str], str]:
    """The text of a page of MediaWiki; it says nothing of itself."""
    text = _WIKI_REMARK.sub("", text)
    for _ in range(_DEEPEST):
        before = text
        text = _WIKI_TEMPLATE.sub("", text)
        if text == before:
            break
    text = _WIKI_TAG.sub("", _WIKI_NOTE.sub(r" (\1)", text))
    text = _WIKI_LINK.sub(lambda match: match[1] or match[2], _WIKI_FILE.sub("", text))
    text = _WIKI_HEADING.sub(lambda match: heading(len(match[1]), match[2]), text)
    text = _WIKI_CELLS.sub(lambda match: _row(_WIKI_CELL, match[1]), _WIKI_TABLE.sub("", text))
    return {}, _BLANK.sub("\n\n", _WIKI_EMPHASIS.sub("", text)).strip("\n")

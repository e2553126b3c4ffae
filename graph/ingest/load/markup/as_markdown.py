"""Org and AsciiDoc as Markdown: headings, links and emphasis in the signs that `markdown.py` knows; title, author and
date; without options, drawers, remarks and the lines around blocks.

* TODO The fire   :case:    [[http://...][The ferry]]        # The fire     The ferry
== The fire                 link:http://...[The ferry]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_BLANK = re.compile(r"\n{3,}")
_ORG_FIELD = re.compile(r"^#\+(title|author|date):[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
_ORG_BLOCK = re.compile(r"^[ \t]*#\+(?:begin|end)_(?:src|example)\b.*$", re.IGNORECASE | re.MULTILINE)
_ORG_DRAWER = re.compile(
    r"^[ \t]*:[\w-]+:[ \t]*\n(?:[ \t]*:[^\n]*\n){0,50}?[ \t]*:END:[ \t]*$\n?", re.IGNORECASE | re.MULTILINE
)
_ORG_REMARK = re.compile(r"^[ \t]*#(?:\+\w+(?:\[[^\]\n]*\])?:.*|\+\w+.*| .*|)$\n?", re.MULTILINE)
_ORG_HEADING = re.compile(
    r"^(\*+)[ \t]+(?:(?:TODO|DONE|NEXT|WAITING|CANCELL?ED|INPROGRESS)\b[ \t]*)?(?:\[#\w\][ \t]*)?([^\n]*)$",
    re.MULTILINE,
)
_ORG_TAGS = re.compile(r"[ \t]:[\w@#%:]+:$")
_ORG_LINK = re.compile(r"\[\[([^\[\]\n]+)\](?:\[([^\[\]]{1,300})\])?\]")
_ORG_EMPHASIS = re.compile(r"(?<![\w*/=~_])([*/=~_])(?=\S)([^*/=~_\n]*[^\s*/=~_])\1(?![\w*/=~_])")

_ADOC_HEAD = re.compile(
    r"\A(?:(?://|:[\w-]+:)[^\n]*\n|\n)*= (?P<title>[^\n]+)\n"
    r"(?P<author>[^\W\d_][^\n:;<]{1,60}(?=<|\n))?(?:<[^>\n]*>)?"
    r"(?:\n(?:v?[\d.]+, *)?(?P<date>\d{4}-\d\d-\d\d)[^\n]*)?"
)
_ADOC_ATTRIBUTE = re.compile(r"^:!?[\w-]+!?:.*$\n?|^//(?!/).*$\n?", re.MULTILINE)
_ADOC_LISTING = re.compile(r"^(?:-{4,}|\.{4,})[ \t]*$", re.MULTILINE)
_ADOC_AROUND = re.compile(
    r"^(?:={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|\|={3,}|--|\[\[[^\]\n]*\]\]|\[[\w#.%\"',=: -]*\]|\+)[ \t]*$\n?", re.MULTILINE
)
_ADOC_HEADING = re.compile(r"^(={1,6})[ \t]+(\S[^\n]*)$", re.MULTILINE)
_ADOC_QUOTED = re.compile(r"^\[(?:quote|verse),[ \t]*([^\]\n]+)\][ \t]*$", re.MULTILINE)
_ADOC_LINK = re.compile(  # an address has a limit, or a text of nothing but addresses takes hours
    r"(?<![\w:/.-])(?:link:|(?:link:)?(?:https?|mailto):)[^\s\[\]]{1,2000}\[(?P<label>[^\]\n]+)\]"
)
_ADOC_REFERENCE = re.compile(  # "<<fire,The fire>>"; terms for an index: "((seen))", "(((not seen)))"
    r"<<([^<>,\n]+)(?:,\s*([^<>\n]+))?>>|\(\(\([^()\n]+\)\)\)|\(\(([^()\n]+)\)\)|indexterm:\[[^\]\n]*\]"
)
_ADOC_PICTURE = re.compile(r"^(?:image|video|include)::.*$\n?", re.MULTILINE)
_ADOC_NOTE = re.compile(r"footnote:(?:\w*)\[([^\]\n]+)\]")


def org_as_markdown(text: str) -> tuple[Mapping[str, str], str]:
    """What a text in Org says of itself, and the text."""
    about = {match[1].lower(): match[2].strip() for match in _ORG_FIELD.finditer(text) if match[2].strip()}
    below = int("title" in about)

    def read(part: str) -> str:
        part = _ORG_REMARK.sub("", _ORG_DRAWER.sub("", part))
        part = _ORG_HEADING.sub(
            lambda match: heading(below + len(match[1]), _ORG_TAGS.sub("", match[2].rstrip())), part
        )
        part = _ORG_LINK.sub(lambda match: match[2] or match[1], part)
        return _BLANK.sub("\n\n", _ORG_EMPHASIS.sub(r"\2", part))

    text = around_code(_ORG_BLOCK, text, read)
    return about, (f"# {about['title']}\n\n{text.lstrip()}" if below else text).strip("\n")


def asciidoc_as_markdown(text: str) -> tuple[Mapping[str, str], str]:
    """What a text in AsciiDoc says of itself, and the text."""
    head = _ADOC_HEAD.match(text)
    about = {key: value.strip() for key, value in (head.groupdict() if head else {}).items() if value and value.strip()}
    if head:
        text = f"= {head['title']}\n\n{text[head.end() :]}"
    return about, around_code(_ADOC_LISTING, text, _asciidoc).strip("\n")


def _asciidoc(text: str) -> str:
    text = _ADOC_QUOTED.sub(r"\1:", _ADOC_PICTURE.sub("", _ADOC_ATTRIBUTE.sub("", text)))
    text = _ADOC_HEADING.sub(_adoc_heading, _ADOC_AROUND.sub("", text))
    text = _ADOC_LINK.sub(lambda match: match["label"], text)
    text = _ADOC_REFERENCE.sub(lambda match: match[2] or match[1] or match[3] or "", text)
    return _BLANK.sub("\n\n", _ADOC_NOTE.sub(r" (\1)", text))


def _adoc_heading(match: re.Match[str]) -> str:
    return heading(len(match[1]), match[2].rstrip().removesuffix(f" {match[1]}"))


def heading(level: int, words: str) -> str:
    return f"{'#' * min(6, level)} {words.strip()}"


def around_code(ends: re.Pattern[str], text: str, read: Callable[[str], str]) -> str:
    """A text that is read but for its blocks of code, which begin and end with such lines."""
    parts = ends.split(text)
    return "```".join(part if n % 2 else read(part) for n, part in enumerate(parts))

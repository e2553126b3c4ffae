"""Markdown's inline markup: emphasis, links, code and escapes are replaced by the text that they show. Headings, lists
and tables keep their markup, which shows the kind of a line.

Ann *sold* the [Heron](http://...) to **Bo**.[^1]     Ann sold the Heron to Bo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+[\"'][^\"'\n]*[\"'])?\)|\[[^\[\]\n]*\])"
)
_ADDRESS = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]+\]:\s*\S+[^\n]*$")
_NOTE_MARK = re.compile(r"(?<!^)\[\^[^\]\s]+\](?!:)")
_NOTE = re.compile(r"^ {0,3}\[\^([^\]\s]+)\]:\s*")
_EMPHASIS = (
    re.compile(r"(?<![\d*])(\*{1,3})(?=[^\s*])([^*\n]*[^*\s])\1(?![\d*])"),
    re.compile(r"(?<!\w)(_{1,3})(?=\S)([^_\n]*[^_\s])\1(?!\w)"),
    re.compile(r"(~~)(?=\S)([^~\n]*[^~\s])\1"),
)
_KEPT = "\ue000"  # before text that an escape or code protects; private use, so no text has it


def without_signs(text: str) -> str:
    """A Markdown text without inline markup; blocks of code are unchanged."""
    return "\n".join(
        block if is_code else "\n".join(map(_plain_line, _without_comments(block).split("\n")))
        for is_code, block in markdown_blocks(text)
    )


def markdown_blocks(text: str) -> Iterator[tuple[bool, str]]:
    """The text in parts, each with whether it is fenced code. Joined with line ends, they give the text."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if opening and not fence:
            if lines:
                yield False, "\n".join(lines)
            fence, lines = opening[1], [line]
        elif opening and opening[1].startswith(fence):
            yield True, "\n".join([*lines, line])
            fence, lines = "", []
        else:
            lines.append(line)
    if lines:
        yield bool(fence), "\n".join(lines)


def _without_comments(text: str) -> str:
    """The text without closed comments."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts.append(text[at:start])
        at = end + len("-->")
    return "".join(parts) + text[at:]


def _plain_line(line: str) -> str:
    if _ADDRESS.match(line):
        return ""
    set_aside: list[str] = []

    def replace_by_mark(shown: str) -> str:
        set_aside.append(shown)
        return f"{_KEPT}{len(set_aside) - 1};"

    line = _CODE.sub(lambda match: replace_by_mark(match[2].strip()), line)
    line = _ESCAPE.sub(lambda match: replace_by_mark(match[1]), line)
    line = _NOTE_MARK.sub("", _NOTE.sub(r"[\1] ", line))
    line = _LINK.sub(lambda match: match["text"], line)
    for form in _EMPHASIS:
        before = ""
        while before != line:
            before, line = line, form.sub(r"\2", line)
    return re.sub(rf"{_KEPT}(\d+);", lambda match: set_aside[int(match[1])], line)

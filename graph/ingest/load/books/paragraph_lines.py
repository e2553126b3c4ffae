"""Texts of which each line is a paragraph, without blank lines between: plain text of many corpora of novels."""

from __future__ import annotations

import re

_MIN_LINES = 8
_MIN_LONGEST = 200  # characters: wrapped lines are shorter
_MIN_ENDED = 0.8  # share of the lines that end like a paragraph; of wrapped lines, a third do
_MAX_BLANK = 0.1  # blank lines for each line
_ENDS = re.compile(r"[.!?…:;»”\"'’)\]—–-]\Z")
_CELLS = re.compile(r"\t| \| |\A\|")


def with_blank_lines(text: str) -> str:
    """A text whose lines are paragraphs, with a blank line after each; any other text as it is."""
    lines = [line.strip() for line in text.split("\n")]
    full = [line for line in lines if line]
    if len(full) < _MIN_LINES or len(lines) - len(full) > _MAX_BLANK * len(full) or max(map(len, full)) < _MIN_LONGEST:
        return text
    ended = sum(_ENDS.search(line) is not None for line in full)
    if ended < _MIN_ENDED * len(full) or any(_CELLS.search(line) for line in full):
        return text
    return "\n\n".join(full)

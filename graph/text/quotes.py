"""Detect direct speech."""

from __future__ import annotations

import re

from filigraph.graph.model.arrays import Span

_QUOTED = re.compile(r'["“”„«»‹›‘「」『』]|^\s*[-–—―]')
_OPENING, _CLOSING = "“„«‹「『", "”»›」』"


def is_quoted(text: str, sentence: Span) -> bool:
    """Whether a sentence quotes, or is in a quotation that an earlier sentence of its paragraph opens."""
    if _QUOTED.search(text[slice(*sentence)]):
        return True
    before = text[: sentence[0]]
    paragraph = before[max(before.rfind("\n\n"), 0) :]
    return is_open(paragraph) or bool(re.match(r"\s*[-–—―]", paragraph))


def is_open(text: str) -> bool:
    """Whether quotation marks are still open at the end of a text."""
    opened = sum(map(text.count, _OPENING)) - sum(map(text.count, _CLOSING))
    return opened > 0 or text.count('"') % 2 == 1

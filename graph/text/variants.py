"""Spelling variants as a pattern for Lucene. The index of names folds only Latin letters, `fold` also those of other
scripts, so a folded word must find a name with points, accents or another alef.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from filigraph.graph.text.words import fold

# Greek, Cyrillic, Hebrew, Arabic, Greek extended, presentation forms of Hebrew and Arabic, widths of kana and Latin.
_SCRIPTS = (
    *(range(0x370, 0x530), range(0x5D0, 0x6FF), range(0x1F00, 0x2000), range(0x30A0, 0x3100)),
    *(range(0xFB1D, 0xFDC8), range(0xFE70, 0xFEFD), range(0xFF01, 0xFFE0)),
)
_POINTS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
_SPECIAL = frozenset('.?+*|(){}[]"\\#@&<>~^$/-')  # operators in Lucene's regular expressions


def part_of_name(folded: str) -> str:
    """A Lucene query for the names with a word that contains this one."""
    if folded.isascii():
        return f"*{''.join(_escaped(letter) for letter in folded)}*"
    letters = f"[{_POINTS}]*".join(_class_of(letter) for letter in folded)
    return f"/.*{letters}.*/"


def _class_of(letter: str) -> str:
    others = sorted({letter, *_variants().get(letter, ())})
    return f"[{''.join(map(_escaped, others))}]" if len(others) > 1 else _escaped(letter)


def _escaped(letter: str) -> str:
    return letter if letter.isalnum() and letter not in _SPECIAL else f"\\{letter}"


@cache
def _variants() -> dict[str, list[str]]:
    """Folded letter -> the lower-case letters that fold to it: the index has no capitals."""
    letters: dict[str, list[str]] = defaultdict(list)
    for code in (code for script in _SCRIPTS for code in script):
        letter = chr(code)
        if letter.isalnum() and letter == letter.lower() and len(folded := fold(letter)) == 1 and folded != letter:
            letters[folded].append(letter)
    return dict(letters)

"""Segment: cut a question into the pieces that different passages may answer.

"Who is the mother of the director of Polish-Russian War?" asks for a director and for a mother. A passage that answers
one piece matches the whole question badly and that piece well.
"""

from __future__ import annotations

import re

LONG_QUESTION_WORDS = 10  # words from which a question without any other cut is halved

Span = tuple[int, int]

# Where a piece may begin: punctuation everywhere; possessives and relative words by language.
_PUNCTUATION = r"[,;:，、；：،؛—–]"
_AROUND = " ?!.¿¡？。"  # a piece is left without these
_CUTS = {
    "en": r"['’]s\b|\b(?:who|whom|whose|which|that|where|when|of|and|or|than|by)\b",
    "fr": r"\b(?:qui|que|dont|où|quand|lequel|laquelle|lesquels|lesquelles|de|du|des|et|ou|par)\b|\b(?:d|qu)['’]",
    "es": r"\b(?:que|quien|quienes|cuyo|cuya|donde|cuando|de|del|y|o|por)\b",
    "de": r"\b(?:der|die|das|dessen|deren|wo|wann|von|vom|und|oder)\b",
    "it": r"\b(?:che|chi|cui|dove|quando|di|del|della|e|o|da)\b|\b(?:dell|d)['’]",
    "ru": r"\b(?:который|которая|которое|которые|которого|которой|где|когда|и|или)\b",
    "zh": r"[的和与或]",
}


def segments(question: str, language: str) -> list[Span]:
    """The pieces of `question` with at least two words each, as spans of it; empty where it is one piece."""
    pattern = "|".join(part for part in (_PUNCTUATION, _CUTS.get(language, "")) if part)
    cuts = [match.span() for match in re.finditer(pattern, question, flags=re.IGNORECASE)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(question)]
    pieces = [_stripped(question, start, end) for start, end in zip(starts, ends, strict=True)]
    long_enough = [(start, end) for start, end in pieces if _is_long_enough(question[start:end], language)]
    if len(long_enough) < 2:
        long_enough = _halves(question)
    distinct = {question[start:end]: (start, end) for start, end in reversed(long_enough)}
    return sorted(distinct.values())[:8]


def _stripped(question: str, start: int, end: int) -> Span:
    piece = question[start:end]
    start += len(piece) - len(piece.lstrip(_AROUND))
    return start, start + len(piece.strip(_AROUND))


def _is_long_enough(piece: str, language: str) -> bool:
    return len(piece.split()) >= 2 or (language == "zh" and len(piece) >= 2)


def _halves(question: str) -> list[Span]:
    """The halves of a question of LONG_QUESTION_WORDS words or more."""
    words = [match.span() for match in re.finditer(r"\S+", question)]
    half = len(words) // 2
    return (
        [(words[0][0], words[half - 1][1]), (words[half][0], words[-1][1])] if len(words) >= LONG_QUESTION_WORDS else []
    )

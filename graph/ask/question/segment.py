"""Segment: cut a question into the pieces that different passages may answer.

"Who is the mother of the director of Polish-Russian War?" asks for a director and for a mother; a passage that answers
one piece fits the whole question badly and that piece well.
"""

from __future__ import annotations

import re

LONG = 10  # words from which a question without any other cut is halved

# Where a piece may begin: punctuation everywhere; possessives and relative words by language.
_PUNCTUATION = r"[,;:，、；：،؛—–]"
_CUTS = {
    "en": r"['’]s\b|\b(?:who|whom|whose|which|that|where|when|of|and|or|than|by)\b",
    "fr": r"\b(?:qui|que|dont|où|quand|lequel|laquelle|lesquels|lesquelles|de|du|des|et|ou|par)\b|\b(?:d|qu)['’]",
    "es": r"\b(?:que|quien|quienes|cuyo|cuya|donde|cuando|de|del|y|o|por)\b",
    "de": r"\b(?:der|die|das|dessen|deren|wo|wann|von|vom|und|oder)\b",
    "it": r"\b(?:che|chi|cui|dove|quando|di|del|della|e|o|da)\b|\b(?:dell|d)['’]",
    "ru": r"\b(?:который|которая|которое|которые|которого|которой|где|когда|и|или)\b",
    "zh": r"[的和与或]",
}


def segments(question: str, language: str) -> list[str]:
    """The pieces of `question` with at least two words each; empty where it is one piece."""
    pattern = "|".join(part for part in (_PUNCTUATION, _CUTS.get(language, "")) if part)
    pieces = [piece.strip(" ?!.¿¡？。") for piece in re.split(pattern, question, flags=re.IGNORECASE)]
    long_enough = [piece for piece in pieces if len(piece.split()) >= 2 or (language == "zh" and len(piece) >= 2)]
    if len(long_enough) < 2:
        words = question.split()
        half = len(words) // 2
        long_enough = [" ".join(words[:half]), " ".join(words[half:])] if len(words) >= LONG else []
    return list(dict.fromkeys(long_enough))[:8]

"""Excerpts of passages, from the sentence with the highest weight of a question's terms, with these terms marked.

Terms are weighted by inverse sentence frequency, so no stop list is needed in any language.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from filigraph.app.cli.terminal.text import one_line

if TYPE_CHECKING:
    from rich.text import Text

_WORD = re.compile(r"\w+")
MARKED = 0.25  # a term is marked above this share of the highest weight


def excerpts(texts: Sequence[str], question: str, limit: int) -> list[tuple[Text, int]]:
    """An excerpt of at most `limit` characters per text, from the sentence with the highest weight on, and where in the
    text that begins; "…" marks omitted text before it."""
    from filigraph.graph.text.sentences import sentences

    spans = [sentences(text, "") or [(0, len(text))] for text in texts]
    split = [[text[start:end] for start, end in own] for text, own in zip(texts, spans, strict=True)]
    weight = _weights(question, [_terms(sentence) for own in split for sentence in own])
    best = [_best(own, weight) for own in split]
    starts = [own[n][0] for own, n in zip(spans, best, strict=True)]
    return [
        (_excerpt(text[start:], weight, limit, cut=n > 0), start)
        for text, start, n in zip(texts, starts, best, strict=True)
    ]


def _terms(text: str) -> frozenset[str]:
    from filigraph.graph.text.words import terms

    return frozenset(terms(text, ""))


def _weights(question: str, sentences: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Term of the question -> inverse sentence frequency; terms that no sentence contains are omitted."""
    document_frequency = Counter(term for sentence in sentences for term in sentence)
    return {
        term: math.log((len(sentences) + 1) / (document_frequency[term] + 0.5))
        for term in _terms(question)
        if document_frequency[term]
    }


def _best(sentences: Sequence[str], weight: Mapping[str, float]) -> int:
    scores = [sum(weight.get(term, 0.0) for term in _terms(sentence)) for sentence in sentences]
    return scores.index(max(scores))


def _excerpt(text: str, weight: Mapping[str, float], limit: int, *, cut: bool) -> Text:
    from rich.text import Text

    shown = Text(one_line(("… " if cut else "") + text, limit))
    least = MARKED * max(weight.values(), default=0.0)
    for word in _WORD.finditer(shown.plain):
        if any(weight.get(term, 0.0) > least for term in _terms(word[0])):
            shown.stylize("bold", *word.span())
    return shown

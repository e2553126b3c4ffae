"""Late chunking: a text is read whole and cut afterwards, so that a piece's vector knows what stands around the piece.

A pronoun's sentence is then near to a question about what the pronoun stands for (Günther et al. 2024,
arXiv:2409.04701). Texts longer than the model's window are read in overlapping windows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from filigraph.graph.cancel import stop_if
from filigraph.graph.errors import NotSetUp
from filigraph.graph.model import ShouldStop, Vector
from filigraph.graph.models.embed import Embedder, Span, embed_chunks
from filigraph.graph.text.language import detect
from filigraph.graph.text.sentences import sentences

Strategy = Literal["paragraph", "sentence", "fixed"]
TEXTS_BATCH = 8  # texts between two looks whether to stop

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, kw_only=True, eq=False)
class LatePiece:
    """A piece of a text and its vector, of length 1."""

    start: int  # in code points
    end: int
    vector: Vector


def embed_late(
    embedder: Embedder,
    texts: Sequence[str],
    *,
    strategy: Strategy,
    chunk_size: int,
    overlap: int,
    cancelled: ShouldStop = lambda: False,
) -> list[list[LatePiece]]:
    """The pieces of each text. Paragraphs, sentences or single tokens are packed into pieces of up to `chunk_size`
    tokens; a piece begins with up to `overlap` tokens of the one before. A longer paragraph or sentence is a piece.

    Raises NotSetUp where the embedder does not tell its tokens, Cancelled between two batches.
    """
    if embedder.token_spans is None:
        raise NotSetUp(
            f"The embedder {embedder.name} does not tell where its tokens stand.",
            cure="Set FILIGRAPH_EMBEDDER to a model that sentence-transformers runs, or unset it.",
        )
    found: list[list[LatePiece]] = []
    for first in range(0, len(texts), TEXTS_BATCH):
        stop_if(cancelled)
        batch = texts[first : first + TEXTS_BATCH]
        tokens = embedder.token_spans(batch)
        spans = [
            list(_packed(_units(text, of, strategy), of, chunk_size, overlap))
            for text, of in zip(batch, tokens, strict=True)
        ]
        _, rows = embed_chunks(embedder, batch, [""] * len(batch), spans)
        found += [
            [LatePiece(start=start, end=end, vector=row) for (start, end), row in zip(cut, vectors, strict=True)]
            for cut, vectors in zip(spans, rows, strict=True)
        ]
    return found


def _units(text: str, tokens: Sequence[Span], strategy: Strategy) -> Sequence[Span]:
    """What is not cut: in order, without blanks at either end."""
    if strategy == "fixed":
        return tokens
    if strategy == "sentence":
        return sentences(text, detect(text))
    marks = [match.span() for match in _BLANK_LINES.finditer(text)]
    edges = zip([0, *(end for _, end in marks)], [*(start for start, _ in marks), len(text)], strict=True)
    return [(start, end) for start, end in edges if text[start:end].strip()]


def _packed(units: Sequence[Span], tokens: Sequence[Span], size: int, overlap: int) -> Iterator[Span]:
    """Consecutive units, as many as fit into `size` tokens."""
    counts = _token_counts(units, tokens)
    first = 0
    while first < len(units):
        last, total = first, counts[first]
        while last + 1 < len(units) and total + counts[last + 1] <= size:
            last += 1
            total += counts[last]
        yield units[first][0], units[last][1]
        if last + 1 == len(units):
            return
        first = _next_first(counts, first, last + 1, size, overlap)


def _next_first(counts: Sequence[int], first: int, new: int, size: int, overlap: int) -> int:
    """Where the piece begins that brings unit `new`: as many before it as `overlap` allows and fit."""
    shared = 0
    begin = new
    while begin - 1 > first and shared + counts[begin - 1] <= min(overlap, size - counts[new]):
        begin -= 1
        shared += counts[begin]
    return begin


def _token_counts(units: Sequence[Span], tokens: Sequence[Span]) -> list[int]:
    """How many tokens begin in each unit; both are in order."""
    counts, place = [], 0
    for start, end in units:
        while place < len(tokens) and tokens[place][0] < start:
            place += 1
        begun = place
        while place < len(tokens) and tokens[place][0] < end:
            place += 1
        counts.append(place - begun)
    return counts

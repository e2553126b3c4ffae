"""Late chunking: the model reads a whole text, which is cut afterwards, so a piece's vector has the context of the
piece.

The sentence of a pronoun is then near to a question about the noun that the pronoun replaces (Günther et al. 2024,
arXiv:2409.04701). Texts longer than the model's window are read in overlapping windows.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from filigraph.graph.errors import NotSetUp
from filigraph.graph.ids import content_id
from filigraph.graph.model.arrays import Matrix, Vector
from filigraph.graph.model.documents import Chunk
from filigraph.graph.models.embed import (
    Embedder,
    EncodesSpans,
    Span,
    embed_chunks,
    encode_spans,
    unit_rows,
    valid_utf8,
    windows_of,
)
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.text.language import detect
from filigraph.graph.text.sentences import sentences

Strategy = Literal["paragraph", "sentence", "fixed"]
BATCH_TEXTS = 8  # texts between two checks whether to stop
OVERLAP_TOKENS = 128  # tokens that two windows of a document share: the context of a chunk at a border

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

    Raises NotSetUp if the embedder gives no vectors of parts, Cancelled between two batches.
    """
    check_late(embedder)
    assert embedder.token_spans is not None
    pieces: list[list[LatePiece]] = []
    for first in range(0, len(texts), BATCH_TEXTS):
        stop_if(cancelled)
        batch = texts[first : first + BATCH_TEXTS]
        tokens = embedder.token_spans(batch)
        spans = [
            list(_packed(_units(text, offsets, strategy), offsets, chunk_size, overlap))
            for text, offsets in zip(batch, tokens, strict=True)
        ]
        _, rows = embed_chunks(embedder, batch, [""] * len(batch), spans)
        pieces += [
            [LatePiece(start=start, end=end, vector=row) for (start, end), row in zip(cut, vectors, strict=True)]
            for cut, vectors in zip(spans, rows, strict=True)
        ]
    return pieces


def check_late(embedder: Embedder) -> None:
    """Raises NotSetUp if `embedder` gives no vectors of the tokens of a text."""
    if embedder.token_spans is None or not isinstance(embedder.model, EncodesSpans) or not embedder.model.reads_parts:
        raise NotSetUp(
            f"The embedder {embedder.name} does not support late chunking: its vectors are not the means of its "
            "tokens, or its tokens are unknown.",
            cure=("Set FILIGRAPH_EMBEDDER to a model with mean pooling from a folder or the hub, or leave out `late`."),
        )


# --------------------------------------------------------------------------------------------------------------------
# The chunks of a document


class LateDocument:
    """A document whose chunks are embedded late: whole if it fits the model's window, else in overlapping windows, each
    after the title."""

    def __init__(self, embedder: Embedder, chunks: Sequence[Chunk]) -> None:
        """`chunks` are all chunks of the document, in order, at least one."""
        text = valid_utf8(_whole_text(chunks))
        title = valid_utf8(chunks[0].title)
        self.mark = content_id("late", text)  # of all that the vectors depend on beside chunk, title and embedder
        self._embedder = embedder
        (self._windows,) = windows_of(embedder, [text], [title], overlap=OVERLAP_TOKENS)

    def embed(self, spans: Sequence[Span], sentences: Sequence[Sequence[Span]]) -> tuple[Matrix, list[Matrix]]:
        """As `embed_chunks`, for chunks at `spans` of the document; `sentences` are spans of a chunk.

        A chunk's vector is the mean of its tokens; if it lies in several windows, the mean of its parts, weighted by
        length.
        """
        placed: list[list[Span]] = [[] for _ in self._windows]
        parts = [self._window_parts(span, placed) for span in spans]
        places = [
            [self._place_sentence((span[0] + start, span[0] + end), placed) for start, end in group]
            for span, group in zip(spans, sentences, strict=True)
        ]
        used = [n for n, group in enumerate(placed) if group]
        _, part_matrices = encode_spans(
            self._embedder, [self._windows[n].text for n in used], [placed[n] for n in used]
        )
        rows = dict(zip(used, part_matrices, strict=True))
        sums = np.zeros((len(spans), self._embedder.dimensions), dtype=np.float32)
        for row, group in zip(sums, parts, strict=True):
            for window, place, length in group:
                row += length * rows[window][place]
        matrices = [np.array([rows[window][place] for window, place in group], dtype=np.float32) for group in places]
        return unit_rows(sums), [matrix.reshape(-1, self._embedder.dimensions) for matrix in matrices]

    def _window_parts(self, span: Span, placed: list[list[Span]]) -> list[tuple[int, int, int]]:
        """The parts of a chunk: for each the window, its span number there, its number of characters."""
        parts = []
        for number in self._windows_around(span):
            parts.append((number, len(placed[number]), self._windows[number].holds(span)))
            placed[number].append(self._windows[number].inside(span))
        return parts

    def _place_sentence(self, span: Span, placed: list[list[Span]]) -> tuple[int, int]:
        """The window that contains most of a sentence, and its span number there."""
        number = max(self._windows_around(span), key=lambda n: (self._windows[n].holds(span), -n))
        placed[number].append(self._windows[number].inside(span))
        return number, len(placed[number]) - 1

    def _windows_around(self, span: Span) -> range:
        """The windows that contain a part of `span`: at least one."""
        first = bisect_right(self._windows, span[0], key=lambda window: window.end)
        return range(first, bisect_left(self._windows, span[1], lo=first + 1, key=lambda window: window.start))


def _whole_text(chunks: Sequence[Chunk]) -> str:
    """The text of a document, with blanks for text outside its chunks."""
    parts, end = [], 0
    for chunk in chunks:
        parts += [" " * (chunk.start - end), chunk.text[max(end - chunk.start, 0) :]]
        end = max(end, chunk.end)
    return "".join(parts)


# --------------------------------------------------------------------------------------------------------------------
# The pieces of a text


def _units(text: str, tokens: Sequence[Span], strategy: Strategy) -> Sequence[Span]:
    """The units that are never cut, in order, without blanks at either end."""
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
    """The first unit of the piece that adds unit `new`: as many earlier units as `overlap` allows and fit."""
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

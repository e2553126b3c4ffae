"""Split: a document as chunks of whole sentences, with exact offsets.

    text -> chapters -> units (sentences, or words), each with its tokens -> packed up to `size`, the last ones again

A chunk never crosses a chapter, begins and ends with a unit, and shares its last `overlap` tokens with the next one.
Why not LlamaIndex's SentenceSplitter: docs/decisions/0002-splitting.md.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from filigraph.graph import ids
from filigraph.graph.errors import InputError
from filigraph.graph.model import Chunk, LoadedDocument, Strategy
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import UNSPACED

CHARACTERS_PER_TOKEN = 8  # a chunk is never longer than this many characters for each token: 4,096 at the default size
_LETTERS_PER_TOKEN = 5  # of tokenizers for many languages, between 4 (French) and 6 (English)
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]{{1,{_LETTERS_PER_TOKEN}}}|[^\w\s]")
_WORD = re.compile(r"\S+")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Unit:
    """What is never cut: a sentence, a word, or a piece of one that is too long."""

    start: int
    end: int
    tokens: int
    ends_paragraph: bool


def count_tokens(text: str) -> int:
    """About as many tokens as the tokenizer of a language model would make of `text`: the same for any model."""
    return sum(1 for _ in _TOKEN.finditer(text))


def split(
    document: LoadedDocument,
    document_id: str,
    *,
    strategy: Strategy = "paragraph",
    size: int = 512,
    overlap: float = 0.15,
) -> list[Chunk]:
    """The chunks of `document`, in order; together they hold every character that is not a space.

    `paragraph` closes a chunk at the end of a paragraph where it is half full by then, `sentence` fills it sentence by
    sentence, `fixed` word by word. `size` in tokens, `overlap` as a share of it. Raises InputError for other values.
    """
    if strategy not in ("paragraph", "sentence", "fixed"):
        raise InputError(f"There is no splitting strategy {strategy!r}.", cure="Use paragraph, sentence or fixed.")
    if size < 16 or not 0 <= overlap <= 0.5:
        raise InputError("A chunk needs 16 tokens or more, and an overlap of 0 to 0.5.", cure="Change size or overlap.")
    spans = [
        span
        for start, end in _chapters(document, size)
        for span in _pack(_units(document, start, end, strategy, size, overlap), strategy, size, overlap)
    ]
    starts = [place.start for place in document.places]
    seen: Counter[str] = Counter()
    chunks = []
    for index, (start, end) in enumerate(spans):
        text = document.text[start:end]
        place = document.places[found - 1] if (found := bisect_right(starts, start)) else None
        chunks.append(
            Chunk(
                id=ids.chunk_id(document_id, text, seen[text]),
                document_id=document_id,
                index=index,
                start=start,
                end=end,
                text=text,
                title=document.title,
                place=f"{place.kind} {place.label}" if place else "",
                language=document.language,
            )
        )
        seen[text] += 1
    return chunks


def _chapters(document: LoadedDocument, size: int) -> list[tuple[int, int]]:
    """Where chunks must begin anew. A document that fits into one chunk stays whole."""
    text = document.text
    if len(text) <= size * CHARACTERS_PER_TOKEN and count_tokens(text) <= size:
        return [(0, len(text))]
    starts = {place.start for place in document.places if place.kind == "chapter"}
    return list(pairwise(sorted({0, len(text), *starts})))


def _units(
    document: LoadedDocument, start: int, end: int, strategy: Strategy, size: int, overlap: float
) -> Iterator[_Unit]:
    """The units of `text[start:end]`. One that would not fit is cut, into pieces that fit into the overlap."""
    text = document.text[start:end]
    if strategy == "fixed":
        spans = [found.span() for found in _WORD.finditer(text)]
    else:
        spans = sentences(text, document.language)
    for (first, last), after in zip(spans, [*spans[1:], (len(text), 0)], strict=False):
        tokens = count_tokens(text[first:last])
        ends_paragraph = bool(_BLANK_LINE.search(text, last, after[0]))
        if tokens <= size and last - first <= size * CHARACTERS_PER_TOKEN:
            yield _Unit(start=start + first, end=start + last, tokens=tokens, ends_paragraph=ends_paragraph)
            continue
        for piece_first, piece_last, piece_tokens in _pieces(text, first, last, max(8, _budget(size, overlap))):
            yield _Unit(
                start=start + piece_first,
                end=start + piece_last,
                tokens=piece_tokens,
                ends_paragraph=ends_paragraph and piece_last == last,
            )


def _pieces(text: str, first: int, last: int, size: int) -> Iterator[tuple[int, int, int]]:
    """(start, end, tokens) of groups of words of at most `size` tokens each; a word longer than that is cut."""
    start, end, tokens = first, first, 0
    for word in _WORD.finditer(text, first, last):
        for piece_start, piece_end, piece_tokens in _cut_word(text, *word.span(), size):
            full = tokens + piece_tokens > size or piece_end - start > size * CHARACTERS_PER_TOKEN
            if tokens and full:
                yield start, end, tokens
                tokens = 0
            if not tokens:
                start = piece_start
            end, tokens = piece_end, tokens + piece_tokens
    if tokens:
        yield start, end, tokens


def _cut_word(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int, int]]:
    """A run without spaces, in pieces of at most `size` tokens."""
    first, tokens = start, 0
    last = start
    for token in _TOKEN.finditer(text, start, end):
        if tokens == size:
            yield first, last, tokens
            first, tokens = last, 0
        last = token.end()
        tokens += 1
    yield first, end, max(tokens, 1)


def _budget(size: int, overlap: float) -> int:
    return int(size * overlap)


def _pack(units: Iterator[_Unit], strategy: Strategy, size: int, overlap: float) -> Iterator[tuple[int, int]]:
    """(start, end) of the chunks: units taken in order while they fit."""
    packed: list[_Unit] = []
    tokens = 0
    fresh = 0  # units of `packed` that no chunk holds yet
    for paragraph in _paragraphs(units, strategy):
        paragraph_tokens = sum(unit.tokens for unit in paragraph)
        if fresh and paragraph_tokens <= size < tokens + paragraph_tokens and tokens * 2 >= size:
            yield packed[0].start, packed[-1].end
            packed, tokens, fresh = *_overlap(packed, size, overlap), 0
        for unit in paragraph:
            if fresh and not _fits(packed, tokens, unit, size):
                yield packed[0].start, packed[-1].end
                packed, tokens, fresh = *_overlap(packed, size, overlap), 0
            while packed and not fresh and not _fits(packed, tokens, unit, size):
                tokens -= packed.pop(0).tokens  # the overlap gives way to a unit that is nearly a chunk itself
            packed.append(unit)
            tokens += unit.tokens
            fresh += 1
    if fresh:
        yield packed[0].start, packed[-1].end


def _paragraphs(units: Iterator[_Unit], strategy: Strategy) -> Iterator[list[_Unit]]:
    """The units by paragraph; one by one for the strategies that know no paragraphs."""
    paragraph: list[_Unit] = []
    for unit in units:
        paragraph.append(unit)
        if unit.ends_paragraph or strategy != "paragraph":
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _fits(packed: list[_Unit], tokens: int, unit: _Unit, size: int) -> bool:
    return tokens + unit.tokens <= size and (not packed or unit.end - packed[0].start <= size * CHARACTERS_PER_TOKEN)


def _overlap(packed: list[_Unit], size: int, overlap: float) -> tuple[list[_Unit], int]:
    """The last units of a chunk that begin the next one, and their tokens: as many as fit into the overlap; the last
    alone may take twice as much, so that a long sentence at the border is not left out."""
    budget = _budget(size, overlap)
    taken: list[_Unit] = []
    tokens = 0
    for unit in reversed(packed[1:]):
        if tokens + unit.tokens > (budget if taken else 2 * budget):
            break
        taken.append(unit)
        tokens += unit.tokens
    return taken[::-1], tokens

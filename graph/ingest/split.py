"""Split: a document as chunks of whole sentences, with exact offsets.

    text -> chapters -> units (sentences, or words), each with its size -> chunks up to `size`, with overlap

A chunk is within one chapter, begins and ends with a unit, and shares its last `overlap` with the next one. Sizes are
in tokens or words; in characters, a chunk ends at the end of a paragraph or sentence near its full size
(`_cut_characters`). Why not LlamaIndex's SentenceSplitter: docs/decisions/0002-splitting.md.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from filigraph.graph import ids
from filigraph.graph.errors import InputError
from filigraph.graph.model.documents import CUT_PRESETS, Chunk, Cut, CutPreset, CutUnit, LoadedDocument, Strategy
from filigraph.graph.text.places import DocumentPlaces
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import MARKS, UNSPACED

CHARACTERS_PER_TOKEN = 8  # max. characters of a chunk per token: 4,096 at the default size
CHARACTERS_PER_WORD = 16
LOOK_BACK = 100  # characters before the end of a chunk where the end of a paragraph or sentence may end it
_LETTERS_PER_TOKEN = 5  # average of tokenizers for many languages, between 4 (French) and 6 (English)
# A combining mark belongs to the letter before it: a text with vowel points is as long as the same text without them.
_TOKEN = re.compile(
    rf"[{UNSPACED}][{MARKS}]*|(?:[^\W{UNSPACED}][{MARKS}]*){{1,{_LETTERS_PER_TOKEN}}}|[^\w\s{MARKS}]|[{MARKS}]{{1,{_LETTERS_PER_TOKEN}}}"
)
_WORD = re.compile(r"\S+")
_COUNTED_WORD = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n){3,}")  # three or more blank lines count as one break
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, kw_only=True)
class _Measure:
    """How to measure a text."""

    part: re.Pattern[str]  # counts as one
    longest: int  # max. characters of a chunk per unit of size
    full: float  # share of a chunk from which the end of a paragraph may end it

    def count(self, text: str) -> int:
        return sum(1 for _ in self.part.finditer(text))


_TOKENS = _Measure(part=_TOKEN, longest=CHARACTERS_PER_TOKEN, full=1 / 2)
_WORDS = _Measure(part=_COUNTED_WORD, longest=CHARACTERS_PER_WORD, full=5 / 7)  # 250 words of 350


@dataclass(frozen=True, kw_only=True, slots=True)
class _Unit:
    """A text that is never cut: a sentence, a word, or a piece of one that is too long."""

    start: int
    end: int
    tokens: int
    ends_paragraph: bool


def count_tokens(text: str) -> int:
    """About as many tokens as the tokenizer of a language model gives for `text`; the same for all models."""
    return _TOKENS.count(text)


def split(
    document: LoadedDocument,
    document_id: str,
    *,
    strategy: Strategy = "paragraph",
    size: int = 512,
    overlap: float = 0.15,
    unit: CutUnit = "tokens",
) -> list[Chunk]:
    """The chunks of `document`, in order; together they contain every character that is not a space.

    `paragraph` ends a chunk at the end of a paragraph if it is half full by then, `sentence` fills it sentence by
    sentence, `fixed` word by word. `size` in `unit`, `overlap` as a share of it. Raises InputError for other values.
    """
    if strategy not in ("paragraph", "sentence", "fixed"):
        raise InputError(f"Unknown splitting strategy {strategy!r}.", cure="Use paragraph, sentence or fixed.")
    least = MIN_SIZE[unit]
    if size < least or not 0 <= overlap <= 0.5:
        cause = f"A chunk needs {least} {unit} or more, and an overlap of half of them at most."
        raise InputError(cause, cure="Change size or overlap.")
    spans = list(_spans(document, Cut(strategy=strategy, size=size, overlap=overlap, unit=unit)))
    places = DocumentPlaces(document)
    seen: Counter[str] = Counter()
    chunks = []
    for index, (start, end) in enumerate(spans):
        text = document.text[start:end]
        chunks.append(
            Chunk(
                id=ids.chunk_id(document_id, text, seen[text]),
                document_id=document_id,
                index=index,
                start=start,
                end=end,
                text=text,
                title=document.title,
                place=places.section(start),
                language=document.language,
                places=places.marks(start, end),
            )
        )
        seen[text] += 1
    return chunks


def read_cut(
    *,
    strategy: Strategy = "paragraph",
    size: int | None = None,
    overlap: int | None = None,
    unit: CutUnit = "tokens",
    preset: CutPreset | None = None,
    late: bool = False,
) -> Cut:
    """The cut that a user asks for: a preset, or size and overlap in a unit. Raises InputError."""
    if preset:
        if size is not None or overlap is not None or strategy != "paragraph" or unit != "tokens":
            raise InputError(
                f"The preset {preset} already determines how texts are cut.",
                cure=("Give the preset without other options, or leave it out."),
            )
        return replace(CUT_PRESETS[preset], late=late)
    size = size if size is not None else USUAL[unit]
    if not MIN_SIZE[unit] <= size <= MAX_SIZE:
        raise InputError(f"A chunk has {MIN_SIZE[unit]} to {MAX_SIZE:,} {unit}, not {size}.", cure="Change the size.")
    if overlap is not None and not 0 <= overlap <= size / 2:
        raise InputError(f"An overlap of {overlap} {unit} is more than half a chunk.", cure="Make it smaller.")
    return Cut(
        strategy=strategy,
        size=size,
        overlap=Cut().overlap if overlap is None else round(overlap / size, 4),
        unit=unit,
        late=late,
    )


MIN_SIZE: Mapping[CutUnit, int] = {"tokens": 16, "characters": 200, "words": 16}
USUAL: Mapping[CutUnit, int] = {"tokens": 512, "characters": 2000, "words": 350}
MAX_SIZE = 8192


def _spans(document: LoadedDocument, cut: Cut) -> Iterator[tuple[int, int]]:
    """The starts and ends of chunks."""
    if cut.unit == "characters":
        for start, end in _chapters(document, _counted_length(document.text) <= cut.size):
            yield from _cut_characters(document, start, end, cut)
        return
    measure = _WORDS if cut.unit == "words" else _TOKENS
    text = document.text
    whole = len(text) <= cut.size * measure.longest and measure.count(text) <= cut.size
    for start, end in _chapters(document, whole):
        yield from _pack(_units(document, start, end, cut, measure), cut, measure)


def _chapters(document: LoadedDocument, whole: bool) -> list[tuple[int, int]]:
    """The starts of chapters. A document that fits into one chunk is kept `whole`."""
    text = document.text
    if whole:
        return [(0, len(text))]
    starts = {place.start for place in document.places if place.kind != "page"}
    return list(pairwise(sorted({0, len(text), *starts})))


def _units(document: LoadedDocument, start: int, end: int, cut: Cut, measure: _Measure) -> Iterator[_Unit]:
    """The units of `text[start:end]`. A unit that does not fit is cut into pieces that fit into the overlap."""
    text = document.text[start:end]
    if cut.strategy == "fixed":
        spans = [match.span() for match in _WORD.finditer(text)]
    else:
        spans = sentences(text, document.language)
    for (first, last), after in zip(spans, [*spans[1:], (len(text), 0)], strict=False):
        tokens = measure.count(text[first:last])
        ends_paragraph = bool(_BLANK_LINE.search(text, last, after[0]))
        if tokens <= cut.size and last - first <= cut.size * measure.longest:
            yield _Unit(start=start + first, end=start + last, tokens=tokens, ends_paragraph=ends_paragraph)
            continue
        for piece_first, piece_last, piece_tokens in _pieces(text, first, last, max(8, _budget(cut)), measure):
            yield _Unit(
                start=start + piece_first,
                end=start + piece_last,
                tokens=piece_tokens,
                ends_paragraph=ends_paragraph and piece_last == last,
            )


def _pieces(text: str, first: int, last: int, size: int, measure: _Measure) -> Iterator[tuple[int, int, int]]:
    """(start, end, tokens) of groups of words with at most `size` tokens each; a longer word is cut."""
    start, end, tokens = first, first, 0
    for word in _WORD.finditer(text, first, last):
        for piece_start, piece_end, piece_tokens in _cut_word(text, *word.span(), size, measure):
            full = tokens + piece_tokens > size or piece_end - start > size * measure.longest
            if tokens and full:
                yield start, end, tokens
                tokens = 0
            if not tokens:
                start = piece_start
            end, tokens = piece_end, tokens + piece_tokens
    if tokens:
        yield start, end, tokens


def _cut_word(text: str, start: int, end: int, size: int, measure: _Measure) -> Iterator[tuple[int, int, int]]:
    """Pieces of a run without spaces, at most `size` tokens each."""
    first, tokens = start, 0
    last = start
    for token in measure.part.finditer(text, start, end):
        if tokens == size:
            yield first, last, tokens
            first, tokens = last, 0
        last = token.end()
        tokens += 1
    yield first, end, max(tokens, 1)


def _budget(cut: Cut) -> int:
    return int(cut.size * cut.overlap)


def _pack(units: Iterator[_Unit], cut: Cut, measure: _Measure) -> Iterator[tuple[int, int]]:
    """(start, end) of the chunks: units in order, as long as they fit."""
    pending: list[_Unit] = []
    tokens = 0
    fresh = 0  # number of units of `packed` that no chunk contains yet
    for paragraph in _paragraphs(units, cut.strategy):
        paragraph_tokens = sum(unit.tokens for unit in paragraph)
        closes = tokens >= cut.size * measure.full
        if fresh and closes and paragraph_tokens <= cut.size < tokens + paragraph_tokens:
            yield pending[0].start, pending[-1].end
            pending, tokens, fresh = *_overlap(pending, cut), 0
        for unit in paragraph:
            if fresh and not _fits(pending, tokens, unit, cut.size, measure):
                yield pending[0].start, pending[-1].end
                pending, tokens, fresh = *_overlap(pending, cut), 0
            while pending and not fresh and not _fits(pending, tokens, unit, cut.size, measure):
                tokens -= pending.pop(0).tokens  # a unit that is nearly a chunk itself gets the room of the overlap
            pending.append(unit)
            tokens += unit.tokens
            fresh += 1
    if fresh:
        yield pending[0].start, pending[-1].end


def _paragraphs(units: Iterator[_Unit], strategy: Strategy) -> Iterator[list[_Unit]]:
    """The units by paragraph; single units for the strategies without paragraphs."""
    paragraph: list[_Unit] = []
    for unit in units:
        paragraph.append(unit)
        if unit.ends_paragraph or strategy != "paragraph":
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _fits(pending: list[_Unit], tokens: int, unit: _Unit, size: int, measure: _Measure) -> bool:
    return tokens + unit.tokens <= size and (not pending or unit.end - pending[0].start <= size * measure.longest)


def _overlap(pending: list[_Unit], cut: Cut) -> tuple[list[_Unit], int]:
    """The last units of a chunk that begin the next one, and their tokens: as many as fit into the overlap. A single
    last unit may have twice as much, so that the overlap includes a long sentence at the border.
    """
    budget = _budget(cut)
    units: list[_Unit] = []
    tokens = 0
    for unit in reversed(pending[1:]):
        if tokens + unit.tokens > (budget if units else 2 * budget):
            break
        units.append(unit)
        tokens += unit.tokens
    return units[::-1], tokens


# --------------------------------------------------------------------------------------------------------------------
# By characters


def _counted_length(text: str) -> int:
    return len(text) - sum(len(match[0]) - 2 for match in _BLANK_LINES.finditer(text))


def _cut_characters(document: LoadedDocument, start: int, end: int, cut: Cut) -> Iterator[tuple[int, int]]:
    """Chunks of at most `size` characters: each ends with the last paragraph, else sentence, that ends within its last
    100 characters, else with a word. Three or more blank lines count as one break. The next chunk begins `overlap`
    characters before, with a word."""
    text = document.text
    paragraphs = [start + match.start() for match in _BLANK_LINE.finditer(text[start:end])]
    spoken = (
        [] if cut.strategy == "fixed" else [start + last for _, last in sentences(text[start:end], document.language)]
    )
    ends = (paragraphs if cut.strategy == "paragraph" else [], spoken)
    while (match := _WORD.search(text, start, end)) is not None:
        start = match.start()
        limit = _limit(text, start, end, cut.size)
        stop = limit if limit >= end else _stop(text, start, limit, ends)
        yield start, start + len(text[start:stop].rstrip())
        if stop >= end:
            return
        start = _next_start(text, start, stop, _budget(cut))


def _limit(text: str, start: int, end: int, size: int) -> int:
    """The position `size` characters after `start`."""
    limit = start + size
    for match in _BLANK_LINES.finditer(text, start, end):
        if match.start() >= limit:
            break
        limit += len(match[0]) - 2
    return min(limit, end)


def _stop(text: str, start: int, limit: int, ends: tuple[list[int], list[int]]) -> int:
    """The end of a chunk that may reach `limit`."""
    for places in ends:
        place = bisect_right(places, limit) - 1
        if place >= 0 and places[place] > max(start, limit - LOOK_BACK):
            return places[place]
    if text[limit - 1].isspace() or text[limit].isspace():
        return limit
    word = max((match.start() for match in re.finditer(r"\s", text[start:limit])), default=0)
    return start + word if word else limit


def _next_start(text: str, start: int, stop: int, overlap: int) -> int:
    """The first word that begins in the overlap."""
    begin = max(stop - overlap, start + 1)
    if begin < stop and not text[begin - 1].isspace():
        space = next((match.start() for match in re.finditer(r"\s", text[begin:stop])), None)
        begin = stop if space is None else begin + space
    return begin

"""Extracts of a document that show who its names mean: for each name the first sentence with it, then sentences with
other names too; for a rare name also the text before."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.names import Mention
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.text.sentences import sentences

MAX_SENTENCE_CHARS = 240  # characters of a sentence that is shown whole
CONTEXT_CHARS = 90  # of a longer one, on either side of the names
BEFORE = 110  # before a rare name
RARE, FREQUENT = 3, 12  # places of a name
MOST_FOR = 4  # extracts for a frequent name; for others one less


@dataclass(frozen=True, kw_only=True)
class Extract:
    """A sentence with names."""

    at: int  # where it begins in the document
    text: str
    keys: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class NamePlaces:
    """The sentences of a document that have names, and how often each name occurs."""

    extracts: Sequence[Extract]  # in the order of the text
    of: Mapping[str, Sequence[int]]  # key -> places in `extracts`
    counts: Mapping[str, int]

    @classmethod
    def find(cls, chunks: Sequence[Chunk], mentions: Sequence[Mention]) -> NamePlaces:
        """`mentions`: those of the document, with all their places. Chunks may share some text: it counts once."""
        spans: dict[str, set[tuple[int, int, str]]] = defaultdict(set)
        for mention in mentions:
            for occurrence in mention.occurrences:
                spans[occurrence.chunk_id].add((occurrence.start, occurrence.end, mention.key))
        places: set[tuple[int, str]] = set()
        extracts: dict[int, Extract] = {}
        for chunk in chunks:
            places.update((chunk.start + start, key) for start, _, key in spans.get(chunk.id, ()))
        counts = Counter(key for _, key in places)
        for chunk in chunks:
            for extract in _extracts(chunk, sorted(spans.get(chunk.id, ())), counts):
                known = extracts.get(extract.at)
                if known is None or len(known.text) < len(extract.text):  # the end of a chunk may cut it
                    extracts[extract.at] = extract
        ordered = [extracts[at] for at in sorted(extracts)]
        extracts_of: dict[str, list[int]] = defaultdict(list)
        for number, extract in enumerate(ordered):
            for key in extract.keys:
                extracts_of[key].append(number)
        return cls(extracts=ordered, of=extracts_of, counts=counts)


def _extracts(chunk: Chunk, here: Sequence[tuple[int, int, str]], counts: Mapping[str, int]) -> list[Extract]:
    extracts, at = [], 0
    spans = sentences(chunk.text, chunk.language)
    for number, (start, end) in enumerate(spans):
        inside = []
        while at < len(here) and here[at][0] < end:
            if here[at][0] >= start:
                inside.append(here[at])
            at += 1
        if inside:
            before = spans[number - 1] if number else None
            text = _excerpt(chunk.text, (start, end), inside)
            if before and min(counts[key] for _, _, key in inside) <= RARE:
                text = f"{_end_of(chunk.text, before)} {text}"
            keys = frozenset(key for _, _, key in inside)
            extracts.append(Extract(at=chunk.start + start, text=text, keys=keys))
    return extracts


def _excerpt(text: str, sentence: Span, names: Sequence[tuple[int, int, str]]) -> str:
    """A sentence, or the part of it around its names."""
    start, end = sentence
    if end - start > MAX_SENTENCE_CHARS:
        first, last = names[0][0], max(name[1] for name in names)
        if last - first > MAX_SENTENCE_CHARS:
            last = names[0][1]
        start, end = _at_word(text, max(start, first - CONTEXT_CHARS), first), min(end, last + CONTEXT_CHARS)
        end = end if end == sentence[1] else max(text.rfind(" ", last, end), last)
    shown = " ".join(text[start:end].split())
    return f"{'… ' if start > sentence[0] else ''}{shown}{' …' if end < sentence[1] else ''}"


def _at_word(text: str, start: int, end: int) -> int:
    """The beginning of the first whole word from `start` on."""
    if start == 0 or text[start - 1].isspace():
        return start
    space = text.find(" ", start, end)
    return end if space < 0 else space + 1


def _end_of(text: str, sentence: Span) -> str:
    start = _at_word(text, max(sentence[0], sentence[1] - BEFORE), sentence[1])
    return f"{'… ' if start > sentence[0] else ''}{' '.join(text[start : sentence[1]].split())}"


def choose_extracts(places: NamePlaces, keys: Sequence[str], anchors: Set[str], room: int) -> list[Extract]:
    """The extracts for some names, in the order of the text, of `room` tokens; each name gets at least one, even beyond
    `room`. `anchors` get at most one."""
    wanted = {*keys}
    picked: set[int] = set()
    covered: Counter[str] = Counter()
    left = room

    def pick(number: int) -> None:
        nonlocal left
        if number not in picked:
            picked.add(number)
            covered.update(places.extracts[number].keys & wanted)
            left -= estimate_tokens(places.extracts[number].text) + 3

    order = sorted(keys, key=lambda key: (places.counts[key], key))
    for key in order:  # the rarest first: their sentences often have the others
        if places.of.get(key) and (not covered[key] or (places.counts[key] > RARE and key not in anchors)):
            pick(places.of[key][0])
    for turn in range(2, MOST_FOR + 1):
        for key in reversed(order):
            if key in anchors or covered[key] >= min(turn, _most(places.counts[key])):
                continue
            rest = [number for number in places.of.get(key, ()) if number not in picked]
            if rest and left > 0:
                pick(max(rest, key=lambda number: (_telling(places.extracts[number], wanted), -number)))
    return [places.extracts[number] for number in sorted(picked)]


def _most(count: int) -> int:
    return MOST_FOR if count >= FREQUENT else MOST_FOR - 1


def _telling(extract: Extract, wanted: Set[str]) -> float:
    """How informative an extract is: more names in fewer words are better."""
    return min(len(extract.keys & wanted), 4) - len(extract.text) / MAX_SENTENCE_CHARS

"""The batches for an LLM that looks for contradictions: passages by several voices about the same persons and things,
with numbered sentences.

A pair of passages is worth reading if both name an entity that few others name. Each passage has at most its MOST_LINKS
best pairs. A batch begins with the best pair that is in no batch yet, and adds the passages with the strongest links to
it, up to TEXT_TOKENS: the number of calls grows with the passages, not with the pairs. In a small workspace every two
passages are read together: in one call, or in three with two thirds each.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.ids import content_id
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.records.facts import SourcePassage, Statement
from filigraph.graph.text.sentences import sentences

VERSION = "2"  # bump whenever a reply would be interpreted differently
TEXT_TOKENS = 6400  # tokens of the sentences of a call: it fits 8,192 with its reply
REPLY_TOKENS = 1200  # tokens
SENTENCE_TOKENS = 3  # tokens for a number and a line
HEADING_TOKENS = 30  # tokens for the heading of a passage
MOST_LINKS = 12  # of a passage
MOST_NAMING = 60  # max. passages with an entity that links them; an entity in more links none
CANDIDATE_WEIGHT = 1000.0  # weight of a pair of passages with a candidate
ROUNDS = 2  # max. average number of times that a passage is read

Link = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class BatchSentence:
    """A sentence in the form that a batch shows."""

    chunk_id: str
    start: int
    end: int
    text: str
    document_id: str
    voice: str
    date: str


@dataclass(frozen=True, kw_only=True)
class ContradictionBatch:
    """Passages that are read together."""

    chunk_ids: tuple[str, ...]
    sentences: Mapping[int, BatchSentence]
    asked: tuple[tuple[int, int], ...]  # candidates: the numbers of their sentences
    prompt: Prompt

    def key(self, model: str) -> str:
        """A hash of all that the reply depends on."""
        return content_id("contradictions", recipe(model), self.prompt.user)

    @property
    def usage(self) -> Usage:
        """The calls and tokens of the batch, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=REPLY_TOKENS)


def recipe(model: str) -> str:
    """The identity of the prompts and the model."""
    prompts = "-".join(prompt_hash(name) for name in ("contradictions", "check_contradictions"))
    return f"{VERSION}:{prompts}:{model}"


def plan_contradictions(
    passages: Sequence[SourcePassage],
    statements: Sequence[Statement],
    candidates: Sequence[Contradiction],
    *,
    read: Sequence[Collection[str]] = (),
) -> list[ContradictionBatch]:
    """The batches to read, the most promising first. `read`: the chunks of each batch that was read."""
    row = {passage.chunk_id: n for n, passage in enumerate(passages)}
    links = _links(passages, statements)
    pairs = [one for one in candidates if {one.first.chunk_id, one.other.chunk_id} <= row.keys()]
    for one in pairs:
        first, other = sorted((row[one.first.chunk_id], row[one.other.chunk_id]))
        if first != other:
            links[first, other] = links.get((first, other), 0.0) + CANDIDATE_WEIGHT
    for chunks in read:
        for pair in combinations(sorted(row[id_] for id_ in chunks if id_ in row), 2):
            links.pop(pair, None)
    size = [_size(passage) for passage in passages]
    most = _calls(size) - len(read)
    if read:
        known = {id_ for chunks in read for id_ in chunks}
        new = [size[n] for n in {end for pair in links for end in pair} if passages[n].chunk_id not in known]
        most = max(most, _calls(new) if new else 0)
    by_chunk = _asserted(statements)
    thirds = [] if read or not links else _thirds(size)
    groups = [sorted(one + other) for one, other in combinations(thirds, 2)] or _groups(links, size, most)
    return [_batch([passages[n] for n in members], by_chunk, pairs) for members in groups]


def _links(passages: Sequence[SourcePassage], statements: Sequence[Statement]) -> dict[Link, float]:
    """Pairs of passages that name the same entities, weighted by how few others name them; the best of each passage."""
    naming: dict[str, list[int]] = defaultdict(list)
    for n, passage in enumerate(passages):
        for entity in passage.entities:
            naming[entity].append(n)
    asserted = {one.chunk_id for one in statements if one.according_to}
    weight: dict[Link, float] = defaultdict(float)
    for rows in naming.values():
        worth = math.log((len(passages) + 1) / len(rows))
        if 1 < len(rows) <= MOST_NAMING:
            for one, other in combinations(rows, 2):
                weight[one, other] += worth
    best: dict[int, list[tuple[float, Link]]] = defaultdict(list)
    for pair, value in weight.items():
        if _several_voices(passages[pair[0]], passages[pair[1]], asserted):
            for end in pair:
                heapq.heappush(best[end], (value, pair))
                if len(best[end]) > MOST_LINKS:
                    heapq.heappop(best[end])
    return {pair: value for nearest in best.values() for value, pair in nearest}


def _several_voices(one: SourcePassage, other: SourcePassage, asserted: Collection[str]) -> bool:
    if one.chunk_id in asserted or other.chunk_id in asserted:
        return True
    return one.document_id != other.document_id and (one.voice != other.voice or one.date != other.date or not one.date)


def _thirds(size: Sequence[int]) -> list[list[int]]:
    """Three parts, or only one, so that any two fit into a call; none if they are too large."""
    if sum(size) <= TEXT_TOKENS:
        return [list(range(len(size))), []]
    parts: list[list[int]] = [[], [], []]
    for n in sorted(range(len(size)), key=lambda n: (-size[n], n)):
        min(parts, key=lambda part: sum(size[held] for held in part)).append(n)
    largest = sum(sorted(sum(size[n] for n in part) for part in parts)[1:])
    return parts if largest <= TEXT_TOKENS else []


def _groups(links: Mapping[Link, float], size: Sequence[int], most: int) -> Iterator[list[int]]:
    """Groups of passages that are read together, until each pair is in one or there are `most` groups."""
    near: dict[int, dict[int, float]] = defaultdict(dict)
    for (one, other), value in links.items():
        near[one][other] = near[other][one] = value
    ranked = sorted(links, key=lambda pair: (-links[pair], pair))
    done: set[Link] = set()
    first = 0  # earlier pairs are done: they need not be examined for each group
    for _ in range(most):
        while first < len(ranked) and ranked[first] in done:
            first += 1
        members = _group((ranked[n] for n in range(first, len(ranked)) if ranked[n] not in done), near, done, size)
        if len(members) < 2:
            return
        done.update(combinations(members, 2))
        yield members


def _group(
    ranked: Iterable[Link], near: Mapping[int, Mapping[int, float]], done: Collection[Link], size: Sequence[int]
) -> list[int]:
    members: set[int] = set()
    room = TEXT_TOKENS
    for seed in ranked:
        if sum(size[n] for n in seed if n not in members) > room:
            if members:
                break
            continue  # two passages that do not fit into one call
        gain: dict[int, float] = defaultdict(float)
        joining = [n for n in seed if n not in members]
        while joining:
            for new in joining:
                members.add(new)
                room -= size[new]
                for other, value in near[new].items():
                    if (min(new, other), max(new, other)) not in done:
                        gain[other] += value
            fitting = [n for n in gain if n not in members and size[n] <= room]
            joining = [max(fitting, key=lambda n: (gain[n], -n))] if fitting else []
    return sorted(members)


def _calls(size: Sequence[int]) -> int:
    """How many calls some passages are worth."""
    return max(1, -(-ROUNDS * sum(size) // TEXT_TOKENS))


def _size(passage: SourcePassage) -> int:
    count = len(sentences(passage.text, passage.language))
    return estimate_tokens(passage.text) + HEADING_TOKENS + SENTENCE_TOKENS * count


def _asserted(statements: Sequence[Statement]) -> dict[str, list[Statement]]:
    """The statements that somebody in the text asserts, by chunk."""
    by_chunk: dict[str, list[Statement]] = defaultdict(list)
    for one in statements:
        if one.according_to:
            by_chunk[one.chunk_id].append(one)
    return by_chunk


def _batch(
    members: Sequence[SourcePassage], asserted: Mapping[str, Sequence[Statement]], candidates: Sequence[Contradiction]
) -> ContradictionBatch:
    numbered: dict[int, BatchSentence] = {}
    blocks: list[str] = []
    before = ("", 0)  # document and end of the last block
    for passage in sorted(members, key=lambda one: (one.date, one.source, one.index)):
        lines = []
        for start, end in sentences(passage.text, passage.language):
            if passage.document_id == before[0] and passage.start + start < before[1]:
                continue  # chunks overlap
            text = passage.text[start:end]
            voices = [
                one.according_to for one in asserted.get(passage.chunk_id, ()) if one.start < end > start < one.end
            ]
            numbered[len(numbered) + 1] = BatchSentence(
                chunk_id=passage.chunk_id,
                start=start,
                end=end,
                text=text,
                document_id=passage.document_id,
                voice=voices[0] if voices else passage.voice,
                date=passage.date,
            )
            lines.append(f"[{len(numbered)}] {' '.join(text.split())}")
        if lines and passage.document_id != before[0]:
            lines.insert(0, _heading(passage))
        blocks.append("\n".join(lines))
        before = (passage.document_id, passage.start + len(passage.text))
    pairs = _candidates_shown(numbered, candidates)
    extracts = "\n\n".join(filter(None, blocks))
    judge = "\n".join(f"[{one}] | [{other}]" for one, other in pairs) or "none"
    return ContradictionBatch(
        chunk_ids=tuple(sorted(one.chunk_id for one in members)),
        sentences=numbered,
        asked=pairs,
        prompt=render("contradictions", tag=fence(extracts), sentences=extracts, asked=judge),
    )


def _heading(passage: SourcePassage) -> str:
    about = (passage.source, passage.author and f"by {passage.author}", passage.date and f"of {passage.date}")
    return f"--- {', '.join(' '.join(part.split()) for part in about if part)}"


def _candidates_shown(
    numbered: Mapping[int, BatchSentence], candidates: Sequence[Contradiction]
) -> tuple[tuple[int, int], ...]:
    """The candidates with both sentences in the batch."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, one in numbered.items():
        places[one.chunk_id].append(number)

    def shown(statement: Statement) -> int:
        held = [
            n
            for n in places[statement.chunk_id]
            if numbered[n].start < statement.end and statement.start < numbered[n].end
        ]
        return held[0] if held else 0

    pairs = [(shown(one.first), shown(one.other)) for one in candidates]
    return tuple(dict.fromkeys(pair for pair in pairs if all(pair) and pair[0] != pair[1]))

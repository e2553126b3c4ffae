"""The central sentences of a stretch of text, by the graph and by meaning.

LexRank (Erkan & Radev, JAIR 2004) with the graph in it: sentences are linked by meaning and by the entities that they
share, a walk that restarts at sentences that state facts says how central each is, and of those about the same only
one is taken (MMR, Carbonell & Goldstein, SIGIR 1998). No word list, so it serves any language.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from filigraph.graph.model.arrays import Floats, Matrix, Span
from filigraph.graph.model.summaries import Quote
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.records.summaries import WindowChunk
from filigraph.graph.text.quotes import is_quoted
from filigraph.graph.text.sentences import sentence_groups
from filigraph.graph.text.speech import speaker_of

DAMPING = 0.85
MAX_POWER_STEPS = 30  # of the power iteration: it converges long before
RESTART_WEIGHT = 0.3  # restart at a sentence that states no fact; each fact adds 1, an implied one half
NAMELESS_FACTOR = 0.6  # of a sentence without names: it depends on its neighbours
REDUNDANCY_WEIGHT = 0.5  # weight of similarity to a chosen sentence, against centrality
MIN_SENTENCE_CHARS = 20  # characters; anything shorter says nothing
DIALOGUE_FACTOR = 0.45  # factor for a sentence in a line of dialogue
LONG_SPEECH_CHARS = 300  # characters of a spoken paragraph that counts as narration
QUESTION_FACTOR = 0.7  # of a question or an exclamation
FRAGMENT, FEW = 0.6, 5  # of a sentence of fewer words

_OPENS = tuple("\"“”„«»‹›‘'—–-‒―「『《")  # what a spoken paragraph begins with
_PARAGRAPHS = re.compile(r"\n\s*\n")


@dataclass(frozen=True, kw_only=True, eq=False)
class Sentence:
    """A sentence that may represent its text."""

    quote: Quote
    entities: frozenset[str]
    facts: float  # that it states; an implied one counts half
    weight: float = 1.0  # of its rank: less where it depends on its neighbours
    speaker: str = ""  # the speaker, if its paragraph names them and the sentence does not


def sentences_of(
    chunks: Sequence[WindowChunk], only: Collection[tuple[str, int]] | None = None
) -> tuple[list[Sentence], Matrix]:
    """The sentences of a window in reading order, and their vectors; a sentence of two chunks occurs once.

    `only`: of any chunks, those at these places (chunk id, start).
    """
    sentences: list[Sentence] = []
    used: set[str] = set()  # by `only` a sentence that two chunks share may be meant twice
    rows: list[int] = []
    matrices: list[Matrix] = []
    offset, read_to = 0, -1
    for chunk in chunks:
        spans = sentence_groups(chunk.text, chunk.language)[: len(chunk.sentences)]
        spoken, names = _dialogue(chunk.text), {at for _, at in chunk.entities}
        for row, (start, end) in enumerate(spans):
            if only is None:
                wanted = end - start >= MIN_SENTENCE_CHARS and chunk.start + start >= read_to
            else:
                wanted = (chunk.id, start) in only and chunk.text[start:end] not in used
            if not wanted:
                continue
            used.add(chunk.text[start:end])
            sentences.append(
                Sentence(
                    quote=Quote(chunk_id=chunk.id, start=start, end=end, text=chunk.text[start:end]),
                    entities=frozenset(id_ for id_, at in chunk.entities if start <= at < end),
                    facts=sum(_WEIGHT[origin] for at, _, origin in chunk.facts if start <= at < end),
                    weight=_weight(chunk.text[start:end], in_dialogue=any(a <= start < b for a, b in spoken)),
                    speaker=_speaker(chunk, (start, end), names),
                )
            )
            rows.append(offset + row)
        offset += len(chunk.sentences)
        matrices.append(chunk.sentences)
        read_to = max(read_to, chunk.start + len(chunk.text))
    vectors: Matrix = np.concatenate(matrices)[rows] if matrices else np.zeros((0, 0), dtype=np.float32)
    return sentences, vectors


def _speaker(chunk: WindowChunk, sentence: Span, names: Collection[int]) -> str:
    quoted = is_quoted(chunk.text, sentence)
    return speaker_of(chunk.text, sentence, names, chunk.language) if quoted else ""


def _dialogue(text: str) -> list[Span]:
    """Where lines of dialogue occur: short paragraphs that begin as speech does."""
    borders = [0, *(place for match in _PARAGRAPHS.finditer(text) for place in match.span()), len(text)]
    paragraphs = [(start, end) for start, end in zip(borders[::2], borders[1::2], strict=True)]
    return [
        (start, end)
        for start, end in paragraphs
        if end - start < LONG_SPEECH_CHARS and text[start:end].lstrip().startswith(_OPENS)
    ]


def _weight(sentence: str, *, in_dialogue: bool) -> float:
    weight = DIALOGUE_FACTOR if in_dialogue else 1.0
    if sentence.rstrip(" \n\"”»’'").endswith(("?", "!", "？", "！")):
        weight *= QUESTION_FACTOR
    few = len(sentence.split()) < FEW and sentence.isascii() | (" " in sentence.strip())
    return weight * FRAGMENT if few else weight


_WEIGHT = {"explicit": 1.0, "own": 1.0, "implied": 0.5, "cooccurrence": 0.0}


def centrality(sentences: Sequence[Sentence], vectors: Matrix) -> tuple[Floats, Floats]:
    """The centrality of each sentence (n,), with sum 1, and the similarity of each two, 0..1, shape (n, n)."""
    count = len(sentences)
    if not count:
        return np.zeros(0), np.zeros((0, 0))
    middle = vectors - vectors.mean(axis=0)
    length = np.linalg.norm(middle, axis=1, keepdims=True)
    unit = np.divide(middle, length, out=np.zeros_like(middle), where=length > 0)
    alike = np.clip(unit @ unit.T, 0.0, 1.0).astype(np.float64)
    links = alike + _shared_weights(sentences)
    np.fill_diagonal(links, 0.0)
    sums = links.sum(axis=1, keepdims=True)
    step = np.divide(links, sums, out=np.full_like(links, 1 / count), where=sums > 0)
    restart = np.array([RESTART_WEIGHT + sentence.facts for sentence in sentences])
    restart /= restart.sum()
    rank = restart
    for _ in range(MAX_POWER_STEPS):
        rank = DAMPING * (rank @ step) + (1 - DAMPING) * restart
    rank = rank * np.array(
        [sentence.weight * (1.0 if sentence.entities else NAMELESS_FACTOR) for sentence in sentences]
    )
    return rank / rank.sum(), alike


def _shared_weights(sentences: Sequence[Sentence]) -> Floats:
    """(n, n) the weight of the entities that two sentences share: rare ones weigh most; all together at most 1."""
    count = len(sentences)
    carriers = Counter(entity for sentence in sentences for entity in sentence.entities)
    shared = {entity: n for n, entity in enumerate(sorted(e for e, times in carriers.items() if times > 1))}
    if not shared:
        return np.zeros((count, count))
    incidence = np.zeros((count, len(shared)))
    for row, sentence in enumerate(sentences):
        for entity in sentence.entities & shared.keys():
            incidence[row, shared[entity]] = math.log(1 + count / carriers[entity]) ** 0.5
    total: Floats = incidence @ incidence.T
    total /= total.max()
    return total


def choose(sentences: Sequence[Sentence], rank: Floats, alike: Floats, budget: int) -> list[int]:
    """The rows of the sentences that represent all of them, in reading order: at least one, at most `budget` tokens.

    `rank`, `alike`: of `centrality`.
    """
    if not sentences:
        return []
    value = rank / rank.max()
    likest = np.zeros(len(sentences))
    chosen: list[int] = []
    remaining = budget
    for _ in sentences:
        gain = (1 - REDUNDANCY_WEIGHT) * value - REDUNDANCY_WEIGHT * likest
        gain[chosen] = -np.inf
        best = int(gain.argmax())
        if gain[best] == -np.inf:
            break
        cost = estimate_tokens(sentences[best].quote.text)
        if chosen and cost > remaining:
            value[best] = -np.inf
            continue
        chosen.append(best)
        remaining -= cost
        likest = np.maximum(likest, alike[best])
        if remaining <= 0:
            break
    return sorted(chosen)

"""Beside: the text that a reader needs next to the sentence of a step to see that it says the step.

A sentence says half: other text says who "I" and "he" are, on which day and in which office. Words of the step that its
sentence lacks are searched in the same extract, in its title, and in the head and the end of its document (a letter has
its date and its sender there). An answer comes with its question, a row of a table with the row that names its columns,
a statement in the first person with the line that names the speaker, an hour, day or amount with the sentence that has
it, and what happened twice with both sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from filigraph.graph.ask.paths.cited import NAME_OR_NUMBER_WEIGHT, NAMED_IN_FULL_SCORE, CitedExtract, nearest
from filigraph.graph.ask.paths.steps import Step
from filigraph.graph.ask.paths.values import values_in
from filigraph.graph.model.extraction import PremiseMark
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.names.parse import is_proper
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import tokens

MAX_SENTENCES_BESIDE = 3  # sentences that supply what the sentence lacks
NEAR_SENTENCES = 2  # sentences; within this distance one plain word is enough to add another sentence
DISTANCE_COST = 0.02  # cost of each sentence of distance
_ASKS = re.compile(r"[?？]\W*$")
_SPEAKER = re.compile(r"^[^\n:：|]{2,80}[:：](?=\s)", re.MULTILINE)
_ROW = re.compile(r" \| |\t|^\|[-:| ]+\|$")  # also the line below the head of a Markdown table
_I = frozenset(
    word
    for words in ("i me my we us our", "je j me m mon ma mes moi nous notre nos", "yo ich mein wir io noi я мы 我 我们")
    for word in words.split()
)


@dataclass(frozen=True, kw_only=True)
class BesideText:
    """Text beside the sentence of a hop."""

    text: str
    mark: PremiseMark


@dataclass(frozen=True, kw_only=True)
class Edges:
    """The text of a document around an extract."""

    head: str  # the beginning of the document, "" if the extract contains it or it is far
    end: str  # the end of the document, "" if the extract contains it or it is far
    before: str  # the text just before the extract


def supporting_text(
    step: Step, extract: CitedExtract, places: Collection[int], edges: Callable[[], Edges]
) -> tuple[frozenset[int], list[BesideText]]:
    """The sentences of an extract that together say a step: those of `places` and the others that they need. Also the
    text that they need from elsewhere."""
    first, last = min(places), max(places)
    own = {*places, *(beside for n in places for beside in _adjoining_sentences(extract, n))}
    for end in (step.subject, step.object):
        if not extract.names(end, own, NAMED_IN_FULL_SCORE):
            named = nearest(extract.sentences_naming(end, NAMED_IN_FULL_SCORE), first)
            own |= {named} if named is not None else set()
    for _ in range(MAX_SENTENCES_BESIDE):
        more = _next(extract.missing_terms(step, own), extract, own, first, last)
        if more is None:
            break
        own.add(more)
    own |= {*_sentences_with_values(step, extract, own, first), *extract.repeats(step, own)}
    is_stated = any(
        extract.says_relation(step.relation, n) or extract.names_separately(step.subject, step.object, n) for n in own
    )
    if step.is_identity and all(extract.names(end, own) for end in (step.subject, step.object)):
        is_stated = True  # no sentence is searched by the word "is"
    context = [] if is_stated else list(_context(step, extract, own))
    parts = [BesideText(text=extract.text(n), mark="text") for n in context]
    return frozenset(own), [*parts, *_text_elsewhere(step, extract, {*own, *context}, edges, unsaid=bool(context))]


def _next(lack: Mapping[str, float], extract: CitedExtract, own: set[int], first: int, last: int) -> int | None:
    """The sentence with most of the lacking words, less for its distance; None if none has enough."""
    best: tuple[float, int] | None = None
    for n in range(len(extract.spans)):
        if n in own:
            continue
        away = first - n if n < first else n - last
        worth = sum(lack.get(term, 0.0) for term in extract.terms(n))
        if worth >= (1.0 if away <= NEAR_SENTENCES else 2.0):
            best = max(best or (0.0, 0), (worth - DISTANCE_COST * away, -n))
    return -best[1] if best else None


def _sentences_with_values(step: Step, extract: CitedExtract, own: Collection[int], first: int) -> Iterator[int]:
    """For each hour, day and amount of a step that some sentences lack, the nearest sentence that has it."""
    for value in extract.missing_values(step, own):
        n = nearest([n for n in range(len(extract.spans)) if value in values_in(extract.text(n))], first)
        if n is not None:
            yield n


def _adjoining_sentences(extract: CitedExtract, n: int) -> Iterator[int]:
    """The question of an answer, the answer to a question, the head of a row's table."""
    if n > 0 and _ASKS.search(extract.text(n - 1)):
        yield n - 1
    if n + 1 < len(extract.spans) and _ASKS.search(extract.text(n)):
        yield n + 1
    top = n
    while top > 0 and _ROW.search(extract.text(top)) and _ROW.search(extract.text(top - 1)):
        top -= 1
    if top < n:
        yield top


def _context(step: Step, extract: CitedExtract, own: Collection[int]) -> Iterator[int]:
    """If no sentence has a word of the relation (it has other words, or is in another language): the sentence most
    similar to the step, and those just before and after the shown ones."""
    near = {n for place in own for n in (place - 1, place + 1) if 0 <= n < len(extract.spans)}
    around = {n for n in near if not _ROW.search(extract.text(n))}
    yield from sorted((around | {extract.most_alike(step)}) - {*own})


def _text_elsewhere(
    step: Step, extract: CitedExtract, own: Collection[int], edges: Callable[[], Edges], *, unsaid: bool
) -> Iterator[BesideText]:
    """The parts of the title, the head and the end of the document that supply lacking words; the speaker, if the
    sentences say "I" and do not name both ends; an end that only the text before names. Also the head, if `unsaid`: no
    sentence says the relation."""
    lack, title = extract.missing_terms(step, own), extract.item.title
    nameless = [end for end in (step.subject, step.object) if not extract.names(end, own)]
    unworded = not step.is_identity and not any(extract.says_relation(step.relation, n) for n in own)
    if title and (unworded or extract.says_of(lack, title)):
        yield BesideText(text=title, mark="title")
    speaking = [n for n in own if any(token.folded in _I for token in tokens(extract.text(n)))] if nameless else []
    before = extract.spans[min(speaking)][0] if speaking else 0
    lines = [match[0] for match in _SPEAKER.finditer(extract.item.text, 0, before)]
    if lines:
        yield BesideText(text=lines[-1], mark="text")
    telling = [term for term, worth in lack.items() if worth >= NAME_OR_NUMBER_WEIGHT]
    if not speaking and not telling and not unsaid:
        return
    around = edges()
    if around.head and (speaking or unsaid or extract.says_of(telling, around.head)):
        yield BesideText(text=around.head, mark="head")
    if around.end and (speaking or extract.says_of(telling, around.end)):
        yield BesideText(text=around.end, mark="end")
    for end in filter(is_proper, nameless):
        naming = [
            (b, e) for b, e in sentences(around.before, extract.language) if PhraseFinder(around.before[b:e]).find(end)
        ]
        yield from (BesideText(text=around.before[b:e], mark="text") for b, e in naming[-1:])

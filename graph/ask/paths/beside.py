"""Beside: what a reader needs beside the sentence that a step shows, so that it says the step.

A sentence says half: who "I" and "he" are, on which day and in which office stands elsewhere. What the step says and
its sentence does not is looked for in the same extract, in its title, and in the head and the end of its document (a
letter has its date and its sender there). An answer comes with its question, a row of a table with the row that names
its columns, and what somebody says of himself with the line that says who speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from filigraph.graph.ask.paths.cited import IN_FULL, TELLING, CitedExtract, nearest
from filigraph.graph.ask.paths.steps import Step
from filigraph.graph.model.extraction import PremiseMark
from filigraph.graph.text.find import Finder
from filigraph.graph.text.names.parse import is_proper
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import tokens

MOST = 3  # sentences that say what the sentence does not
NEAR = 2  # sentences among which one plain word is reason enough for another
FAR = 0.02  # what a sentence of distance takes
_ASKS = re.compile(r"[?？]\W*$")
_SPEAKER = re.compile(r"^[^\n:：|]{2,80}[:：](?=\s)", re.MULTILINE)
_ROW = re.compile(r" \| |\t")
_I = frozenset(
    word
    for words in ("i me my we us our", "je j me m mon ma mes moi nous notre nos", "yo ich mein wir io noi я мы 我 我们")
    for word in words.split()
)


@dataclass(frozen=True, kw_only=True)
class Part:
    """What stands beside the sentence of a hop."""

    text: str
    mark: PremiseMark


@dataclass(frozen=True, kw_only=True)
class Edges:
    """What of a document is around an extract."""

    head: str  # how it begins, "" where that is in the extract
    end: str  # how it ends
    before: str  # the text just before the extract


def beside(
    step: Step, extract: CitedExtract, places: Collection[int], edges: Callable[[], Edges]
) -> tuple[frozenset[int], list[Part]]:
    """The sentences of an extract that say a step together: those of `places`, and what they need of the others. And
    what they need from elsewhere."""
    first, last = min(places), max(places)
    own = {*places, *_kin(extract, first, last)}
    for end in (step.subject, step.object):
        if not extract.names(end, own, IN_FULL):
            named = nearest(extract.naming(end, IN_FULL), first)
            own |= {named} if named is not None else set()
    for _ in range(MOST):
        more = _next(extract.lack(step, own), extract, own, first, last)
        if more is None:
            break
        own.add(more)
    is_stated = any(extract.says(step.relation, n) or extract.apart(step.subject, step.object, n) for n in own)
    if step.is_identity and all(extract.names(end, own) for end in (step.subject, step.object)):
        is_stated = True  # "is" is a word that no sentence is looked for by
    context = [] if is_stated else list(_context(step, extract, own))
    parts = [Part(text=extract.text(n), mark="text") for n in context]
    return frozenset(own), [*parts, *_elsewhere(step, extract, {*own, *context}, edges, unsaid=bool(context))]


def _next(lack: Mapping[str, float], extract: CitedExtract, own: set[int], first: int, last: int) -> int | None:
    """The sentence that says most of what is lacking."""
    best: tuple[float, int] | None = None
    for n in range(len(extract.spans)):
        if n in own:
            continue
        away = first - n if n < first else n - last
        worth = sum(lack.get(term, 0.0) for term in extract.terms(n))
        if worth >= (1.0 if away <= NEAR else 2.0):
            best = max(best or (0.0, 0), (worth - FAR * away, -n))
    return -best[1] if best else None


def _kin(extract: CitedExtract, first: int, last: int) -> Iterator[int]:
    """The question of an answer, the answer to a question, the head of a table."""
    if first > 0 and _ASKS.search(extract.text(first - 1)):
        yield first - 1
    if last + 1 < len(extract.spans) and _ASKS.search(extract.text(last)):
        yield last + 1
    top = first
    while top > 0 and _ROW.search(extract.text(top)) and _ROW.search(extract.text(top - 1)):
        top -= 1
    if top < first:
        yield top


def _context(step: Step, extract: CitedExtract, own: Collection[int]) -> Iterator[int]:
    """Where no sentence has a word of the relation (it is worded otherwise, or in another language): the sentence that
    is most like the step, and those just before and after what is shown."""
    near = {n for place in own for n in (place - 1, place + 1) if 0 <= n < len(extract.spans)}
    around = {n for n in near if not _ROW.search(extract.text(n))}
    yield from sorted((around | {extract.most_alike(step)}) - {*own})


def _elsewhere(
    step: Step, extract: CitedExtract, own: Collection[int], edges: Callable[[], Edges], *, unsaid: bool
) -> Iterator[Part]:
    """What the title, the head and the end of the document say of what is lacking; where the sentences say "I" and name
    not both ends, who speaks; an end that only the text before names. The head also where the relation is unsaid."""
    lack, title = extract.lack(step, own), extract.item.title
    nameless = [end for end in (step.subject, step.object) if not extract.names(end, own)]
    unworded = not step.is_identity and not any(extract.says(step.relation, n) for n in own)
    if title and (unworded or extract.says_of(lack, title)):
        yield Part(text=title, mark="title")
    speaking = [n for n in own if any(token.folded in _I for token in tokens(extract.text(n)))] if nameless else []
    before = extract.spans[min(speaking)][0] if speaking else 0
    lines = [match[0] for match in _SPEAKER.finditer(extract.item.text, 0, before)]
    if lines:
        yield Part(text=lines[-1], mark="text")
    telling = [term for term, worth in lack.items() if worth >= TELLING]
    if not speaking and not telling and not unsaid:
        return
    around = edges()
    if around.head and (speaking or unsaid or extract.says_of(telling, around.head)):
        yield Part(text=around.head, mark="head")
    if around.end and (speaking or extract.says_of(telling, around.end)):
        yield Part(text=around.end, mark="end")
    for end in filter(is_proper, nameless):
        naming = [(b, e) for b, e in sentences(around.before, extract.language) if Finder(around.before[b:e]).find(end)]
        yield from (Part(text=around.before[b:e], mark="text") for b, e in naming[-1:])

"""Link: find the entities that a question names, by string match, in any script.

The longest span wins: "Sherlock Holmes" before "Holmes". Fact vectors alone miss passages that the question names;
this costs a millisecond and was the second largest gain measured (docs/decisions/0006-walk.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from filigraph.graph.text.names import is_proper, name_key
from filigraph.graph.text.words import tokens

LONGEST = 10  # words of the longest name looked for


@dataclass(frozen=True, kw_only=True)
class Span:
    """A run of words of the question that may be a name: `question[start:end]`."""

    key: str
    start: int
    end: int
    words: int
    proper: bool  # at least one capitalised or numeric word, or a script without case


class Named(Protocol):
    """An entity that bears a name."""

    @property
    def key(self) -> str: ...
    @property
    def entity_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def chunks(self) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Linked:
    """An entity that the question names."""

    entity_id: str
    name: str
    chunks: int  # how many chunks mention it
    span: str  # the words of the question


def spans(question: str) -> list[Span]:
    """Every run of at most `LONGEST` words of the question, with its normal form as a name."""
    words = tokens(question)[:400]
    found = []
    for first in range(len(words)):
        for last in range(first, min(first + LONGEST, len(words))):
            start, end = words[first].start, words[last].end
            text = question[start:end]
            if key := name_key(text):
                found.append(Span(key=key, start=start, end=end, words=last - first + 1, proper=is_proper(text)))
    return found


def link(question: str, candidates: Sequence[Span], named: Iterable[Named]) -> list[Linked]:
    """The entities named in the question: longest span first, spans never overlap.

    A single lower-case word ("ring", "pourquoi") names nothing: too many entities bear it. A name that several entities
    bear brings all of them; the walk tells them apart by what is said of them.
    """
    by_key: dict[str, list[Named]] = {}
    for entity in named:
        by_key.setdefault(entity.key, []).append(entity)
    taken: list[tuple[int, int]] = []
    found: dict[str, Linked] = {}
    for span in sorted(candidates, key=lambda span: (-span.words, span.start - span.end, span.start)):
        if span.key not in by_key or not (span.proper or span.words > 1):
            continue
        if any(span.start < end and start < span.end for start, end in taken):
            continue
        taken.append((span.start, span.end))
        for entity in sorted(by_key[span.key], key=lambda entity: (-entity.chunks, entity.entity_id)):
            found.setdefault(
                entity.entity_id,
                Linked(
                    entity_id=entity.entity_id,
                    name=entity.name,
                    chunks=entity.chunks,
                    span=question[span.start : span.end],
                ),
            )
    return list(found.values())

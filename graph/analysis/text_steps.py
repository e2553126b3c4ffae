"""Steps between names that stand near each other in a text: how a chain goes on where no fact leads further.

They start at the entities that are to be connected, and lead to each other or to what few passages name, but to no
place or date: everybody is named near the town. They are weaker than facts, for the text may say nothing of the two
together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from filigraph.graph.text.sentences import sentences

MAX_SENTENCES_APART = 3  # the next sentence is 1 apart
MAX_CHUNKS_OF_NAME = 8  # chunks that may name what a step leads to
MAX_CHUNKS_OF_ENDS = 60  # chunks that are read, at most


@dataclass(frozen=True, slots=True)
class NameInText:
    """Where a name stands in a chunk."""

    entity_id: str
    start: int
    chunks: int  # that name the entity


@dataclass(frozen=True, kw_only=True)
class NamingText:
    """A chunk with all its names."""

    chunk_id: str
    text: str
    language: str
    names: Sequence[NameInText]


@dataclass(frozen=True, slots=True, order=True)
class TextStep:
    """Two entities that a text names near each other, with the part that names both; the nearest come first."""

    apart: int  # sentences
    chunk_id: str
    start: int
    end: int
    first_id: str
    other_id: str
    elsewhere: int  # other chunks that name what it leads to; 0 if that is an end

    @property
    def id(self) -> str:
        return f"{self.first_id} {self.other_id}"


def text_steps(ends: Collection[str], texts: Iterable[NamingText]) -> list[TextStep]:
    """The steps from `ends` to what stands near them, each pair once, where the two are nearest."""
    nearest: dict[frozenset[str], TextStep] = {}
    for text in texts:
        spans = list(sentences(text.text, text.language))
        starts = [start for start, _ in spans]
        placed = [(bisect_right(starts, name.start) - 1, name) for name in text.names]
        for here, end in placed:
            if here < 0 or end.entity_id not in ends:
                continue
            for there, name in placed:
                is_end = name.entity_id in ends
                if name.entity_id == end.entity_id or there < 0 or abs(here - there) > MAX_SENTENCES_APART:
                    continue
                if name.chunks > MAX_CHUNKS_OF_NAME and not is_end:
                    continue
                step = TextStep(
                    first_id=end.entity_id,
                    other_id=name.entity_id,
                    chunk_id=text.chunk_id,
                    start=spans[min(here, there)][0],
                    end=spans[max(here, there)][1],
                    apart=abs(here - there),
                    elsewhere=0 if is_end else name.chunks - 1,
                )
                pair = frozenset((step.first_id, step.other_id))
                nearest[pair] = min(step, nearest.get(pair, step))
    return sorted(nearest.values())

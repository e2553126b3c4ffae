"""Summaries as the store keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.extraction import Origin
from filigraph.graph.model.summaries import Summary


@dataclass(frozen=True, kw_only=True, eq=False)
class WindowChunk:
    """A chunk with the data that rank its sentences."""

    id: str
    start: int  # in the document's text
    text: str
    language: str
    sentences: Matrix  # a row for each of `text.sentences.pieces`
    entities: tuple[tuple[str, int], ...]  # id, and where in the text a name of it begins
    facts: tuple[tuple[int, int, Origin], ...]  # the sentence that states it, and how


@dataclass(frozen=True, kw_only=True)
class SummaryEntity:
    """An entity that the text under a summary names."""

    id: str
    name: str
    aliases: tuple[str, ...]
    chunks: int  # of that text, which name it


@dataclass(frozen=True, kw_only=True)
class SummaryHit:
    """A summary as a question sees it."""

    id: str
    document_id: str  # "" where it covers several
    document: str  # title of the document; name of the folder or workspace
    source: str
    date: str  # of the document; "" where it has none
    title: str
    level: int
    start: int
    size: int  # tokens of the text that it covers
    text: str
    cosine: float
    covers: tuple[str, ...] = ()  # ids of chunks of a window, or of summaries; those asked for, of one over chunks
    dates: tuple[str, ...] = ()  # of its time line
    named: int = 0  # of the question's entities, those that its text names; above level 2 not counted


@dataclass(frozen=True, kw_only=True)
class OutlineEntry:
    """A summary with what its text names most."""

    summary: Summary
    entities: tuple[SummaryEntity, ...]


@dataclass(frozen=True, kw_only=True)
class DocumentSummary:
    """A document whose summaries are up to date, and the one that covers all of it."""

    document_id: str
    id: str
    level: int
    size: int
    recipe: str


@dataclass(frozen=True, kw_only=True)
class MissingSummaries:
    """What a summarized workspace has no summaries of; `summarize` writes them. Nothing where none were written."""

    documents: Annotated[int, Field(description="Documents that are not summarized as they are now.")] = 0
    above: Annotated[bool, Field(description="What covers several documents is missing.")] = False

    def __bool__(self) -> bool:
        return self.above or self.documents > 0

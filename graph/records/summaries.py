"""Summaries in the store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.extraction import Origin
from filigraph.graph.model.summaries import Summary
from filigraph.graph.model.usage import Usage


@dataclass(frozen=True, kw_only=True, eq=False)
class WindowChunk:
    """A chunk with the data that rank its sentences."""

    id: str
    start: int  # in the document's text
    text: str
    language: str
    sentences: Matrix  # a row for each of `text.sentences.pieces`
    entities: tuple[tuple[str, int], ...]  # id, and the start of a name of it in the text
    facts: tuple[tuple[int, int, Origin], ...]  # start and end of the sentence that states it, and the origin


@dataclass(frozen=True, kw_only=True)
class SummaryEntity:
    """An entity that the text under a summary names."""

    id: str
    name: str
    aliases: tuple[str, ...]
    chunks: int  # chunks of that text that name it


@dataclass(frozen=True, kw_only=True)
class SummaryHit:
    """A summary in a search for a question."""

    id: str
    document_id: str  # "" if it covers several
    document: str  # title of the document; name of the folder or workspace
    source: str
    date: str  # of the document; "" if unknown
    title: str
    level: int
    start: int
    size: int  # tokens of the text that it covers
    text: str
    cosine: float
    # ids of chunks of a window, or of summaries; for a search above chunks, the chunks of the search
    covers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()  # of its time line
    named: int = 0  # number of the question's entities that its text names; not counted above level 2


@dataclass(frozen=True, kw_only=True)
class OutlineEntry:
    """A summary with the entities that its text names most."""

    summary: Summary
    entities: tuple[SummaryEntity, ...]


@dataclass(frozen=True, kw_only=True)
class DocumentSummary:
    """A document with current summaries, and the one that covers all of it."""

    document_id: str
    id: str
    level: int
    size: int
    recipe: str


@dataclass(frozen=True, kw_only=True)
class MissingSummaries:
    """The parts of a summarized workspace without summaries; `summarize` writes them. Empty if the workspace has no
    summaries at all.
    """

    documents: Annotated[int, Field(description="Documents that are not summarized as they are now.")] = 0
    above: Annotated[bool, Field(description="What covers several documents is missing.")] = False

    def __bool__(self) -> bool:
        return self.above or self.documents > 0


@dataclass(frozen=True, kw_only=True)
class LevelEstimate:
    """The summaries of one level."""

    level: Annotated[int, Field(description="Its number.")]
    summaries: Annotated[int, Field(description="Number of summaries.")]
    kept: Annotated[int, Field(description="Of these, current ones.")]


@dataclass(kw_only=True)
class SummaryReport:
    """The result of a run, filled in as it proceeds."""

    documents: Annotated[int, Field(description="Documents that were summarized again, completely or in part.")] = 0
    unchanged: Annotated[int, Field(description="Documents whose summaries were current.")] = 0
    summaries: Annotated[int, Field(description="Number of current summaries, including those of folders.")] = 0
    written: Annotated[int, Field(description="Of these, summaries written in this run.")] = 0
    levels: Annotated[int, Field(description="The highest level.")] = 0
    quoted: Annotated[int, Field(description="Summaries made of sentences, because the LLM's reply was unusable.")] = 0
    dropped: Annotated[int, Field(description="Sentences of the LLM that the text does not support.")] = 0
    recipe: Annotated[str, Field(description="The writer.", examples=["extractive:1"])] = ""
    usage: Annotated[Usage, Field(description="LLM usage.")] = field(default_factory=Usage)

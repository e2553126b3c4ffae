"""What the routes of summaries take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.app.schemas.documents import UsageOut
from filigraph.graph.ask.levels.context_budget import Group
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.model.summaries import Quote
from filigraph.graph.records.summaries import MissingSummaries, OutlineEntry

Writer = Annotated[
    Literal["auto", "llm", "quotes"],
    Field(description="An LLM, the central sentences of the texts, or the LLM if one answers."),
]


class SummarizeIn(In):
    """Who is to write the summaries."""

    writer: Writer = "auto"


class SummaryReportOut(Out):
    """What a run did."""

    documents: Annotated[int, Field(description="Documents that were summarized again, in part or whole.")]
    unchanged: Annotated[int, Field(description="Documents whose summaries were up to date.")]
    summaries: Annotated[int, Field(description="Summaries there are now, those of folders included.")]
    written: Annotated[int, Field(description="Of them, those written in this run.")]
    levels: Annotated[int, Field(description="The highest level.")]
    quoted: Annotated[int, Field(description="Made of sentences, since nothing of the LLM's reply could be used.")]
    dropped: Annotated[int, Field(description="Sentences of the LLM that the text does not bear out.")]
    recipe: Annotated[str, Field(description="Who wrote them.", examples=["extractive:1"])]
    usage: Annotated[UsageOut, Field(description="What was asked of the LLM.")]


class LevelEstimateOut(Out):
    """The summaries of one level: 1 is that of windows of some two pages."""

    level: Annotated[int, Field(description="Its number.")]
    summaries: Annotated[int, Field(description="How many there are to be.")]
    kept: Annotated[int, Field(description="Of them, those that are up to date.")]


class SummaryEstimateOut(BaseModel):
    """What summarizing would take."""

    writer: Annotated[str, Field(description="Who would write them.", examples=["llm:mistral"])]
    summaries: Annotated[int, Field(description="How many there are to be.")]
    kept: Annotated[int, Field(description="Of them, those that are up to date.")]
    levels: Annotated[list[LevelEstimateOut], Field(description="The same by level, the lowest first.")]
    usage: Annotated[UsageOut, Field(description="What would be asked of the LLM for the rest.")]
    cost: Annotated[float | None, Field(description="By the prices that are set; null where none is.")]


class SummaryEntityOut(Out):
    """An entity that the text under a summary names."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    chunks: Annotated[int, Field(description="How many passages of that text name it.")]


class SummaryOut(Out):
    """What a stretch of text says, in short."""

    id: Annotated[str, Field(description="Hash of what it covers and of who wrote it.")]
    document_id: Annotated[str, Field(description="Its document; empty: it covers several.")]
    folder: Annotated[str, Field(description="The folder of the sources it covers; empty: one document, or all.")]
    level: Annotated[int, Field(description="1 covers passages, a higher one covers summaries.")]
    index: Annotated[int, Field(description="Its number among those of its level, from 0.")]
    title: Annotated[str, Field(description="Its chapters, or its document or folder.")]
    text: Annotated[str, Field(description="The summary.")]
    quotes: Annotated[list[Quote], Field(description="The sentences it consists of; none where an LLM worded it.")]
    timeline: Annotated[list[Quote], Field(description="Sentences that name a date, by date.")]
    tags: Annotated[list[str], Field(description="What it is about, in words of the text.")]
    omissions: Annotated[list[str], Field(description="What the LLM says it left out.")]
    start: Annotated[int, Field(description="Where its text begins in the document.")]
    end: Annotated[int, Field(description="Where it ends.")]
    size: Annotated[int, Field(description="Tokens of the text that it covers, estimated.")]
    recipe: Annotated[str, Field(description="Who wrote it.")]
    covers: Annotated[list[str], Field(description="Ids of the passages or summaries that it covers, in order.")]
    entities: Annotated[list[SummaryEntityOut], Field(description="What its text names most, most often first.")]

    @classmethod
    def of(cls, entry: OutlineEntry) -> SummaryOut:
        """A summary with what its text names most."""
        values = {name: getattr(entry.summary, name) for name in cls.model_fields if name != "entities"}
        return cls.model_validate({**values, "entities": entry.entities}, from_attributes=True)


class OutlineOut(BaseModel):
    """The summaries of a document, or of folders."""

    summaries: Annotated[list[SummaryOut], Field(description="The highest level first, then in reading order.")]
    missing: Annotated[MissingSummaries, Field(description="What has none, of the document or of the workspace.")]


class ShareIn(In):
    """What summaries get of the budget of a question of a profile."""

    overview: Annotated[float | None, Field(ge=0, le=1, description="Summaries of chapters and more.")] = None
    windows: Annotated[float | None, Field(ge=0, le=1, description="Summaries of some two pages each.")] = None

    def chosen(self) -> dict[Group, float]:
        """Those that are given."""
        shares: dict[Group, float | None] = {"overview": self.overview, "windows": self.windows}
        return {group: share for group, share in shares.items() if share is not None}


class SharesOut(BaseModel):
    """What summaries get of a question's budget."""

    shares: Annotated[
        dict[Profile, dict[Group, float]],
        Field(description="By profile: `overview`, `windows`; the rest is passages'."),
    ]

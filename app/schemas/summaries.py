"""Requests and responses of the routes of summaries."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.graph.ask.levels.context_budget import Group
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.model.summaries import Quote
from filigraph.graph.model.usage import Usage
from filigraph.graph.records.summaries import LevelEstimate, MissingSummaries, OutlineEntry

Writer = Annotated[
    Literal["auto", "llm", "quotes"],
    Field(description="llm: an LLM; quotes: the central sentences of the texts; auto: the LLM if one answers."),
]


class SummarizeIn(In):
    """Who writes the summaries."""

    writer: Writer = "auto"


class SummaryEstimateOut(BaseModel):
    """The cost of summarizing."""

    writer: Annotated[str, Field(description="The writer.", examples=["llm:mistral"])]
    summaries: Annotated[int, Field(description="Number of summaries.")]
    kept: Annotated[int, Field(description="Of these, current ones.")]
    levels: Annotated[list[LevelEstimate], Field(description="The same by level, the lowest first.")]
    usage: Annotated[Usage, Field(description="Expected LLM usage for the others.")]
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")]


class SummaryEntityOut(Out):
    """An entity that the text under a summary names."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    chunks: Annotated[int, Field(description="Number of passages of the text that name it.")]


class SummaryOut(Out):
    """A summary of a part of a text."""

    id: Annotated[str, Field(description="Hash of the covered content and of the writer.")]
    document_id: Annotated[str, Field(description="Its document; empty if it covers several.")]
    folder: Annotated[str, Field(description="The folder of the covered sources; empty for one document, or all.")]
    level: Annotated[int, Field(description="1 covers passages; higher levels cover summaries.")]
    index: Annotated[int, Field(description="Its number among those of its level, from 0.")]
    title: Annotated[str, Field(description="Its chapters, or its document or folder.")]
    text: Annotated[str, Field(description="The summary.")]
    quotes: Annotated[list[Quote], Field(description="The sentences that it consists of; empty if an LLM worded it.")]
    timeline: Annotated[list[Quote], Field(description="Sentences that name a date, by date.")]
    tags: Annotated[list[str], Field(description="Its subjects, in words of the text.")]
    omissions: Annotated[list[str], Field(description="What the LLM says it left out.")]
    start: Annotated[int, Field(description="Start of its text in the document.")]
    end: Annotated[int, Field(description="End of its text.")]
    size: Annotated[int, Field(description="Tokens of the text that it covers, estimated.")]
    recipe: Annotated[str, Field(description="The writer.")]
    covers: Annotated[list[str], Field(description="Ids of the passages or summaries that it covers, in order.")]
    entities: Annotated[
        list[SummaryEntityOut], Field(description="The entities that its text names most, the most frequent first.")
    ]

    @classmethod
    def of(cls, entry: OutlineEntry) -> SummaryOut:
        """A summary with the names that are most frequent in its text."""
        values = {name: getattr(entry.summary, name) for name in cls.model_fields if name != "entities"}
        return cls.model_validate({**values, "entities": entry.entities}, from_attributes=True)


class OutlineOut(BaseModel):
    """The summaries of a document, or of folders."""

    summaries: Annotated[list[SummaryOut], Field(description="The highest level first, then in reading order.")]
    missing: Annotated[
        MissingSummaries, Field(description="Parts without current summaries, of the document or of the workspace.")
    ]


class ShareIn(In):
    """The share of summaries in the budget of a question, by profile."""

    overview: Annotated[float | None, Field(ge=0, le=1, description="Summaries of chapters and more.")] = None
    windows: Annotated[float | None, Field(ge=0, le=1, description="Summaries of some two pages each.")] = None

    def chosen(self) -> dict[Group, float]:
        """The shares that are given."""
        shares: dict[Group, float | None] = {"overview": self.overview, "windows": self.windows}
        return {group: share for group, share in shares.items() if share is not None}


class SharesOut(BaseModel):
    """The shares of summaries in a question's budget."""

    shares: Annotated[
        dict[Profile, dict[Group, float]],
        Field(description="By profile: `overview`, `windows`; passages get the rest."),
    ]

"""What the routes of estimates, gaps and schemas take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In
from filigraph.app.schemas.documents import SkippedOut, UsageOut
from filigraph.graph.records.documents import Gap


class EstimateOut(BaseModel):
    """What an ingest would take."""

    extractor: Annotated[str, Field(description="Who would read the facts.", examples=["llm:mistral"])]
    documents: Annotated[int, Field(description="New or changed documents.")]
    unchanged: Annotated[int, Field(description="Documents that are there already, as they are.")]
    skipped: Annotated[list[SkippedOut], Field(description="What could not be used, with its cause.")]
    chunks: Annotated[int, Field(description="Chunks of the new or changed documents.")]
    kept: Annotated[int, Field(description="Of them, those that were read before: they cost nothing.")]
    usage: Annotated[UsageOut, Field(description="What would be asked of the LLM for the rest.")]
    cast_usage: Annotated[UsageOut, Field(description="Of that, to tell who is who in each document.")] = UsageOut()
    seconds: Annotated[
        float | None,
        Field(description="At the speed that was measured; null where there is nothing to read, or of batches."),
    ]
    cost: Annotated[float | None, Field(description="By the prices that are set; null where none is.")]
    summary_writer: Annotated[
        str, Field(description="Who would write the summaries; empty where they were not asked for.")
    ] = ""
    summaries: Annotated[int, Field(description="Summaries that would be written.")] = 0
    summary_usage: Annotated[UsageOut, Field(description="What would be asked of the LLM for them.")] = UsageOut()
    summary_cost: Annotated[float | None, Field(description="Of that; null where no price is set.")] = None


class RetryIn(In):
    """Who is to read what could not be read."""

    extractor: Annotated[Literal["llm", "local", "auto"], Field(description="As for an ingest.")] = "llm"


class GapsOut(BaseModel):
    """The chunks without facts, and the documents of which not all is stored."""

    total: Annotated[int, Field(description="How many there are.")]
    gaps: Annotated[list[Gap], Field(description="Those that were asked for, in the order of the documents.")]


class SchemaIn(In):
    """A schema, and how strictly it is taken."""

    schema_: Annotated[
        str, Field(alias="schema", min_length=1, max_length=64_000, description="YAML, or the name of a ready one.")
    ]
    mode: Annotated[
        Literal["guide", "enforce"] | None,
        Field(description="What falls outside is reported; guide keeps it, enforce drops it. Null: as the YAML says."),
    ] = None


class SchemaOut(BaseModel):
    """What the LLM is to look for."""

    name: Annotated[str, Field(description="The schema's name.")]
    mode: Annotated[Literal["guide", "enforce"], Field(description="How strictly it is taken.")]
    yaml: Annotated[str, Field(description="The schema.")]
    ready: Annotated[list[str], Field(description="The schemas that come with Filigraph.")]

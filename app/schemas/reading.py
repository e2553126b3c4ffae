"""Requests and responses of the routes of estimates, gaps and schemas."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In
from filigraph.graph.ingest.report import Skipped
from filigraph.graph.model.usage import Usage
from filigraph.graph.records.documents import Gap


class EstimateOut(BaseModel):
    """The cost of an ingest."""

    extractor: Annotated[str, Field(description="The extractor.", examples=["llm:mistral"])]
    documents: Annotated[int, Field(description="New or changed documents.")]
    unchanged: Annotated[int, Field(description="Unchanged documents.")]
    skipped: Annotated[list[Skipped], Field(description="Unusable files, each with its cause.")]
    chunks: Annotated[int, Field(description="Chunks of the new or changed documents.")]
    kept: Annotated[int, Field(description="Of these, chunks that were read before: they cost nothing.")]
    usage: Annotated[Usage, Field(description="Expected LLM usage for the others.")]
    cast_usage: Annotated[
        Usage, Field(description="Of this, the usage for finding out who is who, in each document and across them.")
    ] = Usage()
    seconds: Annotated[
        float | None,
        Field(description="Expected seconds at the measured speed; null if there is nothing to read, or for batches."),
    ]
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")]
    summary_writer: Annotated[
        str, Field(description="Who would write the summaries; empty if they were not requested.")
    ] = ""
    summaries: Annotated[int, Field(description="Number of summaries to write.")] = 0
    summary_usage: Annotated[Usage, Field(description="Expected LLM usage for them.")] = Usage()
    summary_cost: Annotated[float | None, Field(description="Their cost; null without prices.")] = None


class RetryIn(In):
    """The extractor for unread chunks."""

    extractor: Annotated[Literal["llm", "local", "auto"], Field(description="The extractor, as for an ingest.")] = "llm"


class GapsOut(BaseModel):
    """The chunks without facts, and the documents that are stored in part."""

    total: Annotated[int, Field(description="Total number.")]
    gaps: Annotated[list[Gap], Field(description="The requested ones, in the order of the documents.")]


class SchemaIn(In):
    """A schema, and how strictly it applies."""

    schema_: Annotated[
        str,
        Field(alias="schema", min_length=1, max_length=64_000, description="YAML, or the name of a built-in one."),
    ]
    mode: Annotated[
        Literal["guide", "enforce"] | None,
        Field(
            description="guide keeps what is outside the schema, enforce drops it; both report it. Null: as the YAML."
        ),
    ] = None


class SchemaOut(BaseModel):
    """What the LLM looks for."""

    name: Annotated[str, Field(description="The schema's name.")]
    mode: Annotated[Literal["guide", "enforce"], Field(description="The mode: guide or enforce.")]
    yaml: Annotated[str, Field(description="The schema.")]
    ready: Annotated[list[str], Field(description="The names of the built-in schemas.")]

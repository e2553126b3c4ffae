"""What the routes of workspaces, of their export and of the server take and give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON, In, Out
from filigraph.app.settings import SettingsRow
from filigraph.graph.records.summaries import MissingSummaries


class ExportHashOut(Out):
    """A canonical export in short."""

    sha256: Annotated[str, Field(description="Of its bytes: the same for the same content.")]
    lines: Annotated[int, Field(description="How many lines it has.")]
    size: Annotated[int, Field(description="Its bytes.")]


class ImportOut(Out):
    """A workspace that was made from a file."""

    documents: Annotated[int, Field(description="Documents in it.")]
    chunks: Annotated[int, Field(description="Chunks in it.")]
    entities: Annotated[int, Field(description="Entities in it.")]
    facts: Annotated[int, Field(description="Facts in it.")]
    sha256: Annotated[str, Field(description="Of its own canonical export.")]
    same: Annotated[bool, Field(description="It is that of the file.")]
    note: Annotated[str, Field(description='Why it is not; "" where it is.')]


class ReembedIn(In):
    """Which embedder a workspace is to have."""

    embedder: Annotated[
        str,
        Field(
            description="Its name on the hub, of one on the server's machine; \"\": the server's own.", max_length=200
        ),
    ] = ""


class ReembedOut(BaseModel):
    """A workspace that has the vectors of another embedder."""

    computed: Annotated[int, Field(description="Vectors computed in this run; those of an earlier one were kept.")]


class MoveIn(In):
    """Where a workspace is to be."""

    shard: Annotated[str, Field(description="A name of FILIGRAPH_NEO4J_SHARDS, or home.", max_length=32)]


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Where a workspace is."""

    shard: Annotated[str, Field(description="The name of its shard.")]
    chunks: Annotated[int, Field(description="How many were copied; 0 where it was there, or does not exist yet.")]


class WorkspaceOut(Out):
    """One user's world: its documents, its graph."""

    name: Annotated[str, Field(description="Its name.")]
    fingerprint: Annotated[str, Field(description="The embedder it was built with.")]
    dimensions: Annotated[int, Field(description="Of its vectors.")]
    shard: Annotated[str, Field(description="The Neo4j server that holds it; home unless it was moved.")]


class WorkspacesOut(BaseModel):
    """Workspaces."""

    total: Annotated[int, Field(description="How many there are that the caller may see.")]
    workspaces: Annotated[list[WorkspaceOut], Field(description="By name.")]


class StatsOut(BaseModel):
    """How much there is in a workspace."""

    workspace: Annotated[str, Field(description="Its name.")]
    stats: Annotated[JSON, Field(description="Counts of documents, chunks, mentions, entities, facts, decisions.")]
    missing_summaries: Annotated[MissingSummaries, Field(description="What has no summaries.")]


class LiveOut(BaseModel):
    """The server is as it was asked for."""

    live: Annotated[bool, Field(description="It answers.")] = True


class HealthOut(BaseModel):
    """How the server is."""

    live: Annotated[bool, Field(description="It answers.")] = True
    ready: Annotated[bool, Field(description="Neo4j answers and the models are loaded.")]
    problem: Annotated[str, Field(description="Why it is not ready; empty while it is still starting.")] = ""
    starting: Annotated[str, Field(description="What it is busy with, where its start may take minutes.")] = ""
    version: Annotated[str, Field(description="Of the server; a command line of another version warns.")]
    pid: Annotated[int, Field(description="The server's process.")]
    max_upload_bytes: Annotated[int, Field(description="The largest upload in one request.")]
    neo4j_browser: Annotated[
        str | None, Field(description="Where Neo4j Browser opens; null where that is not known.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that works here, or not."""

    name: Annotated[str, Field(description="What was looked at.")]
    state: Annotated[Literal["ok", "weak", "none", "broken"], Field(description="none: not there, and not needed.")]
    essential: Annotated[bool, Field(description="Nothing works without it.")]
    detail: Annotated[str, Field(description="What was found.")]
    cure: Annotated[str, Field(description="What to do about it; empty if nothing.")] = ""
    code: Annotated[str, Field(description="What was found, to word it in another language; or the error's code.")]
    params: Annotated[
        Mapping[str, str | bool | int | float | Sequence[str]],
        Field(description="What detail and cure name: names, numbers."),
    ] = field(default_factory=dict)


class DoctorOut(Out):
    """What works here and what does not."""

    checks: Annotated[list[Check], Field(description="In the order of the data's way.")]


@dataclass(frozen=True, kw_only=True)
class WorkspaceUsage:
    """What a workspace had an LLM read and write."""

    model: Annotated[str, Field(description="The LLM that answers now; empty where none does.")]
    calls: Annotated[int, Field(description="Calls, so far.")]
    tokens_in: Annotated[int, Field(description="Tokens sent, so far.")]
    tokens_out: Annotated[int, Field(description="Tokens written, so far.")]
    cost: Annotated[float | None, Field(description="Of that, at the prices that are set; null where none is.")]
    today: Annotated[int, Field(description="Tokens of today (UTC), in and out; counted where there is a limit.")]
    limit: Annotated[int, Field(description="How many a day may have; 0: as many as it likes.")]


class SettingsOut(BaseModel):
    """The settings that the server runs with."""

    settings: Annotated[list[SettingsRow], Field(description="As docs/reference.md lists them.")]

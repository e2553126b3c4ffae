"""Requests and responses of the routes of workspaces, of their export and of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON, In, Out
from filigraph.app.settings import SettingsRow
from filigraph.graph.records.summaries import MissingSummaries


class ReembedIn(In):
    """The new embedder of a workspace."""

    embedder: Annotated[
        str,
        Field(
            description="Its name on the hub, if it is on the server's machine; \"\": the server's own.", max_length=200
        ),
    ] = ""


class ReembedOut(BaseModel):
    """A workspace that has the vectors of another embedder."""

    computed: Annotated[int, Field(description="Vectors computed in this run; those of an interrupted run were kept.")]


class MoveIn(In):
    """The shard for a workspace."""

    shard: Annotated[str, Field(description="A name of FILIGRAPH_NEO4J_SHARDS, or home.", max_length=32)]


@dataclass(frozen=True, kw_only=True)
class Moved:
    """The shard of a workspace."""

    shard: Annotated[str, Field(description="The name of its shard.")]
    chunks: Annotated[
        int,
        Field(description="Number of copied documents; 0 if the workspace was there already, or does not exist yet."),
    ]


class WorkspaceOut(Out):
    """A workspace: documents and their graph."""

    name: Annotated[str, Field(description="Its name.")]
    fingerprint: Annotated[str, Field(description="The embedder of its vectors.")]
    dimensions: Annotated[int, Field(description="Number of dimensions.")]
    shard: Annotated[str, Field(description="The Neo4j server that holds it; home unless it was moved.")]


class WorkspacesOut(BaseModel):
    """Workspaces."""

    total: Annotated[int, Field(description="Number of workspaces that the caller may see.")]
    workspaces: Annotated[list[WorkspaceOut], Field(description="By name.")]


class StatsOut(BaseModel):
    """The counts of a workspace."""

    workspace: Annotated[str, Field(description="Its name.")]
    stats: Annotated[
        JSON,
        Field(
            description="Counts of documents, chunks, mentions, entities, facts, decisions; `open_links`: whether an "
            "LLM has not answered all who is who across the documents."
        ),
    ]
    missing_summaries: Annotated[MissingSummaries, Field(description="Parts without current summaries.")]


class LiveOut(BaseModel):
    """The process of the server is alive."""

    live: Annotated[bool, Field(description="The process runs.")] = True


class HealthOut(BaseModel):
    """The health of the server."""

    live: Annotated[bool, Field(description="The process runs.")] = True
    ready: Annotated[bool, Field(description="Neo4j answers and the models are loaded.")]
    problem: Annotated[str, Field(description="Why it is not ready; empty while it is still starting.")] = ""
    starting: Annotated[str, Field(description="The current step of a long start.")] = ""
    version: Annotated[str, Field(description="Version of the server; a command line of another version warns.")]
    pid: Annotated[int, Field(description="Process id of the server.")]
    max_upload_bytes: Annotated[int, Field(description="Maximum bytes of an upload in one request.")]
    neo4j_browser: Annotated[str | None, Field(description="Address of Neo4j Browser; null if unknown.")] = None


CheckState = Literal["ok", "weak", "none", "broken"]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One check: whether something works."""

    name: Annotated[str, Field(description="The subject of the check.")]
    state: Annotated[CheckState, Field(description="none: not installed, and not needed.")]
    essential: Annotated[bool, Field(description="Whether nothing works without it.")]
    detail: Annotated[str, Field(description="The result, in words.")]
    cure: Annotated[str, Field(description="What to do; empty if nothing.")] = ""
    code: Annotated[str, Field(description="The result as a code, for other languages; or the error's code.")]
    params: Annotated[
        Mapping[str, str | bool | int | float | Sequence[str]],
        Field(description="Names and numbers in detail and cure."),
    ] = field(default_factory=dict)


class DoctorOut(Out):
    """What works and what does not."""

    checks: Annotated[list[Check], Field(description="The checks, in the order in which data flows.")]


@dataclass(frozen=True, kw_only=True)
class WorkspaceUsage:
    """The tokens that an LLM read and wrote for a workspace."""

    model: Annotated[str, Field(description="The LLM that answers now; empty if none does.")]
    calls: Annotated[int, Field(description="Calls so far.")]
    tokens_in: Annotated[int, Field(description="Tokens sent so far.")]
    tokens_out: Annotated[int, Field(description="Tokens written so far.")]
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")]
    today: Annotated[int, Field(description="Today's tokens (UTC), read and written; counted only with a limit.")]
    limit: Annotated[int, Field(description="Limit of tokens per day; 0: no limit.")]


class SettingsOut(BaseModel):
    """The settings that the server runs with."""

    settings: Annotated[list[SettingsRow], Field(description="The settings, as in docs/reference.md.")]

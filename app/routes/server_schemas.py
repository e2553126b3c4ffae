"""What the routes of workspaces, of their export and of the server take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.routes.schemas import JSON, In, Out


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


class WorkspaceOut(Out):
    """One user's world: its documents, its graph."""

    name: Annotated[str, Field(description="Its name.")]
    fingerprint: Annotated[str, Field(description="The embedder it was built with.")]
    dimensions: Annotated[int, Field(description="Of its vectors.")]


class WorkspacesOut(BaseModel):
    """Workspaces."""

    total: Annotated[int, Field(description="How many there are that the caller may see.")]
    workspaces: Annotated[list[WorkspaceOut], Field(description="By name.")]


class StatsOut(BaseModel):
    """How much there is in a workspace."""

    workspace: Annotated[str, Field(description="Its name.")]
    stats: Annotated[JSON, Field(description="Counts of documents, chunks, mentions, entities, facts, decisions.")]


class LiveOut(BaseModel):
    """The server is as it was asked for."""

    live: Annotated[bool, Field(description="It answers.")] = True


class HealthOut(BaseModel):
    """How the server is."""

    live: Annotated[bool, Field(description="It answers.")] = True
    ready: Annotated[bool, Field(description="Neo4j answers and the models are loaded.")]
    problem: Annotated[str, Field(description="Why it is not ready; empty while it is still starting.")] = ""
    starting: Annotated[str, Field(description="What it is busy with, where its start may take minutes.")] = ""
    version: Annotated[str, Field(description="Of the server; a command line of another version is told so.")]
    pid: Annotated[int, Field(description="The server's process.")]
    max_upload_bytes: Annotated[int, Field(description="The largest upload in one request.")]
    neo4j_browser: Annotated[
        str | None, Field(description="Where Neo4j Browser opens; null where that is not known.")
    ] = None


class CheckOut(Out):
    """One thing that works here, or not."""

    name: Annotated[str, Field(description="What was looked at.")]
    state: Annotated[Literal["ok", "weak", "none", "broken"], Field(description="none: not there, and not needed.")]
    essential: Annotated[bool, Field(description="Nothing works without it.")]
    detail: Annotated[str, Field(description="What was found.")]
    cure: Annotated[str, Field(description="What to do about it; empty if nothing.")]


class DoctorOut(Out):
    """What works here and what does not."""

    checks: Annotated[list[CheckOut], Field(description="In the order of the data's way.")]

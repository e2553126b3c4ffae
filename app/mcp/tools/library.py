"""Documents, jobs, workspaces and news. Each docstring is what an agent reads of a tool."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from pydantic import Field

from filigraph.app.mcp.options import VIEW, DocumentId, First, Workspace, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import library

LONGEST_RESOURCE = 100  # pieces of a document


class LibraryTools:
    """Documents, jobs, workspaces and news."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    @with_fields(VIEW)
    async def documents(
        self,
        ctx: Context,
        workspace: Workspace = "",
        source: Annotated[str, Field(description="Only these: a name, or a pattern with * and ?.")] = "",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=100, description="How many.")] = 20,
        **options: Any,
    ) -> str:
        """List the documents, with their ids."""
        params: dict[str, Any] = {"first": first, "count": count, "source": source}
        return as_text(library.documents(await self._rest.read(ctx, workspace, options, "documents", **params)))

    @with_fields(VIEW)
    async def read(
        self,
        ctx: Context,
        document_id: DocumentId,
        workspace: Workspace = "",
        chunk_id: Annotated[str, Field(description="Begin a little before this chunk.")] = "",
        first: Annotated[int, Field(ge=0, description="Or begin with this piece; `next` of the last reading.")] = 0,
        count: Annotated[int, Field(ge=1, le=10, description="How many pieces, of some 400 words each.")] = 3,
        **options: Any,
    ) -> str:
        """Read a part of a document."""
        begin: dict[str, Any] = {"chunk": chunk_id} if chunk_id else {"first": first}
        text = ("documents", document_id, "text")
        return as_text(library.pieces(await self._rest.read(ctx, workspace, options, *text, count=count, **begin)))

    async def ingest(
        self,
        ctx: Context,
        name: Annotated[str, Field(description="Names the document; the same name again replaces it.")],
        text: Annotated[str, Field(description="Its text, plain or Markdown.")],
        workspace: Workspace = "",
    ) -> str:
        """Add a document, as a job that continues by itself; `job` shows its progress."""
        files = {"files": (name, text.encode("utf-8", "replace"), "text/plain")}
        return as_text(library.job(await self._rest.send(ctx, "POST", self._rest.path(workspace, "jobs"), files=files)))

    async def job(self, ctx: Context, job_id: Annotated[str, Field(description="The id that `ingest` gave.")]) -> str:
        """The progress of a job, and its report."""
        return as_text(library.job(await self._rest.get(ctx, f"/v1/jobs/{quote(job_id, safe='')}")))

    async def workspaces(self, ctx: Context) -> str:
        """List the workspaces."""
        page = await self._rest.get(ctx, "/v1/workspaces", count=200)
        return as_text({"usual": self._rest.usual, "workspaces": [row["name"] for row in page["workspaces"]]})

    async def news(
        self,
        ctx: Context,
        workspace: Workspace = "",
        since: Annotated[str, Field(description="A date, or a date and time, UTC; else the last day.")] = "",
        count: Annotated[int, Field(ge=1, le=50, description="How many of each kind.")] = 10,
    ) -> str:
        """The changes by the newest documents: names, facts and contradictions that came, names joined and
        separated.
        """
        return as_text(
            library.news(await self._rest.get(ctx, self._rest.path(workspace, "news"), count=count, since=since))
        )

    async def document_text(self, ctx: Context, workspace: str, document_id: str) -> str:
        """The text of a document, for clients that read resources."""
        text = ("documents", document_id, "text")
        try:
            reply = await self._rest.read(ctx, workspace, {}, *text, first=0, count=LONGEST_RESOURCE)
        except ToolError as error:
            raise ResourceError(str(error)) from None
        shown = [piece["text"] for piece in reply["pieces"]]
        rest = reply["chunks"] - len(shown)
        return "\n".join([*shown, *([f"[{rest} more pieces: `read` from {len(shown)} on]"] if rest > 0 else [])])

"""Notes of persons. Each docstring is what an agent reads of a tool."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from filigraph.app.mcp.options import VIEW, First, Workspace, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import notes


class NoteTools:
    """Notes of persons."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    @with_fields(VIEW)
    async def notes(
        self,
        ctx: Context,
        workspace: Workspace = "",
        text: Annotated[str, Field(description="Only those with these words.")] = "",
        tag: Annotated[str, Field(description="Only those with this tag.")] = "",
        entity: Annotated[str, Field(description="Only those at this entity: its id or name.")] = "",
        starred: Annotated[bool, Field(description="Only those with a star.")] = False,
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many.")] = 20,
        **options: Any,
    ) -> str:
        """Notes, tags and stars of persons. No document states them: do not use them as evidence."""
        params: dict[str, Any] = {"first": first, "count": count, "starred": starred, "text": text, "tag": tag}
        if entity:
            params["entity"] = await self._rest.entity_id(ctx, workspace, entity, options)
        return as_text(notes.notes(await self._rest.read(ctx, workspace, options, "notes", **params)))

    async def add_note(
        self,
        ctx: Context,
        text: Annotated[str, Field(description="What is noted.")],
        workspace: Workspace = "",
        entity: Annotated[str, Field(description="At this entity: its id or name.")] = "",
        fact: Annotated[str, Field(description="Or at this fact: its id.")] = "",
        document: Annotated[str, Field(description="Or at this document: its id or source.")] = "",
        sentence: Annotated[str, Field(description="Of that document, as it says it.")] = "",
        tags: Annotated[list[str], Field(description="Tags.")] = [],  # noqa: B006
    ) -> str:
        """Add a note to an entity, a fact, a document or a sentence of it, for people to see."""
        place = {"entity": entity, "fact": fact, "document": document, "sentence": sentence}
        body = {"at": place, "text": text, "tags": tags}
        return as_text(notes.note(await self._rest.send(ctx, "POST", self._rest.path(workspace, "notes"), json=body)))

"""Persons, families and dates. Each docstring is what an agent reads of a tool."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from filigraph.app.mcp.options import VIEW, First, Workspace, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import people
from filigraph.app.schemas.cast_list import CastOrder


class PeopleTools:
    """Persons, families and dates."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    @with_fields(VIEW)
    async def cast(
        self,
        ctx: Context,
        workspace: Workspace = "",
        document: Annotated[str, Field(description="Only of this document: its id.")] = "",
        order: Annotated[CastOrder, Field(description="By passages or first appearance.")] = "passages",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many.")] = 20,
        **options: Any,
    ) -> str:
        """List the persons: first appearance, passages that name each, with whom each shares most, other names, who it
        is."""
        params = {"document": document, "order": order, "first": first, "count": count}
        return as_text(people.cast(await self._rest.read(ctx, workspace, options, "cast", **params)))

    @with_fields(VIEW)
    async def family(
        self,
        ctx: Context,
        workspace: Workspace = "",
        name: Annotated[str, Field(description="A person's name or id; omitted: all families.")] = "",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=10, description="How many families.")] = 3,
        **options: Any,
    ) -> str:
        """Who is whose parent, spouse, sibling: families in generations, each tie with its sentence. `open`: another
        tie excludes it; `alleged`: only somebody in the text says so."""
        params = {"name": name, "first": first, "count": count}
        return as_text(people.families(await self._rest.read(ctx, workspace, options, "family", **params)))

    @with_fields(VIEW)
    async def timeline(
        self,
        ctx: Context,
        workspace: Workspace = "",
        entity: Annotated[str, Field(description="Only of this entity: its id or name.")] = "",
        begin: Annotated[str, Field(description="From this day, month or year on: 1904-05.")] = "",
        end: Annotated[str, Field(description="To the end of this one.")] = "",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many facts.")] = 20,
        **options: Any,
    ) -> str:
        """The dated facts and documents in order, each fact with its sentence."""
        params: dict[str, Any] = {"from": begin, "to": end, "first": first, "count": count}
        if entity:
            params["entity"] = await self._rest.entity_id(ctx, workspace, entity, options)
        return as_text(people.timeline(await self._rest.read(ctx, workspace, options, "timeline", **params)))

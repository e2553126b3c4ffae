"""The graph: entities, connections, comparisons and contradictions. Each docstring is what an agent reads of a tool."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from filigraph.app.mcp.options import VIEW, Entity, First, Workspace, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import graph


class GraphTools:
    """The graph: entities, connections, comparisons and contradictions."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    @with_fields(VIEW)
    async def find_entity(
        self,
        ctx: Context,
        name: Annotated[str, Field(description="A name or a part of it; accents make no difference.")],
        workspace: Workspace = "",
        count: Annotated[int, Field(ge=1, le=50, description="How many.")] = 10,
        **options: Any,
    ) -> str:
        """Find persons, places and things by name; an empty name: those mentioned most."""
        params = {"name": name, "count": count}
        return as_text(graph.entities(await self._rest.read(ctx, workspace, options, "entities", **params)))

    @with_fields(VIEW)
    async def entity(
        self,
        ctx: Context,
        entity: Entity,
        workspace: Workspace = "",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many facts.")] = 15,
        **options: Any,
    ) -> str:
        """An entity: its names and its facts, the best supported first, each with a sentence."""
        id_ = await self._rest.entity_id(ctx, workspace, entity, options)
        details = await self._rest.read(ctx, workspace, options, "entities", id_)
        return as_text(graph.entity(details, first, count))

    @with_fields(VIEW)
    async def path_between(
        self,
        ctx: Context,
        first: Entity,
        second: Entity,
        workspace: Workspace = "",
        hops: Annotated[int, Field(ge=1, le=6, description="How many facts a chain may have.")] = 6,
        count: Annotated[int, Field(ge=1, le=10, description="How many chains.")] = 3,
        **options: Any,
    ) -> str:
        """How two entities are connected: the best chains of facts, each with its sentence. `verdict` is text if no
        facts except those over `hubs` join them, but names that a text has near each other do (`only_near`: this may
        mean nothing), hubs if only facts over `hubs` do (places and dates with many facts), none if nothing does. If
        these are not enough, `ask` "How is A connected to B?": an LLM reads, and names the path."""
        params: dict[str, Any] = {"name": [first, second], "hops": hops, "count": count}
        reply = await self._rest.read(ctx, workspace, options, "connections", **params)
        return as_text(graph.connections(reply["connections"][0]))

    @with_fields(VIEW)
    async def compare(
        self,
        ctx: Context,
        names: Annotated[list[str], Field(min_length=2, max_length=4, description="Entities: ids or names.")],
        workspace: Workspace = "",
        **options: Any,
    ) -> str:
        """Two to four entities side by side: facts by predicate, where each is named first, what they share, passages
        that name two of them."""
        params: dict[str, Any] = {"name": names, "count": 5}
        comparison = await self._rest.read(ctx, workspace, options, "comparison", **params)
        return as_text(graph.comparison(comparison))

    @with_fields(VIEW)
    async def contradictions(
        self,
        ctx: Context,
        workspace: Workspace = "",
        entity: Annotated[str, Field(description="Only those about this entity: its id or name.")] = "",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many.")] = 10,
        **options: Any,
    ) -> str:
        """Matters on which different voices may disagree: who says what, the two most direct sentences first; those of
        one side have one number. What a language model has read has its verdict; in what "may disagree" a change, a
        joke or an estimate may look like a contradiction."""
        params: dict[str, Any] = {"first": first, "count": count}
        if entity:
            params["entity"] = await self._rest.entity_id(ctx, workspace, entity, options)
        return as_text(graph.contradictions(await self._rest.read(ctx, workspace, options, "contradictions", **params)))

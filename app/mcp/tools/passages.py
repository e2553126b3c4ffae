"""Passages: phrases, saved searches and lists. Each docstring is what an agent reads of a tool."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from filigraph.app.mcp.options import VIEW, First, Workspace, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import passages
from filigraph.app.schemas.list_items import ListOrder


class PassageTools:
    """Passages: phrases, saved searches and lists."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    @with_fields(VIEW)
    async def find(
        self,
        ctx: Context,
        phrase: Annotated[str, Field(description="Words in this order.")] = "",
        names: Annotated[list[str], Field(description="Entities, ids or names: a passage names all.")] = [],  # noqa: B006
        types: Annotated[list[str], Field(description="Types of entities: a passage names one of each.")] = [],  # noqa: B006
        predicate: Annotated[
            str, Field(description="A passage states a fact with it, about the named entities if any.")
        ] = "",
        workspace: Workspace = "",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many.")] = 20,
        **options: Any,
    ) -> str:
        """Find every place that contains a phrase, names some entities or states a fact, in reading order."""
        params: dict[str, Any] = {"text": phrase, "first": first, "count": count}
        if not (names or types or predicate):
            return as_text(passages.places(await self._rest.read(ctx, workspace, options, "find", **params)))
        params |= {"name": names, "type": types, "predicate": predicate}
        return as_text(passages.passages(await self._rest.read(ctx, workspace, options, "passages", **params)))

    async def searches(
        self,
        ctx: Context,
        name: Annotated[str, Field(description="A saved search to run; omitted: list them.")] = "",
        workspace: Workspace = "",
        new: Annotated[bool, Field(description="Only what is new since it was run last.")] = True,
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=50, description="How many.")] = 20,
    ) -> str:
        """Saved searches of the key's person: their list, or the current hits of one, new passages first. With `first`
        above 0 the last run continues.
        """
        if not name:
            return as_text(await self._rest.get(ctx, self._rest.path(workspace, "searches")))
        path = self._rest.path(workspace, "searches", name, "run")
        body = {"first": first, "count": count, "new": new}
        return as_text(passages.search_hits(await self._rest.send(ctx, "POST", path, json=body)))

    @with_fields(VIEW)
    async def items(
        self,
        ctx: Context,
        text: Annotated[str, Field(description='What to list: "payments over 100 pounds in March 1904".')],
        workspace: Workspace = "",
        order: Annotated[ListOrder, Field(description="By document, date, amount or score.")] = "document",
        first: First = 0,
        count: Annotated[int, Field(ge=1, le=100, description="How many.")] = 30,
        **options: Any,
    ) -> str:
        """List all things of a kind, or count them, each with the sentence or table row that states it. A
        model judged the items only if `looked_at` names one: the list may be incomplete, and may contain items that do
        not belong.
        """
        params: dict[str, Any] = {"text": text, "order": order, "first": first, "count": count}
        return as_text(passages.items(await self._rest.read(ctx, workspace, options, "items", **params)))

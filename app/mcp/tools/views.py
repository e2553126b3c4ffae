"""Named views, and what differs between two views. Each docstring is what an agent reads of a tool."""

from __future__ import annotations

import json
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from filigraph.app.mcp.options import ALL_OF_VIEW, Workspace, view_from, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import graph


class ViewTools:
    """Named views, and what differs between two views."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    async def views(self, ctx: Context, workspace: Workspace = "") -> str:
        """List the named views; `WORKSPACE@NAME` in place of a workspace reads one."""
        page = await self._rest.get(ctx, self._rest.path(workspace, "views"))
        defined = {row["name"]: {key: value for key, value in row["view"].items() if value} for row in page["views"]}
        return as_text({"views": defined})

    @with_fields(ALL_OF_VIEW)
    async def save_view(
        self,
        ctx: Context,
        name: Annotated[str, Field(description="Its name.")],
        workspace: Workspace = "",
        delete: Annotated[bool, Field(description="Delete the name instead.")] = False,
        **options: Any,
    ) -> str:
        """Save a view under a name. It stores what is visible, no text."""
        path = self._rest.path(workspace, "views", name)
        if delete:
            return as_text(await self._rest.send(ctx, "DELETE", path))
        return as_text(await self._rest.send(ctx, "PUT", path, json=view_from(options)))

    @with_fields(ALL_OF_VIEW)
    async def diff(
        self,
        ctx: Context,
        before: Annotated[str, Field(description="A named view; omitted: what other arguments show.")] = "",
        after: Annotated[str, Field(description="Another named view; omitted: the whole workspace.")] = "",
        workspace: Workspace = "",
        count: Annotated[int, Field(ge=1, le=50, description="How many of each kind.")] = 10,
        **options: Any,
    ) -> str:
        """What differs between two views: names joined and separated, names and facts added and removed, earlier
        answers that change. `without_decisions` as the view: what a decision changed.
        """
        view = view_from(options)
        if bool(before) == bool(view):
            raise ToolError("This needs a named view as `before`, or a view by its arguments.")
        path = self._rest.path(workspace, "views", "diff")
        params = {"before": before or json.dumps(view), "after": after, "count": count}
        return as_text(graph.changes(await self._rest.get(ctx, path, **params)))

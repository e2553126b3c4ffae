"""Requests to the REST API on behalf of a tool, with the caller's key."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from filigraph.app.mcp.options import view_from
from filigraph.graph.text.lines import LineReader

_ID = re.compile(r"[0-9a-f]{48}")

NO_SERVER = "The Filigraph server does not answer. `filigraph doctor` says what is wrong."

Connect = Callable[[Context], httpx.AsyncClient]


class Requests:
    """Requests. Each raises ToolError with cause and cure if the server refuses or does not answer."""

    def __init__(self, connect: Connect, workspace: str) -> None:
        self._connect = connect
        self.usual = workspace

    def path(self, workspace: str, *parts: str) -> str:
        """The path of a resource of a whole workspace. Raises ToolError for a view of one."""
        name, _, view = (workspace or self.usual).partition("@")
        if view:
            raise ToolError(f"{name}@{view} is a view: this is about a whole workspace. Give the workspace {name}.")
        return "/".join(["/v1/workspaces", *(quote(part, safe="") for part in (name, *parts))])

    def in_view(self, workspace: str, options: Mapping[str, Any], *parts: str) -> tuple[str, dict[str, Any]]:
        """The path of a resource, and the view in options or in the name of the workspace; {}: everything is
        visible.
        """
        name, _, named = (workspace or self.usual).partition("@")
        return self.path(name, *parts), view_from(options) | ({"named": named} if named else {})

    async def read(
        self, ctx: Context, workspace: str, options: Mapping[str, Any], *parts: str, **params: Any
    ) -> dict[str, Any]:
        """A resource, in the view in options or in the name of the workspace."""
        path, view = self.in_view(workspace, options, *parts)
        return await self.get(ctx, path, **params, **({"view": json.dumps(view)} if view else {}))

    async def entity_id(self, ctx: Context, workspace: str, entity: str, options: Mapping[str, Any]) -> str:
        """The id; for a name, that of the best matching entity that is visible."""
        if _ID.fullmatch(entity):
            return entity
        page = await self.read(ctx, workspace, options, "entities", name=entity, count=1)
        if not entity.strip() or not page["entities"]:
            raise ToolError(f"No entity has the name {entity[:80]!r}. Search for a part of it with find_entity.")
        return str(page["entities"][0]["id"])

    async def ask(self, ctx: Context, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """An answer; the searches of the LLM are reported as progress."""
        answer: dict[str, Any] = {}
        looked = 0
        try:
            async with self._connect(ctx) as http, http.stream("POST", path, json=body) as response:
                if response.is_error:
                    raise _tool_error(json.loads(await response.aread()))
                async for event in _events(response):
                    if event.get("event") == "error":
                        raise _tool_error(event)
                    if event.get("event") == "round":
                        looked += 1
                        await ctx.report_progress(looked, message="; ".join(look["text"] for look in event["looks"]))
                    answer = event.get("answer") or answer
        except (httpx.HTTPError, ValueError) as error:
            raise ToolError(NO_SERVER) from error
        return answer

    async def get(self, ctx: Context, path: str, **params: Any) -> dict[str, Any]:
        """The response of the REST API; empty parameters are left out."""
        present = {name: value for name, value in params.items() if value != ""}
        return await self.send(ctx, "GET", path, params=present)

    async def send(self, ctx: Context, method: str, path: str, **request: Any) -> dict[str, Any]:
        """The response of the REST API."""
        try:
            async with self._connect(ctx) as http:
                response = await http.request(method, path, **request)
                data = response.json()
        except httpx.InvalidURL as error:
            raise ToolError(f"The request cannot be sent: {error}. Give a shorter text.") from error
        except (httpx.HTTPError, ValueError) as error:
            raise ToolError(NO_SERVER) from error
        if response.is_error:
            raise _tool_error(data)
        return dict(data)


def _tool_error(data: Mapping[str, Any]) -> ToolError:
    return ToolError(f"{data['error']['cause']} {data['error']['cure']}".strip())


def as_text(data: Mapping[str, Any]) -> str:
    """A result as the JSON that an agent reads."""
    return json.dumps(data, ensure_ascii=False)


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    reader = LineReader()
    async for piece in response.aiter_bytes():
        for line in reader.read(piece):
            yield json.loads(line) if line.strip() else {}
    for line in reader.end():
        yield json.loads(line)

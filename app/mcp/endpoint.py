"""`/mcp`: the MCP server over streamable HTTP, within the server itself.

After authentication, each tool sends a request to the REST API of this application with the same key, so that scopes,
limits and the audit log apply to it. It keeps no state between requests.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from filigraph.app.http.auth import presented_key

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class McpEndpoint:
    """Created with the first request: the SDK takes seconds to import. `close` ends it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._stop = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[StreamableHTTPSessionManager] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._ready))
        manager = await asyncio.shield(self._ready)
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End the running tasks."""
        self._stop.set()
        if self._running:
            await self._running

    async def _run(self, ready: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """The tasks belong to this one: they must begin and end in the same task."""
        try:
            manager = await run_in_threadpool(self._manager)
            async with manager.run():
                ready.set_result(manager)
                await self._stop.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def _manager(self) -> StreamableHTTPSessionManager:
        from filigraph.app.mcp.server import mcp_server

        server = mcp_server(self._connect)
        server.streamable_http_app(stateless_http=True)
        return server.session_manager

    def _connect(self, context: Context) -> httpx.AsyncClient:
        """A client of this application, with the credentials of the request."""
        request = context.request_context.request
        assert request is not None
        scope: Scope = request.scope
        prefix, key = scope.get("root_path", ""), presented_key(scope)
        inside = httpx.ASGITransport(self._app, root_path=prefix, client=scope.get("client") or ("127.0.0.1", 0))
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return httpx.AsyncClient(transport=inside, base_url=f"http://127.0.0.1{prefix}", headers=headers)

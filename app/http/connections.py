"""Limits on incoming requests: how many at once, and how long a client may take to send one. Otherwise a client that
sends nothing, or a byte a minute, would occupy a socket for ever, before its key is checked.
"""

from __future__ import annotations

import asyncio
import uuid

import h11
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from filigraph.app.http.envelope import refusal, response_to
from filigraph.app.http.templates import route_path
from filigraph.graph.errors import Busy

# requests in progress, a thread each: far more than this machine does quickly, far fewer than would stop it
MAX_REQUESTS = 400
RETRY_AFTER = 2  # seconds
HEAD_SECONDS = 20.0  # until the head of a connection's first or next request has arrived
BODY_SECONDS = 60.0  # between two pieces of a body


class ConcurrencyLimit:
    """Refuse requests while AT_ONCE are in progress. Requests for the server's health are always answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._now = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or route_path(scope).startswith("/v1/health"):
            await self.app(scope, receive, send)
            return
        if self._now >= MAX_REQUESTS:
            error = Busy(f"{MAX_REQUESTS} requests are being answered.", cure="Try again in a moment.")
            await response_to(error, scope, {"retry-after": str(RETRY_AFTER)})(scope, receive, send)
            return
        self._now += 1
        try:
            await self.app(scope, _in_time(receive), send)
        finally:
            self._now -= 1


def _in_time(receive: Receive) -> Receive:
    """A `receive` with a time limit for the next piece of a body, but not for the client's disconnection."""
    coming = True

    async def receive_in_time() -> Message:
        nonlocal coming
        try:
            async with asyncio.timeout(BODY_SECONDS if coming else None):
                message = await receive()
        except TimeoutError:
            cause = f"The request's body stopped coming for {BODY_SECONDS:g} seconds."
            raise HTTPException(408, cause, {"connection": "close"}) from None
        coming = bool(message.get("more_body", False))
        return message

    return receive_in_time


class Protocol(H11Protocol):
    """uvicorn's protocol, with a time limit for the first request and our envelope for text that is not HTTP."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._waiting:
            self._waiting.cancel()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            request_id = uuid.uuid4().hex
            refused = refusal(HTTPException(400, "This is not an HTTP request.", {"connection": "close"}), request_id)
            headers = [*refused.raw_headers, (b"x-request-id", request_id.encode())]
            start = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
            for event in (start, h11.Data(data=bytes(refused.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        if self._waiting:
            self._waiting.cancel()
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _too_slow(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.timeout_keep_alive_handler()

"""A response whose work runs in a thread: as one value, or as events while it runs. A client that disconnects stops the
work.

    return WorkResponse(lambda emit, cancelled: questions.ask(..., cancelled=cancelled), events=True, last="answer")

Events are lines of JSON (NDJSON), each with its kind in `event`, or have the `EventFormat` of another API. While
nothing happens, `{"event": "alive"}` shows every ten seconds that the connection is alive, also before the first event:
otherwise a client would give up on a slow LLM. The status is sent with the first event, `alive` or the result. An
earlier failure has its proper status; a later one is the last line, `{"event": "error", "error": …}`.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Protocol

from starlette.background import BackgroundTask
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from filigraph.app.http.audit import override_status
from filigraph.app.http.envelope import JSONText, body_of, internal_body, request_id_of, status_of
from filigraph.app.schemas.serialize import to_json
from filigraph.graph.errors import FiligraphError
from filigraph.graph.process.cancel import ShouldStop

log = logging.getLogger("filigraph.server")

Emit = Callable[[str, Mapping[str, Any]], None]  # kind, fields
Job = Callable[[Emit, ShouldStop], object]  # emit, cancelled -> the result; a Response is sent unchanged
Value = Mapping[str, Any] | Response | Exception

NDJSON = "application/x-ndjson"
ALIVE_SECONDS = 10.0


class EventFormat(Protocol):
    media_type: str

    def write(self, kind: str, fields: Mapping[str, Any]) -> bytes:
        """One event; b"" if its kind is left out."""
        ...


class JSONLines:
    """Our format: one object per line, with its kind in `event`."""

    media_type = NDJSON

    def write(self, kind: str, fields: Mapping[str, Any]) -> bytes:
        return bytes(JSONText({"event": kind, **fields}).body) + b"\n"


class WorkResponse(Response):
    """Run `job` in a thread and send its result; `cancelled` becomes true when the client disconnects or the server
    stops.
    """

    def __init__(
        self,
        job: Job,
        *,
        events: bool = False,
        last: str = "result",
        event_format: EventFormat | None = None,
        stopping: ShouldStop = lambda: False,
        background: BackgroundTask | None = None,
    ) -> None:
        self.job = job
        self.events = events
        self.last = last  # the kind of the event with the result
        self.format = event_format or JSONLines()
        self.stopping = stopping  # whether the whole server stops
        self.background = background  # called when the work has ended, however it did

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()
        gone = threading.Event()
        ended = asyncio.Event()
        lines: asyncio.Queue[tuple[str, Value]] = asyncio.Queue()

        def post(call: Callable[..., object], *values: object) -> None:
            with suppress(RuntimeError):  # the server has ended before
                loop.call_soon_threadsafe(call, *values)

        def send_event(kind: str, value: Value) -> None:
            if not gone.is_set():
                post(lines.put_nowait, (kind, value))

        def work() -> None:
            try:
                result = self.job(
                    send_event if self.events else _discard_event, lambda: gone.is_set() or self.stopping()
                )
                send_event(self.last, result if isinstance(result, Response) else to_json(result))
            except Exception as error:  # noqa: BLE001 - handed over, and raised or sent there
                send_event("", error)
            finally:
                post(ended.set)

        # a daemon: its writes are transactional, so a stopping server need not wait for a slow LLM
        context = copy_context()  # its spans are below the request's
        threading.Thread(target=context.run, args=(work,), name=f"work {request_id_of(scope)}", daemon=True).start()
        left = asyncio.create_task(_disconnect(receive))
        try:
            await self._answer(lines, left, scope, receive, send)
        finally:
            gone.set()
            left.cancel()
            await ended.wait()  # a running thread counts as a request in progress, even if the client has left
            if self.background:
                await self.background()

    async def _answer(
        self,
        lines: asyncio.Queue[tuple[str, Value]],
        left: asyncio.Task[None],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        started = False

        async def start() -> None:
            nonlocal started
            if not started:
                started = True
                headers = [(b"content-type", self.format.media_type.encode()), (b"cache-control", b"no-store")]
                await send({"type": "http.response.start", "status": 200, "headers": headers})

        async def write(kind: str, fields: Mapping[str, Any], *, last: bool = False) -> None:
            await start()
            await send({"type": "http.response.body", "body": self.format.write(kind, fields), "more_body": not last})

        while True:
            line = asyncio.create_task(lines.get())
            while not line.done():
                await asyncio.wait({line, left}, timeout=ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if left.done():
                    line.cancel()
                    return
                if self.events and not line.done():
                    await write("alive", {})
            kind, value = line.result()
            if isinstance(value, Exception) and not started:
                raise value
            if isinstance(value, Response):
                left.cancel()  # it checks by itself whether the client is still there
                await value(scope, receive, send)
                return
            if not self.events:
                await JSONText(value)(scope, receive, send)
                return
            if isinstance(value, Exception):
                override_status(scope, status_of(value) if isinstance(value, FiligraphError) else 500)
                await write("error", _error(value, request_id_of(scope)), last=True)
                return
            last = kind == self.last
            await write(kind, {kind: value} if last else value, last=last)
            if last:
                return


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _error(error: Exception, request_id: str) -> Mapping[str, Any]:
    if isinstance(error, FiligraphError):
        return body_of(error, request_id)
    log.error("%s failed in mid-stream", request_id, exc_info=error)
    return internal_body(request_id)


def _discard_event(kind: str, fields: Mapping[str, Any]) -> None:
    """Discards events that the client did not ask for."""

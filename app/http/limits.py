"""Limits for one caller: requests per minute, bytes of a body."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.http.envelope import TooLarge, refusal, request_id_of
from filigraph.app.settings import Settings
from filigraph.graph.errors import LimitReached

CALLERS = 10_000  # callers that are counted separately; the one unseen for longest is dropped first
UPLOADS = ("/ingest", "/evaluate", "/estimate", "/jobs", "/questions")  # addresses that take files
JSON_LIMIT = 1 << 20  # bytes; a question of 10,000 words is 60 kB


class RateLimit:
    """A token bucket for each caller: `a_minute` requests at once, refilled as fast. Thread-safe."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute = a_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(CALLERS)  # caller -> tokens left, and when

    def take(self, caller: str) -> None:
        """Count a request. Raises LimitReached, with the seconds to wait in `retry_after`."""
        with self._lock:
            now = self._clock()
            left, updated = self._buckets.get(caller, (float(self._a_minute), now))
            left = min(self._a_minute, left + (now - updated) * self._a_minute / 60)
            self._buckets[caller] = (left - 1 if left >= 1 else left, now)
        if left < 1:
            wait = (1 - left) * 60 / self._a_minute
            raise LimitReached(
                f"That is more than {self._a_minute:,} requests a minute.",
                cure=f"Wait {wait:.0f} seconds, or raise FILIGRAPH_REQUESTS_A_MINUTE on the server.",
                retry_after=wait,
            )


class BodyLimit:
    """Refuse a body that is larger than its address allows, even if its length is not declared."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit, setting = self._limit(scope["method"], scope["path"])
        declared = Headers(scope=scope).get("content-length", "0")
        if declared.isascii() and declared.isdigit() and int(declared) > limit:
            await refusal(TooLarge(limit, setting), request_id_of(scope))(scope, receive, send)
            return
        received_bytes = 0

        async def receive_within_limit() -> Message:
            nonlocal received_bytes
            message = await receive()
            received_bytes += len(message.get("body", b""))
            if received_bytes > limit:
                raise TooLarge(limit, setting)
            return message

        await self.app(scope, receive_within_limit, send)

    def _limit(self, method: str, path: str) -> tuple[int, str]:
        """The limit in bytes, and the setting that raises it. Uploaded files are stored on disk."""
        if path.endswith("/import"):
            return self.settings.max_import_mb << 20, "FILIGRAPH_MAX_IMPORT_MB"
        if path.endswith(UPLOADS) or (method == "PUT" and "/documents/" in path):
            return self.settings.max_upload_mb << 20, "FILIGRAPH_MAX_UPLOAD_MB"
        return JSON_LIMIT, ""

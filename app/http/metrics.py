"""Counts every request for Prometheus, and logs it in a line."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.http.auth import CALLER
from filigraph.app.http.envelope import request_id_of
from filigraph.app.http.templates import Templates
from filigraph.app.telemetry.metrics import Metrics

log = logging.getLogger("filigraph.requests")

# polled by waiting clients, so not logged
UNLOGGED = frozenset({"/v1/health", "/v1/health/live", "/v1/health/ready", "/v1/metrics"})
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class MetricsMiddleware:
    """Count every request, and log it in one line, with the route in place of the address, and the name of the key."""

    def __init__(self, app: ASGIApp, metrics: Metrics, templates: Templates) -> None:
        self.app = app
        self.metrics = metrics
        self.templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, begin = 0, time.perf_counter()

        async def send_seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self.metrics.in_progress.inc()
        try:
            await self.app(scope, receive, send_seen)
        except Exception:
            status = status or 500
            raise
        finally:
            self.metrics.in_progress.dec()
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = self.templates.of(scope)
            seconds = time.perf_counter() - begin
            self.metrics.requests.labels(method, route, str(status or 499)).inc()
            self.metrics.seconds.labels(method, route).observe(seconds)
            if route not in UNLOGGED:
                caller = scope.get(CALLER)
                fields = {
                    "method": method,
                    "route": route,
                    "status": status or 499,
                    "ms": round(seconds * 1000, 1),
                    "key": caller.name if caller else "",
                }
                words = (*fields.values(), request_id_of(scope))
                log.info("%s %s %s %s ms, key %r, %s", *words, extra=fields)

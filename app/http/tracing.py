"""An OpenTelemetry span for each request; below the sender's span if the request names one (`traceparent`)."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.http.envelope import request_id_of
from filigraph.app.http.templates import Templates
from filigraph.app.telemetry.spans import tracer_of_request


class SpanMiddleware:
    def __init__(self, app: ASGIApp, provider: Any, templates: Templates) -> None:
        self.app = app
        self.tracer = provider.get_tracer("filigraph")
        self.templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from opentelemetry.trace import SpanKind, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        route = self.templates.of(scope)
        asked_by = TraceContextTextMapPropagator().extract(dict(Headers(scope=scope)))  # the header `traceparent`
        with self.tracer.start_as_current_span(
            f"{scope['method']} {route}", context=asked_by, kind=SpanKind.SERVER
        ) as span:
            span.set_attribute("http.request.method", scope["method"])
            span.set_attribute("http.route", route)
            span.set_attribute("filigraph.request_id", request_id_of(scope))
            tracer_of_request.set(self.tracer)

            async def send_seen(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.set_status(StatusCode.ERROR)
                await send(message)

            await self.app(scope, receive, send_seen)

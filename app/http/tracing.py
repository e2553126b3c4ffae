"""OpenTelemetry: a span for each request, and below it one for each step of an answer, where
OTEL_EXPORTER_OTLP_ENDPOINT says to whom; else none of it is imported. A request that names a span of its sender's, in
the header `traceparent`, goes below that.

The exporter is the extra `filigraph[otel]`, and reads OpenTelemetry's own variables. A span carries the request's id,
under which the log and the trace of an answer are found.
"""

from __future__ import annotations

import logging
import os
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.http.envelope import request_id_of
from filigraph.app.http.templates import Templates

if TYPE_CHECKING:
    from filigraph.graph.model import Trace

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
log = logging.getLogger("filigraph.server")
_tracer: ContextVar[Any | None] = ContextVar("tracer", default=None)  # of the request that is worked on


def tracer_provider() -> Any | None:
    """Makes spans and sends them; None if no collector is set. Its `shutdown` sends the last ones."""
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        log.warning("OTEL_EXPORTER_OTLP_ENDPOINT is set, but not installed: pip install 'filigraph[otel]'")
        return None
    name = os.environ.get("OTEL_SERVICE_NAME", "filigraph")
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class SpanMiddleware:
    """A span for each request."""

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
            _tracer.set(self.tracer)

            async def send_seen(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.set_status(StatusCode.ERROR)
                await send(message)

            await self.app(scope, receive, send_seen)


def answered(trace: Trace) -> None:
    """A span for each step of an answer that was given just now. Steps come one after the other."""
    tracer = _tracer.get()
    if tracer is None:
        return
    took = [round(step.milliseconds * 1e6) for step in trace.steps]  # nanoseconds
    begin = time.time_ns() - sum(took)
    for step, nanoseconds in zip(trace.steps, took, strict=True):
        tracer.start_span(f"ask {step.name}", start_time=begin).end(begin + nanoseconds)
        begin += nanoseconds

"""OpenTelemetry: a span for each request, and below it one for each step of an answer, if OTEL_EXPORTER_OTLP_ENDPOINT
is set; otherwise nothing of it is imported. If a request names its sender's span, in the header `traceparent`, its span
is below that one.

The exporter is the extra `filigraph[otel]`, and reads OpenTelemetry's own variables. A span has the request's id, which
is also in the log and is the id of an answer's trace.
"""

from __future__ import annotations

import logging
import os
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from filigraph.graph.model.traces import Trace

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
log = logging.getLogger("filigraph.server")
tracer_of_request: ContextVar[Any | None] = ContextVar("tracer", default=None)


def tracer_provider() -> Any | None:
    """Creates and sends spans; None if no collector is set. Its `shutdown` sends the last ones."""
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


def record_steps(trace: Trace) -> None:
    """Record a span for each step of an answer that ends now. Steps are sequential."""
    tracer = tracer_of_request.get()
    if tracer is None:
        return
    took = [round(step.milliseconds * 1e6) for step in trace.steps]  # nanoseconds
    begin = time.time_ns() - sum(took)
    for step, nanoseconds in zip(trace.steps, took, strict=True):
        tracer.start_span(f"ask {step.name}", start_time=begin).end(begin + nanoseconds)
        begin += nanoseconds

"""Metrics for Prometheus: requests, stages, the LLM, Neo4j. Every label has few values: routes are given as templates.

filigraph_requests_total{method, route, status}      filigraph_stage_seconds{run, stage}
filigraph_request_seconds{method, route}             filigraph_llm_calls_total{model}
filigraph_requests_in_progress                       filigraph_llm_tokens_total{model, direction}
filigraph_neo4j_up                                   filigraph_ready
filigraph_jobs{state}                                filigraph_kept_bytes
filigraph_snapshot_bytes
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from filigraph.graph.model.traces import Trace
    from filigraph.graph.model.usage import Usage

ASK_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
STAGE_SECONDS = (0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300, 1800, 10_800)
STAGES = {
    "ask": ("embed", "search", "walk", "rank", "rerank", "compose", "read", "look up", "check the path"),
    "ingest": ("load", "split", "write", "extract", "embed", "cast", "scan", "resolve", "entities", "facts", "finish"),
}

__all__ = ["CONTENT_TYPE", "Metrics"]


class Metrics:
    """The metrics of one server. Thread-safe."""

    def __init__(
        self,
        *,
        neo4j_up: Callable[[], bool],
        ready: Callable[[], bool],
        queue: Callable[[], Mapping[str, int]],
        cached_bytes: Callable[[], int],
        snapshot_bytes: Callable[[], int],
    ) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "filigraph_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "filigraph_request_seconds",
            "Seconds from a request to the end of its answer.",
            ["method", "route"],
            buckets=ASK_SECONDS,
            registry=self.registry,
        )
        self.in_progress = Gauge("filigraph_requests_in_progress", "Requests being answered.", registry=self.registry)
        self.stages = Histogram(
            "filigraph_stage_seconds",
            "Seconds that a stage of an answer (ask), or a step of a stage of an ingest, took.",
            ["run", "stage"],
            buckets=STAGE_SECONDS,
            registry=self.registry,
        )
        for run, stages in STAGES.items():
            for stage in stages:
                # starts at 0, because Prometheus sees only increases of an existing value
                self.stages.labels(run, stage)
        self.calls = Counter("filigraph_llm_calls", "Calls to the LLM.", ["model"], registry=self.registry)
        self.tokens = Counter(
            "filigraph_llm_tokens",
            "Tokens the LLM was sent (in) and wrote (out).",
            ["model", "direction"],
            registry=self.registry,
        )
        up = Gauge("filigraph_neo4j_up", "1 if Neo4j answers.", registry=self.registry)
        up.set_function(lambda: float(neo4j_up()))
        readiness = Gauge(
            "filigraph_ready", "1 if Neo4j is connected and the models are loaded.", registry=self.registry
        )
        readiness.set_function(lambda: float(ready()))
        memory = Gauge(
            "filigraph_kept_bytes", "Bytes kept of names and views to save time, about.", registry=self.registry
        )
        memory.set_function(lambda: float(cached_bytes()))
        disk = Gauge(
            "filigraph_snapshot_bytes", "Bytes of snapshots on disk, for the next start.", registry=self.registry
        )
        disk.set_function(lambda: float(snapshot_bytes()))
        self.registry.register(_Queue(queue))

    def text(self) -> bytes:
        """All metrics, in Prometheus' format."""
        return generate_latest(self.registry)

    def observe_stages(self, trace: Trace) -> None:
        """Record the stages of an answer."""
        for step in trace.steps:
            self.stages.labels("ask", step.name).observe(step.milliseconds / 1000)

    def ingesting(self, stage: str, seconds: float) -> None:
        """Count a step of an ingest's stage, such as one chunk's extraction."""
        self.stages.labels("ingest", stage).observe(seconds)

    def count_usage(self, model: str, usage: Usage) -> None:
        """Record LLM usage."""
        self.calls.labels(model).inc(usage.calls)
        self.tokens.labels(model, "in").inc(usage.tokens_in)
        self.tokens.labels(model, "out").inc(usage.tokens_out)


class _Queue(Collector):
    """Asks Neo4j for the jobs whenever Prometheus asks; returns nothing if Neo4j does not answer."""

    def __init__(self, queue: Callable[[], Mapping[str, int]]) -> None:
        self._queue = queue

    def collect(self) -> Iterable[Metric]:
        jobs = GaugeMetricFamily("filigraph_jobs", "Jobs that wait (queued) or run.", labels=["state"])
        for state, count in self._queue().items():
            jobs.add_metric([state], count)
        return [jobs]

    def describe(self) -> Iterable[Metric]:
        return []  # otherwise registering would ask

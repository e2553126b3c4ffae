"""Figures for Prometheus: labels are limited, and the dashboard asks only for figures that exist."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from filigraph.app.http.logs import RequestFilter
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.ingestion import IngestRequest
from filigraph.app.service.service import Service
from filigraph.graph.errors import Cancelled, StoreUnavailable
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.documents import Source
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime, send
from tests.api.serving import HandMade, client_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

DASHBOARD = Path(__file__).parents[3] / "docker" / "grafana" / "filigraph.json"


def figures(http: httpx.Client) -> dict[str, dict[str, float]]:
    """name -> labels -> value."""
    response = http.get("/v1/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(response.text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[json.dumps(sample.labels, sort_keys=True)] = sample.value
    return found


def test_requests_are_counted_by_route_and_status(http: httpx.Client, service: HandMade) -> None:
    for n in range(3):
        http.get(f"/v1/workspaces/case{n}/documents")
        http.get(f"/v1/workspaces/case/documents/d{n}/text")
        http.get(f"/nowhere/{n}")
    http.get("/v1/workspaces/case/documents", headers={"host": "evil.example"})
    http.request("BREW", "/v1/workspaces")
    requests = figures(http)["filigraph_requests_total"]
    documents = "/v1/workspaces/{workspace}/documents"
    assert requests[json.dumps({"method": "GET", "route": documents, "status": "404"})] == 3
    assert requests[json.dumps({"method": "GET", "route": documents, "status": "403"})] == 1
    assert requests[json.dumps({"method": "GET", "route": "other", "status": "404"})] == 3
    assert requests[json.dumps({"method": "other", "route": "/v1/workspaces", "status": "405"})] == 1
    assert not [labels for labels in requests if "case" in labels or "nowhere" in labels]


def test_nothing_in_progress_is_left_behind(http: httpx.Client) -> None:
    http.get("/v1/workspaces")
    assert figures(http)["filigraph_requests_in_progress"]["{}"] == 1  # the one that asks
    assert figures(http)["filigraph_neo4j_up"]["{}"] == 0


def test_every_request_is_a_line_of_the_log(
    http: httpx.Client, service: HandMade, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.addFilter(RequestFilter())
    with caplog.at_level("INFO", "filigraph.requests"):
        response = http.get("/v1/workspaces/case/documents", params={"q": "Jules"})
        http.get("/v1/health")
        http.get("/v1/metrics")
    (line,) = [record for record in caplog.records if record.name == "filigraph.requests"]
    told = vars(line)
    assert (told["method"], told["status"], told["key"]) == ("GET", 404, "local")
    assert told["route"] == "/v1/workspaces/{workspace}/documents" and told["ms"] > 0
    asked = told["request_id"]
    assert asked == response.headers["x-request-id"]
    assert line.getMessage() == f"GET {told['route']} 404 {told['ms']} ms, key 'local', {asked}"


def test_stages_are_there_before_the_first_run(http: httpx.Client) -> None:
    stages = figures(http)["filigraph_stage_seconds_count"]
    assert stages[json.dumps({"run": "ingest", "stage": "extract"})] == 0
    assert stages[json.dumps({"run": "ask", "stage": "walk"})] == 0


def test_a_run_that_is_cut_short_is_counted(neo4j_address: Neo4jAddress) -> None:
    service = Service(WordRuntime(neo4j_address))
    sources = [Source(name=name, content=content) for name, content in BYTES.items()]

    def ingest(cancelled: Callable[[], bool]) -> IngestReport:
        request = IngestRequest(
            sources=sources, names=list(BYTES), kind="local", strategy="paragraph", triples=TRIPLES_FILE
        )
        return service.ingestion.ingest("test-stages", request, ProgressCallbacks(cancelled=cancelled))

    def counted() -> dict[str, float]:
        return {
            sample.labels["stage"]: sample.value
            for family in service.metrics.registry.collect()
            for sample in family.samples
            if sample.name == "filigraph_stage_seconds_sum" and sample.labels["run"] == "ingest"
        }

    known = set(counted())
    with pytest.raises(Cancelled):
        ingest(lambda: counted()["extract"] > 0)
    short = counted()
    assert short["load"] > 0 and short["extract"] > 0 and short["resolve"] == 0
    report = ingest(lambda: False)
    assert known == set(counted()) == set(report.seconds)
    assert counted()["resolve"] == pytest.approx(report.seconds["resolve"], abs=0.001)
    service.runtime.store().delete_workspace("test-stages")
    service.close()


def test_an_answer_carries_the_id_of_its_request(http: httpx.Client, service: HandMade) -> None:
    response = http.post("/v1/workspaces/case/ask", json={"question": "x"})
    assert service.trace_id == response.headers["x-request-id"] and len(service.trace_id) == 32


def test_the_dashboard_asks_for_figures_that_there_are(http: httpx.Client) -> None:
    there = set(figures(http))
    text = http.get("/v1/metrics").text
    there |= {
        f"{name}{end}" for name in re.findall(r"# TYPE (\S+) histogram", text) for end in ("_bucket", "_count", "_sum")
    }
    there |= set(re.findall(r"# TYPE (\S+) ", text))
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    named = set(re.findall(r"filigraph_\w+", " ".join(asked)))
    assert len(asked) >= 8 and len(named) >= 7
    assert named <= there


@pytest.mark.parametrize("endpoint", ["", "http://127.0.0.1:1"])
def test_opentelemetry_is_imported_where_it_is_asked_for(endpoint: str) -> None:
    code = (
        "import sys; from filigraph.app.telemetry.spans import tracer_provider; provider = tracer_provider();"
        "print(provider is not None, 'opentelemetry.sdk.trace' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "PATH": "", "PYTHONPATH": ":".join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == [str(bool(endpoint))] * 2


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What a server that is made in this test says of itself."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr("filigraph.app.server.tracer_provider", lambda: provider)
    return spans


def test_a_span_for_each_request(spans: InMemorySpanExporter) -> None:
    with client_of(HandMade()) as http:
        response = http.get("/v1/workspaces/case/documents")
    (span,) = spans.get_finished_spans()
    assert span.name == "GET /v1/workspaces/{workspace}/documents"
    assert span.attributes is not None
    assert span.attributes["http.response.status_code"] == 404
    assert span.attributes["filigraph.request_id"] == response.headers["x-request-id"]
    assert span.parent is None and span.status.status_code.name == "UNSET"


def test_a_span_goes_below_the_one_that_its_sender_names(spans: InMemorySpanExporter) -> None:
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    with client_of(HandMade()) as http:
        http.get("/v1/workspaces", headers={"traceparent": f"00-{trace}-{parent}-01"})
    (span,) = spans.get_finished_spans()
    assert span.parent and span.parent.span_id == int(parent, 16) and span.context.trace_id == int(trace, 16)


def test_a_failure_is_told_of_its_span(spans: InMemorySpanExporter) -> None:
    service = HandMade()
    service.error = StoreUnavailable("Neo4j is gone.")
    with client_of(service) as http:
        assert http.get("/v1/doctor").status_code == 503
    (span,) = spans.get_finished_spans()
    assert span.status.status_code.name == "ERROR"


@pytest.mark.parametrize("way", ["ask", "retrieve"])
def test_the_steps_of_an_answer_are_spans_below_its_request(
    spans: InMemorySpanExporter, neo4j_address: Neo4jAddress, way: str
) -> None:
    case = "/v1/workspaces/test-spans"
    with client_of(Service(WordRuntime(neo4j_address))) as http:
        send(http, case, BYTES)
        spans.clear()
        trace = http.post(f"{case}/{way}", json={"question": "What does Jules wear?"}).headers["x-request-id"]
        steps = http.get(f"{case}/traces/{trace}").json()["steps"]
        http.delete(case, params={"confirm": "test-spans"})
    told = {span.name: span for span in spans.get_finished_spans()}
    request = told[f"POST /v1/workspaces/{{workspace}}/{way}"]
    assert request.attributes and request.attributes["filigraph.request_id"] == trace
    below = [span for span in told.values() if span.parent and span.parent.span_id == request.context.span_id]
    assert [span.name for span in below] == [f"ask {step['name']}" for step in steps]
    assert all(a.end_time == b.start_time for a, b in pairwise(below))

"""schemathesis on every route of the real server: no 5xx, and no answer that the description lacks.

A few examples for each route, always the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.server import create_app
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import described_paths, serving
from tests.no_keys import no_keys
from tests.patience import PATIENCE
from tests.slow import quick
from tests.workspace_pool import WorkspacePool

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
EXAMPLES = 8
DEMO = "/v1/workspaces/{workspace}/demo"  # each call would have twelve documents read; tests/e2e presses its button
ROUTES = sorted((path, verb) for path, verbs in described_paths().items() for verb in verbs if path != DEMO)


@dataclass(frozen=True)
class Server:
    """A server with a case in it, and its description."""

    url: str
    workspace: str
    key: str
    schema: Any


@pytest.fixture(scope="module")
def server(neo4j_address: Neo4jAddress, store: Store, workspace_pool: WorkspacePool) -> Iterator[Server]:
    service = Service(WordRuntime(neo4j_address, FILIGRAPH_REQUESTS_A_MINUTE="1000000"))
    with workspace_pool.one() as name, no_keys(store), serving(service) as url:
        before = {row.name for row in store.workspaces()}
        with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as http:
            send(http, f"/v1/workspaces/{name}", BYTES)
        # with a key: what a made-up request makes of keys must not lock the next one out
        key = service.keys.create("contract", "admin", "")[1]
        yield Server(url, name, key, schemathesis.openapi.from_dict(create_app(service).openapi()))
    for row in store.workspaces():
        if row.name not in before:
            store.delete_workspace(row.name)


@pytest.mark.parametrize("route", quick(ROUTES, 40), ids="-".join)
def test_what_comes_is_what_was_described(server: Server, route: tuple[str, str]) -> None:
    path, verb = route
    operation = server.schema[path][verb.upper()]

    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        if "workspace" in (case.path_parameters or {}):
            case.path_parameters["workspace"] = server.workspace  # a made-up name would only ever be refused
        if case.path_parameters.get("name") == "contract":
            return
        case.call_and_validate(
            base_url=server.url, checks=CHECKS, headers={"authorization": f"Bearer {server.key}"}, timeout=PATIENCE
        )

    ask()

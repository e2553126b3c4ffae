"""The OpenAPI description is complete, agrees with the data, and needs no other host to be shown."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from filigraph.app.schemas import documents, evaluations, keys, server
from filigraph.app.schemas.graph import corrections
from filigraph.graph.measure.evaluate import Gain, TypeFigures
from filigraph.graph.records.corrections import Outcome
from filigraph.graph.records.documents import DocumentRow
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.store import AccessKey, AuditEntry
from tests.api.serving import HandMade

NOT_SHOWN = {  # fields that stay inside
    DocumentRow: {"given", "places", "recipe"},
    AccessKey: {"digest"},
    WorkspaceRow: {"id", "label", "settings", "embedder", "swapping"},
}


@pytest.fixture
def description(http: httpx.Client) -> Any:
    return http.get("/openapi.json").json()


def test_everything_is_described(description: Any) -> None:
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            at = f"{method} {path}"
            assert route["summary"] and route["description"], at
            assert all(parameter.get("description") for parameter in route.get("parameters", [])), at
            assert {"401", "403", "413", "429", "500"} <= set(route["responses"]), at
            for status, response in route["responses"].items():
                assert response["description"], (at, status)
                if not status.startswith("2"):
                    assert response["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorEnvelope"), (
                        at,
                        status,
                    )


def test_every_field_is_described(description: Any) -> None:
    schemas = description["components"]["schemas"]
    fields = [
        (name, field, about) for name, one in schemas.items() for field, about in one.get("properties", {}).items()
    ]
    assert len(fields) > 800
    assert [(name, field) for name, field, about in fields if not {"description", "$ref"} & {*about}] == []


@pytest.mark.parametrize(
    ("shown", "inside"),
    [
        (documents.DocumentOut, DocumentRow),
        (server.WorkspaceOut, WorkspaceRow),
        (keys.KeyOut, AccessKey),
        (corrections.OutcomeOut, Outcome),
        (evaluations.TypeFiguresOut, TypeFigures),
        (evaluations.GainOut, Gain),
        (keys.AuditEntryOut, AuditEntry),
    ],
)
def test_what_is_shown_is_what_is_inside(shown: type[BaseModel], inside: Any) -> None:
    fields = {field.name for field in dataclasses.fields(inside)} - NOT_SHOWN.get(inside, set())
    told = {name for name, value in vars(inside).items() if isinstance(value, property)} & set(shown.model_fields)
    assert set(shown.model_fields) == fields | told


def test_the_docs_need_no_other_host(http: httpx.Client) -> None:
    page = http.get("/docs").text
    addresses = re.findall(r"(?:src|href)=[\"']([^\"']+)", page) + re.findall(r"url: '([^']+)'", page)
    assert "/openapi.json" in addresses
    for address in addresses:
        assert address.startswith(("/", "data:")) and not address.startswith("//")
        if address.startswith("/"):
            assert http.get(address).status_code == 200


def test_health(http: httpx.Client, service: HandMade) -> None:
    health = http.get("/v1/health").json()
    assert health["live"] and not health["ready"] and health["version"]
    assert health["max_upload_bytes"] == service.runtime.settings.max_upload_mb << 20


def test_doctor_tells_of_what_is_broken_with_status_200(http: httpx.Client) -> None:
    response = http.get("/v1/doctor")
    assert response.status_code == 200
    assert response.json()["checks"][0]["cure"] == "Start it."

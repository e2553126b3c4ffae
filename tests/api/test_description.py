"""The OpenAPI description is complete, true to the data, and shown without any other host."""

from __future__ import annotations

import dataclasses
import pkgutil
import re
from importlib import import_module
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from filigraph.app import schemas
from filigraph.app.schemas import answers, corrections, documents, entities, evaluations, keys, reading, server
from filigraph.app.service.doctor import Check
from filigraph.graph.corrections.batch import Outcome, Refused
from filigraph.graph.corrections.listing import ListedDecision
from filigraph.graph.corrections.predicates import Suggestion
from filigraph.graph.ingest.report import IngestReport, Skipped
from filigraph.graph.measure.evaluate import Gain, TypeFigures
from filigraph.graph.model.answers import Answer, Unsupported
from filigraph.graph.model.retrieval import Evidence, Hop, Path, Retrieved
from filigraph.graph.model.traces import Trace, TraceStep
from filigraph.graph.models.llm import Usage
from filigraph.graph.records.documents import DocumentRow, Gap, Piece
from filigraph.graph.records.entities import (
    EntityNames,
    FirstPlace,
    FoundEntity,
    NameDecision,
    NameForm,
    NamePlace,
    PlaceRow,
)
from filigraph.graph.records.facts import ListedFact, NearFact
from filigraph.graph.records.traces import TraceRow
from filigraph.graph.records.workspaces import PredicateRow, WorkspaceRow
from filigraph.graph.store import AccessKey, AuditEntry
from filigraph.graph.transfer.workspace import Exported, Imported
from tests.api.serving import HandMade

NOT_SHOWN = {  # fields that stay inside
    DocumentRow: {"given", "places", "recipe"},
    Evidence: {"nearest"},
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


def test_every_field_is_described() -> None:
    parts = [import_module(f"{schemas.__name__}.{found.name}") for found in pkgutil.iter_modules(schemas.__path__)]
    known = [value for part in parts for value in vars(part).values()]
    models = {value for value in known if isinstance(value, type) and issubclass(value, BaseModel)}
    fields = [(cls, name, field) for cls in models for name, field in cls.model_fields.items()]
    assert len(fields) > 80
    assert [(cls.__name__, name) for cls, name, field in fields if not field.description] == []


@pytest.mark.parametrize(
    ("shown", "inside"),
    [
        (answers.HopOut, Hop),
        (answers.PathOut, Path),
        (answers.EvidenceOut, Evidence),
        (answers.TraceStepOut, TraceStep),
        (answers.TraceOut, Trace),
        (answers.RetrievedOut, Retrieved),
        (answers.AnswerOut, Answer),
        (documents.IngestOut, IngestReport),
        (documents.SkippedOut, Skipped),
        (documents.DocumentOut, DocumentRow),
        (server.WorkspaceOut, WorkspaceRow),
        (answers.TraceRowOut, TraceRow),
        (documents.PieceOut, Piece),
        (entities.FoundEntityOut, FoundEntity),
        (entities.EntityNamesOut, EntityNames),
        (entities.NameFormOut, NameForm),
        (entities.NameDecisionOut, NameDecision),
        (entities.NearFactOut, NearFact),
        (entities.ListedFactOut, ListedFact),
        (server.CheckOut, Check),
        (keys.KeyOut, AccessKey),
        (corrections.ListedDecisionOut, ListedDecision),
        (corrections.NamePlaceOut, NamePlace),
        (corrections.PlaceOut, PlaceRow),
        (corrections.RefusedOut, Refused),
        (corrections.PredicateOut, PredicateRow),
        (corrections.SuggestionOut, Suggestion),
        (corrections.OutcomeOut, Outcome),
        (documents.UsageOut, Usage),
        (entities.FirstPlaceOut, FirstPlace),
        (evaluations.TypeFiguresOut, TypeFigures),
        (evaluations.GainOut, Gain),
        (keys.AuditEntryOut, AuditEntry),
        (answers.UnsupportedOut, Unsupported),
        (reading.GapOut, Gap),
        (server.ExportHashOut, Exported),
        (server.ImportOut, Imported),
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

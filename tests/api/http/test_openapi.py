"""The description says which key an operation requires and which errors exist, and its examples agree with it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from bench.examples import without_examples
from filigraph.app.http.openapi import recorded_examples
from filigraph.graph.errors import FiligraphError


@pytest.fixture
def description(http: httpx.Client) -> Any:
    return http.get("/openapi.json").json()


def operations(description: Any) -> list[tuple[str, Any]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def check(schema: Any, value: Any, description: Any) -> None:
    whole = {"components": description["components"], **schema}
    Draft202012Validator(whole).validate(value)


def test_each_operation_names_the_key_it_takes(description: Any) -> None:
    takes = {name: operation["security"] for name, operation in operations(description)}
    assert takes["GET /v1/workspaces"] == [{"key": ["read"]}]
    assert takes["POST /v1/workspaces/{workspace}/ask"] == [{"key": ["read"]}]
    assert takes["POST /v1/workspaces/{workspace}/ingest"] == [{"key": ["write"]}]
    assert takes["POST /v1/keys"] == [{"key": ["admin"]}]
    assert takes["GET /v1/health"] == []
    assert description["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


def test_every_error_code_is_listed_with_its_meaning(description: Any) -> None:
    def codes(error: type[FiligraphError]) -> set[str]:
        return {error.code}.union(*map(codes, error.__subclasses__()))

    listed = description["components"]["schemas"]["ErrorDetail"]["properties"]["code"]["enum"]
    assert codes(FiligraphError) <= {*listed}
    assert all(f"`{code}`" in description["info"]["description"] for code in listed)


def test_each_error_has_an_example(description: Any) -> None:
    for name, operation in operations(description):
        for status, response in operation["responses"].items():
            if not status.startswith("2"):
                content = response["content"]["application/json"]
                assert content["examples"], (name, status)
                for example in content["examples"].values():
                    check(content["schema"], example["value"], description)


def test_recorded_examples_fit_the_schemas(description: Any) -> None:
    recorded = recorded_examples()
    known = dict(operations(description))
    assert len(recorded) > 60
    assert {*recorded} <= {*known}
    for name, example in recorded.items():
        operation = known[name]
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None:
            assert body["example"] == example["request"], name
            check(body["schema"], example["request"], description)
        answer = next(response for status, response in operation["responses"].items() if status.startswith("2"))
        content = answer["content"].get("application/json")
        if content is not None and "schema" in content and not isinstance(example["response"], str):
            check(content["schema"], example["response"], description)


def test_schema_names_have_no_module_path(description: Any) -> None:
    assert not [name for name in description["components"]["schemas"] if "__schemas__" in name]


def test_no_operation_is_without_a_recorded_example(description: Any) -> None:
    assert without_examples(description, recorded_examples()) == []

"""Additions to FastAPI's OpenAPI description: the key that each operation needs, every error code with its meaning, an
example of each error, and for each operation a request and a response of a real server. `python -m bench.examples`
writes `examples.json`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from fastapi import FastAPI

from filigraph.app.http.envelope import HTTP_CODES, STATUS, error_body
from filigraph.app.http.permissions import is_open, need_of

SCHEME = "key"
SCHEMES = {
    SCHEME: {
        "type": "http",
        "scheme": "bearer",
        "description": "A key of `filigraph keys create NAME --scope read|write|admin`. On loopback a server "
        "without any key asks for none.",
    }
}
REQUEST_ID = "5f0c1d6ab1e04e8f9c3c0f6f6f3a1b2c"
_METHODS = ("delete", "get", "patch", "post", "put")


def install(app: FastAPI) -> None:
    """Complete the description of `app` when it is requested."""
    read_off = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = complete(read_off())
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def complete(description: dict[str, Any]) -> dict[str, Any]:
    """Add keys, error codes and examples to a description, in place."""
    codes, examples = codes_of_status(), recorded_examples()
    components = description["components"]
    components["securitySchemes"] = SCHEMES
    code = components["schemas"]["ErrorDetail"]["properties"]["code"]
    code["enum"] = sorted({name for of_status in codes.values() for name in of_status})
    description["info"]["description"] += "\n\n" + _table(codes)
    for path, methods in description["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                _secure(operation, method.upper(), path)
                _add_error_examples(operation, codes)
                _add_examples(operation, examples.get(f"{method.upper()} {path}", {}))
    return description


def codes_of_status() -> dict[int, dict[str, str]]:
    """HTTP status -> the codes of its errors, each with its meaning."""
    codes: dict[int, dict[str, str]] = defaultdict(dict)
    for error, status in STATUS.items():
        codes[status][error.code] = (error.__doc__ or "").strip().splitlines()[0]
    for status, (code, cure) in HTTP_CODES.items():
        codes[status].setdefault(code, cure)
    return dict(sorted(codes.items()))


def recorded_examples() -> Mapping[str, Mapping[str, Any]]:
    """`METHOD path` -> its `request` (a JSON body) and `response`, if it has them."""
    text = files(__package__).joinpath("examples.json").read_text(encoding="utf-8")
    recorded: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return recorded


def _table(codes: Mapping[int, Mapping[str, str]]) -> str:
    rows = [f"| {status} | `{code}` | {text} |" for status, named in codes.items() for code, text in named.items()]
    return "\n".join(["| status | code | meaning |", "|---|---|---|", *rows])


def _secure(operation: dict[str, Any], method: str, path: str) -> None:
    """The scope that a key needs, as a role (OpenAPI 3.1) and in words."""
    if is_open(path):
        operation["security"] = []
        return
    need = need_of(method, path)
    operation["security"] = [{SCHEME: [need]}]
    operation["description"] = f"{operation.get('description', '')}\n\nTakes a key of scope {need}.".strip()


def _add_error_examples(operation: dict[str, Any], codes: Mapping[int, Mapping[str, str]]) -> None:
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get("application/json")
        if not status.startswith("2") and content is not None:
            content["examples"] = {
                code: {"value": error_body(code, meaning, "What to do about it, in one sentence.", REQUEST_ID)}
                for code, meaning in codes.get(int(status), {}).items()
            }


def _add_examples(operation: dict[str, Any], recorded: Mapping[str, Any]) -> None:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None and "request" in recorded:
        body["example"] = recorded["request"]
    answers = [response for status, response in operation["responses"].items() if status.startswith("2")]
    if answers and "response" in recorded:
        content = answers[0].get("content", {})
        kind = "application/json" if "application/json" in content else next(iter(content), None)
        if kind:
            content[kind]["example"] = recorded["response"]

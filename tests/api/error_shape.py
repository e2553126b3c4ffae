"""The one shape of errors, and every path of the REST API."""

from __future__ import annotations

import re
from typing import Any

import httpx

from filigraph.app.http.permissions import CHAT
from tests.api.serving import described_paths

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

PATHS = sorted(described_paths())


def shape(response: httpx.Response) -> dict[str, Any]:
    """The error in the envelope; anything else fails."""
    data = response.json()
    assert set(data) == {"error"}
    openai = {"message", "type", "param"} if response.url.path in CHAT else set()
    assert set(data["error"]) == {"code", "cause", "cure", "request_id", *openai}
    assert data["error"]["code"] and data["error"]["cause"]
    assert data["error"]["request_id"] == response.headers["x-request-id"]
    return dict(data["error"])


def address(path: str, workspace: str = "case") -> str:
    """An address of a template; other parameters are called by their first letter."""
    known = {"workspace": workspace, "profile": "detail"}
    return re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], name[1][0]), path)

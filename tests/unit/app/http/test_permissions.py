"""The permission that each address requires."""

from __future__ import annotations

import pytest

from filigraph.app.access.keys import Caller
from filigraph.app.http.permissions import check_allowed, is_open, need_of
from filigraph.graph.errors import ForbiddenError


@pytest.mark.parametrize(
    ("method", "path", "need"),
    [
        ("GET", "/v1/workspaces", "read"),
        ("HEAD", "/docs", "read"),
        ("POST", "/v1/workspaces/case/ask", "read"),
        ("POST", "/v1/workspaces/case/retrieve", "read"),
        ("POST", "/v1/workspaces/case/ask/more", "write"),
        ("POST", "/v1/workspaces/case/ingest", "write"),
        ("DELETE", "/v1/workspaces/case/documents/d", "write"),
        ("GET", "/v1/workspaces/case/folders", "admin"),
        ("DELETE", "/v1/workspaces/case/folders/f", "admin"),
        ("GET", "/v1/what-nobody-thought-of", "admin"),
        ("GET", "/v1/workspaces-of-all", "admin"),
        ("GET", "/v1/workspaces\n", "admin"),
        ("POST", "/v1/keys\n", "admin"),
        ("GET", "/v1/audit\n", "admin"),
        ("GET", "/V1/KEYS", "admin"),
        ("GET", "/v1//keys", "admin"),
        ("GET", "/v1/keys", "admin"),
        ("DELETE", "/v1/keys/anna", "admin"),
        ("GET", "/v1/audit", "admin"),
    ],
)
def test_what_each_address_takes(method: str, path: str, need: str) -> None:
    assert need_of(method, path) == need
    assert not is_open(path)
    for scope in ("read", "write", "admin"):
        caller = Caller(name="anna", scope=scope)  # type: ignore[arg-type]
        if ["read", "write", "admin"].index(scope) >= ["read", "write", "admin"].index(need):
            check_allowed(caller, method, path)
        else:
            with pytest.raises(ForbiddenError) as caught:
                check_allowed(caller, method, path)
            assert need in caught.value.cure


def test_what_anybody_may_ask() -> None:
    for path in ("/", "/library", "/graph", "/explain/0123", "/assets/page/main.js", "/v1/health", "/v1/session"):
        assert is_open(path)
    for path in (
        "/v1/health/x",
        "/explain/a/b",
        "/docs",
        "/openapi.json",
        "/nowhere",
        "/v1",
        "//v1/health",
        "/v1/session\n",
        "",
    ):
        assert not is_open(path)


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/v1/workspaces/case", True),
        ("/v1/workspaces/case/stats", True),
        ("/v1/workspaces", True),
        ("/docs", True),
        ("/v1/workspaces/other/stats", False),
        ("/v1/workspaces/case2/stats", False),
        ("/v1/workspaces/other/case/stats", False),
        ("/v1/workspaces/", False),
        ("/v1/workspaces//case", False),
        ("/v1/doctor", False),
        ("/v1/metrics", False),
    ],
)
def test_a_key_for_one_workspace_sees_that_one(path: str, inside: bool) -> None:
    caller = Caller(name="anna", scope="write", workspace="case")
    if inside:
        check_allowed(caller, "GET", path)
    else:
        with pytest.raises(ForbiddenError, match="only for the workspace case"):
            check_allowed(caller, "GET", path)

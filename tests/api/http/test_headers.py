"""The headers of every answer, and the cookies."""

from __future__ import annotations

from urllib.parse import unquote

import httpx
import pytest

from filigraph.app.access.keys import new_secret
from filigraph.app.http.permissions import COOKIE
from filigraph.graph.records.workspaces import Exported
from tests.api.key_rows import SECRETS, row
from tests.api.serving import HandMade


@pytest.mark.parametrize("path", ["/v1/health", "/v1/workspaces", "/v1/keys", "/v1/nowhere", "/openapi.json"])
def test_nobody_keeps_an_answer(http: httpx.Client, path: str) -> None:
    assert http.get(path).headers.get_list("cache-control") == ["no-store"]


def test_nobody_keeps_what_was_asked(http: httpx.Client, service: HandMade) -> None:
    for stream in (False, True):
        asked = http.post("/v1/workspaces/case/ask", json={"question": "x", "stream": stream})
        assert asked.headers.get_list("cache-control") == ["no-store"]
    assert http.get("/").headers["cache-control"] == "no-cache"  # the page's own files say nothing of anybody
    service.key_rows = [row("read", "read")]
    service.keys.all()
    assert http.get("/v1/workspaces").headers["cache-control"] == "no-store"  # 401


def test_a_mistake_of_ours_is_under_the_policy_too(http: httpx.Client, service: HandMade) -> None:
    service.error = RuntimeError("a mistake of ours")
    response = http.get("/v1/workspaces")
    assert response.status_code == 500
    assert response.headers["content-security-policy"].startswith("default-src 'none'")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("workspace", ["case", "дело", "été.1"])
def test_an_export_is_named_in_any_script(http: httpx.Client, service: HandMade, workspace: str) -> None:
    def export(workspace: str, write: object, cancelled: object, *, view: object) -> Exported:
        write(b"{}\n")  # type: ignore[operator]
        return Exported(sha256="0" * 64, lines=1, size=3)

    service.export = export  # type: ignore[method-assign]
    response = http.get(f"/v1/workspaces/{workspace}/export")
    assert response.status_code == 200 and response.text == "{}\n"
    kind, _, name = response.headers["content-disposition"].partition("; filename*=UTF-8''")
    assert (kind, unquote(name)) == ("attachment", f"{workspace}.jsonl")


@pytest.mark.parametrize("key", ["Ж", "a; Path=/; Domain=evil.example", "fgk_short"])
def test_what_is_no_key_becomes_no_cookie(http: httpx.Client, key: str) -> None:
    content = f'{{"key": "{key}"}}'.encode()
    response = http.post("/v1/session", content=content, headers={"content-type": "application/json"})
    assert response.status_code == 200 and response.json()["name"] == "local"
    assert "set-cookie" not in response.headers
    assert "set-cookie" in http.post("/v1/session", json={"key": new_secret()}).headers


@pytest.mark.parametrize(
    "others", ["a=1", "a[b]=1", "a=ä", 'a={"x": 1}', "odd", "=", "a=1; a@b=2; c,d=3", 'a="unfinished', "Ж=1"]
)
def test_other_programs_cookies_take_nobody_out(http: httpx.Client, service: HandMade, others: str) -> None:
    service.key_rows = [row("read", "read")]
    for cookie in (f"{others}; {COOKIE}={SECRETS['read']}", f"{COOKIE}={SECRETS['read']}; {others}"):
        assert http.get("/v1/workspaces", headers={b"cookie": cookie.encode()}).status_code == 200

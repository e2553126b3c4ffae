"""The server refuses requests that do not come from programs and pages of this machine."""

from __future__ import annotations

import re

import httpx
import pytest

from filigraph.app.settings import Settings
from tests.api.serving import HandMade, serving

ASK = {"question": "Pourquoi ?"}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example", "", "user@127.0.0.1", "127.0.0.1/x"]
)
def test_a_foreign_host_is_refused(http: httpx.Client, host: str) -> None:
    port = http.base_url.port
    for method, path in (("GET", "/v1/health"), ("GET", "/docs"), ("POST", "/v1/workspaces/case/ask")):
        response = http.request(method, path, headers={"host": host.format(port=port)})
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "forbidden"


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}", "LOCALHOST", "localhost."])
def test_our_own_names(http: httpx.Client, host: str) -> None:
    response = http.get("/v1/health", headers={"host": host.format(port=http.base_url.port)})
    assert response.status_code == (403 if host == "localhost." else 200)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://localhost:{port}"},
        {"origin": "file://127.0.0.1:{port}"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_write_from_another_page_is_refused(http: httpx.Client, service: HandMade, headers: dict[str, str]) -> None:
    headers = {name: value.format(port=http.base_url.port) for name, value in headers.items()}
    for method, path in (
        ("POST", "/v1/workspaces/case/ask"),
        ("POST", "/v1/workspaces/case/ingest"),
        ("DELETE", "/v1/workspaces/case/documents/d"),
    ):
        response = http.request(method, path, headers=headers)
        assert response.status_code == 403
    assert service.told == {}


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "http://127.0.0.1:{port}"}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}],
)
def test_a_write_from_our_own_page_or_a_program(http: httpx.Client, headers: dict[str, str]) -> None:
    headers = {name: value.format(port=http.base_url.port) for name, value in headers.items()}
    assert http.post("/v1/workspaces/case/ask", json=ASK, headers=headers).status_code == 200


def test_nobody_else_may_read_our_answers(http: httpx.Client) -> None:
    response = http.get("/v1/health", headers={"origin": "http://evil.example"})
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("path", ["/v1/health", "/v1/nowhere", "/docs", "/openapi.json", "/", "/assets/page/main.js"])
def test_every_answer_is_under_a_policy(http: httpx.Client, path: str) -> None:
    for host in (None, "evil.example"):
        headers = http.get(path, headers={"host": host} if host else {}).headers
        policy = headers.get_list("content-security-policy")
        assert len(policy) == 1 and policy[0].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy[0]
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_under_the_prefix_of_a_proxy() -> None:
    service = HandMade(Settings(FILIGRAPH_ROOT_PATH="/case"))  # type: ignore[call-arg]
    with serving(service) as url:
        page = httpx.get(f"{url}/").text
        addresses = re.findall(r'(?:src|href)="(/[^"]*)"', page + httpx.get(f"{url}/docs").text)
        assert len(addresses) > 4
        for address in addresses:
            assert address.startswith("/case/")
            assert httpx.get(url + address.removeprefix("/case")).status_code == 200
        assert httpx.get(f"{url}/v1/health").status_code == 200
        assert httpx.get(f"{url}/openapi.json").json()["servers"] == [{"url": "/case"}]

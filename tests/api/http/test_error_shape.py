"""Every error, on every path and for every method, has the same envelope."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from filigraph.app.client.rest import CLASSES
from filigraph.app.http.envelope import STATUS
from filigraph.app.settings import Settings
from filigraph.graph import errors
from tests.api.error_shape import METHODS, PATHS, address, shape
from tests.api.serving import HandMade, client_of

OPEN = {("GET", "/v1/health"), ("GET", "/v1/health/live"), ("GET", "/docs"), ("DELETE", "/v1/session")}


@pytest.fixture(scope="module")
def broken() -> Iterator[httpx.Client]:
    """One server for many requests, whose Neo4j is gone."""
    service = HandMade()
    service.error = errors.StoreUnavailable("Neo4j is gone.", cure="Start it.")
    with client_of(service) as client:
        yield client


@pytest.mark.parametrize(
    "path", [*PATHS, "/nowhere", "/v1", "/v1/workspaces/case/nowhere", "/docs", "/assets/docs/none.js"]
)
@pytest.mark.parametrize("method", METHODS)
def test_every_path_and_method(broken: httpx.Client, path: str, method: str) -> None:
    response = broken.request(method, address(path))
    if response.is_error:
        shape(response)
    else:
        assert (method, path) in OPEN


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PATCH", "/v1/workspaces/case", "DELETE, GET, PUT"),
        ("PUT", "/v1/session", "DELETE, GET, POST"),
        ("DELETE", "/v1/health", "GET"),
        ("POST", "/assets/docs/swagger-ui.css", "GET, HEAD"),
    ],
)
def test_a_refused_method_names_all_that_are_not(http: httpx.Client, method: str, path: str, allowed: str) -> None:
    refused = http.request(method, path)
    assert (refused.status_code, refused.headers["allow"]) == (405, allowed)


ALL = sorted(CLASSES.values(), key=lambda cls: cls.code)


def test_the_table_names_every_class() -> None:
    assert set(STATUS) == set(ALL)
    assert len({cls.code for cls in ALL}) == len(ALL)


@pytest.mark.parametrize("cls", ALL)
def test_every_class_reaches_the_client(
    http: httpx.Client, service: HandMade, cls: type[errors.FiligraphError]
) -> None:
    service.error = cls("The cause is « é ».", cure="The cure.")
    response = http.get("/v1/workspaces/case/documents")
    assert response.status_code == STATUS[cls]
    error = shape(response)
    assert (error["code"], error["cause"], error["cure"]) == (cls.code, "The cause is « é ».", "The cure.")


def test_a_mistake_of_ours_shows_nothing_of_itself(http: httpx.Client, service: HandMade) -> None:
    service.error = RuntimeError("password=hunter2")
    for response in (http.get("/v1/workspaces"), http.post("/v1/workspaces/case/ask", json={"question": "x"})):
        assert response.status_code == 500
        assert shape(response)["code"] == "internal"
        assert "hunter2" not in response.text


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (b"{", "JSON"),
        (b"", "body"),
        (b"[]", "body"),
        (b'{"question": 1}', "question"),
        (b'{"question": "x", "depth": 9}', "depth"),
        (b'{"question": "x", "deep": 3}', "deep"),
        (b'{"question": "x", "keep": 0}', "keep"),
    ],
)
def test_a_body_that_is_none(http: httpx.Client, body: bytes, named: str) -> None:
    response = http.post("/v1/workspaces/case/ask", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 422
    error = shape(response)
    assert error["code"] == "bad_input" and named.lower() in error["cause"].lower()


@pytest.mark.parametrize("name", ["a b", "a" * 65, "%F0%9F%92%A9", "a;DROP", "..%5C"])
def test_a_workspace_that_cannot_be(http: httpx.Client, name: str) -> None:
    response = http.get(f"/v1/workspaces/{name}/stats")
    assert response.status_code == 422
    assert shape(response)["code"] == "bad_input"


def test_too_large_a_body(http: httpx.Client) -> None:
    question = "x" * (1 << 20)
    declared = http.post("/v1/workspaces/case/ask", json={"question": question})
    streamed = http.post("/v1/workspaces/case/ask", content=iter([b'{"question": "', question.encode(), b'"}']))
    for response in (declared, streamed):
        assert response.status_code == 413
        assert shape(response)["code"] == "too_large"


def test_files_may_be_larger(http: httpx.Client, service: HandMade) -> None:
    file = {"file": ("export.jsonl", b"x" * (3 << 20))}
    assert http.post("/v1/workspaces/case/import", files=file).status_code == 200
    assert service.told == {"bytes": 3 << 20}
    many = {"files": ("a.txt", b"x" * (3 << 20))}
    assert http.post("/v1/workspaces/case/ingest", files=many).status_code == 200


def test_the_largest_file() -> None:
    settings = Settings(FILIGRAPH_MAX_IMPORT_MB="2", FILIGRAPH_MAX_UPLOAD_MB="1")  # type: ignore[call-arg]
    with client_of(HandMade(settings)) as http:
        for path, name, limit in (("import", "IMPORT", 2), ("ingest", "UPLOAD", 1), ("ask", "", 1)):
            content = b"x" * (limit << 20)
            head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n' if name else b""
            kind = {"content-type": "multipart/form-data; boundary=b" if name else "application/json"}
            refused = [
                http.post(f"/v1/workspaces/case/{path}", files={"file": content}),
                http.post(f"/v1/workspaces/case/{path}", content=iter([head, content, b"x"]), headers=kind),
            ]
            for response in refused:
                assert response.status_code == 413
                error = shape(response)
                assert error["cause"] == f"The request is larger than {limit} MB."
                assert error["cure"] == (
                    f"Send less in one request, or raise FILIGRAPH_MAX_{name}_MB on the server."
                    if name
                    else "Send less in one request."
                )


def test_ingest_without_files(http: httpx.Client) -> None:
    response = http.post("/v1/workspaces/case/ingest", data={"extractor": "auto"})
    assert response.status_code == 422
    assert "files" in shape(response)["cause"]


def test_what_no_terminal_can_hold_is_still_json(http: httpx.Client, service: HandMade) -> None:
    service.error = errors.InputError("half a character: \ud800")
    assert shape(http.get("/v1/workspaces"))["cause"] == "half a character: ?"


@pytest.mark.parametrize("path", ["/v1/workspaces/case/ask", "/v1/chat/completions", "/api/chat"])
@pytest.mark.parametrize("kind", [None, "application/x-www-form-urlencoded"])
def test_a_body_that_does_not_say_that_it_is_json(http: httpx.Client, path: str, kind: str | None) -> None:
    response = http.post(path, content=b'{"question": "x"}', headers={"content-type": kind} if kind else {})
    assert response.status_code == 422
    assert "Content-Type: application/json" in response.text

"""Keys over REST: which key may do what, and what the server reveals to nobody."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from filigraph.app.access.keys import Keys
from filigraph.app.home import OWNER_HEADER
from filigraph.app.http.auth import is_from_this_machine
from filigraph.app.http.permissions import CHAT, COOKIE, need_of
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings
from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.store import Store
from tests.api.error_shape import METHODS, PATHS, address, shape
from tests.api.key_rows import SECRETS, bearer, row
from tests.api.real import WordRuntime
from tests.api.serving import HandMade, client_of, described_paths, serving
from tests.no_keys import no_keys

OPEN = {"/v1/health", "/v1/health/live", "/v1/health/ready", "/v1/session"}


def with_keys() -> HandMade:
    service = HandMade(Settings(FILIGRAPH_REQUESTS_A_MINUTE="100000"))  # type: ignore[call-arg]
    service.key_rows = [row(scope, scope) for scope in ("read", "write", "admin")]  # type: ignore[arg-type]
    service.key_rows.append(row("case", "write", "case"))
    return service


@pytest.fixture
def service() -> HandMade:
    return with_keys()


@pytest.fixture(scope="module")
def locked() -> Iterator[tuple[httpx.Client, HandMade]]:
    """One server for many requests that it refuses."""
    service = with_keys()
    with client_of(service) as client:
        yield client, service


@pytest.mark.parametrize("path", [*PATHS, "/nowhere", "/docs", "/openapi.json", "/assets/docs/swagger-ui.css"])
@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_done_without_a_key(locked: tuple[httpx.Client, HandMade], path: str, method: str) -> None:
    http, service = locked
    if path in OPEN:
        return
    for headers in ({}, {"authorization": "Bearer wrong"}, {"x-api-key": "wrong"}, {"cookie": f"{COOKIE}=wrong"}):
        response = http.request(method, address(path), headers=headers)
        assert response.status_code == 401
        error = shape(response)
        assert error["code"] == "key_needed" and "FILIGRAPH_KEY" in error["cure"]
        assert response.headers["www-authenticate"] == "Bearer"
    assert service.told == {} and service.got == []


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": f"Bearer {SECRETS['read']}"},
        {"authorization": f"bearer  {SECRETS['read']}"},
        {"x-api-key": SECRETS["read"]},
        {"cookie": f"other=1; {COOKIE}={SECRETS['read']}"},
    ],
)
def test_a_key_comes_in_three_ways(http: httpx.Client, headers: dict[str, str]) -> None:
    assert http.get("/v1/workspaces", headers=headers).status_code == 200


def test_a_wrong_key_is_not_made_good_by_a_cookie(http: httpx.Client) -> None:
    headers = {"authorization": "Bearer wrong", "cookie": f"{COOKIE}={SECRETS['read']}"}
    assert http.get("/v1/workspaces", headers=headers).status_code == 401


def test_scopes(http: httpx.Client, service: HandMade) -> None:
    ask, schema = "/v1/workspaces/case/ask", "/v1/workspaces/case/schema"
    for name in ("read", "write", "admin"):
        assert http.post(ask, json={"question": "x"}, headers=bearer(name)).status_code == 200
    service.told = {}
    refused = http.delete(schema, headers=bearer("read"))
    assert refused.status_code == 403 and "scope write" in shape(refused)["cure"]
    assert service.told == {}
    assert http.delete(schema, headers=bearer("write")).status_code == 200
    for name in ("read", "write", "case"):
        refused = http.get("/v1/keys", headers=bearer(name))
        assert refused.status_code == 403 and "admin" in shape(refused)["cure"]
    listed = http.get("/v1/keys", headers=bearer("admin"))
    assert [key["name"] for key in listed.json()["keys"]] == ["read", "write", "admin", "case"]
    for key in service.key_rows:
        assert key.digest not in listed.text
    page = http.get("/v1/keys", params={"first": 1, "count": 2}, headers=bearer("admin")).json()
    assert page["total"] == 4 and [key["name"] for key in page["keys"]] == ["write", "admin"]


@pytest.mark.parametrize("path", PATHS)
def test_a_key_for_one_workspace_opens_no_other(locked: tuple[httpx.Client, HandMade], path: str) -> None:
    http, _ = locked
    if (
        path in OPEN
        or path in ("/v1/workspaces", "/v1/rerank", "/v1/embed_late_chunk", *CHAT)
        or path.startswith("/v1/jobs")
    ):
        return
    assert http.get(address(path, workspace="other"), headers=bearer("case")).status_code == 403


def test_a_key_for_one_workspace_is_told_of_no_other(http: httpx.Client, service: HandMade) -> None:
    service.workspace_names = ["case", "other"]
    listed = http.get("/v1/workspaces", headers=bearer("case")).json()["workspaces"]
    assert [workspace["name"] for workspace in listed] == ["case"]
    page = http.get("/v1/workspaces", params={"first": 1}, headers=bearer("case")).json()
    assert page == {"total": 1, "workspaces": []}
    page = http.get("/v1/workspaces", params={"first": 1}, headers=bearer("read")).json()
    assert page["total"] == 2 and [workspace["name"] for workspace in page["workspaces"]] == ["other"]


def test_a_key_for_one_workspace_sees_the_jobs_of_no_other(http: httpx.Client, service: HandMade) -> None:
    service.key_rows.append(row("else", "write", "else"))
    for method, path in (("GET", ""), ("GET", "/items"), ("GET", "/events"), ("POST", "/cancel"), ("DELETE", "")):
        address = f"/v1/jobs/job-1{path}"
        assert http.request(method, address, headers=bearer("case")).status_code == 200
        assert http.request(method, address, headers=bearer("else")).status_code == 404
    assert http.get("/v1/jobs", headers=bearer("else")).status_code == 200
    assert service.told["workspace"] == "else"
    assert http.get("/v1/jobs", params={"workspace": "case"}, headers=bearer("else")).json()["total"] == 0


@pytest.mark.parametrize(
    ("path", "ending"), [*((path, "%0A") for path in PATHS), *(("/v1/keys", end) for end in ("%0D%0A", "%00", "%7F"))]
)
def test_no_address_is_read_in_two_ways(locked: tuple[httpx.Client, HandMade], path: str, ending: str) -> None:
    """A pattern's `$` lets a newline pass at the end: the routes would know an address that the gate does not."""
    http, service = locked
    for name in ("read", "write", "case", "admin"):
        for method in METHODS:
            response = http.request(method, address(path) + ending, headers=bearer(name), json={"name": "evil"})
            assert response.status_code == 400
    assert service.told == {} and service.audited == []
    assert [key.name for key in service.key_rows] == ["read", "write", "admin", "case"]


@pytest.mark.parametrize("target", [b"/v1/keys", b"1/keys", b"http://127.0.0.1/v1/keys", b"/v1//keys", b"*"])
def test_a_prefix_is_read_in_one_way(target: bytes) -> None:
    service = with_keys()
    service.runtime.settings = Settings(FILIGRAPH_ROOT_PATH="/v")  # type: ignore[call-arg]
    with client_of(service) as http:
        for name in ("read", "write", "case"):
            extensions = {"target": target}
            request = http.build_request("GET", "/", headers=bearer(name), extensions=extensions)
            assert http.send(request).status_code in (400, 403)


def test_health_tells_a_stranger_little(http: httpx.Client, service: HandMade) -> None:
    service.problem = "Neo4j at bolt://10.0.0.7 refuses the password."
    http.get("/v1/workspaces")  # now it has read its keys
    assert "10.0.0.7" not in http.get("/v1/health").text
    assert "10.0.0.7" in http.get("/v1/health", headers=bearer("read")).text


def test_the_page_is_there_for_whoever_has_no_key_yet(http: httpx.Client) -> None:
    for path in ("/", "/library", "/graph", "/explain/0", "/assets/page/main.js", "/v1/health"):
        assert http.get(path).status_code == 200


def test_a_session(http: httpx.Client) -> None:
    assert http.get("/v1/session").json() == {"name": "", "scope": "none", "workspace": "", "limited": False}
    assert http.post("/v1/session", json={"key": "wrong"}).status_code == 401
    assert http.post("/v1/session", json={"key": " "}).status_code == 400
    begun = http.post("/v1/session", json={"key": f" {SECRETS['case']}\n"})
    assert begun.json() == {"name": "case", "scope": "write", "workspace": "case", "limited": False}
    cookie = begun.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie and "secure" not in cookie
    assert http.get("/v1/session").json()["name"] == "case"
    assert http.get("/v1/workspaces/case/schema").status_code == 200
    http.delete("/v1/session")
    assert http.get("/v1/workspaces/case/schema").status_code == 401


def test_behind_tls_the_cookie_stays_behind_tls(http: httpx.Client) -> None:
    headers = {"x-forwarded-proto": "https"}
    begun = http.post("/v1/session", json={"key": SECRETS["read"]}, headers=headers)
    assert "secure" in begun.headers["set-cookie"].lower()


def test_a_cookie_does_not_help_a_foreign_page(http: httpx.Client, service: HandMade) -> None:
    http.cookies.set(COOKIE, SECRETS["admin"], domain="127.0.0.1")
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        for path in ("/v1/keys", "/v1/session", "/v1/workspaces/case/ask"):
            assert http.post(path, json={"name": "evil"}, headers=headers).status_code == 403
    assert service.told == {}


def test_while_neo4j_is_away_this_machine_still_learns_what_is_broken() -> None:
    service = HandMade()
    service.keys = Keys(gone, public=False)  # type: ignore[arg-type]
    with serving(service) as url:
        assert httpx.get(f"{url}/v1/doctor").status_code == 200
        assert httpx.get(f"{url}/v1/workspaces").status_code == 503
    public = HandMade(Settings(FILIGRAPH_ALLOWED_HOSTS="graph.example.org"))  # type: ignore[call-arg]
    public.keys = Keys(gone, public=True)  # type: ignore[arg-type]
    with serving(public) as url:
        assert httpx.get(f"{url}/v1/doctor").status_code == 503


def gone(work: object) -> None:
    raise StoreUnavailable("Neo4j is gone.")


def test_a_public_server_answers_to_the_names_it_was_given() -> None:
    service = HandMade(Settings(FILIGRAPH_ALLOWED_HOSTS="Graph.example.org"))  # type: ignore[call-arg]
    with serving(service) as url:
        for host, status in (("graph.example.org", 200), ("evil.example", 403), ("192.168.1.7", 403)):
            assert httpx.get(f"{url}/v1/health", headers={"host": host}).status_code == status
    with serving(HandMade(Settings(FILIGRAPH_HOST="0.0.0.0"))) as url:  # type: ignore[call-arg]
        for host, status in (("192.168.1.7:8000", 200), ("[2001:db8::1]", 200), ("graph.example.org", 403)):
            assert httpx.get(f"{url}/v1/health", headers={"host": host}).status_code == status


def test_which_routes_take_an_admin_key() -> None:
    """A new route does, until it is named in `keys.py`."""
    admin = {path for path in PATHS if need_of("GET", address(path)) == "admin"} - OPEN
    folders = {f"/v1/workspaces/{{workspace}}/folders{rest}" for rest in ("", "/{folder_id}")}
    assert admin == folders | {"/v1/keys", "/v1/keys/{name}", "/v1/keys/{name}/rotate", "/v1/audit", "/v1/settings"}


def test_every_route_asks_for_a_key_but_two() -> None:
    """The gate goes by address: a route outside /v1 would have to be thought of anew."""
    assert all(path.startswith("/v1/") for path in described_paths())


def test_the_owner_of_the_machine_is_let_in_to_the_keys(http: httpx.Client, service: HandMade) -> None:
    owner = {OWNER_HEADER: "a-token"}
    assert http.get("/v1/keys", headers=owner).status_code == 401  # no server takes one that it did not make
    service.keys.accept_owner("a-token")
    assert http.get("/v1/keys", headers=owner).status_code == 200
    assert http.get("/v1/keys", headers={**owner, **bearer("read")}).status_code == 200
    for path in ("/v1/workspaces", "/v1/audit", "/v1/settings", "/v1/keysmith"):
        assert http.get(path, headers=owner).status_code == 401
    for wrong in ("", "b-token", "a-toke"):
        assert http.get("/v1/keys", headers={OWNER_HEADER: wrong}).status_code == 401


@pytest.mark.parametrize("name", ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP"])
def test_no_proxy_passes_an_owner_on(http: httpx.Client, service: HandMade, name: str) -> None:
    service.keys.accept_owner("a-token")
    for value in ("127.0.0.1", "203.0.113.9"):
        assert http.get("/v1/keys", headers={OWNER_HEADER: "a-token", name: value}).status_code == 401


@pytest.mark.parametrize(
    ("client", "server", "ours"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        ("192.168.1.5", "192.168.1.5", True),  # listens there alone, and this machine asks
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1", True),
        ("192.168.1.9", "192.168.1.5", False),
        ("172.17.0.1", "172.17.0.2", False),  # from the host into a container
        ("", "", False),
    ],
)
def test_who_is_on_this_machine(client: str, server: str, ours: bool) -> None:
    scope = {"type": "http", "headers": [], "client": (client, 4711), "server": (server, 80)}
    assert is_from_this_machine(scope) is ours


# ---- the whole way, on the real Neo4j


@pytest.fixture
def real(neo4j_address: Neo4jAddress, store: Store) -> Iterator[httpx.Client]:
    """A server whose keys are in Neo4j; they are gone afterwards, for they are of the whole database."""
    service = Service(WordRuntime(neo4j_address))
    with no_keys(store), client_of(service) as client:
        yield client


def test_a_life_of_keys(real: httpx.Client, store: Store) -> None:
    http = real
    assert http.get("/v1/session").json() == {"name": "local", "scope": "admin", "workspace": "", "limited": False}
    refused = http.post("/v1/keys", json={"name": "anna"})
    assert refused.status_code == 400 and "--scope admin" in shape(refused)["cure"]
    root = http.post("/v1/keys", json={"name": "root", "scope": "admin"}).json()["key"]
    assert http.get("/v1/workspaces").status_code == 401

    http.headers["authorization"] = f"Bearer {root}"
    name = f"test-{uuid.uuid4().hex[:12]}"
    made = http.post("/v1/keys", json={"name": "anna", "scope": "write", "workspace": name})
    assert made.headers["cache-control"] == "no-store"
    anna = {"authorization": f"Bearer {made.json()['key']}"}
    assert http.delete(f"/v1/workspaces/{name}/documents/d", headers=anna).status_code == 404
    assert http.delete("/v1/workspaces/other/documents/d", headers=anna).status_code == 403
    assert made.json()["key"] not in str(store.keys.all())

    rotated = http.post("/v1/keys/anna/rotate").json()["key"]
    assert http.get(f"/v1/workspaces/{name}/stats", headers=anna).status_code == 401
    anna = {"authorization": f"Bearer {rotated}"}
    assert http.get(f"/v1/workspaces/{name}/stats", headers=anna).status_code == 404
    assert http.delete("/v1/keys/root").status_code == 400
    http.delete("/v1/keys/anna").raise_for_status()
    assert http.get(f"/v1/workspaces/{name}/stats", headers=anna).status_code == 401
    http.delete("/v1/keys/root").raise_for_status()
    del http.headers["authorization"]
    assert http.get("/v1/workspaces").status_code == 200

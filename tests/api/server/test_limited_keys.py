"""A key that sees a part of a workspace: no route shows it the rest, on the real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.no_keys import no_keys
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool

FIRST, LAST = (
    ("Quil", "Brax", "Dorm", "Fenz", "Gwyl"),
    (
        *("lorab", "tinker", "uskell", "ovarn", "embray"),
        *("addlow", "irrick", "ostane", "unwell", "yskin"),
    ),
)
HIDDEN = [first + last for first in FIRST for last in LAST]  # 50 names
RAIN = "It rained on the town from morning to night, and nobody who had a fire went out. " * 60  # fills a passage
DOSSIER = f"secret/{HIDDEN[0]}.txt"
HERE = {name: ("novel.txt" if number % 2 else DOSSIER) for number, name in enumerate(HIDDEN)}


def _saying(source: str) -> tuple[str, list[list[str]]]:
    """Sentences about the hidden names of a source, and their facts."""
    names = [name for name, of in HERE.items() if of == source]
    rows = [[one, "robbed", two] for one, two in pairwise(names)] + [["Sophie", "is", names[0]]]
    return " ".join(f"{' '.join(row)}." for row in rows), rows


TEXTS = {
    "novel.txt": f"Chapter 1\n\nSophie rented a room in Dover. Sophie saw Jules Delmas.\n\n{RAIN}\n\n"
    f"Chapter 2 {HIDDEN[1]}\n\n{_saying('novel.txt')[0]}\n",
    "letter.txt": "Jules Delmas wears a signet ring. Sophie loves Jules Delmas.\n",
    "report.txt": "The signet ring is the emblem of The Claw. The Claw is a society of thieves.\n",
    DOSSIER: f"{_saying(DOSSIER)[0]}\n",
}
TRIPLES = {
    "novel.txt": [["Sophie", "rented", "Dover"], ["Sophie", "saw", "Jules Delmas"], *_saying("novel.txt")[1]],
    "letter.txt": [["Jules Delmas", "wears", "signet ring"], ["Sophie", "loves", "Jules Delmas"]],
    "report.txt": [["signet ring", "is the emblem of", "The Claw"], ["The Claw", "is", "society of thieves"]],
    DOSSIER: _saying(DOSSIER)[1],
}
PART = {"where": {"access": "open"}, "until": ["novel.txt:chapter 1"]}
NOTES = "GET /v1/workspaces/{workspace}/notes"
NOBODY = "Zzyxpod"  # is nowhere


@dataclass(frozen=True)
class Case:
    """A workspace, its admin and a reader of a part; what the reader must not meet."""

    address: str
    admin: httpx.Client
    reader: httpx.Client
    hidden: frozenset[str]  # names and ids
    values: dict[str, str]  # what a parameter may be filled with: something hidden of each kind

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]

    def told(self, response: httpx.Response, sent: str = "") -> str:
        """What a response says, but for what was sent; nothing of it is hidden."""
        text = response.text.replace(json.dumps(sent)[1:-1], "") if sent else response.text
        text += " ".join(f"{name}: {value}" for name, value in response.headers.items())
        found = [word for word in self.hidden if word in text and word != sent and word not in sent]
        assert not found, (response.request.method, str(response.url), found[:3], response.text[:600])
        return text


@pytest.fixture(scope="module")
def case(neo4j_address: Neo4jAddress, store: Store, workspace_pool: WorkspacePool) -> Iterator[Case]:
    service = Service(WordRuntime(neo4j_address, FILIGRAPH_REQUESTS_A_MINUTE="1000000"))
    with ExitStack() as closing:
        name = closing.enter_context(workspace_pool.one())
        closing.enter_context(no_keys(store))
        admin = closing.enter_context(client_of(service))
        reader = closing.enter_context(httpx.Client(base_url=admin.base_url))
        address = f"/v1/workspaces/{name}"
        secret = admin.post("/v1/keys", json={"name": "root", "scope": "admin"}).json()["key"]
        admin.headers["authorization"] = f"Bearer {secret}"
        values = _filled(admin, address)
        made = admin.post("/v1/keys", json={"name": "anna", "workspace": name, "view": PART})
        assert made.status_code == 200, made.text
        reader.headers["authorization"] = f"Bearer {made.json()['key']}"
        yield Case(address, admin, reader, frozenset({*HIDDEN, *_ids(admin, address), *values.values()}), values)


def _filled(admin: httpx.Client, address: str) -> dict[str, str]:
    """Documents, a decision, a named view, a thread and a job, all of what is hidden."""
    triples = "\n".join(json.dumps({"source": source, "triples": rows}) for source, rows in TRIPLES.items())
    access = {source: "secret" if source == DOSSIER else "open" for source in TEXTS}
    sources = [{"name": source, "metadata": {"access": access[source]}} for source in TEXTS]
    files: Any = [("files", (source, text.encode())) for source, text in TEXTS.items()]
    sent = admin.post(
        f"{address}/ingest",
        files=[*files, ("triples", ("t", triples.encode()))],
        data={"sources": json.dumps(sources)},
    )
    assert sent.status_code == 200, sent.text
    merged = admin.post(
        f"{address}/corrections",
        json={"corrections": [{"kind": "same", "about": HIDDEN[2], "other": "Jules Delmas"}]},
    )
    assert merged.status_code == 200, merged.text
    view = f"of-{HIDDEN[3]}"
    assert admin.put(f"{address}/views/{view}", json={"sources": [DOSSIER]}).status_code == 200
    assert admin.post(f"{address}/summarize", json={"writer": "quotes"}).status_code == 200
    asked = admin.post(f"{address}/ask", json={"question": f"Whom did {HIDDEN[4]} rob?"}).json()
    job = admin.post(f"{address}/questions", files={"questions": (f"{HIDDEN[5]}.txt", b"Who?")}).json()
    return {
        "name": HIDDEN[6],
        "source": DOSSIER,
        "correction_id": merged.json()["corrections"][0]["id"],
        "view": view,
        "trace_id": asked["trace"]["id"],
        "job_id": job["id"],
    }


def _ids(admin: httpx.Client, address: str) -> set[str]:
    """The ids of entities, documents, facts and passages that the part has not."""

    def of(view: dict[str, Any]) -> set[str]:
        shown = {"view": json.dumps(view)} if view else {}
        found: set[str] = set()
        for what, rows in (("entities", "entities"), ("documents", "documents"), ("facts", "facts")):
            listed = admin.get(f"{address}/{what}", params={"count": 1000, **shown}).json()[rows]
            found |= {row["id"] for row in listed}
            if what == "documents":
                for row in listed:
                    text = admin.get(f"{address}/documents/{row['id']}/text", params={"count": 100, **shown}).json()
                    found |= {piece["id"] for piece in text["pieces"]}
        return found

    return of({}) - of(PART)


def _operations(case: Case) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Each method and path of the description, with its parameters."""
    for path, methods in case.admin.get("/openapi.json").json()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation.get("parameters", [])


def _filling(parameters: list[dict[str, Any]], value: str) -> dict[str, Any]:
    """Every query parameter that takes words, filled."""
    filled: dict[str, Any] = {}
    for one in parameters:
        schema = one["schema"]
        kinds = {schema.get("type"), *(of.get("type") for of in schema.get("anyOf", ()))}
        if one["in"] == "query" and one["name"] != "view" and kinds & {"string", "array"} and "enum" not in schema:
            filled[one["name"]] = [value, "Sophie"] if "array" in kinds else value
    return filled


@pytest.mark.essential
def test_no_route_tells_a_limited_key_of_the_rest(case: Case) -> None:
    """Every operation of the description, its parameters filled with what is hidden: refused, or answered as if that
    was nowhere."""
    answered, closed = set[str](), set[str]()
    for method, path, parameters in _operations(case):
        if path.startswith("/v1/session"):
            continue
        for kind, value in case.values.items():

            def ask(value: str, method: str = method, path: str = path, parameters: Any = parameters) -> httpx.Response:
                at = path.replace("{workspace}", case.name)
                for one in parameters:
                    at = at.replace(f"{{{one['name']}}}", value.replace("/", "%2F"))
                body = {"json": {"question": "Who is Sophie?"}} if method == "POST" else {}
                return case.reader.request(method, at, params=_filling(parameters, value), **body)

            response = ask(value)
            told = case.told(response, value)
            if response.status_code == 403:
                closed.add(f"{method} {path}")
                assert response.json()["error"]["code"] == "forbidden"
                break
            answered.add(f"{method} {path}")
            unknown = ask(NOBODY)
            assert response.status_code == unknown.status_code, (kind, method, path, told, unknown.text)
    assert {"GET /v1/workspaces/{workspace}/entities", "POST /v1/workspaces/{workspace}/ask"} <= answered
    assert len({*answered, *closed}) == sum(not path.startswith("/v1/session") for _, path, _ in _operations(case))
    writes = {one for one in closed if one.startswith(("PUT", "DELETE", "PATCH"))}
    assert {"DELETE /v1/workspaces/{workspace}/threads/{thread_id}", "PUT /v1/workspaces/{workspace}"} <= writes
    assert {"GET /v1/jobs", "GET /v1/metrics", "GET /v1/workspaces/{workspace}/corrections", NOTES} <= closed
    own = {"DELETE /v1/workspaces/{workspace}/searches/{name}"}  # a key's saved searches are its own
    assert {one for one in answered if one.startswith(("PUT", "DELETE", "PATCH"))} == own


def test_what_a_limited_key_reads_is_the_view(case: Case) -> None:
    """Each read is what an admin reads in that view; a view that the reader asks for is a part of it."""

    def entity(name: str, seen: dict[str, str]) -> str:
        found = case.reader.get(f"{case.address}/entities", params={"name": name, **seen}).json()
        return str(found["entities"][0]["id"])

    novel = next(
        row["id"]
        for row in case.reader.get(f"{case.address}/documents").json()["documents"]
        if row["source"] == "novel.txt"
    )
    letters = {"sources": ["letter.txt"]}
    compared = set[str]()
    for method, path, parameters in _operations(case):
        names = [one["name"] for one in parameters]
        if method != "GET" or "view" not in names or path.endswith("/notes") or "/forms" in path:  # persons' words
            continue
        if path.endswith("/export/hash"):  # of all that a workspace holds, settings too
            assert case.reader.get(path.format_map({"workspace": case.name})).status_code == 400
            continue
        if path.endswith("/items/read/estimate"):  # no LLM answers here
            assert case.reader.get(path.format_map({"workspace": case.name}), params={"text": "x"}).status_code == 400
            continue
        for asked, same in ((None, PART), (letters, PART | letters)):
            if asked and "document_id" in path:
                continue
            seen = {"view": json.dumps(asked)} if asked else {}
            at = path.format_map({"workspace": case.name, "entity_id": entity("Sophie", seen), "document_id": novel})
            until = "1999" if path.endswith("/timeline") else entity("Jules", seen)
            given: dict[str, Any] = {"to": until, "text": "Sophie", "format": "graphml"}
            params = {name: given[name] for name in names if name in given}
            params |= {"name": ["Sophie", "Jules Delmas"]} if "name" in names and "entities" not in path else {}
            if path.endswith("/{workspace}/dependency"):
                facts = case.reader.get(f"{case.address}/facts", params=seen).json()["facts"]
                params = {"fact": facts[0]["id"]}
            mine = case.reader.get(at, params=params | seen)
            admins = case.admin.get(at, params=params | {"view": json.dumps(same)})
            assert mine.status_code == admins.status_code == 200, (path, mine.text, admins.text)
            case.told(mine)
            compared.add(path.removeprefix("/v1/workspaces/{workspace}/"))
            if path.endswith("/documents/{document_id}"):  # shares of the text are of what is visible
                assert [one["label"] for one in mine.json()["places"]] == ["1"]
            elif not path.endswith("/suggestions"):
                assert mine.text == admins.text, path
    assert len(compared) > 15
    assert {"connections", "items", "cast", "contradictions", "outline"} <= compared, compared


def test_hidden_names_are_as_unknown_as_any(case: Case) -> None:
    for what, parameter in (("entities", "name"), ("find", "text")):
        nobody = case.reader.get(f"{case.address}/{what}", params={parameter: NOBODY}).json()
        for name in HIDDEN:
            found = case.reader.get(f"{case.address}/{what}", params={parameter: name})
            case.told(found, name)
            assert found.json() == nobody
    for name in HIDDEN[:3]:
        for stream in (False, True):
            answer = case.reader.post(
                f"{case.address}/ask", json={"question": f"Who is {name} to Sophie?", "stream": stream}
            )
            assert answer.status_code == 200 and "Sophie" in case.told(answer, name)
            assert " of 4 " not in answer.text
        found = case.reader.post(f"{case.address}/retrieve", json={"question": f"Whom did {name} rob?"})
        assert found.status_code == 200
        case.told(found, name)


@pytest.mark.parametrize(
    "view",
    [
        {"without": [NOBODY]},
        {"without": [DOSSIER]},
        {"sources": [NOBODY]},
        {"until": [f"{NOBODY}:chapter 1"]},
        {"until": ["novel.txt:chapter 2"]},
        {"without_decisions": ["x"]},
        {"without_facts": ["x"]},
        {"named": "x"},
        {"as_of": "1912"},
        {"as_of": "1912", "dated_by": "access"},
    ],
)
def test_errors_list_what_is_visible(case: Case, view: dict[str, Any]) -> None:
    for refused in (
        case.reader.post(f"{case.address}/ask", json={"question": "Who?", "view": view}),
        case.reader.get(f"{case.address}/facts", params={"view": json.dumps(view)}),
    ):
        assert refused.status_code in (400, 403, 404), refused.text
        case.told(refused, DOSSIER)


def test_chats_and_agents_are_told_no_more(case: Case) -> None:
    """OpenAI's and Ollama's chat, streamed or not, and MCP."""
    asked = {"model": f"filigraph/{case.name}", "messages": [{"role": "user", "content": "Who is Sophie?"}]}
    for path in ("/v1/chat/completions", "/api/chat"):
        for stream in (False, True):
            answer = case.reader.post(path, json=asked | {"stream": stream})
            assert answer.status_code == 200, answer.text
            case.told(answer)
        other = case.reader.post(path, json=asked | {"model": "filigraph/other"})
        assert other.status_code == 403
    for path in ("/v1/models", "/api/tags", "/v1/workspaces", "/v1/health", case.address):
        case.told(case.reader.get(path))
    head = {"accept": "application/json, text/event-stream"}
    for tool, arguments in (
        ("find_entity", {"name": HIDDEN[7]}),
        ("documents", {}),
        ("contradictions", {}),
        ("job", {"job_id": case.values["job_id"]}),
        ("ask", {"question": f"Who is {HIDDEN[7]}?"}),
        ("ingest", {"name": "x.txt", "text": "x"}),
    ):
        call = {"name": tool, "arguments": arguments | ({} if tool == "job" else {"workspace": case.name})}
        sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        answer = case.reader.post("/mcp", json=sent, headers=head)
        case.told(answer, str(next(iter(arguments.values()), "")).removeprefix("Who is ").removesuffix("?"))
        if tool in ("job", "ingest"):
            assert "limited to a part" in answer.text or "that may write" in answer.text, answer.text


def test_a_limited_key_has_a_history_of_its_own(case: Case) -> None:
    """No other reader's either, though of the same part."""
    made = case.admin.post("/v1/keys", json={"name": "cleo", "workspace": case.name, "view": PART}).json()
    given = {"authorization": f"Bearer {made['key']}"}
    with httpx.Client(base_url=case.reader.base_url, headers=given, timeout=PATIENCE) as reader:
        other = case.values["trace_id"]
        answer = reader.post(f"{case.address}/ask", json={"question": "Whom does Sophie love?"}).json()
        own = answer["trace"]["id"]
        assert {row["id"] for row in case.admin.get(f"{case.address}/threads?count=999").json()["threads"]} >= {
            own,
            other,
        }
        for what, rows in (("threads", "threads"), ("traces", "traces")):
            found = reader.get(f"{case.address}/{what}", params={"count": 999})
            case.told(found)
            assert [row["id"] for row in found.json()[rows]] == [own] and found.json()["total"] == 1
        assert reader.get(f"{case.address}/traces/{own}/answer").json()["newer_documents"] == 0
        for id_, status in ((own, 200), (other, 404)):
            for what in (f"traces/{id_}", f"traces/{id_}/answer", f"traces/{id_}/report", f"threads/{id_}"):
                assert reader.get(f"{case.address}/{what}").status_code == status, what
            follow = {"question": "And who else?", "thread": id_}
            assert reader.post(f"{case.address}/ask", json=follow).status_code == status
        hangs = reader.get(f"{case.address}/traces/{own}/dependency")
        assert hangs.status_code == 200 and hangs.json()["documents"], hangs.text
        case.told(hangs)
        assert reader.get(f"{case.address}/traces/{other}/dependency").status_code == 404
        assert reader.get(f"{case.address}/traces/{own}/receipt").status_code == 403  # has the hash of the whole


def test_a_follow_up_carries_nothing_that_a_view_hides(case: Case) -> None:
    """A thread that was asked of all tells a question in a view nothing; one of a narrower view does."""
    first = case.admin.post(f"{case.address}/ask", json={"question": f"Whom did {HIDDEN[8]} rob?"}).json()
    follow = {"question": "And who loves him?", "thread": first["trace"]["id"], "view": PART}
    answer = case.admin.post(f"{case.address}/ask", json=follow)
    assert answer.status_code == 200
    case.told(answer)
    letters = {"sources": ["letter.txt"]}
    begun = case.admin.post(f"{case.address}/ask", json={"question": "Who is Jules Delmas?", "view": letters}).json()
    follow = {"question": "And who loves him?", "thread": begun["trace"]["id"], "view": PART}
    assert "Jules Delmas" in case.admin.post(f"{case.address}/ask", json=follow).json()["question"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"view": {"sources": ["letter.txt"]}}, "one workspace"),
        ({"workspace": "?", "view": {"sources": ["letter.txt"]}, "scope": "write"}, "may only read"),
        ({"workspace": "?", "view": {}}, "leaves nothing out"),
        ({"workspace": "?", "view": {"without_facts": ["x"]}}, "another wording"),
        ({"workspace": "?", "view": {"sources": ["nobody.txt"]}}, "no document"),
        ({"workspace": "?", "view": {"named": "nothing"}}, "no view"),
    ],
)
def test_a_key_that_cannot_be_limited_so(case: Case, body: dict[str, Any], said: str) -> None:
    where = {"workspace": case.name} if "workspace" in body else {}
    refused = case.admin.post("/v1/keys", json={"name": "eve", **body, **where})
    assert refused.status_code in (400, 404) and said in refused.json()["error"]["cause"], refused.text


def test_a_named_view_limits_until_it_is_gone(case: Case) -> None:
    assert case.admin.put(f"{case.address}/views/letters", json={"sources": ["letter.txt"]}).status_code == 200
    body = {"name": "ben", "workspace": case.name, "view": {"named": "letters"}}
    made = case.admin.post("/v1/keys", json=body).json()
    ben = {"authorization": f"Bearer {made['key']}"}
    assert made["view"] == {"named": "letters"}
    rows = case.reader.get(f"{case.address}/documents", headers=ben).json()["documents"]
    assert [row["source"] for row in rows] == ["letter.txt"]
    assert case.reader.get("/v1/session", headers=ben).json()["limited"]
    case.admin.delete(f"{case.address}/views/letters")
    for path in (f"{case.address}/documents", f"{case.address}/threads"):
        gone = case.reader.get(path, headers=ben)
        assert gone.status_code == 403 and "does not exist any more" in gone.json()["error"]["cause"]
        case.told(gone)


def test_a_key_for_documents_of_which_one_is_gone_sees_the_others(case: Case) -> None:
    for source in ("note.txt", "memo.txt"):
        sent = case.admin.post(f"{case.address}/ingest", files={"files": (source, b"Jules Delmas sold a boat.\n")})
        assert sent.status_code == 200, sent.text
    body = {"name": "eva", "workspace": case.name, "view": {"sources": ["note.txt", "memo.txt"]}}
    made = case.admin.post("/v1/keys", json=body).json()
    eva = {"authorization": f"Bearer {made['key']}"}
    for gone, left in (("memo.txt", ["note.txt"]), ("note.txt", [])):
        deleted = case.admin.request("DELETE", f"{case.address}/documents", json={"ids": [], "sources": [gone]})
        assert deleted.status_code == 200, deleted.text
        seen = case.reader.get(f"{case.address}/documents", headers=eva)
        case.told(seen)
        assert left == [row["source"] for row in seen.json().get("documents", [])]
    assert "administrator" in seen.json()["error"]["cure"]

"""The MCP SDK's own client, over HTTP in both of its protocols and over standard input and output, on a real Neo4j."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import anyio
import httpx
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import GetPromptResult, ReadResourceResult, TextContent, TextResourceContents

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import serving
from tests.making import awaited
from tests.no_keys import no_keys
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool

TOOLS = {
    *(
        "ask",
        "retrieve",
        "find_entity",
        "entity",
        "find",
        "searches",
        "path_between",
        "compare",
        "contradictions",
        "why",
        "diff",
        "views",
        "save_view",
        "news",
        "again",
        "notes",
        "add_note",
        "items",
        "cast",
        "family",
        "timeline",
        "documents",
        "read",
        "form",
        "ingest",
        "job",
    ),
    "workspaces",
}
UNDATED = {"dated_by": "date", "undated": "in"}  # of each view
LARGEST = 12_000  # characters of a result: some 3,000 tokens


@dataclass(frozen=True)
class Server:
    """A server with a case in it, and keys of it."""

    url: str
    workspace: str
    service: Service
    keys: dict[str, str]


@pytest.fixture(scope="module")
def server(neo4j_address: Neo4jAddress, store: Store, workspace_pool: WorkspacePool) -> Iterator[Server]:
    service = Service(WordRuntime(neo4j_address))
    with workspace_pool.one() as name, no_keys(store), serving(service) as url:
        with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as http:
            send(http, f"/v1/workspaces/{name}", BYTES)
        keys = {
            "admin": service.keys.create("mcp-admin", "admin", "")[1],
            "read": service.keys.create("mcp-read", "read", name)[1],
            "write": service.keys.create("mcp-write", "write", name)[1],
        }
        yield Server(url, name, service, keys)


class Agent:
    """A client in a conversation; each tool's text as data."""

    def __init__(self, client: Client, workspace: str) -> None:
        self.client = client
        self.workspace = workspace

    async def call(self, tool: str, **arguments: Any) -> Any:
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert isinstance(content, TextContent) and len(content.text) < LARGEST
        assert not answer.is_error, content.text
        return json.loads(content.text)

    async def refused(self, tool: str, **arguments: Any) -> str:
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert answer.is_error and isinstance(content, TextContent)
        return content.text


Visit = Callable[[Agent], Awaitable[None]]
Way = Literal["auto", "legacy", "stdio"]


def visit(server: Server, way: Way, work: Visit, *, key: str = "write") -> None:
    """Let an agent work with the server, over HTTP or through `filigraph mcp`."""

    async def over_http() -> None:
        headers = {"authorization": f"Bearer {server.keys[key]}"}
        async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=PATIENCE) as http:
            transport = streamable_http_client(f"{server.url}/mcp", http_client=http)
            async with Client(transport, mode="legacy" if way == "legacy" else "auto") as client:
                await work(Agent(client, server.workspace))

    async def over_stdio() -> None:
        environment = {**os.environ, "FILIGRAPH_URL": server.url, "FILIGRAPH_KEY": server.keys[key]}
        command = ["-m", "filigraph.app.cli", "mcp", "--workspace", server.workspace]
        async with Client(StdioServerParameters(command=sys.executable, args=command, env=environment)) as client:
            await work(Agent(client, ""))

    awaited(over_stdio() if way == "stdio" else over_http())


@pytest.mark.parametrize("way", ["auto", "legacy", "stdio"])
def test_an_agent_finds_its_way(server: Server, way: Way) -> None:
    async def work(agent: Agent) -> None:
        where = {"workspace": agent.workspace} if agent.workspace else {}
        listed = await agent.client.list_tools()
        assert {tool.name for tool in listed.tools} == TOOLS
        assert all(tool.description and tool.annotations for tool in listed.tools)
        assert server.workspace in (await agent.call("workspaces"))["workspaces"]
        assert [row["name"] for row in (await agent.call("form", **where))["forms"]][:1] == ["case-sheet"]
        assert len((await agent.call("form", name="case-sheet", **where))["fields"]) == 23

        answer = await agent.call("ask", question="Why be wary of Jules Delmas?", **where)
        assert "society of thieves" in answer["answer"]
        hop = next(hop for path in answer["paths"] for hop in path["hops"] if "society" in hop["fact"])
        assert hop["sentence"] == "The police say that The Claw is a society of thieves."

        around = await agent.call("read", document_id=hop["document_id"], chunk_id=hop["chunk_id"], **where)
        assert hop["sentence"] in around["pieces"][0]["text"] and around["next"] is None

        found = await agent.call("retrieve", question="Why be wary of Jules Delmas?", keep=3, **where)
        assert len(found["extracts"]) == 3 and found["paths"] and found["trace_id"]

        (claw, *_) = (await agent.call("find_entity", name="claw", **where))["entities"]
        assert claw["name"] == "The Claw"
        known = await agent.call("entity", entity=claw["id"], **where)
        assert known == await agent.call("entity", entity="The Claw", **where)
        assert any(fact["fact"] == "The Claw is society of thieves" for fact in known["facts"])
        between = await agent.call("path_between", first="Jules", second="society of thieves", **where)
        assert [fact["fact"] for fact in between["paths"][0]][-1] == "The Claw is society of thieves"
        near = await agent.call("path_between", first="baker", second="society of thieves", **where)
        assert near["verdict"] == "text" and [step.get("only_near") for step in near["paths"][0]] == [True, None]
        assert (await agent.call("documents", count=2, **where))["total"] == len(BYTES)

        assert "Nobody" in await agent.refused("path_between", first="Nobody", second="Jules", **where)
        assert "question is empty" in await agent.refused("ask", question=" ", **where)
        assert "no-such" in await agent.refused("ask", question="x", workspace="no-such")

    visit(server, way, work, key="admin")


def test_a_document_goes_in_and_comes_out(server: Server) -> None:
    async def work(agent: Agent) -> None:
        job = await agent.call("ingest", name="note.md", text="Paul met Élodie in Lyon.", workspace=agent.workspace)
        with anyio.fail_after(PATIENCE):
            while job["state"] in ("queued", "running"):
                await anyio.sleep(0.05)
                job = await agent.call("job", job_id=job["id"])
        assert (job["state"], job["added"]) == ("done", ["note.md"])
        (row,) = (await agent.call("documents", source="note.md", workspace=agent.workspace))["documents"]
        (template,) = (await agent.client.list_resource_templates()).resource_templates
        uri = template.uri_template.format(workspace=agent.workspace, document_id=row["id"])
        read = await agent.client.read_resource(uri)
        assert isinstance(read, ReadResourceResult) and isinstance(read.contents[0], TextResourceContents)
        assert read.contents[0].text == "Paul met Élodie in Lyon."
        with pytest.raises(MCPError, match="There is no document"):
            await agent.client.read_resource(uri.replace(row["id"], "none"))

    visit(server, "auto", work)
    key = {"authorization": f"Bearer {server.keys['admin']}"}
    with httpx.Client(base_url=server.url, headers=key, trust_env=False) as http:
        (entry, *_) = http.get("/v1/audit", params={"workspace": server.workspace}).json()["entries"]
    assert (entry["by"], entry["action"]) == ("mcp-write", "POST /v1/workspaces/{workspace}/jobs")


def test_prompts_for_two_uses(server: Server) -> None:
    async def work(agent: Agent) -> None:
        prompts = {prompt.name for prompt in (await agent.client.list_prompts()).prompts}
        assert prompts == {"novel", "case_file"}
        for name in prompts:
            filled = await agent.client.get_prompt(name, {"question": "Pourquoi se méfier de Jules ?"})
            assert isinstance(filled, GetPromptResult)
            content = filled.messages[0].content
            assert isinstance(content, TextContent) and "Pourquoi se méfier de Jules ?" in content.text

    visit(server, "auto", work, key="read")


def test_how_to_look(server: Server) -> None:
    async def work(agent: Agent) -> None:
        where = {"question": "Why be wary of Jules Delmas?", "workspace": agent.workspace}
        found = await agent.call("retrieve", path_types=["wears"], min_score=0.9, budget_tokens=400, **where)
        assert [hop["fact"].split()[1] for path in found["paths"] for hop in path["hops"]] == ["wears"]
        assert all(item["cosine"] < 0.9 and item["kept_by"] == "graph" for item in found["extracts"])
        answered = await agent.call("ask", path_types=["wears"], vector_weight=1, **where)
        assert len(answered["paths"]) == 1
        refused = await agent.refused("ask", path_types=["weards"], **where)
        assert "no 'weards'" in refused and "is the emblem of" in refused
        assert "min_score" in await agent.refused("retrieve", min_score=7, **where)
        assert (
            await agent.refused("find_entity", name="Jules", count="x")
            == "find_entity, count: it must be a whole number."
        )

    visit(server, "auto", work, key="read")


def test_a_key_lets_an_agent_do_what_it_lets_others(server: Server) -> None:
    async def work(agent: Agent) -> None:
        assert (await agent.call("workspaces"))["workspaces"] == [server.workspace]
        assert "scope write" in await agent.refused("ingest", name="a", text="b", workspace=agent.workspace)
        assert "only for the workspace" in await agent.refused("ask", question="x", workspace="other")

    visit(server, "auto", work, key="read")
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        refused = http.post("/mcp", json={})
        assert refused.status_code == 401 and refused.json()["error"]["code"] == "key_needed"
        key = {"authorization": f"Bearer {server.keys['read']}"}
        assert http.get("/mcp", headers=key).status_code == 405
        foreign = http.post("/mcp", json={}, headers=key | {"origin": "http://evil.example"})
        assert foreign.status_code == 403


def test_an_agent_looks_into_a_view(server: Server) -> None:
    """Every tool that reads: of the report nothing shows where only the other documents are visible."""

    async def work(agent: Agent) -> None:
        only = {"documents": ["letter.txt", "cutting.txt"], "workspace": agent.workspace}
        found: dict[str, Any] = {
            tool: await agent.call(tool, **only, **arguments)
            for tool, arguments in (
                ("ask", {"question": "Who is Delmas?"}),
                ("retrieve", {"question": "Who is Delmas?"}),
                ("find_entity", {"name": ""}),
                ("entity", {"entity": "The Claw"}),
                ("path_between", {"first": "Inspector Brun", "second": "society of thieves"}),
                ("find", {"phrase": "Delmas"}),
                ("find", {"names": ["The Claw"]}),
                ("compare", {"names": ["The Claw", "Jules Delmas"]}),
                ("contradictions", {}),
                ("why", {"names": ["Jules", "Jules Delmas"]}),
                ("items", {"text": "Delmas"}),
                ("cast", {}),
                ("family", {}),
                ("timeline", {}),
                ("notes", {}),
                ("documents", {}),
                ("form", {"name": "case-sheet"}),
            )
        }
        for tool, shown in found.items():
            assert not any(word in json.dumps(shown) for word in ("Paul", "baker", "emblem", "report.txt")), tool
        assert {row["source"] for row in found["documents"]["documents"]} == {"letter.txt", "cutting.txt"}
        assert found["find_entity"]["total"] and found["retrieve"]["extracts"] and found["path_between"]["paths"]
        for tool, name in (("entity", "entity"), ("timeline", "entity"), ("contradictions", "entity")):
            assert "baker" in await agent.refused(tool, **only, **{name: "baker"})
        (row, *_) = found["documents"]["documents"]
        assert (await agent.call("read", document_id=row["id"], **only))["pieces"]
        less = {"without": [row["source"]], "workspace": agent.workspace}
        assert "no document" in (await agent.refused("read", document_id=row["id"], **less)).lower()
        assert "letter.txt" in await agent.refused("documents", documents=["nowhere.txt"], workspace=agent.workspace)

        named = f"{agent.workspace}@two"
        assert "two" in await agent.refused("documents", workspace=named)
        key = {"authorization": f"Bearer {server.keys['admin']}"}
        with httpx.Client(base_url=server.url, headers=key, trust_env=False, timeout=PATIENCE) as http:
            address = f"/v1/workspaces/{server.workspace}/views/two"
            assert http.put(address, json={"sources": only["documents"]}).status_code == 200
        assert await agent.call("documents", workspace=named) == found["documents"]
        assert (await agent.call("retrieve", question="Who is Delmas?", workspace=named))["extracts"]
        assert "cannot have other fields" in await agent.refused("documents", workspace=named, without=["letter.txt"])
        listed = await agent.call("views", workspace=agent.workspace)
        assert listed["views"] == {"two": {**UNDATED, "sources": only["documents"]}}
        saved = {"name": "again", "workspace": agent.workspace}
        assert (await agent.call("save_view", without=["report.txt"], **saved))["name"] == "again"
        assert await agent.call("save_view", delete=True, **saved) == {"deleted": "again"}
        assert "leaves nothing out" in await agent.refused("save_view", **saved)
        differs = await agent.call("diff", before="two", workspace=agent.workspace)
        assert "Paul" in json.dumps(differs["facts_came"]) and not differs["facts_gone"]
        assert differs["answers"] and all(row["question"] for row in differs["answers"])
        same = await agent.call("diff", documents=only["documents"], after="two", workspace=agent.workspace)
        assert not any(same["totals"].values())
        assert "needs" in await agent.refused("diff", workspace=agent.workspace)
        late = {"as_of": "1900", "undated": "out", "dated_by": "sent"}
        assert "'sent'" in await agent.refused("ask", question="Who?", workspace=agent.workspace, **late)
        for name in ("without_facts", "without_decisions"):
            unknown = await agent.refused("retrieve", question="Who?", workspace=agent.workspace, **{name: ["x"]})
            assert "has the id x" in unknown
        for tool, arguments in (("news", {}), ("again", {}), ("ingest", {"name": "x", "text": "x"})):
            assert "is a view" in await agent.refused(tool, workspace=named, **arguments)

    visit(server, "auto", work)


def test_an_agent_asks_what_hangs_on_what(server: Server) -> None:
    async def work(agent: Agent) -> None:
        where = {"workspace": agent.workspace}
        answer = await agent.call("ask", question="Why be wary of Jules Delmas?", **where)
        hops = [hop for path in answer["paths"] for hop in path["hops"]]
        (fact,) = {hop["fact_id"] for hop in hops if "society" in hop["fact"]}
        hangs = await agent.call("why", answer=answer["trace_id"], **where)
        assert hangs["sets"] and {row["source"] for row in hangs["documents"]} >= {"cutting.txt"}
        said = await agent.call("why", fact=fact, **where)
        assert said["sets"] == [["cutting.txt"]]
        assert [(row["source"], row["weight"]) for row in said["documents"]] == [("cutting.txt", 1.0)]
        known = await agent.call("entity", entity="The Claw", **where)
        assert fact in {row["fact_id"] for row in known["facts"]}
        joined = await agent.call("why", names=["Jules", "Jules Delmas"], **where)
        assert joined["documents"]
        (row,) = (await agent.call("documents", source="cutting.txt", **where))["documents"]
        brought = await agent.call("why", document=row["id"], **where)
        assert "The Claw is society of thieves" in {one["fact"] for one in brought["facts_came"]}
        assert "one of" in await agent.refused("why", **where)
        assert "one of" in await agent.refused("why", fact=fact, document=row["id"], **where)
        hidden = await agent.refused("why", fact=fact, without=["cutting.txt"], **where)
        assert "fact" in hidden and "cutting" not in hidden

    visit(server, "auto", work, key="read")


def test_an_agent_runs_a_saved_search(server: Server) -> None:
    address = f"/v1/workspaces/{server.workspace}"
    key = {"authorization": f"Bearer {server.keys['read']}"}
    with httpx.Client(base_url=server.url, headers=key, trust_env=False, timeout=PATIENCE) as http:
        saved = http.post(f"{address}/searches", json={"name": "ring", "query": {"text": "ring"}})
        assert saved.status_code == 200, saved.text

    async def work(agent: Agent) -> None:
        where = {"workspace": agent.workspace}
        listed = await agent.call("searches", **where)
        assert [row["name"] for row in listed["searches"]] == ["ring"]
        new = await agent.call("searches", name="ring", **where)
        assert new["passages"] == [] and new["new"] == 0 < new["total"]
        all_of_it = await agent.call("searches", name="ring", new=False, **where)
        assert len(all_of_it["passages"]) == new["total"] and "ring" in all_of_it["passages"][0]["sentences"][0]
        assert "no saved search" in await agent.refused("searches", name="x", **where)

    visit(server, "auto", work, key="read")


def test_an_agent_notes_and_asks_again(server: Server) -> None:
    async def work(agent: Agent) -> None:
        where = {"workspace": agent.workspace}
        noted = await agent.call("add_note", text="Ask the jeweller.", entity="The Claw", tags=["todo"], **where)
        assert (noted["text"], noted["tags"], noted["by"]) == ("Ask the jeweller.", ["todo"], "mcp-write")
        sentence = "The police say that The Claw is a society of thieves."
        await agent.call("add_note", text="Says who?", document="cutting.txt", sentence=sentence, **where)
        listed = await agent.call("notes", **where)
        assert listed["total"] == 2 and {row["text"] for row in listed["notes"]} == {"Ask the jeweller.", "Says who?"}
        assert next(row for row in listed["notes"] if row["text"] == "Says who?")["sentence"] in sentence
        for arguments in ({"tag": "todo"}, {"text": "jeweller"}, {"entity": "The Claw"}):
            found = await agent.call("notes", **arguments, **where)
            assert [row["id"] for row in found["notes"]] == [noted["id"]], arguments
        assert (await agent.call("notes", starred=True, **where))["total"] == 0
        assert "nowhere.txt" in await agent.refused("add_note", text="x", document="nowhere.txt", **where)

        question = "Who is the baker of Lyon?"
        await agent.call("ask", question=question, **where)
        assert question not in json.dumps(await agent.call("again", **where))
        text = "Lot 4. The baker of Lyon is Paul Delmas, a brother of Jules Delmas."
        job = await agent.call("ingest", name="lot4.txt", text=text, **where)
        with anyio.fail_after(PATIENCE):
            while job["state"] in ("queued", "running"):
                await anyio.sleep(0.05)
                job = await agent.call("job", job_id=job["id"])
        again = await agent.call("again", budget=1, **where)
        assert again["asked"] == 1 and again["left"] >= 0
        assert [row["question"] for row in again["changed"]] == [question], again

    visit(server, "auto", work)

"""News, and changes of earlier answers, over REST, on the real Neo4j."""

from __future__ import annotations

import httpx

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool

QUESTION = "What is The Claw?"


def ask(client: httpx.Client, case: str) -> str:
    answer = client.post(f"{case}/ask", json={"question": QUESTION, "llm": False}).json()
    return str(answer["trace"]["id"])


def test_what_a_document_brought_and_which_answers_changed(
    neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool
) -> None:
    with client_of(Service(WordRuntime(neo4j_address))) as client, workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        old = {name: content for name, content in BYTES.items() if name != "cutting.txt"}
        send(client, case, old)
        whole = client.get(f"{case}/news").json()
        assert {row["source"] for row in whole["documents"]} == set(old)
        assert "The Claw" in whole["changes"]["entities_came"]
        before = ask(client, case)
        assert client.post(f"{case}/ask/again", json={}).json() == {"asked": 0, "left": 0, "answers": []}
        moment = max(row["came"] for row in whole["documents"])

        send(client, case, {"cutting.txt": BYTES["cutting.txt"]})
        listed = client.get(f"{case}/news").json()["documents"]
        since = next(row["came"] for row in listed if row["source"] == "cutting.txt")
        assert since > moment
        news = client.get(f"{case}/news", params={"since": since}).json()
        assert [row["source"] for row in news["documents"]] == ["cutting.txt"]
        assert "Inspector Brun" in news["changes"]["entities_came"]
        assert "The Claw" not in news["changes"]["entities_came"]
        came = {(row["subject"], row["predicate"], row["object"]) for row in news["changes"]["facts_came"]}
        assert came == {("The Claw", "is", "society of thieves"), ("Inspector Brun", "hunts", "The Claw")}
        later = client.get(f"{case}/news", params={"since": "2999-01-01"}).json()
        assert (later["total"], later["changes"], later["documents"]) == (0, None, [])

        again = client.post(f"{case}/ask/again", json={"budget": 5}).json()
        (one,) = again["answers"]
        assert (again["asked"], again["left"], one["before_id"], one["changed"]) == (1, 0, before, True)
        assert "society of thieves" in one["path_now"] and one["path_before"] != one["path_now"]
        assert client.get(f"{case}/traces/{one['now_id']}/answer").json()["question"] == QUESTION
        assert client.post(f"{case}/ask/again", json={}).json()["asked"] == 0
        assert client.get(f"{case}/news", params={"job": "0" * 32}).status_code == 404

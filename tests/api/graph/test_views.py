"""Questions on a part of a workspace over REST, on the real Neo4j: no answer shows the rest."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import networkx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool

RAIN = "It rained on the town from morning to night, and nobody who had a fire went out. " * 60  # fills a passage
TEXTS = {
    "novel.txt": "Chapter 1\n\nThe man in black rented a room in Dover. Sophie saw the man in black at the inn.\n\n"
    f"{RAIN}\n\n"
    "Chapter 2\n\nThe man in black is Edmund Carfax. Edmund Carfax forged the Delmas will.\n",
    "letter.txt": "Jules Delmas wears a signet ring. Sophie loves Jules Delmas.\n",
    "report.txt": "The signet ring is the emblem of The Claw. The Claw is a society of thieves.\n",
}
DATES = {"letter.txt": "1912-03-03", "report.txt": "1912-05-01"}
TRIPLES = {
    "novel.txt": [
        ["the man in black", "rented", "Dover"],
        ["Sophie", "saw", "the man in black"],
        ["the man in black", "is", "Edmund Carfax"],
        ["Edmund Carfax", "forged", "Delmas will"],
    ],
    "letter.txt": [["Jules Delmas", "wears", "signet ring"], ["Sophie", "loves", "Jules Delmas"]],
    "report.txt": [["signet ring", "is the emblem of", "The Claw"], ["The Claw", "is", "society of thieves"]],
}
WARY = "The Claw is a society of thieves: has the signet ring that Jules Delmas wears its emblem?"


@pytest.fixture(scope="module")
def http(neo4j_address: Neo4jAddress) -> Iterator[httpx.Client]:
    with client_of(Service(WordRuntime(neo4j_address))) as client:
        yield client


@pytest.fixture(scope="module")
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        triples = "\n".join(json.dumps({"source": source, "triples": rows}) for source, rows in TRIPLES.items())
        sources = [{"name": source, "metadata": {"date": DATES[source]} if source in DATES else {}} for source in TEXTS]
        files: Any = [("files", (source, text.encode())) for source, text in TEXTS.items()]
        data = {"sources": json.dumps(sources)}
        sent = http.post(f"{address}/ingest", files=[*files, ("triples", ("t", triples.encode()))], data=data)
        assert sent.status_code == 200, sent.text
        yield address


def ask(http: httpx.Client, case: str, question: str, **view: Any) -> dict[str, Any]:
    response = http.post(f"{case}/ask", json={"question": question, "view": view} if view else {"question": question})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_a_name_that_is_revealed_later_shows_nowhere(http: httpx.Client, case: str) -> None:
    whole = json.dumps(ask(http, case, "Who is the man in black?"))
    assert "Carfax" in whole
    shown = json.dumps(ask(http, case, "Who is the man in black?", until=["novel.txt:chapter 1"]))
    assert "Carfax" not in shown and "forged" not in shown
    assert "man in black" in shown and "As if 3 of 3 documents had been read" in shown


def test_as_of_a_day_later_documents_are_not_there(http: httpx.Client, case: str) -> None:
    texts = {item["source"] for item in ask(http, case, WARY, as_of="1912-04-01")["citations"]}
    assert "letter.txt" in texts and "report.txt" not in texts
    dated = ask(http, case, WARY, as_of="1912-04-01", undated="out")
    assert "1 later than 1912-04-01, 1 undated (hidden)" in dated["remark"]
    assert {item["source"] for item in dated["citations"]} == {"letter.txt"}


def test_without_a_document_the_path_breaks_and_says_where(http: httpx.Client, case: str) -> None:
    before = ask(http, case, WARY)
    assert before["difference"] is None and len(before["paths"][0]["hops"]) >= 2
    found = ask(http, case, WARY, without=["report.txt"])["difference"]
    assert found["changed"] and found["path"]["text"] == before["paths"][0]["text"]
    assert {one["why"] for one in found["breaks"]} == {"unsaid"}, found
    assert any("Claw" in one["text"] for one in found["breaks"])
    assert {item["source"] for item in found["lost"]} == {"report.txt"}
    answer = ask(http, case, WARY, without=["report.txt"])
    kept = http.get(f"{case}/traces/{answer['trace']['id']}/answer").json()
    assert kept["difference"] == found
    held = ask(http, case, WARY, without=["novel.txt"])["difference"]
    assert held["path"]["text"] == before["paths"][0]["text"] and held["breaks"] == []


def test_what_an_answer_hangs_on(http: httpx.Client, case: str) -> None:
    """Each document of its path alone; in a view, of those that are visible there."""

    def found(answer: dict[str, Any]) -> dict[str, Any]:
        response = http.get(f"{case}/traces/{answer['trace']['id']}/dependency")
        assert response.status_code == 200, response.text
        dependency: dict[str, Any] = response.json()
        return dependency

    whole = found(ask(http, case, WARY))
    assert "emblem" in whole["path"] and whole["complete"]
    assert ["report.txt"] in whole["sets"] and ["novel.txt"] not in whole["sets"]
    assert {row["source"]: row["weight"] for row in whole["documents"]}["report.txt"] == 1
    passage = found(ask(http, case, "Who is the man in black?", until=["novel.txt:chapter 1"]))
    assert {row["source"] for row in passage["documents"]} <= set(TEXTS)
    assert http.get(f"{case}/traces/none/dependency").status_code == 404


def test_what_a_fact_a_join_and_a_document_hang_on(http: httpx.Client, case: str) -> None:
    def found(what: str = "dependency", **params: Any) -> dict[str, Any]:
        response = http.get(f"{case}/{what}", params=params)
        assert response.status_code == 200, response.text
        dependency: dict[str, Any] = response.json()
        return dependency

    facts = {row["predicate"]: row["id"] for row in http.get(f"{case}/facts").json()["facts"]}
    wears = found(fact=facts["wears"])
    assert wears["sets"] == [["letter.txt"]] and wears["documents"][0]["weight"] == 1 and "wears" in wears["path"]
    for params, status in (
        ({"fact": "none"}, 404),
        ({}, 400),
        ({"name": ["Sophie", "Zorglub"]}, 404),
        ({"name": ["Sophie", "The Claw"]}, 400),
        ({"name": "Sophie"}, 400),
        ({"fact": facts["wears"], "view": json.dumps({"without": ["letter.txt"]})}, 404),
    ):
        assert http.get(f"{case}/dependency", params=params).status_code == status, params
    same = {"kind": "same", "about": "Edmund Carfax", "other": "Jules Delmas"}
    made = http.post(f"{case}/corrections", json={"corrections": [same]}).json()["corrections"][0]
    joined = found(name=["Edmund Carfax", "Jules Delmas"])
    assert {("letter.txt",), ("novel.txt",)} <= {tuple(one) for one in joined["sets"]}, joined
    assert http.delete(f"{case}/corrections/{made['id']}").status_code == 200
    report = next(row for row in http.get(f"{case}/documents").json()["documents"] if row["source"] == "report.txt")
    changes = found(f"documents/{report['id']}/dependency")
    assert "The Claw" in changes["entities_came"] and not changes["entities_gone"]
    assert {row["source"] for row in changes["facts_came"]} == {"report.txt"}
    alone = found(f"documents/{report['id']}/dependency", view=json.dumps({"sources": ["report.txt"]}))
    assert alone["entities_came"] and alone["facts_came"]
    assert http.get(f"{case}/documents/none/dependency").status_code == 404


def test_what_two_documents_say_hangs_on_both(http: httpx.Client, workspace_pool: WorkspacePool) -> None:
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        texts = TEXTS | {
            "paper.txt": "The paper says: the signet ring is the emblem of The Claw. Nobody was arrested.\n"
        }
        rows = TRIPLES | {"paper.txt": [["signet ring", "is the emblem of", "The Claw"]]}
        triples = "\n".join(json.dumps({"source": source, "triples": facts}) for source, facts in rows.items())
        files: Any = [("files", (source, text.encode())) for source, text in texts.items()]
        sent = http.post(f"{address}/ingest", files=[*files, ("triples", ("t", triples.encode()))])
        assert sent.status_code == 200, sent.text
        answer = ask(http, address, "What is the emblem of The Claw?")
        assert any("emblem" in path["text"] for path in answer["paths"] if not path["lead"])
        found = http.get(f"{address}/traces/{answer['trace']['id']}/dependency").json()
        assert [one for one in found["sets"] if "paper.txt" in one] == [["paper.txt", "report.txt"]], (answer, found)
        weights = {row["source"]: row["weight"] for row in found["documents"]}
        assert weights["paper.txt"] == weights["report.txt"] == 0.5, weights


def test_without_a_fact_the_path_breaks_there(http: httpx.Client, case: str) -> None:
    hops = ask(http, case, WARY)["paths"][0]["hops"]
    number, hop = next((number, hop) for number, hop in enumerate(hops, 1) if hop["fact_id"])
    found = ask(http, case, WARY, without_facts=[hop["fact_id"]])
    assert next((one["hop"], one["why"]) for one in found["difference"]["breaks"]) == (number, "left_out")
    assert all(hop["fact_id"] != one["fact_id"] for path in found["paths"] for one in path["hops"])
    error = http.post(f"{case}/ask", json={"question": "x?", "view": {"without_facts": ["nothing"]}})
    assert error.status_code == 404 and "nothing" in error.json()["error"]["cause"]


def test_without_a_decision_names_are_as_they_were(http: httpx.Client, case: str) -> None:
    same = {"kind": "same", "about": "Sophie", "other": "The Claw"}
    merged = http.post(f"{case}/corrections", json={"corrections": [same]})
    assert merged.status_code == 200, merged.text
    decision = merged.json()["corrections"][0]["id"]
    try:
        names = json.dumps(ask(http, case, "Who is The Claw?")["paths"])
        parted = json.dumps(ask(http, case, "Who is The Claw?", without_decisions=[decision])["paths"])
        assert names != parted
        error = http.post(f"{case}/ask", json={"question": "x?", "view": {"without_decisions": ["nothing"]}})
        assert error.status_code == 404 and decision in error.json()["error"]["cure"]
    finally:
        http.delete(f"{case}/corrections/{decision}")


@pytest.mark.parametrize(
    ("view", "status", "said"),
    [
        ({"within": ["nobody.txt:chapter 1"]}, 404, "novel.txt"),
        ({"within": ["novel.txt:chapter 1-7"]}, 404, "chapter 1"),
        ({"within": ["novel.txt:chapter 2-1"]}, 400, "earlier one first"),
        ({"until": ["nobody.txt:chapter 1"]}, 404, "novel.txt"),
        ({"until": ["novel.txt:chapter 7"]}, 404, "chapter"),
        ({"without": ["nobody.txt"]}, 404, "letter.txt"),
        ({"sources": ["nobody.txt"]}, 404, "letter.txt"),
        ({"sources": ["letter.txt", "nobody.txt"]}, 404, "letter.txt"),
        ({"as_of": "yesterday"}, 400, "1912-03-04"),
        ({"as_of": "1912", "dated_by": "received"}, 400, "date"),
        ({"as_of": "1900", "undated": "out"}, 400, "Widen it with a later day: the documents are dated 19"),
        ({"without": ["*"]}, 400, "Widen"),
    ],
)
def test_what_is_not_there_is_an_error_that_lists_what_is(
    http: httpx.Client, case: str, view: dict[str, Any], status: int, said: str
) -> None:
    response = http.post(f"{case}/ask", json={"question": "Who?", "view": view})
    assert response.status_code == status, response.text
    assert said in response.json()["error"]["cure"]


def test_documents_are_named_as_people_call_them(http: httpx.Client, case: str) -> None:
    def facts(**view: Any) -> Any:
        return seen(http, case, "facts", view).json()

    assert facts(sources=["LETTER", "novel"]) == facts(sources=["letter.txt", "novel.txt"])
    assert facts(without=["letter"]) == facts(without=["letter.txt"])
    assert facts(sources=["let*"]) == facts(sources=["letter.txt"])


def test_retrieve_takes_a_view_too(http: httpx.Client, case: str) -> None:
    body = {"question": WARY, "view": {"sources": ["letter.txt"]}}
    found = http.post(f"{case}/retrieve", json=body).json()
    assert {item["source"] for item in found["evidence"] if item["kind"] == "chunk"} == {"letter.txt"}
    assert found["trace"]["steps"][0]["name"] == "view"


BEFORE = {"until": ["novel.txt:chapter 1"]}  # who the man in black is, and what he forged, is behind it
HIDDEN = ("Carfax", "forged", "Delmas will")


def seen(http: httpx.Client, case: str, what: str, view: dict[str, Any] | str = "", **asked: Any) -> httpx.Response:
    given = {"view": view if isinstance(view, str) else json.dumps(view)} if view else {}
    return http.get(f"{case}/{what}", params={**asked, **given})


def entity_of(http: httpx.Client, case: str, name: str, view: dict[str, Any] | str = "") -> str:
    found = seen(http, case, "entities", view, name=name).json()["entities"]
    return str(found[0]["id"])


@pytest.mark.essential
def test_no_read_shows_what_a_view_hides(http: httpx.Client, case: str) -> None:
    """Every route of the description that reads a workspace obeys a view or refuses it."""
    man = entity_of(http, case, "man in black", BEFORE)
    sophie = entity_of(http, case, "Sophie", BEFORE)
    whole_man = entity_of(http, case, "man in black")
    documents = {row["source"]: row["id"] for row in seen(http, case, "documents").json()["documents"]}
    at = {"entity_id": man, "document_id": documents["novel.txt"]}
    needed: dict[str, Any] = {
        "to": sophie,
        "format": "graphml",
        "text": "man in black",
        "name": ["man in black", "Sophie"],
    }
    paths = http.get("/openapi.json").json()["paths"]
    obey, refuse = set[str](), set[str]()
    for path, methods in paths.items():
        if not path.startswith("/v1/workspaces/{workspace}/") or "get" not in methods:
            continue
        what = path.removeprefix("/v1/workspaces/{workspace}/")
        asked = {one["name"]: needed[one["name"]] for one in methods["get"]["parameters"] if one["name"] in needed}
        asked |= {"name": ["man in black", "Sophie"]} if what in ("connections", "passages", "comparison") else {}
        asked |= {"to": "1999"} if what == "timeline" else {}
        asked |= {"format": "json"} if what.startswith("forms") and "format" in asked else {}
        if what == "dependency":
            rows = seen(http, case, "facts", BEFORE).json()["facts"]
            asked = {"fact": next(row["id"] for row in rows if row["predicate"] == "wears")}
        form = {"name": "case-sheet"} if what.startswith("forms") else {}
        filled = what.format_map({**dict.fromkeys(("name", "trace_id", "thread_id"), "x"), **at, **form})
        answer = seen(http, case, filled, BEFORE, **asked)
        if what == "export/hash":  # of whole documents
            assert answer.status_code == 400 and "shows a part of novel.txt" in answer.text
        elif what == "items/read/estimate":  # no LLM answers here
            assert answer.status_code == 400 and "LLM" in answer.json()["error"]["cause"]
        elif any(one["name"] == "view" for one in methods["get"]["parameters"]):
            obey.add(what)
            assert answer.status_code == 200, (what, answer.text)
            assert not any(word in answer.text for word in HIDDEN), (what, answer.text)
            whole = seen(http, case, filled.replace(man, whole_man), **asked)
            assert whole.status_code == 200, (what, whole.text)
        else:
            refuse.add(what)
            assert answer.status_code == 400 and "view" in answer.json()["error"]["cause"], (what, answer.text)
    assert {"entities", "entities/{entity_id}", "graph", "timeline", "suggestions", "find", "facts", "stats"} <= obey
    assert {"corrections", "gaps"} <= refuse and {"export", "outline", "forms", "contradictions"} <= obey
    everything = seen(http, case, f"entities/{whole_man}").text + seen(http, case, "find", text="Edmund Carfax").text
    assert all(word in everything + seen(http, case, "facts").text for word in HIDDEN)


def test_what_is_seen_is_counted_as_it_is_seen(http: httpx.Client, case: str) -> None:
    whole, before = (seen(http, case, "stats", view).json()["stats"] for view in ("", BEFORE))
    assert before["chunks"] < whole["chunks"] and before["facts"] < whole["facts"]
    novel, *_ = (
        row for row in seen(http, case, "documents", BEFORE).json()["documents"] if row["source"] == "novel.txt"
    )
    shown = seen(http, case, f"documents/{novel['id']}", BEFORE).json()
    assert [place["until"] for place in shown["places"]] == ["chapter 1"]
    text = seen(http, case, f"documents/{novel['id']}/text", BEFORE).json()
    assert text["chunks"] == len(text["pieces"]) == novel["chunks"]
    hidden = seen(http, case, f"documents/{novel['id']}/text").json()["pieces"][-1]["id"]
    assert seen(http, case, f"documents/{novel['id']}/text", BEFORE, chunk=hidden).status_code == 404
    dated = {"as_of": "1912-04-01", "undated": "out"}
    assert [row["source"] for row in seen(http, case, "documents", dated).json()["documents"]] == ["letter.txt"]


def test_a_part_of_a_book_is_a_scope(http: httpx.Client, case: str) -> None:
    """What is before it is not there either, and no other document."""
    second = {"within": ["novel.txt:chapter 2"]}
    facts = seen(http, case, "facts", second).json()
    assert [(row["subject"], row["predicate"]) for row in facts["facts"]] != []
    assert not any(word in json.dumps(facts) for word in ("Dover", "Sophie", "Claw")) and "forged" in json.dumps(facts)
    answer = ask(http, case, "Who is the man in black?", **second)
    assert "Carfax" in json.dumps(answer) and "Dover" not in json.dumps(answer)
    whole = seen(http, case, "stats").json()["stats"]["facts"]
    both = seen(http, case, "stats", {"within": ["novel.txt:chapter 1-2", "letter.txt", "report.txt"]}).json()
    assert both["stats"]["facts"] == whole
    (novel,) = seen(http, case, "documents", second).json()["documents"]
    assert novel["source"] == "novel.txt"
    shown = seen(http, case, f"documents/{novel['id']}", second).json()
    assert [place["label"] for place in shown["places"]] == ["2"]
    pieces = seen(http, case, f"documents/{novel['id']}/text", second).json()["pieces"]
    assert [piece["index"] for piece in pieces] == list(range(novel["chunks"])) and pieces[0]["start"] > 0
    place = shown["places"][0]
    share = {"within": [f"novel.txt:{place['begin']}-{place['end']} %"]}
    assert seen(http, case, "facts", share).json() == facts


def test_the_network_of_a_chapter_is_exported(http: httpx.Client, case: str) -> None:
    second = {"within": ["novel.txt:chapter 2"]}
    graph = networkx.read_graphml(io.BytesIO(seen(http, case, "export", second, format="graphml").content))
    names = {name for _, name in graph.nodes(data="name")}
    assert names == {"The man in black", "Edmund Carfax", "Delmas will"}
    assert {said for _, _, said in graph.edges(data="predicate")} >= {"forged"}
    table = zipfile.ZipFile(io.BytesIO(seen(http, case, "export", second, format="csv").content))
    facts = table.read("facts.csv").decode("utf-8-sig")
    assert "forged" in facts and "chapter 2" in facts and "Dover" not in facts
    everything = {"within": list(TEXTS)}  # all that there is, read in memory
    for form in ("graphml", "csv"):
        whole, seen_whole = (seen(http, case, "export", view, format=form).content for view in ("", everything))
        if form == "graphml":
            assert whole == seen_whole
        else:
            one, two = (zipfile.ZipFile(io.BytesIO(content)) for content in (whole, seen_whole))
            assert [one.read(name) for name in one.namelist()] == [two.read(name) for name in two.namelist()]
    for what in ("export", "export/hash"):
        refused = seen(http, case, what, second)
        assert refused.status_code == 400 and "shows a part of novel.txt" in refused.json()["error"]["cause"]
        assert "graphml" in refused.json()["error"]["cure"]


def test_a_view_is_exported_as_a_workspace_that_read_no_more(
    http: httpx.Client, case: str, workspace_pool: WorkspacePool
) -> None:
    """Byte by byte, whatever else the workspace keeps; and it becomes one by import."""
    letters = {source: text for source, text in TEXTS.items() if source != "novel.txt"}
    assert http.put(f"{case}/views/letters", json={"sources": list(letters)}).status_code == 200
    exported = seen(http, case, "export", {"named": "letters"})
    assert exported.status_code == 200, exported.text
    sha256 = exported.headers["etag"].strip('"')
    assert seen(http, case, "export/hash", {"without": ["novel.txt"]}).json()["sha256"] == sha256
    assert seen(http, case, "export/hash").json()["sha256"] != sha256
    assert not any(word in exported.text for word in (*HIDDEN, "novel.txt", "views"))
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        triples = "\n".join(json.dumps({"source": source, "triples": TRIPLES[source]}) for source in letters)
        files: Any = [("files", (source, text.encode())) for source, text in letters.items()]
        sources = [{"name": source, "metadata": {"date": DATES[source]}} for source in letters]
        data = {"sources": json.dumps(sources)}
        sent = http.post(f"{address}/ingest", files=[*files, ("triples", ("t", triples.encode()))], data=data)
        assert sent.status_code == 200, sent.text
        assert http.get(f"{address}/export").content == exported.content
    with workspace_pool.unused() as copy:
        sent = http.post(f"/v1/workspaces/{copy}/import", files={"file": ("letters.jsonl", exported.content)})
        imported = json.loads(sent.text.splitlines()[-1])["imported"]
        assert (imported["documents"], imported["same"], imported["sha256"]) == (2, True, sha256)
    fact = next(row["id"] for row in seen(http, case, "facts").json()["facts"] if row["predicate"] == "wears")
    assert seen(http, case, "export", {"without_facts": [fact]}).status_code == 400
    assert http.delete(f"{case}/views/letters").status_code == 200


@pytest.mark.parametrize(
    ("view", "status", "said"),
    [
        ("{", 400, "Write it like"),
        ('{"till": ["novel.txt:chapter 1"]}', 400, "Write it like"),
        ('{"until": ["novel.txt:chapter 7"]}', 404, "chapter"),
        ('{"as_of": "1900", "undated": "out"}', 400, "Widen"),
    ],
)
def test_a_read_in_no_view_says_why(http: httpx.Client, case: str, view: str, status: int, said: str) -> None:
    answer = seen(http, case, "entities", view)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["error"]["cure"]


def test_suggestions_are_of_what_is_seen(http: httpx.Client, case: str) -> None:
    whole = seen(http, case, "suggestions").json()["questions"]
    assert whole
    alone = seen(http, case, "suggestions", {"sources": ["letter.txt"]}).json()["questions"]
    assert not any("Claw" in question for question in alone)


def test_a_view_has_a_name_is_asked_by_it_and_goes(http: httpx.Client, case: str) -> None:
    kept = http.put(f"{case}/views/before", json=BEFORE)
    assert kept.status_code == 200, kept.text
    assert kept.json()["view"]["until"] == BEFORE["until"] and 0 < kept.json()["facts"] < 8
    listed = http.get(f"{case}/views").json()
    assert [row["name"] for row in listed["views"]] == ["before"]
    assert 0 < listed["views"][0]["memory_bytes"] < listed["memory_limit_bytes"]
    named = {"named": "before"}
    assert seen(http, case, "facts", named).json() == seen(http, case, "facts", BEFORE).json()
    assert "Carfax" not in json.dumps(ask(http, case, "Who is the man in black?", **named))
    for view, status, said in (
        ({"named": "after"}, 404, "Use one of: before."),
        ({"named": "before", "as_of": "1912"}, 400, "Leave out the name"),
    ):
        answer = seen(http, case, "facts", view)
        assert answer.status_code == status and said in answer.json()["error"]["cure"], answer.text
    assert http.put(f"{case}/views/before", json={}).status_code == 400
    assert http.put(f"{case}/views/before", json={"until": ["novel.txt:chapter 9"]}).status_code == 404
    assert http.put(f"{case}/views/before", json={"without": ["report.txt"]}).status_code == 200  # in its stead
    assert ask(http, case, WARY, **named)["difference"]["changed"]
    assert http.delete(f"{case}/views/before").json() == {"deleted": "before"}
    gone = http.delete(f"{case}/views/before")
    assert gone.status_code == 404 and "There is none" in gone.json()["error"]["cure"]


def test_two_views_are_compared(http: httpx.Client, case: str) -> None:
    for name, view in (("first", BEFORE), ("letters", {"sources": ["letter.txt"]})):
        assert http.put(f"{case}/views/{name}", json=view).status_code == 200
    try:
        whole = http.get(f"{case}/views/diff", params={"before": "first"}).json()
        assert {row["predicate"] for row in whole["facts_came"]} == {"is", "forged"} and not whole["facts_gone"]
        assert all(row["source"] == "novel.txt" and row["sentence"] for row in whole["facts_came"])
        back = http.get(f"{case}/views/diff", params={"after": "first", "count": 1}).json()
        assert (back["entities_gone"], back["totals"]) == (
            whole["entities_came"][:1],
            whole["totals"]
            | {"entities_gone": whole["totals"]["entities_came"], "entities_came": 0}
            | {"facts_gone": whole["totals"]["facts_came"], "facts_came": 0}
            | {"joined": whole["totals"]["parted"], "parted": whole["totals"]["joined"]},
        )
        same = http.get(f"{case}/views/diff", params={"before": "first", "after": "first"}).json()
        assert not any(same["totals"].values())
        letters = http.get(f"{case}/views/diff", params={"before": "letters"}).json()
        assert "The Claw" in letters["entities_came"] and not letters["entities_gone"]
        unknown = http.get(f"{case}/views/diff", params={"before": "nothing"})
        assert unknown.status_code == 404 and "first, letters" in unknown.json()["error"]["cure"]
    finally:
        for name in ("first", "letters"):
            http.delete(f"{case}/views/{name}")


def test_names_that_a_person_joins_are_joined_from_one_view_to_the_other(http: httpx.Client, case: str) -> None:
    same = {"kind": "same", "about": "Sophie", "other": "The Claw"}
    merged = http.post(f"{case}/corrections", json={"corrections": [same]})
    decision = merged.json()["corrections"][0]["id"]
    try:
        http.put(f"{case}/views/apart", json={"without_decisions": [decision]})
        found = http.get(f"{case}/views/diff", params={"before": "apart"}).json()
        assert [sorted(row["others"]) for row in found["joined"]] == [["Sophie", "The Claw"]]
        assert found["totals"] | {"joined": 0} == dict.fromkeys(found["totals"], 0)
    finally:
        http.delete(f"{case}/views/apart")
        http.delete(f"{case}/corrections/{decision}")


def test_two_views_are_compared_by_the_questions_that_were_asked(http: httpx.Client, case: str) -> None:
    """Also before and after a decision, without a name for the view before it."""

    def answers(**asked: Any) -> dict[str, Any]:
        views = {name: json.dumps(view) if isinstance(view, dict) else view for name, view in asked.items()}
        compared = http.get(f"{case}/views/diff", params=views).json()
        return {row["question"]: row for row in compared["answers"]}

    ask(http, case, WARY)
    ask(http, case, "Whom does Sophie love?")
    row = answers(after={"without": ["report.txt"]})[WARY]
    assert row["changed"] and "The Claw" in row["path_before"] and "The Claw" not in row["path_after"]
    assert row["breaks"] and {broken["why"] for broken in row["breaks"]} == {"unsaid"}
    assert not any(row["changed"] for row in answers().values())
    same = {"kind": "same", "about": "Sophie", "other": "The Claw"}
    decision = http.post(f"{case}/corrections", json={"corrections": [same]}).json()["corrections"][0]["id"]
    try:
        assert len(answers(before={"without_decisions": [decision]}, questions="1")) == 1
        found = http.get(f"{case}/views/diff", params={"before": json.dumps({"without_decisions": [decision]})}).json()
        assert [sorted(row["others"]) for row in found["joined"]] == [["Sophie", "The Claw"]]
    finally:
        http.delete(f"{case}/corrections/{decision}")
    wrong = http.get(f"{case}/views/diff", params={"after": '{"until": 3}'})
    assert wrong.status_code == 400 and "after" in wrong.json()["error"]["cause"]


def naming(http: httpx.Client, case: str, *names: str, view: dict[str, Any] | str = "", **asked: Any) -> dict[str, Any]:
    found: dict[str, Any] = seen(http, case, "passages", view, name=list(names), **asked).json()
    return found


def test_passages_that_name_both(http: httpx.Client, case: str) -> None:
    both = naming(http, case, "Sophie", "Jules Delmas")
    assert (both["total"], both["documents"]) == (1, 1)
    assert [said["text"] for said in both["passages"][0]["sentences"]] == ["Sophie loves Jules Delmas."]
    assert both["passages"][0]["date"] == "1912-03-03" and both["names"][0]["entities"][0]["name"] == "Sophie"
    spread = naming(http, case, "Dover", "Edmund Carfax", within="document")
    assert spread["documents"] == 1 and spread["total"] > naming(http, case, "Dover", "Edmund Carfax")["total"]
    assert naming(http, case, "Sophie", text="saw the man")["total"] == 1
    assert naming(http, case, "Sophie", where=["date>=1912-03-01"])["documents"] == 1
    second = {"within": ["novel.txt:chapter 2"]}
    hidden = seen(http, case, "passages", second, name=["Dover", "Edmund Carfax"])
    assert hidden.status_code == 404 and "Dover" in hidden.json()["error"]["cause"]
    for names in (["Sophie"], ["Sophie", "Jules Delmas"], ["man in black"]):
        for within in ("passage", "document"):  # a view of all reads what the workspace reads
            everything = {"within": list(TEXTS)}
            whole, part = (naming(http, case, *names, view=view, within=within) for view in ("", everything))
            assert whole["passages"] == part["passages"] and whole["total"] == part["total"] > 0
    one = seen(http, case, "passages", name=["Sophie", "sophie"])
    assert one.status_code == 400 and "one entity" in one.json()["error"]["cause"]


def test_passages_by_type_and_predicate(http: httpx.Client, case: str) -> None:
    def found(view: dict[str, Any] | str = "", **asked: Any) -> list[tuple[str, list[str]]]:
        answer = seen(http, case, "passages", view, **asked)
        assert answer.status_code == 200, answer.text
        rows = answer.json()["passages"]
        return [(row["source"], [one["text"] for one in row["sentences"]]) for row in rows]

    loves = ("letter.txt", ["Sophie loves Jules Delmas."])
    assert found(predicate="loves") == found(predicate="loves", name="Sophie") == [loves]
    assert found(predicate="loves", name="The Claw") == []
    assert found(predicate="forged")[0][1] == ["Edmund Carfax forged the Delmas will."]
    hidden = seen(http, case, "passages", BEFORE, predicate="forged")
    assert hidden.status_code == 404 and "forged" in hidden.json()["error"]["cause"]
    types = [row["type"] for row in http.get(f"{case}/types").json()["types"] if row["type"]]
    assert types, "the case has typed names"
    of_type = found(type=types[0].upper())
    assert of_type and of_type == found(type=types[0])
    assert {source for source, _ in found({"sources": ["letter.txt"]}, type=types[0])} <= {"letter.txt"}
    unknown = seen(http, case, "passages", type="Ship")
    assert unknown.status_code == 404 and types[0] in unknown.json()["error"]["cure"]
    assert seen(http, case, "passages").status_code == 400


def test_names_are_compared(http: httpx.Client, case: str) -> None:
    found = seen(http, case, "comparison", name=["Sophie", "Edmund Carfax"]).json()
    assert [one["name"] for one in found["entities"]] == ["Sophie", "Edmund Carfax"]
    assert found["entities"][0]["first"][0]["sentence"].startswith("Sophie") and found["entities"][0]["places"] > 1
    said = {row["predicate"]: row["facts"] for row in found["relations"]}
    assert [[fact["object"] for fact in side] for side in said["loves"]] == [["Jules Delmas"], []]
    assert said["forged"][0] == [] and len(said["forged"][1]) == 1
    assert "The man in black" in [row["name"] for row in found["shared"]]
    assert [pair["passages"] for pair in found["pairs"]] == [0]
    two = seen(http, case, "comparison", name=["Sophie", "Jules Delmas"]).json()
    (pair,) = two["pairs"]
    assert [fact["predicate"] for fact in pair["between"]] == ["loves"] and pair["passages"] == 1
    assert "loves" not in {row["predicate"] for row in two["relations"]}

    names = ["Sophie", "Jules Delmas", "The Claw", "Edmund Carfax"]
    four = seen(http, case, "comparison", name=names).json()
    assert [one["name"] for one in four["entities"]] == names and len(four["pairs"]) == 6
    assert {len(row["facts"]) for row in (*four["relations"], *four["shared"])} == {4}
    black = next(row for row in four["shared"] if row["name"] == "The man in black")
    assert [[fact["predicate"] for fact in side] for side in black["facts"]] == [["sees"], [], [], ["is"]]
    assert "loves" not in {row["predicate"] for row in four["relations"]}, "it is of two that are compared"
    assert seen(http, case, "comparison", name=[*names, "Dover"]).status_code == 422
    everything = seen(http, case, "comparison", {"within": list(TEXTS)}, name=["Sophie", "Edmund Carfax"]).json()
    assert everything == found
    for names, status in ((["Sophie", "sophie"], 400), (["Sophie", "Nobody Atall"], 404), (["Sophie"], 422)):
        assert seen(http, case, "comparison", name=names).status_code == status


def test_lists_are_made_of_what_is_visible(http: httpx.Client, case: str) -> None:
    found = seen(http, case, "items", text="all that is said of the signet ring").json()
    assert {row["source"] for row in found["items"]} >= {"letter.txt", "report.txt"}
    assert found["passages"] == found["of_passages"] and found["understood"]["unit"] == ""
    part = seen(http, case, "items", {"within": ["letter.txt"]}, text="all that is said of the signet ring").json()
    assert [row["sentence"] for row in part["items"]] == ["Jules Delmas wears a signet ring."]
    none = seen(http, case, "items", text="payments over 100 pounds").json()
    assert none["total"] == 0 and (none["understood"]["least"], none["understood"]["unit"]) == (100, "GBP")
    assert seen(http, case, "items", text="").status_code == 422

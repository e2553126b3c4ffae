"""Forms over REST and by the command, on the real Neo4j and an LLM server: filled by jobs, corrected, exported."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import httpx
import pytest

from filigraph import Filigraph
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.jobs import coordinator
from filigraph.app.service.service import Service
from filigraph.graph.errors import InputError
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters import http as llm_http
from filigraph.graph.models.llm import LLMSettings
from tests.api.real import WordRuntime
from tests.api.serving import serving
from tests.cli.conftest import Run, run  # noqa: F401 - a fixture
from tests.patience import PATIENCE
from tests.unit.graph.llm_stub import Fail, Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

FORM = """
title: {en: "The ring =1", fr: "La bague"}
fields:
  - {id: owner, question: {en: "Who wears the ring", fr: "Qui porte la bague"}, type: entity, required: true}
  - {id: price, question: What did the ring cost, type: number}
  - {id: "when", question: When was it found, type: date}
"""
DOCUMENTS = {"letter.txt": b"Jules Delmas wears the ring.", "note.txt": b"=Paul Weber* found the ring on 4 May 1912."}
FACTS = {
    "letter.txt": [("Jules Delmas", "wears", "ring")],
    "note.txt": [("=Paul Weber", "found", "ring"), ("ring", "was found on", "4 May 1912")],
}


def reply(**values: str) -> Say:
    rows = [{"id": id_, "values": [value], "evidence": [1, 2], "note": ""} for id_, value in values.items()]
    return Say(pieces=[json.dumps({"fields": rows})], tokens=(900, 60))


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator, "BUSY", 0.05)
    monkeypatch.setattr(coordinator, "IDLE", 0.05)
    monkeypatch.setattr(llm_http, "LLMSettings", lambda: LLMSettings(attempts=1))


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [reply(owner="Jules Delmas", price="900 francs", when="1912-05-04")]
        yield running


@pytest.fixture
def url(neo4j_address: Neo4jAddress, stub: Stub) -> Iterator[str]:
    settings = {"FILIGRAPH_LLM_URL": f"{stub.url}/v1", "FILIGRAPH_LLM": "m", "FILIGRAPH_LLM_PRICE_IN": 2.0}
    with serving(Service(WordRuntime(neo4j_address, **settings))) as url:
        yield url


@pytest.fixture
def name(url: str, workspace_pool: WorkspacePool) -> Iterator[str]:
    facts = "\n".join(json.dumps({"source": name, "triples": rows}) for name, rows in FACTS.items())
    files = [("files", (name, text)) for name, text in DOCUMENTS.items()]
    sent = [*files, ("triples", ("triples.jsonl", facts.encode()))]
    with workspace_pool.one() as made:
        ingested = httpx.post(f"{url}/v1/workspaces/{made}/ingest", files=sent, timeout=PATIENCE)
        assert '"report"' in ingested.text, ingested.text
        yield made


def states(form: Any) -> dict[str, str]:
    return {one.id: one.state for one in form.fields}


@pytest.mark.essential
def test_a_form_is_filled_by_a_job_corrected_and_exported(url: str, name: str) -> None:
    with Filigraph(url) as filigraph:
        forms = filigraph.workspace(name).forms
        assert [row.name for row in forms.list()] == ["case-sheet", "character-sheet"]
        kept = forms.set("ring", FORM)
        assert (kept.title, kept.fields, kept.ready) == ("The ring =1", 3, False)
        assert forms.show("ring", language="fr").title == "La bague"
        expected = forms.estimate("ring")
        assert (expected.writer, expected.usage.calls) == ("llm:m", 1) and expected.cost
        job = filigraph.jobs.wait(forms.fill("ring").id)
        assert (job.kind, job.state, job.items, job.failed) == ("fill", "done", 1, 0)
        assert job.progress and job.progress.usage == Usage(calls=1, tokens_in=900, tokens_out=60)
        found = forms.show("ring")
        assert states(found) == {"owner": "found", "price": "not_found", "when": "found"}
        owner = found.fields[0]
        assert (owner.values, owner.evidence[0].text) == (["Jules Delmas"], "Jules Delmas wears the ring.")
        assert [entity.name for entity in owner.evidence[0].entities] == ["Jules Delmas"]
        assert forms.estimate("ring").kept == 3

        corrected = forms.correct("ring", "price", ["=1+1"])
        assert (states(corrected)["price"], corrected.fields[1].values) == ("corrected", ["=1+1"])
        table = {row["id"]: row for row in csv.DictReader(io.StringIO(forms.export("ring", "csv").decode()))}
        assert (table["price"]["value"], table["when"]["normalized"]) == ("'=1+1", "1912-05-04")
        assert table["owner"]["sources"].endswith("Jules Delmas wears the ring.")
        assert json.loads(forms.export("ring", "json"))["fields"][0]["evidence"][0]["source"] == "letter.txt"
        markdown = forms.export("ring", "markdown").decode()
        assert "Jules Delmas[^1]" in markdown and "[^2]: " in markdown and "\\*" in markdown
        opened = docx.Document(io.BytesIO(forms.export("ring", "docx")))
        assert opened.paragraphs[0].text == "The ring =1" and opened.paragraphs[0].style.name == "Title"
        assert [p.text for p in opened.paragraphs if "Jules" in p.text] == ["Jules Delmas"]
        notes = next(part for part in opened.part.package.iter_parts() if part.partname == "/word/footnotes.xml")
        assert "Jules Delmas wears the ring." in notes.blob.decode()

        by_hand = forms.correct("ring", "owner", ["Sophie"]).fields[0]
        assert (by_hand.original, by_hand.evidence) == (["Jules Delmas"], [])  # that sentence says something else
        assert len(forms.correct("ring", "owner", ["jules"]).fields[0].evidence) == 1
        forms.undo("ring", "owner")

        assert states(forms.undo("ring", "price"))["price"] == "not_found"
        forms.remove("ring")
        assert [row.name for row in forms.list()] == ["case-sheet", "character-sheet"]


def test_a_view_has_the_values_that_rest_on_nothing_hidden(url: str, name: str) -> None:
    with Filigraph(url) as filigraph:
        case = filigraph.workspace(name)
        case.forms.set("ring", FORM)
        filigraph.jobs.wait(case.forms.fill("ring").id)
        case.forms.correct("ring", "price", ["9 francs"])
        whole = case.forms.show("ring")
        note, letter = (case.seen(sources=[source]).forms for source in ("note.txt", "letter.txt"))
        assert states(note.show("ring")) == {"owner": "open", "price": "open", "when": "found"}
        assert states(letter.show("ring")) == {"owner": "found", "price": "open", "when": "open"}
        owner = letter.show("ring").fields[0]
        assert (owner.values, owner.evidence) == (whole.fields[0].values, whole.fields[0].evidence)
        case.forms.correct("ring", "owner", ["jules"])
        assert states(letter.show("ring"))["owner"] == "corrected" and states(note.show("ring"))["owner"] == "open"
        assert letter.show("ring").fields[0].original == []
        assert "Jules" not in note.export("ring", "markdown").decode()
        assert [fill.states for row in note.list() if row.name == "ring" for fill in row.fills] == [["found"]]
        only = case.seen(without=["note.txt", "letter.txt"])
        with pytest.raises(InputError):
            only.forms.show("ring")


def test_fields_that_could_not_be_asked_have_failed_and_a_retry_asks_them(url: str, name: str, stub: Stub) -> None:
    answers, stub.replies = stub.replies, [Fail(status=400, body="no")]
    with Filigraph(url) as filigraph:
        forms = filigraph.workspace(name).forms
        forms.set("ring", FORM)
        job = filigraph.jobs.wait(forms.fill("ring").id)
        assert (job.state, job.failed) == ("failed", 1)
        assert "owner" in filigraph.jobs.items(job.id, state="failed").items[0].name
        stub.replies = answers
        filigraph.jobs.retry(job.id)
        assert filigraph.jobs.wait(job.id).state == "done"
        assert states(forms.show("ring"))["owner"] == "found"


def test_without_an_llm_there_are_proposals(url: str, name: str, stub: Stub) -> None:
    with Filigraph(url) as filigraph:
        forms = filigraph.workspace(name).forms
        forms.set("ring", FORM)
        asked = len(stub.requests)
        assert filigraph.jobs.wait(forms.fill("ring", writer="facts").id).state == "done"
        assert states(forms.show("ring"))["when"] == "proposed" and len(stub.requests) == asked
        filled = filigraph.jobs.wait(forms.fill("character-sheet", about="Jules Delmas", writer="facts").id)
        assert filled.state == "done"
        assert [fill.about for fill in forms.list()[1].fills] == ["Jules Delmas"]


def test_what_cannot_be_asked(url: str, name: str) -> None:
    with httpx.Client(base_url=f"{url}/v1/workspaces", timeout=PATIENCE) as http:

        def code(method: str, path: str, **request: Any) -> tuple[int, str]:
            response = http.request(method, path, **request)
            return response.status_code, response.json()["error"]["code"]

        assert code("GET", f"/{name}/forms/none") == (404, "not_found")
        assert code("GET", "/nowhere/forms") == (404, "not_found")
        assert code("POST", f"/{name}/forms/character-sheet/fill", json={}) == (400, "bad_input")
        assert code("GET", f"/{name}/forms/case-sheet", params={"about": "Jules"}) == (400, "bad_input")
        assert code("PUT", f"/{name}/forms/x", json={"form": "fields: 3"}) == (400, "bad_input")
        assert code("PUT", f"/{name}/forms/case-sheet/fields/none", json={"values": []}) == (404, "not_found")
        assert code("PUT", f"/{name}/forms/case-sheet/fields/date", json={"values": ["a", "b"]}) == (400, "bad_input")
        assert http.get(f"/{name}/forms/a b").status_code == 422


def test_the_command(url: str, name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setenv("FILIGRAPH_URL", url)
    (tmp_path / "ring.yaml").write_text(FORM)
    assert "3 fields" in run("form", "set", "ring", str(tmp_path / "ring.yaml"), "-w", name).out
    assert "1 call of the LLM" in run("form", "fill", "ring", "-w", name, "--estimate").out
    filled = run("form", "fill", "ring", "-w", name)
    assert filled.code == 0 and "2 of 3 fields filled" in filled.out and "Jules Delmas wears the ring." in filled.out
    assert "corrected" in run("form", "correct", "ring", "price", "9 francs", "-w", name, "--json").out
    assert "2 found" in run("form", "list", "-w", name).out
    assert "not found" in run("form", "correct", "ring", "price", "--undo", "-w", name).out
    assert "900" not in run("form", "show", "ring", "-w", name).out.replace("900 francs", "")
    exported = tmp_path / "ring.docx"
    assert run("form", "export", "ring", "-w", name, "--format", "docx", "-o", str(exported)).code == 0
    assert exported.read_bytes()[:2] == b"PK"
    (tmp_path / "bad.yaml").write_text("fields: [{id: a, question: b, type: datum}]")
    refused = run("form", "set", "bad", str(tmp_path / "bad.yaml"), "-w", name)
    assert refused.code == 1 and "field 1 (a), type" in refused.err
    assert run("form", "show", "bad", "-w", name).code == 1
    assert run("form", "remove", "ring", "-w", name).code == 0

"""The examples of `/docs`: a session with a real server over the demo's case file, kept as `app/http/examples.json`.

    FILIGRAPH_HOME=$(mktemp -d) python -m bench.examples

Long lists and texts are cut. `tests/api/http/test_openapi.py` checks the recording against the description; an
operation without an example is printed here and fails there.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx

from filigraph.app.cli.terminal.session import connected
from filigraph.app.http.stream import NDJSON
from filigraph.graph.transfer import docx

SAMPLES = Path(__file__).parent.parent / "app" / "http" / "examples.json"
ITEMS, CHARACTERS = 2, 240  # of a list, a text
WORKSPACE = "case"
W = "/v1/workspaces/{workspace}"
PORTRAIT = """fields:
  - {id: wears, question: "Que porte {about} ?", type: text}
  - {id: town, question: "Où habite {about} ?", type: entity}
"""
JOB = {"priority": 0, "created": "2026-11-25T11:23:10.504247Z", "started": None, "finished": None, "items": 1}
JOB |= {"names": [], "failed": 0, "attempts": 0, "cancelling": False, "progress": None, "report": None, "error": None}
FOLDER = {
    "id": "5b0c8f0a4d0e4b43a1b7c39d1f2e6a77",
    "path": "/srv/mail/Maildir",
    "extractor": "auto",
    "added": "2026-11-29T14:05:12Z",
    "by": "anna",
    "looked": "2026-11-29T14:20:02.120398Z",
    "sent": 12,
    "job": "0d1c4a7a2b8e4f51a0f6f8a7c1d2e3f4",
    "gone": ["/srv/mail/Maildir/cur/1732870000.eml"],
    "problem": "",
    "skipped": [],
}
# What this machine cannot answer: it watches no folder, has no cross-encoder loaded, and no LLM answers.
BY_HAND: dict[str, dict[str, Any]] = {
    f"GET {W}/folders": {"response": {"folders": [FOLDER]}},
    f"POST {W}/folders": {
        "request": {"path": "/srv/mail/Maildir"},
        "response": FOLDER | {"looked": None, "sent": 0, "job": "", "gone": []},
    },
    f"DELETE {W}/folders/{{folder_id}}": {"response": {"folders": []}},
    f"GET {W}/contradictions/read/estimate": {
        "response": {
            "model": "mistral",
            "passages": 5,
            "of_passages": 5,
            "kept": 0,
            "left": 0,
            "usage": {"calls": 2, "tokens_in": 7964, "tokens_out": 2400},
            "cost": None,
        }
    },
    f"POST {W}/contradictions/read": {
        "request": {"budget": 10},
        "response": {
            "id": "5b0c8f0a4d0e4b43a1b7c39d1f2e6a77",
            "workspace": "case",
            "kind": "contradictions",
            "state": "queued",
            "llm": "mistral",
            **JOB,
        },
    },
    f"GET {W}/items/read/estimate": {
        "response": {
            "model": "mistral",
            "passages": 48,
            "of_passages": 48,
            "kept": 0,
            "left": 0,
            "usage": {"calls": 2, "tokens_in": 9480, "tokens_out": 3200},
            "cost": None,
        },
    },
    f"POST {W}/items/read": {
        "request": {"text": "payments over 100 pounds", "budget": 10},
        "response": {
            "id": "8e1f4a7b2c5d4e60b3a9d7c2f1e0a4b8",
            "workspace": "case",
            "kind": "lists",
            "state": "queued",
            "llm": "mistral",
            **JOB,
            "names": ["payments over 100 pounds"],
        },
    },
    f"POST {W}/ask/{{trace_id}}/cancel": {"response": None},
    "POST /v1/rerank": {
        "request": {"query": "Qui porte la chevalière ?", "documents": ["Jules porte une chevalière.", "Il pleut."]},
        "response": {"model": "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1", "scores": [0.97, 0.02]},
    },
}
SECRET = re.compile(r"fgk_[\w-]{43}")


class Recorder:
    """Sends requests, and records them with their answers."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.kept: dict[str, dict[str, Any]] = dict(BY_HAND)

    def ask(self, method: str, template: str, **request: Any) -> Any:
        """Ask an address; names in braces are taken from `at`. Returns the answer: JSON, or text."""
        names = {"workspace": WORKSPACE, **request.pop("at", {})}
        answer = self.http.request(method, template.format(**names), timeout=300, **request)
        if answer.status_code >= 400:
            sys.exit(f"{method} {template}: {answer.status_code} {answer.text}")
        kind = answer.headers.get("content-type", "").partition(";")[0]
        example: dict[str, Any] = {}
        if "json" in request:
            example["request"] = shortened(request["json"])
        if kind == "application/json":
            example["response"] = shortened(answer.json())
        elif kind == NDJSON:
            events = [shortened(json.loads(line)) for line in answer.text.splitlines()[-ITEMS:]]
            example["response"] = "\n".join(json.dumps(event, ensure_ascii=False) for event in events)
        elif kind == docx.MEDIA_TYPE:
            example["response"] = f"{len(answer.content):,} bytes"
        else:
            example["response"] = shortened(answer.text)
        self.kept.setdefault(f"{method} {template}", example)
        return answer.json() if kind == "application/json" else answer.text


def shortened(value: Any) -> Any:
    """The same, with long lists and texts cut, and secrets replaced."""
    if isinstance(value, str):
        text = SECRET.sub("fgk_" + "x" * 43, value)
        return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"
    if isinstance(value, list):
        return [shortened(item) for item in value[:ITEMS]]
    if isinstance(value, Mapping):
        return {key: shortened(item) for key, item in value.items()}
    return value


def case_files() -> list[tuple[str, tuple[str, bytes]]]:
    """The demo's documents, as an upload has them."""
    folder = files("filigraph.app").joinpath("demo", "case")
    return [("files", (file.name, file.read_bytes())) for file in sorted(folder.iterdir(), key=lambda file: file.name)]


def record(http: httpx.Client) -> dict[str, dict[str, Any]]:
    """Ask every operation once, in an order in which each finds what it needs."""
    recorder = Recorder(http)
    ask = recorder.ask
    for path in ("/v1/health", "/v1/health/live", "/v1/health/ready", "/v1/doctor", "/v1/models", "/v1/session"):
        ask("GET", path)
    ask("PUT", W)
    ask("POST", f"{W}/estimate", files=case_files())
    ask("POST", f"{W}/ingest", files=case_files())
    _ask_questions(ask)
    _look_at_documents(ask)
    jules, sophie = _look_at_entities(ask)
    _decide(ask, jules, sophie)
    _run_jobs(ask)
    _fill_forms(ask)
    _manage(ask)
    _use_keys(ask, http.headers)
    return dict(sorted(recorder.kept.items()))


def _ask_questions(ask: Any) -> None:
    question = {"question": "Pourquoi se méfier de Jules ?", "keep": 3}
    answer = ask("POST", f"{W}/ask", json=question)
    ask("POST", f"{W}/retrieve", json=question)
    ask("GET", f"{W}/traces")
    ask("GET", f"{W}/traces/{{trace_id}}", at={"trace_id": answer["trace"]["id"]})
    ask("GET", f"{W}/traces/{{trace_id}}/answer", at={"trace_id": answer["trace"]["id"]})
    ask("GET", f"{W}/traces/{{trace_id}}/report", at={"trace_id": answer["trace"]["id"]})
    ask("GET", f"{W}/traces/{{trace_id}}/dependency", at={"trace_id": answer["trace"]["id"]})
    receipt = ask("GET", f"{W}/traces/{{trace_id}}/receipt", at={"trace_id": answer["trace"]["id"]})
    ask("POST", f"{W}/receipts/verify", json=receipt)
    fact = next(hop["fact_id"] for path in answer["paths"] for hop in path["hops"] if hop["fact_id"])
    ask("GET", f"{W}/dependency", params={"fact": fact})
    path_params = {"thread_id": answer["trace"]["id"]}
    ask("GET", f"{W}/threads")
    ask("GET", f"{W}/threads/{{thread_id}}", at=path_params)
    ask("GET", f"{W}/threads/{{thread_id}}/report", at=path_params)
    ask("PUT", f"{W}/threads/{{thread_id}}", at=path_params, json={"title": "Jules"})
    ask("DELETE", f"{W}/threads/{{thread_id}}", at=path_params)
    ask("GET", f"{W}/news", params={"count": 2})
    ask("POST", f"{W}/ask/again", json={"budget": 2})
    ask("GET", f"{W}/suggestions")
    view = {"name": "without-harrow"}
    ask("PUT", f"{W}/views/{{name}}", at=view, json={"without": ["07_letter_from_inspector_harrow.txt"]})
    ask("GET", f"{W}/views")
    ask("GET", f"{W}/views/diff", params={"after": view["name"], "questions": 1})
    ask("DELETE", f"{W}/views/{{name}}", at=view)
    messages = [{"role": "user", "content": question["question"]}]
    ask("POST", "/v1/chat/completions", json={"model": f"filigraph/{WORKSPACE}", "messages": messages})
    gold = json.dumps({"question": "Que porte Jules ?", "gold": ["02_lettre_de_la_logeuse.txt"]})
    ask(
        "POST",
        f"{W}/evaluate",
        files={"questions": ("questions.jsonl", gold.encode())},
        data={"methods": ["filigraph"]},
    )
    ask("GET", f"{W}/evaluations")


def _look_at_documents(ask: Any) -> None:
    documents = ask("GET", f"{W}/documents")["documents"]
    path_params = {"document_id": documents[0]["id"]}
    ask("GET", f"{W}/documents/{{document_id}}", at=path_params)
    ask("GET", f"{W}/documents/{{document_id}}/text", at=path_params)
    ask("GET", f"{W}/documents/{{document_id}}/dependency", at=path_params)
    ask("GET", f"{W}/documents/{{document_id}}/entities", at=path_params)
    ask("GET", f"{W}/documents/{{document_id}}/find", at=path_params, params={"text": "Jules"})
    ask("GET", f"{W}/find", params={"text": "aime comme on aime"})
    _, (name, content) = case_files()[0]
    ask(
        "PUT",
        f"{W}/documents/{{document_id}}",
        at=path_params,
        files={"file": (name, content + b"\nP.-S. Sophie aime Jules.\n")},
    )
    ask("POST", f"{W}/summarize", json={"writer": "quotes"})
    ask("POST", f"{W}/summaries", json={"writer": "quotes"})
    ask("PUT", f"{W}/shares/{{profile}}", at={"profile": "synthesis"}, json={"overview": 0.7, "windows": 0.2})
    for path in ("facts", "stats", "types", "usage", "gaps", "schema", "summarize/estimate", "outline", "shares"):
        ask("GET", f"{W}/{path}")
    ask("POST", f"{W}/retry", json={"extractor": "local"})
    ask("PUT", f"{W}/schema", json={"schema": "novel", "mode": "guide"})
    ask("DELETE", f"{W}/schema")


def _look_at_entities(ask: Any) -> tuple[str, str]:
    """Returns the ids of two persons."""
    jules, claw, sophie = (
        ask("GET", f"{W}/entities", params={"name": name})["entities"][0]["id"]
        for name in ("Jules", "La Griffe", "Sophie")
    )
    path_params = {"entity_id": jules}
    for path in ("", "/names", "/neighbourhood", "/places"):
        ask("GET", f"{W}/entities/{{entity_id}}{path}", at=path_params)
    ask("GET", f"{W}/entities/{{entity_id}}/paths", at=path_params, params={"to": claw})
    ask("GET", f"{W}/entities/{{entity_id}}/between", at=path_params, params={"to": sophie})
    ask("GET", f"{W}/contradictions")
    note = ask("POST", f"{W}/notes", json={"at": {"entity": jules}, "text": "Check the date.", "tags": ["dates"]})
    ask("PUT", f"{W}/notes/{{note_id}}", at={"note_id": note["id"]}, json={"starred": True})
    ask("GET", f"{W}/notes")
    ask("DELETE", f"{W}/notes/{{note_id}}", at={"note_id": note["id"]})
    names = ["Sophie", "Jules"]
    ask("GET", f"{W}/passages", params={"name": names})
    ask("GET", f"{W}/comparison", params={"name": names})
    ask("POST", f"{W}/searches", json={"name": "Sophie and Jules", "query": {"name": names}})
    ask("GET", f"{W}/searches")
    ask("POST", f"{W}/searches/{{name}}/run", at={"name": "Sophie and Jules"}, json={"count": 10})
    ask("DELETE", f"{W}/searches/{{name}}", at={"name": "Sophie and Jules"})
    ask("GET", f"{W}/cast")
    ask("GET", f"{W}/family")
    ask("GET", f"{W}/items", params={"text": "payments over 100 pounds"})
    ask("GET", f"{W}/connections", params={"name": ["Jules", "La Griffe"]})
    for path in ("graph", "timeline"):
        ask("GET", f"{W}/{path}")
    return jules, sophie


def _decide(ask: Any, jules: str, sophie: str) -> None:
    ask("GET", f"{W}/corrections/review")
    ask("GET", f"{W}/corrections/who")
    row = {"kind": "distinct", "about": jules, "other": sophie}
    made = ask("POST", f"{W}/corrections", json={"corrections": [row]})
    ask("GET", f"{W}/corrections", params={"by": "person"})
    ask("DELETE", f"{W}/corrections/{{correction_id}}", at={"correction_id": made["corrections"][0]["id"]})
    ask("GET", f"{W}/predicates")
    ask("GET", f"{W}/predicates/suggestions")
    ask("POST", f"{W}/predicates/fold", json={"into": "porte", "forms": ["aime"]})


def _run_jobs(ask: Any) -> None:
    sent = [("files", ("13_note.txt", b"Jules quitte Lyon.")), ("files", ("broken.pdf", b"%PDF-1.7 and no more"))]
    path_params = {"job_id": ask("POST", f"{W}/jobs", files=sent)["id"]}
    ask("GET", "/v1/jobs/{job_id}/events", at=path_params)
    ask("GET", "/v1/jobs")
    ask("GET", "/v1/jobs/{job_id}", at=path_params)
    ask("GET", "/v1/jobs/{job_id}/items", at=path_params)
    ask("POST", "/v1/jobs/{job_id}/retry", at=path_params)
    ask("GET", "/v1/jobs/{job_id}/events", at=path_params)
    job = ask("POST", f"{W}/questions", files={"questions": ("questions.txt", b"Qui est Jules ?\n")})
    path_params = {"job_id": job["id"]}
    ask("GET", "/v1/jobs/{job_id}/events", at=path_params)
    ask("GET", "/v1/jobs/{job_id}/answers", at=path_params)
    many = ask("POST", f"{W}/questions", files={"questions": ("questions.txt", b"Qui est Jules ?\n" * 200)})
    path_params = {"job_id": many["id"]}
    ask("POST", "/v1/jobs/{job_id}/cancel", at=path_params)
    ask("GET", "/v1/jobs/{job_id}/events", at=path_params)
    ask("DELETE", "/v1/jobs/{job_id}", at=path_params)
    gone = ask("POST", f"{W}/deletions", json={"sources": ["13_note.txt"]})
    ask("GET", "/v1/jobs/{job_id}/events", at={"job_id": gone["id"]})


def _fill_forms(ask: Any) -> None:
    one = f"{W}/forms/{{name}}"
    path_params = {"name": "portrait"}
    ask("PUT", one, at=path_params, json={"form": PORTRAIT})
    ask("GET", f"{W}/forms")
    ask("GET", f"{one}/fill/estimate", at=path_params, params={"about": "Jules"})
    job = ask("POST", f"{one}/fill", at=path_params, json={"about": "Jules"})
    ask("GET", "/v1/jobs/{job_id}/events", at={"job_id": job["id"]})
    ask("GET", one, at=path_params, params={"about": "Jules"})
    field = {**path_params, "field": "wears"}
    ask("PUT", f"{one}/fields/{{field}}", at=field, json={"about": "Jules", "values": ["une chevalière"]})
    ask("DELETE", f"{one}/fields/{{field}}", at=field, params={"about": "Jules"})
    ask("GET", f"{one}/export", at=path_params, params={"about": "Jules", "format": "json"})
    ask("DELETE", one, at=path_params)


def _manage(ask: Any) -> None:
    ask("GET", f"{W}/export/hash")
    exported = ask("GET", f"{W}/export")
    ask("POST", f"{W}/import", at={"workspace": "copy"}, files={"file": ("case.jsonl", exported.encode())})
    ask("POST", f"{W}/reembed", at={"workspace": "copy"}, json={"embedder": "minilm"})
    ask("POST", f"{W}/move", at={"workspace": "copy"}, json={"shard": "home"})
    ask("GET", "/v1/workspaces")
    ask("GET", W)
    documents = ask("GET", f"{W}/documents")["documents"]
    ask("DELETE", f"{W}/documents/{{document_id}}", at={"document_id": documents[-1]["id"]})
    ask("DELETE", f"{W}/documents", json={"ids": [documents[-2]["id"]], "sources": []})
    ask("DELETE", W, at={"workspace": "copy"}, params={"confirm": "copy"})
    ask("POST", f"{W}/demo", at={"workspace": "demo"})
    ask("GET", "/v1/settings")
    ask("POST", "/v1/embed_late_chunk", json={"texts": ["Jules arrive à Lyon. Il porte une bague."]})
    ask("GET", "/v1/audit")
    ask("GET", "/v1/metrics")


def _use_keys(ask: Any, headers: httpx.Headers) -> None:
    """Last: once there is a key, the server asks for one."""
    made = ask("POST", "/v1/keys", json={"name": "editor", "scope": "admin"})
    headers["authorization"] = f"Bearer {made['key']}"
    ask("POST", "/v1/keys", json={"name": "reader", "scope": "read", "workspace": WORKSPACE})
    ask("GET", "/v1/keys")
    rotated = ask("POST", "/v1/keys/{name}/rotate", at={"name": "reader"})
    ask("POST", "/v1/session", json={"key": rotated["key"]})
    ask("DELETE", "/v1/session")
    ask("DELETE", "/v1/keys/{name}", at={"name": "reader"})


def without_examples(description: Mapping[str, Any], examples: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The operations without an example of their response, or of the JSON that they take."""
    missing = []
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            name = f"{method.upper()} {path}"
            example = examples.get(name, {})
            takes_json = "application/json" in operation.get("requestBody", {}).get("content", {})
            if "response" not in example or (takes_json and "request" not in example):
                missing.append(name)
    return missing


def main() -> None:
    """Record, and print the operations without an example."""
    with connected() as client, httpx.Client(base_url=client.url, trust_env=False) as http:
        examples = record(http)
        description = http.get("/openapi.json").json()
    SAMPLES.write_text(json.dumps(examples, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for operation in without_examples(description, examples):
        print(f"no example: {operation}")


if __name__ == "__main__":
    main()

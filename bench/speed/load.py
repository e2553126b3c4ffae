"""A hundred questions at once while a job of a thousand documents runs: the errors, the waiting times, and the server's
memory during the job.

    python -m bench.speed.load [--documents 1000]

On the server of this home, with a real job: passages of 2WikiMultiHopQA, read by the local extractor. The questions go
to the demo (`make demo`) and, if `bench.speed.ingest 2wiki` has run, to its 6,119 passages; all of them at once, each
over a separate connection, once without the job and once while it reads. Only retrieval runs, no LLM. A hundred other
questions come before, one after the other, because Java compiles frequent code, which takes longer than an answer. (The
demo has only three questions, so they are the same there.) A second job like the first separates the memory of models
from memory that grows with every document.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from itertools import cycle, islice
from statistics import median, quantiles
from typing import Any

import httpx
import psutil

from bench.common import data, lines, machine, save
from filigraph.app.cli.demo import WORKSPACE
from filigraph.app.cli.terminal.session import connected

JOB = "bench-load"
AT_ONCE = 100
PATIENCE = 300.0  # seconds for a question
SETTLED = 0.1  # the share of a job after which its memory is read: by then it has loaded what it works with


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.load")
    parser.add_argument("--documents", type=int, default=1000)
    documents = parser.parse_args().documents
    with connected() as client, httpx.Client(base_url=client.url, timeout=PATIENCE, trust_env=False) as http:
        there = {row["name"] for row in http.get("/v1/workspaces").json()["workspaces"]}
        by_workspace = {name: questions[:AT_ONCE] for name, questions in _questions().items() if name in there}
        warming = {name: questions[-AT_ONCE:] for name, questions in _questions().items()}
        results: dict[str, Any] = {"machine": machine(), "at_once": AT_ONCE}
        for name, questions in by_workspace.items():
            for question in warming[name]:
                http.post(f"/v1/workspaces/{name}/retrieve", json={"question": question}).raise_for_status()
            results[f"{name}, nothing else"] = ask(client.url, name, questions)
        with job(http, documents) as running:
            running.reads.wait()
            for name, questions in by_workspace.items():
                results[f"{name}, while a job reads"] = ask(client.url, name, questions) | {"job": running.stage}
        results["job"] = running.figures()
        with job(http, documents) as again:
            pass
        results["the same job again"] = again.figures()
    for name, figures in results.items():
        print(name, figures, flush=True)
    save("load", results)


def _questions() -> dict[str, list[str]]:
    demo = json.loads((files("filigraph.app") / "demo" / "questions.json").read_text(encoding="utf-8"))
    two = [row["question"] for row in lines(data("2wiki/questions.jsonl"))]
    return {
        WORKSPACE: list(islice(cycle(row["question"] for row in demo), AT_ONCE)),
        "bench-2wiki": two[: 2 * AT_ONCE],
    }


def ask(url: str, workspace: str, questions: Sequence[str]) -> dict[str, Any]:
    """Ask all questions at once. Seconds count from the first request."""
    address = f"{url}/v1/workspaces/{workspace}/retrieve"
    http = httpx.Client(timeout=PATIENCE, trust_env=False, limits=httpx.Limits(max_connections=len(questions)))
    begin = time.perf_counter()

    def one(question: str) -> tuple[float, int]:
        try:
            response = http.post(address, json={"question": question})
            status = response.status_code if response.json()["paths"] is not None else 0
        except (httpx.HTTPError, KeyError, ValueError):
            status = 0
        return time.perf_counter() - begin, status

    with http, ThreadPoolExecutor(len(questions)) as pool:
        results = list(pool.map(one, questions))
    seconds = [took for took, _ in results]
    return {
        "questions": len(questions),
        "errors": sum(status != 200 for _, status in results),
        "p50_s": round(median(seconds), 2),
        "p95_s": round(quantiles(seconds, n=20)[18], 2),
        "a_second": round(len(questions) / max(seconds), 1),
    }


class Watched:
    """A running job, and its server's memory over time."""

    def __init__(self, http: httpx.Client, job_id: str, documents: int) -> None:
        self.reads = threading.Event()
        self.stage = ""
        self._http = http
        self._id = job_id
        self._documents = documents
        self._server = psutil.Process(http.get("/v1/health").json()["pid"])
        self._seen: list[tuple[float, str, int]] = []  # seconds, stage, megabytes of the server

    def watch(self) -> None:
        """Watch the job until it ends."""
        begin = time.perf_counter()
        while True:
            row = self._http.get(f"/v1/jobs/{self._id}").json()
            progress = row["progress"] or {}
            self.stage = f"{progress.get('stage', '')}, {progress.get('chunks', 0)} chunks read"
            self._seen.append(
                (time.perf_counter() - begin, progress.get("stage", ""), self._server.memory_info().rss >> 20)
            )
            if len(self._seen) % 20 == 0:
                print(f"{self._seen[-1][0]:.0f} s: {self.stage}, {self._seen[-1][2]} MB", flush=True)
            if progress.get("chunks") or row["state"] not in ("queued", "running"):
                self.reads.set()
            if row["state"] not in ("queued", "running"):
                assert row["state"] == "done", row
                return
            time.sleep(0.5)

    def figures(self) -> dict[str, Any]:
        """The memory at a tenth of the job's time, in the middle and at the end."""
        late = self._seen[int(len(self._seen) * SETTLED) :]
        held = [megabytes for _, _, megabytes in late]
        by_stage: dict[str, int] = {}
        for _, stage, megabytes in late:
            by_stage[stage] = max(by_stage.get(stage, 0), megabytes)
        return {
            "documents": self._documents,
            "seconds": round(self._seen[-1][0]),
            "server_mb": {"first": held[0], "middle": held[len(held) // 2], "last": held[-1], "most": max(held)},
            "most_mb_by_stage": by_stage,
        }


@contextmanager
def job(http: httpx.Client, documents: int) -> Iterator[Watched]:
    """A job that reads that many documents; waits for its end, then deletes its workspace."""
    http.delete(f"/v1/workspaces/{JOB}", params={"confirm": JOB})
    rows = lines(data("2wiki/passages.jsonl"))[:documents]
    sent = [("files", (f"{row['id']}.txt", row["text"].encode())) for row in rows]
    answer = http.post(f"/v1/workspaces/{JOB}/jobs", files=sent, data={"extractor": "local"})
    answer.raise_for_status()
    watched = Watched(http, answer.json()["id"], len(rows))
    watcher = threading.Thread(target=watched.watch)
    watcher.start()
    yield watched
    watcher.join()
    http.delete(f"/v1/workspaces/{JOB}", params={"confirm": JOB})


if __name__ == "__main__":
    main()

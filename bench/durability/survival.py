"""Is anything lost, or paid for twice? A server, or its Neo4j, is killed at every commit of a job.

python -m bench.durability.survival [--round server|neo4j|random|deletion|batch|summaries] [--share 1/4]

Every writing transaction of a job, from its upload on, is a failpoint, with the name of its last statement and a
number. Right before its commit, SIGKILL ends the server (round `server`) or the Java that runs Neo4j (round `neo4j`).
In the round `random` there are 20 kills, of either in turn, at random moments with a fixed seed. The job reads the
demo's case file; three rounds kill only the server: `deletion` deletes a third of it, `batch` asks the LLM in batches
of its provider, and `summaries` has it summarize the stored texts. A killed server is started again, nothing else is
done; a server restarts a killed Neo4j by itself. Then the hash of the workspace's export is compared with that of an
undisturbed job, and the calls of a counting LLM with those in flight. `--share 1/4` takes every fourth failpoint, from
the first; results at the others stay.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal, Self

import httpx

from bench.common import kept, machine, save, stub_reply
from bench.durability.survival_server import IN_FLIGHT, Failpoint, Place, serve
from filigraph.app.neo4j import neo4j_status, stop_neo4j
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.lock import DEFAULT_VERSION
from filigraph.graph.errors import NotFound
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Store
from filigraph.graph.transfer.export_workspace import export_to
from tests.making import NamesExtractor, case_file, word_embedder
from tests.provider import Provider

WORKSPACE = "survival"
RANDOM_KILLS = 20
SEED = 1
CALL_SECONDS = 0.05
PATIENCE = 120  # seconds for a job
ENDED = ("done", "partial", "failed", "cancelled")
# The number of these is random: killed once.
BY_THE_CLOCK = ("acquire_or_renew_lease", "job_progress", "acquire_workspace_lock", "renew_workspace_lock")

ROUNDS = ("server", "neo4j", "random", "deletion", "batch", "summaries")
Victim = Literal["server", "neo4j"]
VICTIMS: tuple[Victim, Victim] = ("server", "neo4j")
Task = Literal["ingest", "delete", "batch", "summarize"]
TASKS: dict[str, Task] = {"deletion": "delete", "batch": "batch", "summaries": "summarize"}
Row = dict[str, Any]  # of a result
FORK = get_context("forkserver")  # a child has imported everything, and inherits no connection
FORK.set_forkserver_preload(["bench.durability.survival_server"])


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of a job."""

    sha256: str
    state: str  # of the job
    killed: bool
    calls: int  # of the LLM
    seconds: float
    passed: tuple[str, ...]  # the transactions of the last server


class Running:
    """A server in its own process. `url` is "" if it was killed before it could be reached."""

    def __init__(self, place: Place, failpoint: Failpoint | None = None) -> None:
        here, there = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=serve, args=(place, failpoint, there))
        self.process.start()
        there.close()
        try:
            self.url = f"http://127.0.0.1:{here.recv()}/v1"
        except EOFError:
            self.url = ""
        here.close()

    def stop(self) -> None:
        self.process.terminate()
        self.process.join()

    def ask(self, method: str, path: str, *, none: int = 0, **more: Any) -> Any:
        """The reply, with retries while Neo4j is gone; None once the server is gone, or for the status `none`."""
        deadline = time.monotonic() + PATIENCE
        while self.process.is_alive() and time.monotonic() < deadline:
            try:
                response = httpx.request(method, f"{self.url}{path}", timeout=PATIENCE, trust_env=False, **more)
            except httpx.TransportError:
                self.process.join(0.1)
                continue
            if response.is_success:
                return json.loads(response.text.splitlines()[-1])
            if response.status_code == none:
                return None
            if response.status_code < 500:
                raise RuntimeError(f"{method} {path}: {response.text}")
            time.sleep(0.1)
        if self.process.is_alive():
            raise TimeoutError(f"{method} {path}")
        return None


class Rig:
    """Jobs that are killed, on the Neo4j of a home, with an LLM that counts."""

    def __init__(self, home: Path, *, version: str | None = None) -> None:
        self.llm = Provider(_reply, seconds=CALL_SECONDS)
        self.place = Place(home=home, version=version, llm=self.llm.url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
        self.llm.close()

    def pid(self) -> int:
        """Of the Java that runs Neo4j."""
        return int(neo4j_status(home=self.place.home, version=self.place.version).pid or 0)

    def run(
        self,
        failpoint: Failpoint | None = None,
        *,
        task: Task = "ingest",
        after: float | None = None,
        victim: Victim = "server",
    ) -> Outcome:
        """A whole job in a fresh workspace, its server or Neo4j killed at a failpoint, or `after` so many seconds."""
        self.clear()
        if task in ("delete", "summarize"):
            self.fill()
        calls, java = self.llm.calls, self.pid()
        first = server = Running(self.place, failpoint)
        try:
            begun = time.perf_counter()
            if after is not None:
                kill = server.process.kill if victim == "server" else lambda: _kill(java)
                timer = threading.Timer(after, kill)
                timer.start()
            answered = _submit(server, task)
            state = _watch(server) if answered else ""
            seconds = time.perf_counter() - begun
            if after is not None:
                timer.join()
            if not state:
                server = Running(self.place)
                if not answered:
                    _submit(server, task)  # like a client that got no answer
                state = _watch(server)
        finally:
            for running in (first, server):
                running.stop()
        with self.store() as store:
            sha256 = export_to(lambda _: None, store.graph(WORKSPACE)).sha256
        return Outcome(
            sha256=sha256,
            state=state,
            killed=first.process.exitcode == -signal.SIGKILL or self.pid() != java,
            calls=self.llm.calls - calls,
            seconds=seconds,
            passed=tuple(self.place.passed.read_text().split()),
        )

    def clear(self) -> None:
        """Remove everything of the last job."""
        with self.store() as store, suppress(NotFound):
            store.delete_workspace(WORKSPACE)

    def at(self, failpoint: Failpoint, victim: Victim, task: Task = "ingest") -> Outcome:
        """A whole job, killed at a failpoint."""
        pid = 0 if victim == "server" else self.pid()
        return self.run(replace(failpoint, pid=pid), task=task)

    def fill(self) -> None:
        """Ingest data to delete from, or to change."""
        embedder = word_embedder()
        with self.store() as store:
            store.create_workspace(WORKSPACE, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
            graph = store.graph(WORKSPACE)
            ingest(case_file(), graph=graph, embedder=embedder, extractor=NamesExtractor())

    @contextmanager
    def store(self) -> Iterator[Store]:
        address = self.place.neo4j()
        with Store.connect(address.uri, address.username, address.password) as store:
            store.ensure_schema()
            yield store


@contextmanager
def own_home(version: str | None = None) -> Iterator[Path]:
    """A home with its own Neo4j, which may be killed; its jars are the user's."""
    with tempfile.TemporaryDirectory() as folder:
        jars = Path(folder, "cache", "neo4j", "jars")
        jars.parent.mkdir(parents=True)
        jars.symlink_to(folders_of(version or DEFAULT_VERSION).jars.resolve())
        try:
            yield Path(folder)
        finally:
            stop_neo4j(home=Path(folder), version=version)


def failpoints(passed: Sequence[str]) -> list[Failpoint]:
    """Every transaction of an undisturbed job: its last statement, and its number among those with that statement."""
    counts: Counter[str] = Counter()
    points = []
    for name in passed:
        counts[name] += 1
        if counts[name] == 1 or name not in BY_THE_CLOCK:
            points.append(Failpoint(name=name, number=counts[name]))
    return points


def at_each(what: str, places: Sequence[Failpoint], killed: Callable[[Failpoint], Row]) -> dict[str, Row]:
    """The verdict on a kill at each of the failpoints, by name and number."""
    rows = {}
    for place in places:
        row = rows[f"{place.name}:{place.number}"] = killed(place)
        print(what, place.name, place.number, row, flush=True)
    return rows


def verdict(outcome: Outcome, expected: Outcome) -> Row:
    """Whether it was a kill, whether the export and the job's state are as expected, and the repeated calls of the
    LLM."""
    return {
        "killed": outcome.killed,
        "same_hash": (outcome.sha256, outcome.state) == (expected.sha256, expected.state),
        "calls_repeated": outcome.calls - expected.calls,
    }


def summary(rows: Collection[Row]) -> dict[str, int]:
    """The counts of all kills of a round, and the most repeated calls of one."""
    return {
        "runs": len(rows),
        "killed": sum(row["killed"] for row in rows),
        "same_hash": sum(row["same_hash"] for row in rows),
        "most_calls_repeated": max(row["calls_repeated"] for row in rows),
    }


def _reply(body: dict[str, Any]) -> str:
    """The LLM's reply for a chunk, or for a text to summarize."""
    prompt: str = body["messages"][-1]["content"]
    if not prompt.rstrip().endswith(" words."):
        return stub_reply(prompt)
    return json.dumps({"summary": " ".join(prompt.split()[1:30]), "tags": [], "left_out": []})


def _submit(server: Running, task: Task) -> bool:
    """Submit the job; returns whether there was an answer."""
    if task == "delete":
        gone = {"sources": [source.name for source in case_file()[::3]]}
        return server.ask("POST", f"/workspaces/{WORKSPACE}/deletions", json=gone, none=404) is not None
    if task == "summarize":
        body = {"writer": "llm"}
        return server.ask("POST", f"/workspaces/{WORKSPACE}/summaries", json=body, none=404) is not None
    files = [("files", (source.name, io.BytesIO(source.content))) for source in case_file()]
    form = {"extractor": "llm", "batch": str(task == "batch").lower()}
    return server.ask("POST", f"/workspaces/{WORKSPACE}/jobs", files=files, data=form) is not None


def _watch(server: Running) -> str:
    """The state in which the workspace's jobs ended; "" if the server ended first."""
    while True:
        page = server.ask("GET", "/jobs", params={"workspace": WORKSPACE})
        if page is None:
            return ""
        states = {row["state"] for row in page["jobs"]}
        if states and states <= set(ENDED):
            return ", ".join(sorted(states))
        time.sleep(0.05)


def _kill(pid: int) -> None:
    import psutil

    psutil.Process(pid).kill()


def measure(rig: Rig, rounds: Sequence[str], share: tuple[int, int]) -> dict[str, Any]:
    """The verdicts of some rounds."""
    rig.run()  # the first job of a database also creates what the next ones reuse
    result: dict[str, Any] = {}
    for name in rounds:
        task = TASKS.get(name, "ingest")
        expected = rig.run(task=task)
        result[f"undisturbed_{task}"] = asdict(expected) | {"passed": len(expected.passed)}
        rows = _by_chance(rig, expected) if name == "random" else _at_each_place(rig, name, task, expected, share)
        print(name, summary(rows.values()), flush=True)
        result[name] = rows
    return result


def _by_chance(rig: Rig, expected: Outcome) -> dict[str, Row]:
    moments, rows = random.Random(SEED), {}
    for number in range(RANDOM_KILLS):
        victim, after = VICTIMS[number % 2], moments.uniform(0, expected.seconds)
        row = rows[f"{number + 1}: {victim} after {after:.2f} s"] = verdict(
            rig.run(after=after, victim=victim), expected
        )
        print("random", number + 1, victim, row, flush=True)
    return rows


def _at_each_place(rig: Rig, name: str, task: Task, expected: Outcome, share: tuple[int, int]) -> dict[str, Row]:
    places = failpoints(expected.passed)[share[0] - 1 :: share[1]]
    victim = VICTIMS[name == "neo4j"]
    return at_each(name, places, lambda place: verdict(rig.at(place, victim, task), expected))


def main() -> None:
    """Kill, start again, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--round", choices=ROUNDS, action="append")
    parser.add_argument("--share", default="1/1")
    options = parser.parse_args()
    first, count = (int(number) for number in options.share.split("/"))
    with own_home() as home, Rig(home) as rig:
        rig.place.neo4j()
        result = measure(rig, options.round or ROUNDS, (first, count))
    before = kept("survival")
    for name in result.keys() & set(ROUNDS) if count > 1 else ():
        result[name] = before.get(name, {}) | result[name]
    summaries = {name: summary(rows.values()) for name, rows in (before | result).items() if name in ROUNDS}
    save("survival", {"machine": machine(), "calls_in_flight": IN_FLIGHT, "summary": summaries, **result})


if __name__ == "__main__":
    main()

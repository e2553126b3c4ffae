"""The cost of a change in an existing workspace: one document added, one decision, and its undo.

python -m bench.speed.changes [--passages 1500 6119] [--times 5] [--only start]

The passages of 2wiki with their ready triples, at two sizes. Vectors come from words, not from a model: this measures
the derivation, of which a short document's vectors are not a part. The first document after a start of the server is
added in a new process, which has read nothing, in one that has prepared the workspace, and in one that reads the
snapshot of the one before.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.common import data, kept, machine, memory, save, workspace
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.derive import prepare
from filigraph.graph.ingest.extract.triples import TripleExtractor, parse_triples
from filigraph.graph.model.documents import Source
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.gc_tuning import FrozenObjects
from filigraph.graph.process.snapshots import Snapshots
from filigraph.graph.store import Graph, Store
from tests.making import word_embedder

Timed = dict[str, list[float]]
# -> the number of the document that is added
STARTED = {"server just started": "1001", "server prepared": "1002", "server with a snapshot": "1003"}


def measure(passages: int, times: int, embedder: Embedder) -> dict[str, Any]:
    """Ingest that many passages, then change the workspace that many times; 0: only after a start of the server, and
    the other figures stay.
    """
    name = f"bench-changes-{passages}"
    lines = data("2wiki/passages.jsonl").read_bytes().splitlines(keepends=True)[:passages]
    rows = parse_triples(data("2wiki/triples.jsonl").read_bytes()).triples
    triples = {ids.document_id(name, source): own for source, own in rows.items()}
    with workspace(name, embedder) as graph:
        begin = time.perf_counter()
        sources = [Source(name="passages.jsonl", content=b"".join(lines))]
        report = ingest(sources, graph=graph, embedder=embedder, extractor=TripleExtractor(triples))
        whole = time.perf_counter() - begin
        if not times:
            started = after_starts(name)
            print(json.dumps(started), flush=True)
            before: dict[str, Any] = kept("changes").get(str(passages), {})
            return before | started
        timed: Timed = {}
        for number in range(times + 1):  # the first one fills the caches for the others
            time_changes(number, graph, embedder, timed)
        row: dict[str, Any] = {
            "chunks": report.chunks,
            "entities": report.entities,
            "facts": report.facts,
            "ingest_seconds": round(whole, 1),
            "by_stage": report.seconds,
            **{what: spread(seconds) for what, seconds in timed.items()},
            **memory(),
            **after_starts(name),
        }
    print(json.dumps(row), flush=True)
    return row


def time_changes(number: int, graph: Graph, embedder: Embedder, timed: Timed) -> None:
    """Add a document, decide about a pair of names, undo the decision; appends the seconds of each to `timed`."""
    _time("document", timed, lambda: add(str(number), graph, embedder))
    pair = graph.near_misses(first=number, count=1)[0]
    same = Correction(kind="same", about=pair.first, other=pair.second)
    made = _time("decision", timed, lambda: correct([same], graph=graph, embedder=embedder))
    _time("undo", timed, lambda: undo([made.corrections[0].id], graph=graph, embedder=embedder))


def add(number: str, graph: Graph, embedder: Embedder) -> None:
    """Add a document."""
    name, source = graph.workspace.name, f"new-{number}.md"
    text = f"Teutberga met Alice Quorn{number} in Paris. Alice Quorn{number} lived with Lothair II until she died."
    facts = [("Teutberga", "met", f"Alice Quorn{number}"), (f"Alice Quorn{number}", "lived with", "Lothair II")]
    extractor = TripleExtractor({ids.document_id(name, source): facts})
    new = [Source(name=source, content=text.encode())]
    ingest(new, graph=graph, embedder=embedder, extractor=extractor)


def after_starts(workspace: str) -> dict[str, dict[str, float]]:
    """Seconds of the first document that a new process adds, for each of `STARTED`."""
    seconds = {}
    with TemporaryDirectory() as folder:
        for what in STARTED:
            command = [sys.executable, "-m", "bench.speed.changes", "--first", workspace, "--as", what]
            done = subprocess.run([*command, "--folder", folder], check=True, capture_output=True)
            seconds[what] = json.loads(done.stdout)
    return seconds


def first_change(workspace: str, what: str, folder: str, embedder: Embedder) -> None:
    """Add a document in this process, which has just started; print the seconds."""
    timed: Timed = {}
    address, snapshots = start_neo4j(), Snapshots(Path(folder))
    with Store.connect(
        address.uri, address.username, address.password, memory=CacheMemory(snapshots=snapshots)
    ) as store:
        graph = store.graph(workspace)
        if what == "server prepared":
            _time("prepare", timed, lambda: prepare(graph, embedder=embedder))
        _time("document", timed, lambda: add(STARTED[what], graph, embedder))
        if what == "server prepared":
            prepare(graph, embedder=embedder)
            _time("write", timed, lambda: graph.keep_snapshot(lambda: False))
            timed["written_mb"] = [snapshots.size / 1e6]
    print(json.dumps({name: round(seconds, 2) for name, (seconds,) in timed.items()}))


def _time(what: str, timed: Timed, change: Callable[[], Any]) -> Any:
    begin, used = time.perf_counter(), time.process_time()
    made = change()
    timed.setdefault(what, []).append(time.perf_counter() - begin)
    timed.setdefault(f"{what}_cpu", []).append(time.process_time() - used)
    return made


def spread(seconds: list[float]) -> dict[str, float]:
    """The spread of the seconds of the changes after the first one, if there are any."""
    later = seconds[1:] or seconds
    return {
        "first": round(seconds[0], 2),
        "median": round(statistics.median(later), 2),
        "least": round(min(later), 2),
        "most": round(max(later), 2),
    }


def main() -> None:
    """Measure at each size."""
    parser = argparse.ArgumentParser(description="Time one added document and one decision.")
    parser.add_argument("--passages", type=int, nargs="+", default=[1500, 6119])
    parser.add_argument("--times", type=int, default=5, help="changes of each kind")
    parser.add_argument("--only", choices=("start",), help="start: the first change after a start of the server")
    parser.add_argument("--first", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--as", dest="what", choices=STARTED, help=argparse.SUPPRESS)
    options = parser.parse_args()
    FrozenObjects().begin()  # as a server does
    if options.first:
        first_change(options.first, options.what, options.folder, word_embedder())
        return
    result: dict[str, Any] = {"machine": machine()}
    for passages in options.passages:
        times = 0 if options.only else options.times
        result[str(passages)] = measure(passages, times, word_embedder())
        save("changes", result)


if __name__ == "__main__":
    main()

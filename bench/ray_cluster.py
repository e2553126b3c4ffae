"""Reading on a Ray cluster, with an LLM server that takes two seconds a call: one node, two, and one that is killed.

    python -m bench.ray_cluster [alone] [one] [two] [killed] [--chunks N]

Each node takes four calls at once; `alone` is a server without Ray that makes as many. The ideal is what the LLM alone
would take. Both nodes and the server are on this machine, so what needs the processor (embedding, deriving) gains
nothing here. All runs must give the same graph: the hash of their canonical exports is kept. Machines are warm: what
starting them takes is told apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from bench.common import RESULTS, machine, save, workspace
from bench.llm_stage import SECONDS, chunks_of, stub
from bench.two_nodes import TwoNodes
from filigraph.app.cluster.link import Cluster
from filigraph.app.cluster.spread import Spread
from filigraph.graph.adapters.embedder import load_embedder
from filigraph.graph.adapters.ollama import OllamaLLM
from filigraph.graph.embed import Embedder
from filigraph.graph.extract_llm import LLMExtractor
from filigraph.graph.model import Chunk, Source
from filigraph.graph.pipeline import ingest
from filigraph.graph.portable import export_to
from filigraph.graph.report import Progress

CALLS = 4  # at once, on each node
NODES = {"alone": 0, "one": 1, "two": 2, "killed": 2}


def measure(case: str, text: str, chunks: list[Chunk], count: int, embedder: Embedder, url: str) -> dict[str, Any]:
    """The reading of `count` chunks by itself, then one ingest of them from nothing."""
    nodes = NODES[case]
    with ExitStack() as stack:
        graph = stack.enter_context(workspace("bench-ray", embedder))
        begin = time.perf_counter()
        spread, cluster = None, None
        if nodes:
            environment = {"OLLAMA_HOST": url, "FILIGRAPH_LLM": "stub"}
            cluster = TwoNodes(nodes=nodes, llm_calls=CALLS, environment=environment)
            stack.callback(cluster.stop)
            link = Cluster(cluster.address)
            stack.callback(link.close)
            spread = Spread(link, cancelled=lambda: False, tell=lambda said: print(said, flush=True))
        llm = spread.llm() if spread else OllamaLLM("stub", url=url)
        extractor = LLMExtractor(llm, in_flight=CALLS * max(1, nodes))
        spreading = spread.embedder(embedder, "") if spread else embedder
        list(extractor.extract(chunks[-2 * CALLS * max(1, nodes) :]))  # starts the processes,
        spreading.model.get_text_embedding_batch([chunk.text for chunk in chunks[-32:]])  # and loads their models
        starting = time.perf_counter() - begin
        begin = time.perf_counter()
        list(extractor.extract(chunks[:count]))
        reading = time.perf_counter() - begin
        begin = time.perf_counter()
        report = ingest(
            [Source(name="part.txt", content=text.encode())],
            graph=graph,
            embedder=spreading,
            extractor=extractor,
            apply=spread.read_sources if spread else map,
            progress=_killer(cluster) if case == "killed" and cluster else lambda _: None,
        )
        seconds = time.perf_counter() - begin
        sha256 = export_to(lambda _: None, graph).sha256
    ideal = count / (CALLS * max(1, nodes)) * SECONDS
    return {
        "nodes": nodes, "calls_at_once": CALLS * max(1, nodes), "chunks": report.chunks, "facts": report.facts,
        "starting_seconds": round(starting, 1), "ideal_seconds": round(ideal, 1),
        "reading_seconds": round(reading, 1), "ingest_seconds": round(seconds, 1), "by_stage": report.seconds,
        "problems": [problem.partition(" (")[0] for problem in report.problems + (spread.problems if spread else [])],
        "sha256": sha256,
    }  # fmt: skip


def _killer(nodes: TwoNodes) -> Callable[[Progress], None]:
    """Kills the second node when a third is read."""
    done: list[bool] = []

    def look(now: Progress) -> None:
        if now.stage == "extract" and now.done * 3 > now.total and not done:
            done.append(True)
            nodes.kill_second()

    return look


def main() -> None:
    """Measure what was asked for, or everything, and compare with what was measured before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", choices=[[], *NODES])
    parser.add_argument("--chunks", type=int, default=64)
    arguments = parser.parse_args()
    text, chunks = chunks_of("en")
    part, embedder = text[: chunks[arguments.chunks - 1].end], load_embedder(None)
    with stub() as url:
        for case in arguments.cases or NODES:
            result = measure(case, part, chunks, arguments.chunks, embedder, url)
            print(case, json.dumps(result, indent=1), flush=True)
            save("ray_cluster", {"machine": machine(), case: result})
    kept = json.loads((RESULTS / "ray_cluster.json").read_text())
    if len({kept[case]["sha256"] for case in NODES if case in kept}) > 1:
        sys.exit("The graphs differ.")
    if {"one", "two"} <= kept.keys():
        faster = {
            name: round(kept["one"][name] / kept["two"][name], 2) for name in ("reading_seconds", "ingest_seconds")
        }
        save("ray_cluster", {"times_as_fast_on_two_nodes": faster})


if __name__ == "__main__":
    main()

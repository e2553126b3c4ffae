"""Reading on a Ray cluster, with an LLM server that takes two seconds a call: two nodes, two with one killed, and one.

    python -m bench.speed.ray_cluster [--chunks N]

Each node takes four calls at once; `alone` is a server without Ray that makes as many. The ideal is the time of only
the LLM. Both nodes and the server are on this machine, so work of the processor (embedding, deriving) gains nothing
here. All runs must give the same graph: the hash of their canonical exports is kept. The nodes are warm: the result has
the time of their start separately, and how busy the machine was with other work.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import psutil

from bench.common import machine, save, workspace
from bench.speed.llm_stage import SECONDS, chunks_of, stub
from bench.speed.two_nodes import TwoNodes
from filigraph.app.cluster.cluster_run import ClusterRun
from filigraph.app.cluster.embedding import on_cluster
from filigraph.app.cluster.link import RayCluster
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.adapters.ollama import OllamaLLM
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from filigraph.graph.transfer.export_workspace import export_to

CALLS = 4  # at once, on each node


def measure(
    graph: Graph,
    source: Source,
    chunks: list[Chunk],
    embedder: Embedder,
    extractor: LLMExtractor,
    calls: int,
    spread: ClusterRun | None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> dict[str, Any]:
    """The reading of `chunks` by itself, then one ingest of them from nothing."""
    begin = time.perf_counter()
    list(extractor.extract(chunks))
    reading = time.perf_counter() - begin
    begin = time.perf_counter()
    report = ingest(
        [source],
        graph=graph,
        embedder=on_cluster(embedder, spread, "") if spread else embedder,
        extractor=extractor,
        apply=spread.read_sources if spread else map,
        progress=progress,
    )
    seconds = time.perf_counter() - begin
    return {
        "calls_at_once": calls, "chunks": report.chunks, "facts": report.facts,
        "ideal_seconds": len(chunks) / calls * SECONDS,
        "reading_seconds": round(reading, 1), "ingest_seconds": round(seconds, 1), "by_stage": report.seconds,
        "problems": [problem.partition(" (")[0] for problem in report.problems + (spread.problems if spread else [])],
        "sha256": export_to(lambda _: None, graph).sha256, "load": [round(load, 1) for load in psutil.getloadavg()],
    }  # fmt: skip


def on_the_cluster(source: Source, chunks: list[Chunk], embedder: Embedder, url: str) -> dict[str, Any]:
    """Two nodes; the same with the second killed when a third is read; then only the first."""
    begin = time.perf_counter()
    nodes = TwoNodes(llm_calls=CALLS, environment={"OLLAMA_HOST": url, "FILIGRAPH_LLM": "stub"})
    cluster = RayCluster(nodes.address)
    results: dict[str, Any] = {}
    for case, calls in (("two", 2 * CALLS), ("killed", 2 * CALLS), ("one", CALLS)):
        spread = ClusterRun(cluster, cancelled=lambda: False, notify=lambda message: print(message, flush=True))
        extractor = LLMExtractor(spread.llm(), in_flight=calls)
        if not results:
            list(extractor.extract(chunks[: 2 * calls]))  # starts the processes,
            on_cluster(embedder, spread, "").model.get_text_embedding_batch([c.text for c in chunks[:32]])  # and models
            results["starting_seconds"] = round(time.perf_counter() - begin, 1)
        progress = _killer(nodes) if case == "killed" else lambda _: None
        with workspace("bench-ray", embedder) as graph:
            results[case] = measure(graph, source, chunks, embedder, extractor, calls, spread, progress)
        print(case, json.dumps(results[case]), flush=True)
    cluster.close()
    nodes.stop()
    return results


def _killer(nodes: TwoNodes) -> Callable[[Progress], None]:
    """Kills the second node when a third is read."""
    done: list[bool] = []

    def look(now: Progress) -> None:
        if now.stage == "extract" and now.done * 3 > now.total and not done:
            done.append(True)
            nodes.kill_second()

    return look


def main() -> None:
    """Measure, and compare the graphs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=64)
    count = parser.parse_args().chunks
    text, chunks = chunks_of("en")
    source = Source(name="part.txt", content=text[: chunks[count - 1].end].encode())
    embedder = load_embedder(None)
    with stub() as url:
        result = on_the_cluster(source, chunks[:count], embedder, url)
        extractor = LLMExtractor(OllamaLLM("stub", url=url), in_flight=CALLS)
        with workspace("bench-ray", embedder) as graph:
            result["alone"] = measure(graph, source, chunks[:count], embedder, extractor, CALLS, None)
    one, two = result["one"], result["two"]
    result["times_as_fast_on_two"] = {
        name: round(one[name] / two[name], 2) for name in ("reading_seconds", "ingest_seconds")
    }
    result["same_graph"] = len({result[case]["sha256"] for case in ("two", "killed", "one", "alone")}) == 1
    print(json.dumps(result, indent=1))
    save("ray_cluster", {"machine": machine(), **result})


if __name__ == "__main__":
    main()

"""Published retrievers and ours: the same corpus, triples, embedder, questions, metrics and Neo4j, in one run.

    python -m bench.peers [2wiki] [musique-train] [--limit N]

Both sets must have been ingested by `bench.speed.ingest`. Nothing is written to Neo4j and no LLM is asked. Milliseconds
include the encoding of the question; they are meaningful only on an idle machine (see `load`).
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import neo4j
import numpy as np

from bench.common import data, machine, save
from bench.peers import Ask, ours
from filigraph.app.neo4j import Neo4jAddress, start_neo4j
from filigraph.graph.measure.evaluate import EVIDENCE_CHUNKS, WARM_UP_QUESTIONS, mean_measures
from filigraph.graph.measure.gold import Gold, GoldQuestion, find_gold, parse_questions
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store

try:
    from bench.peers import graphrag, hipporag, llamaindex
except ModuleNotFoundError as missing:
    cure = ".venv/bin/uv pip install --override constraints.txt -e '.[bench]'"
    sys.exit(f"{missing.name} is not installed, with which ours is compared. Run {cure}")

SETS = ["2wiki", "musique-train"]
PACKAGES = ["igraph", "llama-index-core", "llama-index-graph-stores-neo4j", "neo4j", "neo4j-graphrag"]
SAY_EVERY = 100  # questions
DOCUMENTS = "MATCH (c:Chunk {workspace: $workspace}) RETURN c.id AS id, c.document_id AS document_id"


def main() -> None:
    """Run every method on every set, print, store."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers")
    parser.add_argument("names", nargs="*", default=SETS, metavar="SET")
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    logging.getLogger("neo4j").setLevel(logging.ERROR)  # notes on how others' queries could be written
    embedder = load_embedder(None)
    address = start_neo4j()
    results: dict[str, Any] = {}
    with (
        Store.connect(address.uri, address.username, address.password) as store,
        neo4j.GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver,
    ):
        for name in options.names:
            results[name] = measure(name, store.graph(f"bench-{name}"), driver, address, embedder, options.limit)
        print("ours, with weights that have not seen the question", flush=True)
        for name, figures in ours.held_out(SETS, store, embedder, options.limit).items():
            if name in results:
                results[name]["methods"] |= figures
                print(name, figures, flush=True)
    packages = {package: version(package) for package in PACKAGES}
    save("peers", {"machine": machine(), "load": os.getloadavg()[2], "packages": packages, **results})
    print(table(results))


def measure(
    name: str, graph: Graph, driver: neo4j.Driver, address: Neo4jAddress, embedder: Embedder, limit: int | None
) -> dict[str, Any]:
    """One set: every method on every question."""
    file = parse_questions(data(f"{name}/questions.jsonl").read_bytes())
    gold, problems = find_gold(file.questions[:limit], graph)
    if problems:
        sys.exit(f"{problems[0]}: run python -m bench.speed.ingest {name}")
    questions = file.questions[:limit]
    rows = driver.execute_query(DOCUMENTS, workspace=graph.workspace.name).records
    documents = {row["id"]: row["document_id"] for row in rows}
    workspace = graph.workspace
    methods = {
        **ours.methods(graph, embedder),
        **graphrag.methods(driver, workspace.chunk_label, embedder),
        **llamaindex.methods(address, workspace.entity_label, embedder),
        **hipporag.methods(driver, workspace.name, embedder),
    }
    figures = {}
    for method, ask in methods.items():
        figures[method] = figures_of(ask, questions, gold, documents, f"{name}: {method}")
        print(name, method, figures[method], flush=True)
    stats = graph.stats()
    counts = {"passages": stats.documents, "chunks": stats.chunks, "entities": stats.entities, "facts": stats.facts}
    return {**counts, "questions": len(questions), "methods": figures}


def figures_of(
    ask: Ask, questions: tuple[GoldQuestion, ...], gold: Mapping[str, Gold], documents: Mapping[str, str], saying: str
) -> dict[str, Any]:
    """One method: quality, milliseconds, and how many questions it found nothing for."""
    for question in questions[:WARM_UP_QUESTIONS]:
        ask(question.text)
    rankings, milliseconds = {}, []
    for done, question in enumerate(questions, start=1):
        begin = time.perf_counter()
        ranked = ask(question.text)
        milliseconds.append((time.perf_counter() - begin) * 1000)
        rankings[question.id] = ranking(ranked, gold[question.id], documents)
        if done % SAY_EVERY == 0:
            print(f"{saying}: {done} of {len(questions)}", flush=True)
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {
        **mean_measures(rankings, {question.id: len(gold[question.id].pieces) for question in questions}),
        "p50_ms": round(float(p50), 1),
        "p95_ms": round(float(p95), 1),
        "found_nothing": sum(not ranked for ranked in rankings.values()),
    }


def ranking(chunk_ids: list[str], gold: Gold, documents: Mapping[str, str]) -> list[str]:
    """The first chunks as documents, each once, gold by its name: as `graph/measure/evaluate.py` does with evidence."""
    pieces = {id_: f"gold {n}" for n, piece in enumerate(gold.pieces) for id_ in piece}
    first = list(dict.fromkeys(chunk_ids))[:EVIDENCE_CHUNKS]
    return list(dict.fromkeys(pieces.get(id_) or documents[id_] for id_ in first))


def table(results: Mapping[str, Any]) -> str:
    """The figures as Markdown: percent, and milliseconds where they were taken."""
    head = "".join(f" {name}: recall@2 / 5 / 10 | all gold@5 | MRR | p50 / p95 ms |" for name in results)
    lines = [f"| method |{head}", "|---|" + "---|---|---|---|" * len(results)]
    for method in next(iter(results.values()))["methods"]:
        cells = []
        for one in results.values():
            figures = one["methods"][method]
            cells.append(" / ".join(f"{100 * figures[f'recall@{n}']:.1f}" for n in (2, 5, 10)))
            cells += [f"{100 * figures['all_gold@5']:.0f}", f"{figures['mrr']:.2f}"]
            cells.append(f"{figures['p50_ms']:.0f} / {figures['p95_ms']:.0f}" if "p50_ms" in figures else "")
        lines.append(f"| {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

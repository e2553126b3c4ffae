"""What depth buys, by type of question: the walk with 2, 3 and 4 hops.

    python -m bench.depth [2wiki | musique-train] [--limit N]

Needs `bench.ingest`. Recall@5 is of the evidence; path coverage is the share of questions whose gold stands behind the
first three paths; `hops` is how many the shown paths have.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from typing import Any, Literal

import numpy as np

from bench.common import data, machine, save
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ask.run import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.measure.evaluate import ranking
from filigraph.graph.measure.gold import find_gold, parse_questions
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store

Depth = Literal[2, 3, 4]
DEPTHS: tuple[Depth, ...] = (2, 3, 4)


def by_type(graph: Graph, embedder: Embedder, file: bytes, limit: int | None, depth: Depth) -> dict[str, Any]:
    """Percent of recall@5 and path coverage@3, by type; and how many paths have how many hops."""
    questions = parse_questions(file).questions[:limit]
    gold, _ = find_gold(questions, graph, progress=lambda done, total: None)
    recall: dict[str, list[float]] = defaultdict(list)
    covered: dict[str, list[float]] = defaultdict(list)
    hops: Counter[int] = Counter()
    for question in questions:
        found = retrieve(question.text, graph=graph, embedder=embedder, settings=AskSettings(depth=depth))
        pieces = len(gold[question.id].pieces)
        first = [name for name in ranking(found, gold[question.id])[:5] if name.startswith("gold ")]
        chunks = [id_ for path in found.paths[:3] for id_ in path.chunk_ids]
        for kind in (question.type, "all"):
            recall[kind].append(len(first) / pieces)
            covered[kind].append(gold[question.id].in_chunks(chunks))
        hops.update(len(path.hops) for path in found.paths)
    return {
        "recall@5": {kind: round(100 * float(np.mean(values)), 1) for kind, values in sorted(recall.items())},
        "path_coverage@3": {kind: round(100 * float(np.mean(values)), 1) for kind, values in sorted(covered.items())},
        "hops": {str(count): number for count, number in sorted(hops.items())},
    }


def main() -> None:
    """Ask at each depth, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.depth")
    parser.add_argument("name", nargs="?", default="2wiki")
    parser.add_argument("--limit", type=int)
    asked = parser.parse_args()
    file = data(f"{asked.name}/questions.jsonl").read_bytes()
    address, embedder = start_neo4j(), load_embedder(None)
    results: dict[str, Any] = {"machine": machine(), "limit": asked.limit}
    with Store.connect(address.uri, address.username, address.password) as store:
        graph = store.graph(f"bench-{asked.name}")
        for depth in DEPTHS:
            results[f"depth {depth}"] = by_type(graph, embedder, file, asked.limit, depth)
            print(f"depth {depth}", results[f"depth {depth}"], flush=True)
    save(f"depth-{asked.name}", results)


if __name__ == "__main__":
    main()

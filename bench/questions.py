"""Ask the multi-hop questions of a set that `bench.ingest` has ingested, and count the gold passages found.

    python -m bench.questions [2wiki] [--limit N]

Recall of the gold passages among the first 5, for vector search alone and for the walk, without an LLM; milliseconds
are those of the whole retrieval, question encoding included.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from typing import Any

import numpy as np

from bench.common import data, lines, machine, save
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.adapters.embedder import load_embedder
from filigraph.graph.engine import AskSettings, retrieve
from filigraph.graph.store import Store

METHODS = {"vector": AskSettings(method="dense"), "filigraph": AskSettings()}


def main() -> None:
    """Ask, count, print, keep."""
    name = next((arg for arg in sys.argv[1:] if not arg.startswith("--") and not arg.isdigit()), "2wiki")
    limit = int(sys.argv[sys.argv.index("--limit") + 1]) if "--limit" in sys.argv else None
    questions = lines(data(f"{name}/questions.jsonl"))[:limit]
    embedder = load_embedder(None)
    address = start_neo4j()
    with Store.connect(address.uri, address.username, address.password) as store:
        graph = store.graph(f"bench-{name}")
        results: dict[str, Any] = {"machine": machine(), "questions": len(questions)}
        for method, settings in METHODS.items():
            recall: dict[str, list[float]] = defaultdict(list)
            taken = []
            for question in questions:
                gold = {ids.document_id(graph.workspace.name, passage) for passage in question["gold"]}
                begin = time.perf_counter()
                found = retrieve(question["question"], graph=graph, embedder=embedder, settings=settings)
                taken.append((time.perf_counter() - begin) * 1000)
                first = [e.document_id for e in found.evidence if e.kind == "chunk"][:5]
                share = len(gold & set(first)) / len(gold)
                recall["all"].append(share)
                recall[question["type"]].append(share)
            results[method] = {
                "recall@5": {kind: round(100 * float(np.mean(found)), 1) for kind, found in sorted(recall.items())},
                "p50_ms": round(float(np.percentile(taken, 50)), 1),
                "p95_ms": round(float(np.percentile(taken, 95)), 1),
            }
            print(method, results[method], flush=True)
    save(f"questions-{name}", results)


if __name__ == "__main__":
    main()

"""The gold in the prompt: gold passages among its extracts, gold quotes word for word.

    python -m bench.quality.prompt [SET ...]

The sets of `bench.quality.narrative`, as an excellent LLM reads them (`thorough`), each ingested by it if it is not
there. A quote counts if the prompt contains all of it, in a path or in an extract.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from bench.common import save
from bench.quality.narrative import NOVELS, all_sets, gold_of, percent, questions, share, workspace
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ask.generation.compose import compose
from filigraph.graph.ask.settings import BUDGET
from filigraph.graph.engine import retrieve
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store

MEASURES = ("gold passages", "all gold passages", "gold quotes", "all gold quotes", "extracts", "tokens")


def ask_all(name: str, graph: Graph, embedder: Embedder) -> list[tuple[float, ...]]:
    """MEASURES of each question."""
    rows = questions(name)
    gold = gold_of(rows, graph)
    result = []
    for row in (row for row in rows if row["id"] in gold):
        composed = compose(retrieve(row["question"], graph=graph, embedder=embedder), budget_tokens=BUDGET)
        prompt = _flat(composed.context)
        cited = {extract.id for extract in composed.cited}
        passages = [bool(piece & cited) for piece in gold[row["id"]].pieces]
        quotes = [_flat(quote) in prompt for quote in row["gold"]]
        shares = [share(passages), float(all(passages)), share(quotes), float(all(quotes))]
        result.append((*shares, float(len(composed.cited)), float(composed.tokens)))
    return result


def _flat(text: str) -> str:
    return " ".join(text.split())


def figures(rows: list[tuple[float, ...]]) -> dict[str, Any]:
    mean = dict(zip(MEASURES, np.mean(rows, axis=0).tolist(), strict=True))
    counts = {name: round(mean.pop(name), 1) for name in ("extracts", "tokens")}
    return {"questions": len(rows), **percent(mean), **counts}


def main() -> None:
    """Ask, print, keep."""
    embedder = load_embedder(None)
    address = start_neo4j()
    by_set: dict[str, list[tuple[float, ...]]] = {}
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in sys.argv[1:] or all_sets():
            by_set[name] = ask_all(name, workspace(name, "thorough", store, embedder), embedder)
            print(name, figures(by_set[name]), flush=True)
    results: dict[str, Any] = {"budget": BUDGET, **{name: figures(rows) for name, rows in by_set.items()}}
    parts = {
        "novels": [row for name, rows in by_set.items() if name in NOVELS for row in rows],
        "case files": [row for name, rows in by_set.items() if name not in NOVELS for row in rows],
    }
    results |= {name: figures(rows) for name, rows in parts.items() if rows}
    results["all"] = figures([row for rows in by_set.values() for row in rows])
    print("all", results["all"])
    save("prompt", results)


if __name__ == "__main__":
    main()

"""Lists: recall and precision of the items.

python -m bench.quality.lists [CASE ...] [--show]

Case files with `lists.jsonl`, read with recorded readings of an excellent LLM; no LLM is asked. An item of gold is
found if a sentence or row of the list contains its quote, or lies within it; *held*: the items whose quote is the
sentence of a fact of the graph; *right*: items of the list with a quote. Developed on questions of our own about two
others, harbour and filature, and on `phare`; `vignoble` took no part.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.common import lines
from bench.quality.cases import run
from bench.quality.narrative import folder, workspace
from bench.quality.resolution import wilson
from bench.quality.views import squeezed
from filigraph.graph.analysis.list_items import find_items
from filigraph.graph.models.embed import Embedder, embed_questions
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.language import detect
from filigraph.graph.text.list_questions import list_question, parse_list_question


def holds(sentence: str, quote: str) -> bool:
    return quote in sentence or sentence in quote


def said(graph: Graph) -> list[str]:
    """The sentences of facts."""
    return [squeezed(one.sentence) for one in graph.statements()[0]]


def measured(row: dict[str, Any], graph: Graph, embedder: Embedder, known: Sequence[str], show: bool) -> dict[str, Any]:
    begin = time.perf_counter()
    language = detect(row["question"]) or "en"
    question = parse_list_question(row["question"], language)
    listing = find_items(question, embed_questions(embedder, [row["question"]])[0], graph)
    seconds = time.perf_counter() - begin
    quotes, sentences = [squeezed(one) for one in row["quotes"]], [squeezed(one.sentence) for one in listing.items]
    held = [quote for quote in quotes if any(holds(sentence, quote) for sentence in known)]
    shown = [quote for quote in quotes if any(holds(sentence, quote) for sentence in sentences)]
    right = [sentence for sentence in sentences if any(holds(sentence, quote) for quote in quotes)]
    if show:
        print(row["id"], row["question"], f"{len(shown)}/{len(quotes)}", f"{len(right)}/{len(sentences)}")
        for sentence in sentences:
            print("   ", "+" if sentence in right else "-", sentence)
        print("    not found:", *(quote for quote in quotes if quote not in shown), sep="\n      ")
    return {
        "gold": len(quotes),
        "found": len(shown),
        "held": len(held),
        "held, found": len({*held} & {*shown}),
        "items": len(sentences),
        "right": len(right),
        "taken for a list": list_question(row["question"], language) is not None,
        "seconds": round(seconds, 3),
    }


def measure(name: str, store: Store, embedder: Embedder, show: bool, replies: Path | None) -> dict[str, Any]:
    """The figures of a case; asks no LLM and ignores `replies`."""
    graph = workspace(name, "thorough", store, embedder)
    known = said(graph)
    rows = [measured(row, graph, embedder, known, show) for row in lines(folder(name) / "lists.jsonl")]
    total = {field: sum(row[field] for row in rows) for field in rows[0] if field != "seconds"}
    shares = {"recall": ("found", "gold"), "recall of held": ("held, found", "held"), "precision": ("right", "items")}
    return {
        "questions": len(rows),
        **total,
        **{share: round(100 * total[part] / max(total[whole], 1), 1) for share, (part, whole) in shares.items()},
        "interval": {
            share: [round(100 * bound) for bound in wilson(total[part], max(total[whole], 1))]
            for share, (part, whole) in shares.items()
        },
        "slowest": max(row["seconds"] for row in rows),
    }


if __name__ == "__main__":
    run("lists", measure)

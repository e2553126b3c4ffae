"""What may disagree, without an LLM: how many of the candidates are contradictions, and how many of those are found?

python -m bench.contradictions [CASE ...] [--show]

Case files with `contradictions.jsonl` (real ones and look-alikes), read with recorded readings of an excellent LLM, and
the author and date of each document. A candidate is right where its two sentences are those of a real one; every other
is wrong, look-alikes and what gold does not know. `phare` took part in development, `vignoble` did not.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

from bench.cases import run
from bench.common import lines
from bench.narrative import extractor, folder, sources
from bench.resolution import wilson
from bench.views import made, squeezed
from filigraph.graph.contradictions import Contradiction, contradictions
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store


def case(name: str, store: Store, embedder: Embedder) -> Graph:
    """A case file with the authors and dates of its documents."""
    about = json.loads((folder(name) / "documents.json").read_text(encoding="utf-8"))
    told = [replace(one, metadata={key: about[one.name][key] for key in ("author", "date")}) for one in sources(name)]
    graph = made(f"bench-contradictions-{name}", store, embedder)
    ingest(told, graph=graph, embedder=embedder, extractor=extractor(name, "thorough"))
    return graph


def fits(found: Contradiction, row: dict[str, Any]) -> bool:
    """Whether the two sentences are those of a row of gold."""
    mine = [squeezed(end.sentence) for end in (found.first, found.other)]
    theirs = [squeezed(row[end]["quote"]) for end in ("a", "b")]
    return any(all(a in b or b in a for a, b in zip(mine, order, strict=True)) for order in (theirs, theirs[::-1]))


def measured(name: str, store: Store, embedder: Embedder, show: bool) -> dict[str, Any]:
    """The figures of a case."""
    graph = case(name, store, embedder)
    begin = time.perf_counter()
    found = contradictions(*graph.statements())
    seconds = time.perf_counter() - begin
    gold = lines(folder(name) / "contradictions.jsonl")
    real, alike = ([row for row in gold if (row["kind"] == "none") == none] for none in (False, True))
    right = [one for one in found if any(fits(one, row) for row in real)]
    known = [row for row in real if any(fits(one, row) for one in found)]
    for one in found if show else ():
        ids = [row["id"] for row in gold if fits(one, row)]
        print(
            one.score,
            one.kind,
            ids,
            "|",
            one.first.voice,
            ":",
            one.first.sentence,
            "||",
            one.other.voice,
            ":",
            one.other.sentence,
        )
    return {
        "candidates": len(found),
        "right": len(right),
        "precision": round(100 * len(right) / max(len(found), 1), 1),
        "precision interval": [round(100 * bound) for bound in wilson(len(right), len(found))],
        "real": len(real),
        "found": len(known),
        "recall": round(100 * len(known) / max(len(real), 1), 1),
        "recall interval": [round(100 * bound) for bound in wilson(len(known), len(real))],
        "look-alikes": sum(any(fits(one, row) for one in found) for row in alike),
        "statements": len(graph.statements()[0]),
        "seconds": round(seconds, 2),
    }


if __name__ == "__main__":
    run("contradictions", measured)

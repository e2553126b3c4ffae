"""Ours, through the engine, and with weights that have not seen what they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.peers import Ask
from bench.train import PARTS, Row, collect, fit
from filigraph.graph.ask.run import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.measure.evaluate import KEPT, METHODS, quality
from filigraph.graph.model import Floats, Method
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store

DEPTH = 4  # the engine's default


def methods(graph: Graph, embedder: Embedder) -> dict[str, Ask]:
    """What `filigraph eval` measures, and the walk where no weights were learned for the embedder."""
    unknown = replace(embedder, fingerprint="no weights were learned for it")

    def by(method: Method, embedder: Embedder) -> Ask:
        settings = AskSettings(method=method, keep=KEPT)

        def ask(question: str) -> list[str]:
            found = retrieve(question, graph=graph, embedder=embedder, settings=settings)
            return [evidence.id for evidence in found.evidence if evidence.kind == "chunk"]

        return ask

    return {**{method: by(method, embedder) for method in METHODS}, "filigraph, by hand": by("filigraph", unknown)}


def held_out(
    names: Sequence[str], store: Store, embedder: Embedder, limit: int | None
) -> dict[str, dict[str, dict[str, float]]]:
    """Set -> the walk's quality with weights learned without the question (cross-validated), or without its whole set.

    The weights that ship were learned on these very questions.
    """
    rows = {name: collect(name, store, embedder, DEPTH) for name in names}
    everything = [row for own in rows.values() for row in own]
    parts = [fit([row for row in everything if row.number % PARTS != part]) for part in range(PARTS)]
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, own in rows.items():
        asked = own[:limit]
        elsewhere = fit([row for row in everything if row.set_name != name])
        found[name] = {
            "filigraph, cross-validated": _quality(asked, [parts[row.number % PARTS](row.found) for row in asked]),
            "filigraph, never saw the set": _quality(asked, [elsewhere(row.found) for row in asked]),
        }
    return found


def _quality(rows: Sequence[Row], scores: Sequence[Floats]) -> dict[str, Any]:
    """The figures of chunks ranked by score."""
    rankings = {}
    for row, score in zip(rows, scores, strict=True):
        names = {document: f"gold {n}" for n, document in enumerate(sorted(row.gold))}
        first = [row.documents[n] for n in np.argsort(-score, kind="stable")[:KEPT]]
        rankings[str(row.number)] = list(dict.fromkeys(names.get(document, document) for document in first))
    return quality(rankings, {str(row.number): len(row.gold) for row in rows})

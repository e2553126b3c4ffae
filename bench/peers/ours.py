"""Ours, through the engine, and with weights that have not seen the questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.peers import Ask
from bench.training.hop_ranker import Row, alien, collect, halves, learn
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.measure.evaluate import EVIDENCE_CHUNKS, METHODS, mean_measures
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Method
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store


def methods(graph: Graph, embedder: Embedder) -> dict[str, Ask]:
    """The methods of `filigraph eval`, and the walk without learned weights for the embedder."""
    unknown = replace(embedder, fingerprint="no weights were learned for it")

    def by(method: Method, embedder: Embedder) -> Ask:
        settings = AskSettings(method=method, keep=EVIDENCE_CHUNKS)

        def ask(question: str) -> list[str]:
            retrieved = retrieve(question, graph=graph, embedder=embedder, settings=settings)
            return [evidence.id for evidence in retrieved.evidence if evidence.kind == "chunk"]

        return ask

    return {**{method: by(method, embedder) for method in METHODS}, "filigraph, by hand": by("filigraph", unknown)}


def held_out(
    names: Sequence[str], store: Store, embedder: Embedder, limit: int | None
) -> dict[str, dict[str, dict[str, float]]]:
    """Set -> the walk's quality by trees that learned from the other half of all sets, or only from other sets.

    The shipped weights learned from these same questions.
    """
    rows = {name: collect(name, store.graph(f"bench-{name}"), embedder) for name in names}
    everything = [row for own in rows.values() for row in own]
    held = halves(everything)
    results: dict[str, dict[str, dict[str, float]]] = {}
    for name, own in rows.items():
        questions = own[:limit]
        elsewhere = learn([row for row in everything if alien(row, name)])
        results[name] = {
            "filigraph, other half": _quality(questions, [held(row) for row in questions]),
            "filigraph, never saw the set": _quality(questions, [elsewhere.score(row) for row in questions]),
        }
    return results


def _quality(rows: Sequence[Row], scores: Sequence[Floats]) -> dict[str, Any]:
    """The figures of chunks ranked by score."""
    rankings = {}
    for row, score in zip(rows, scores, strict=True):
        names = {document: f"gold {n}" for n, document in enumerate(sorted(row.gold))}
        first = [row.documents[n] for n in np.argsort(-score, kind="stable")[:EVIDENCE_CHUNKS]]
        rankings[row.id] = list(dict.fromkeys(names.get(document, document) for document in first))
    return mean_measures(rankings, {row.id: len(row.gold) for row in rows})

"""Learn the hop ranker's weights from the developers' question sets, and say what they are worth.

    python -m bench.train [--depth N] [--cache FOLDER] [--keep]

Each set must have been ingested by `bench.ingest`. For every question the walk is made as for an answer; every chunk
of the pool is a row, gold or not. A logistic regression is fitted with each question weighing the same, and the gold of
a question as much as all its other chunks; S has half of the say in what is learned. Texts without titles have weights
of their own (`bench.train_narrative`). Printed: recall@5 of the gold passages of S (nothing learned), of weights
cross-validated over five parts, and of weights that never saw the set. With `--keep` the weights of all rows are
written to graph/ask/hop_ranker.json with their provenance. `--cache` keeps the walks, which take minutes.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from bench.common import data, lines, save
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.ask.explore.search import embed_question, gather, search
from filigraph.graph.ask.ranking.hop_ranker import INPUTS, features, hand_sized_score, inputs
from filigraph.graph.model import Floats
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.store import Store

WEIGHTS = Path(__file__).parent.parent / "graph" / "ask" / "hop_ranker.json"
SETS = {"titled": ["2wiki", "musique-train"]}
PARTS = 5
C = 0.1  # inverse strength of the regularization
MOST = 5  # recall is counted among the first so many documents


@dataclass(frozen=True, eq=False)
class Row:
    """One question: the FEATURES of its pool, and which chunks are gold."""

    set_name: str
    number: int  # in its set
    kind: str
    found: Floats
    documents: tuple[str, ...]  # of each chunk
    gold: frozenset[str]  # documents


def collect(name: str, store: Store, embedder: Any, depth: int) -> list[Row]:
    """Walk every question of a set."""
    graph = store.graph(f"bench-{name}")
    rows = []
    for number, asked in enumerate(lines(data(f"{name.removesuffix('-untitled')}/questions.jsonl"))):
        read = embed_question(asked["question"], "en", graph, embedder)
        found = search(read, graph, embedder)
        pool, walked = gather(found.question(read), found, graph, depth)
        if pool is None or walked is None:
            continue
        gold = frozenset(ids.document_id(graph.workspace.name, passage) for passage in asked["gold"])
        documents = tuple(chunk.document_id for chunk in pool.chunks)
        rows.append(Row(name, number, asked["type"], features(pool, walked), documents, gold))
    return rows


def recall(row: Row, score: Floats) -> float:
    """Share of the gold documents among the first five."""
    order = np.argsort(-score, kind="stable")
    first = list(dict.fromkeys(row.documents[n] for n in order))[:MOST]
    return len(row.gold & set(first)) / len(row.gold)


def fit(rows: Sequence[Row]) -> Callable[[Floats], Floats]:
    """Learned weights as a function of FEATURES."""
    weights, bias = learn(rows)
    return lambda found: inputs(found) @ weights + bias


def learn(rows: Sequence[Row]) -> tuple[Floats, float]:
    """Weights of INPUTS, and the bias."""
    matrices = [inputs(row.found) for row in rows]
    labels = [np.array([document in row.gold for document in row.documents]) for row in rows]
    share = [np.where(label, 0.5 / max(label.sum(), 1), 0.5 / max((~label).sum(), 1)) for label in labels]
    scaler = StandardScaler().fit(np.concatenate(matrices))
    weight = np.concatenate(share)
    model = LogisticRegression(C=C, max_iter=5000)
    model.fit(
        scaler.transform(np.concatenate(matrices)),
        np.concatenate(labels),
        sample_weight=weight * len(weight) / weight.sum(),
    )
    weights: Floats = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    # What was sized by hand knows no set better than another. With half of the say, it costs half a point on sets that
    # were seen and gains one to eight on those that were not: users bring texts that nobody has seen.
    spread = (np.concatenate(matrices) @ weights).std() / scaler.scale_[INPUTS.index("S")]
    weights[INPUTS.index("S")] += spread
    # Gold weighed as much as all the rest: bring the scores back to probabilities (Platt 1999).
    logits = np.concatenate(matrices) @ weights + bias
    platt = LogisticRegression(C=1e6).fit(logits[:, None], np.concatenate(labels))
    return weights * platt.coef_[0][0], bias * platt.coef_[0][0] + float(platt.intercept_[0])


def mean(rows: Sequence[Row], score: Callable[[Floats], Floats]) -> float:
    """Recall@5 over all of `rows`, percent."""
    return round(100 * float(np.mean([recall(row, score(row.found)) for row in rows])), 1)


def cross_validated(rows: Sequence[Row]) -> dict[str, float]:
    """Recall@5 by set, each question scored by weights that did not see it."""
    found: dict[str, list[float]] = {}
    for part in range(PARTS):
        score = fit([row for row in rows if row.number % PARTS != part])
        for row in rows:
            if row.number % PARTS == part:
                found.setdefault(row.set_name, []).append(recall(row, score(row.found)))
    return {name: round(100 * float(np.mean(values)), 1) for name, values in found.items()}


def cached(name: str, folder: Path | None, store: Store, embedder: Any, depth: int) -> list[Row]:
    """The walks of a set, from the cache if there is one."""
    file = folder / f"{name}-{depth}.pickle" if folder else None
    if file and file.exists():
        rows: list[Row] = pickle.loads(file.read_bytes())
        return rows
    rows = collect(name, store, embedder, depth)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(rows))
    return rows


def main() -> None:
    """Collect, learn, print, keep."""
    arguments = sys.argv[1:]
    depth = int(arguments[arguments.index("--depth") + 1]) if "--depth" in arguments else 4
    folder = Path(arguments[arguments.index("--cache") + 1]) if "--cache" in arguments else None
    embedder = load_embedder(None)
    address = start_neo4j()
    results: dict[str, Any] = {"depth": depth}
    kept: dict[str, Any] = {"embedders": [embedder.fingerprint]}
    with Store.connect(address.uri, address.username, address.password) as store:
        for titles, names in SETS.items():
            by_set = {name: cached(name, folder, store, embedder, depth) for name in names}
            rows = [row for own in by_set.values() for row in own]
            crossed = cross_validated(rows)
            for name, own in by_set.items():
                results[name] = {
                    "questions": len(own),
                    "pool": round(float(np.mean([len(row.documents) for row in own])), 1),
                    "pool_recall": round(100 * float(np.mean([recall_of_pool(row) for row in own])), 1),
                    "by_hand": mean(own, hand_sized_score),
                    "cross_validated": crossed[name],
                    "never_saw_it": mean(own, fit([row for row in rows if row.set_name != name])),
                }
                print(name, results[name], flush=True)
            weights, bias = learn(rows)
            kept[titles] = {
                "bias": round(bias, 6),
                "weights": {name: round(float(weight), 6) for name, weight in zip(INPUTS, weights, strict=True)},
            }
    save("train", results)
    if "--keep" in arguments:
        provenance = {
            "made by": "python -m bench.train --keep",
            "learned from": "2WikiMultiHopQA (Apache-2.0), MuSiQue (CC BY 4.0), with the triples of HippoRAG (MIT)",
            "questions": {name: results[name]["questions"] for names in SETS.values() for name in names},
            "recall@5, cross-validated": {
                name: results[name]["cross_validated"] for names in SETS.values() for name in names
            },
            "embedder": embedder.name,
        }
        WEIGHTS.write_text(json.dumps({"provenance": provenance} | kept, indent=1) + "\n", encoding="utf-8")


def recall_of_pool(row: Row) -> float:
    """Share of the gold documents that the walk brought into the pool at all."""
    return len(row.gold & set(row.documents)) / len(row.gold)


if __name__ == "__main__":
    main()

"""Learn the hop ranker from question sets, and measure it on questions and on sets that it never saw.

    python -m bench.training.hop_ranker [--cache FOLDER] [--keep]

Each set must have been ingested by `bench.speed.ingest`, whole or in part; only questions whose gold passages are all
there count. Every question is walked as for an answer; every chunk of the pool is a row, gold or not. Trees learn to
put gold first (LambdaRank, Burges 2010, as LightGBM grows them); every set has the same weight. A question belongs to
one of two halves by a hash of its id. Printed, and kept with their intervals (bootstrap over questions, 95 %): recall@5
of the gold passages of words, of vectors, of both, of S (nothing learned), of trees that learned from the other half of
every set, and of trees that learned only from the other sets. With `--keep` trees that learned from all questions but a
held-out fifth (`bench.corpora.held_out`) are written to graph/ask/hop_ranker.onnx, and their parameters to
hop_ranker.json. `--cache` keeps the walks, which take minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from sklearn.linear_model import LogisticRegression

from bench.common import data, lines, machine, save
from bench.corpora import held_out, workspace_of
from bench.intervals import bootstrap_means, bounds
from bench.training.trees import to_onnx
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.ask.explore import search as explore
from filigraph.graph.ask.explore.fusion import fuse_vectors_and_words
from filigraph.graph.ask.explore.search import embed_question, gather_pool, search
from filigraph.graph.ask.ranking.hop_ranker import INPUTS, beside_best, features, hand_sized_score, inputs
from filigraph.graph.model.arrays import Floats
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store

KEPT_AT = Path(__file__).parents[2] / "graph" / "ask"
SETS = ("2wiki", "musique", "musique-train")
DEPTH = 4
PLAIN = 20  # chunks of a plain search, from which its first documents are taken
MOST = 5  # recall counts this many first documents
TREES = 500
BY_HAND = 0.5  # spread of S beside that of the trees: costs nothing on sets that were seen, gains on other sets
GROWN = {  # the names are LightGBM's
    "objective": "lambdarank",
    "lambdarank_truncation_level": 10,
    "learning_rate": 0.04,
    "num_leaves": 31,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.25,  # this and the next: on sets that they never saw, such trees gain one to four points
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 63,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 1,
    "num_threads": 1,
    "verbose": -1,
}

Score = Callable[["Row"], Floats]


@dataclass(frozen=True, kw_only=True, eq=False)
class Row:
    """One question: the FEATURES and BESIDE_BEST of its pool, which chunks are gold, and what plain searches found."""

    set_name: str
    id: str
    type: str
    found: Floats
    beside: Floats  # BESIDE_BEST
    documents: tuple[str, ...]  # of each chunk
    gold: frozenset[str]  # documents
    plain: dict[str, tuple[str, ...]]  # documents, best first

    @property
    def half(self) -> int:
        """The half of its set to which a question belongs, for good. A hash of only the id halved the sets
        themselves.
        """
        return int(hashlib.sha256(f"fold {self.id}".encode()).hexdigest(), 16) % 2

    @property
    def answers(self) -> Floats:
        """(n,) 1 if a chunk is gold."""
        return np.array([document in self.gold for document in self.documents], dtype=float)


# --------------------------------------------------------------------------------------------------------------------
# Walks


def collect(name: str, graph: Graph, embedder: Embedder) -> list[Row]:
    """Walk every question of a set whose gold is in the workspace."""
    here = {row.id for row in graph.document_rows(facts=False)}
    rows = []
    for collected in lines(data(f"{name}/questions.jsonl")):
        gold = frozenset(ids.document_id(graph.workspace.name, passage) for passage in collected["gold"])
        if not gold <= here:
            continue
        read = embed_question(collected["question"], "en", graph, embedder)
        retrieved = search(read, graph, embedder)
        question = retrieved.question(read)
        pool, walked = gather_pool(question, retrieved, graph, DEPTH)
        if pool is None or walked is None:
            continue
        found = features(pool, walked)
        words = [(hit.id, hit.score) for hit in retrieved.words]
        both = fuse_vectors_and_words(retrieved.vectors, words, embedder.vector_weight)
        best = {
            by: [id_ for id_, _ in order[:PLAIN]]
            for by, order in {"words": words, "vectors": retrieved.vectors, "both": both}.items()
        }
        shown = graph.passages([id_ for order in best.values() for id_ in order])
        rows.append(
            Row(
                set_name=name,
                id=collected["id"],
                type=collected["type"],
                found=found,
                beside=beside_best(pool, question, hand_sized_score(found)),
                documents=tuple(chunk.document_id for chunk in pool.chunks),
                gold=gold,
                plain={by: tuple(shown[id_].document_id for id_ in order) for by, order in best.items()},
            )
        )
    return rows


def cached(name: str, folder: Path | None, store: Store, embedder: Embedder) -> list[Row]:
    """The walks of a set, from the cache if there is one."""
    file = folder / f"{name}.pickle" if folder else None
    if file and file.exists():
        rows: list[Row] = pickle.loads(file.read_bytes())
        return rows
    rows = collect(name, store.graph(workspace_of(name)), embedder)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(rows))
    return rows


# --------------------------------------------------------------------------------------------------------------------
# Learning


@dataclass(frozen=True, kw_only=True, eq=False)
class Learned:
    """Trees over INPUTS, and the weight of S beside them."""

    booster: lightgbm.Booster
    by_hand: float

    def score(self, row: Row) -> Floats:
        return sums(self.booster, row) + self.by_hand * hand_sized_score(row.found)


def sums(booster: lightgbm.Booster, row: Row) -> Floats:
    return np.asarray(
        booster.predict(inputs(row.found, hand_sized_score(row.found), row.beside).astype(np.float32), num_threads=1)
    )


def learn(rows: Sequence[Row]) -> Learned:
    """Learn the trees; every set has the same weight."""
    names = [row.set_name for row in rows]
    share = {name: len(rows) / len(set(names)) / names.count(name) for name in set(names)}
    weights = [np.full(len(row.documents), share[row.set_name]) for row in rows]
    known = lightgbm.Dataset(
        np.concatenate([inputs(row.found, hand_sized_score(row.found), row.beside) for row in rows]).astype(np.float32),
        np.concatenate([row.answers for row in rows]),
        group=[len(row.documents) for row in rows],
        weight=np.concatenate(weights),
    )
    booster = lightgbm.train(GROWN, known, TREES)
    spread = np.mean([sums(booster, row).std() for row in rows])
    by_hand = np.mean([hand_sized_score(row.found).std() for row in rows])
    return Learned(booster=booster, by_hand=round(float(BY_HAND * spread / by_hand), 6))


def halves(rows: Sequence[Row]) -> Score:
    """The scores of each question by trees that learned from the other half."""
    learned = [learn([row for row in rows if row.half != half]) for half in (0, 1)]
    return lambda row: learned[row.half].score(row)


def curve(rows: Sequence[Row], score: Score) -> tuple[float, float]:
    """Slope and offset that turn scores of questions that the trees did not see into probabilities (Platt 1999)."""
    scores = np.concatenate([score(row) for row in rows])
    answers = np.concatenate([row.answers for row in rows])
    platt = LogisticRegression(C=1e6).fit(scores[:, None], answers)
    return round(float(platt.coef_[0][0]), 6), round(float(platt.intercept_[0]), 6)


# --------------------------------------------------------------------------------------------------------------------
# Figures


def recall(row: Row, documents: Sequence[str], most: int = MOST) -> float:
    """Share of the gold among the first of these documents."""
    return len(row.gold & set(list(dict.fromkeys(documents))[:most])) / len(row.gold)


def recalls(rows: Sequence[Row], score: Score) -> Floats:
    """(questions,) recall of each."""
    orders = (np.argsort(-score(row), kind="stable") for row in rows)
    return np.array([recall(row, [row.documents[n] for n in order]) for row, order in zip(rows, orders, strict=True)])


def with_interval(values: Floats) -> list[float]:
    """The mean in percent, and its 95 % interval."""
    means = bootstrap_means(values, np.random.default_rng(0))
    return [round(100 * float(n), 1) for n in (values.mean(), *bounds(means))]


def figures(own: Sequence[Row], by_other_half: Score, others: Score | None) -> dict[str, Any]:
    """The figures of the rankings of one set."""
    plain = {by: np.array([recall(row, row.plain[by]) for row in own]) for by in ("words", "vectors", "both")}
    learned = recalls(own, by_other_half)
    by_type: dict[str, list[float]] = {}
    for row, value in zip(own, learned, strict=True):
        by_type.setdefault(row.type, []).append(float(value))
    return {
        "questions": len(own),
        "pool": round(float(np.mean([len(row.documents) for row in own])), 1),
        "pool_recall": round(
            100 * float(np.mean([len(row.gold & set(row.documents)) / len(row.gold) for row in own])), 1
        ),
        **{by: with_interval(values) for by, values in plain.items()},
        "by_hand": with_interval(recalls(own, lambda row: hand_sized_score(row.found))),
        "other_half": with_interval(learned),
        "other_half - both": with_interval(learned - plain["both"]),
        "other_half by type": {type_: round(100 * float(np.mean(values)), 1) for type_, values in by_type.items()},
        "other_sets": with_interval(recalls(own, others)) if others else None,
    }


def main() -> None:
    """Collect, learn, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.training.hop_ranker")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    explore.WHOLE_POOL_CHUNKS = 0  # a part of a corpus is walked like the whole
    embedder = load_embedder(None)
    address = start_neo4j()
    with Store.connect(address.uri, address.username, address.password) as store:
        by_name = {name: cached(name, options.cache, store, embedder) for name in SETS}
    by_set = {name: own for name, own in by_name.items() if own}
    print("nothing is there of:", sorted(by_name.keys() - by_set.keys()) or "-")
    rows = [row for own in by_set.values() for row in own]
    by_other_half = halves(rows)
    results: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    for name, own in by_set.items():
        results[name] = figures(own, by_other_half, learn([row for row in rows if alien(row, name)]).score)
        print(name, results[name], flush=True)
    save("train", results)
    if options.keep:
        keep(rows, curve(rows, by_other_half), embedder, results)


def alien(row: Row, name: str) -> bool:
    """Whether a question belongs to another corpus than this set: those of musique-train are MuSiQue's."""
    return row.set_name.split("-")[0] != name.split("-")[0]


def keep(rows: Sequence[Row], platt: tuple[float, float], embedder: Embedder, results: dict[str, Any]) -> None:
    """Learn from all questions but those held out, and write the files that ship."""
    taught = [row for row in rows if not held_out(row.id)]
    learned, names = learn(taught), list(dict.fromkeys(row.set_name for row in rows))
    (KEPT_AT / "hop_ranker.onnx").write_bytes(to_onnx(learned.booster.dump_model(), len(INPUTS)))
    model = {
        "provenance": {
            "made by": "python -m bench.training.hop_ranker --keep",
            "learned from": "2WikiMultiHopQA (Apache-2.0), MuSiQue (CC BY 4.0), with the triples of HippoRAG (MIT)",
            "questions": dict(Counter(row.set_name for row in taught)),
            "recall@5, by trees that learned from the other half": {
                name: results[name]["other_half"] for name in names
            },
            "embedder": embedder.name,
        },
        "embedders": [embedder.fingerprint],
        "inputs": list(INPUTS),
        "by_hand": learned.by_hand,
        "slope": platt[0],
        "offset": platt[1],
    }
    (KEPT_AT / "hop_ranker.json").write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

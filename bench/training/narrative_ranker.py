"""Learn the weights of a chunk's score and of a path's probability, from novels and case files.

    python -m bench.training.narrative_ranker [--keep] [--embedder NAME]

The sets are those of `bench.quality.narrative`, which ingests them as an excellent LLM reads them: all facts
(`thorough`), 8 and 2 a chunk (`thrifty`), and all facts under invented names. A chunk's score is a sum over six
standardized numbers (`graph/ask/ranking/narrative_ranker.py`), learned so that gold has most of the softmax over its
pool (ListNet, Cao et al. 2007), with weights that cannot be negative. The answer likelihood of a fact
(`graph/ask/paths/answer_likelihood.py`) is a logistic regression: does a fact of a gold passage say the end of the
answer. The probability of a path is another one, learned from the paths shown for the questions of a set and for 25
questions of other sets, which it cannot answer. 10 % of the questions with an answer are below its floor if spaCy read
the texts: few facts make less probable paths.

Printed, for each set with weights that never saw it: recall@5 and @10; of its bridge questions, how many have all gold
behind the paths shown, and how many the end of the answer said. `--keep` writes all to graph/ask/narrative_ranker.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from bench.common import save
from bench.quality.narrative import RENAMED, all_sets, gold_of, questions, words, workspace
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.explore.search import embed_question, gather_pool, search
from filigraph.graph.ask.paths.answer_likelihood import FACT_INPUTS, fact_inputs
from filigraph.graph.ask.paths.fact_graph import FactGraph, fact_graph
from filigraph.graph.ask.paths.probability import PathCurve
from filigraph.graph.ask.paths.select import PathSelector
from filigraph.graph.ask.ranking.narrative_ranker import (
    INPUTS,
    NarrativeRanker,
    inputs,
    learned_ranker,
    near_weight,
    score_chunks,
    standardized,
)
from filigraph.graph.measure.gold import Gold
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.language import detect

KEPT_AT = Path(__file__).parents[2] / "graph" / "ask" / "narrative_ranker.json"
PENALTY = 0.1  # of the squared distance of the weights from START
START = 0.1
FOREIGN = 25  # questions of other sets asked of each
LIKELY = 300  # facts of a question for learning, beside those that answer: the nearest in the best chunks
LOST = 0.1  # share of answerable questions that the floor may lose if spaCy read the texts
READ = (("", "thorough"), ("", "thrifty"), (RENAMED, "thorough"))  # for each set: its names, its reading
FLAT = PathCurve(value=1.0, together=0.0, meaning=0.0, bias=0.0, floor=0.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """One question of a set, or of another set, asked of this one."""

    row: dict[str, Any]
    pool: Pool
    graph: FactGraph
    question: Question
    gold: Gold | None  # None: this set has none

    @property
    def rows(self) -> list[set[int]]:
        """The rows of each piece of gold."""
        pieces = self.gold.pieces if self.gold else ()
        return [{self.pool.row[id_] for id_ in piece if id_ in self.pool.row} for piece in pieces]


def asked(rows: Sequence[dict[str, Any]], graph: Graph, embedder: Embedder, gold: dict[str, Gold]) -> list[Asked]:
    """Search and lay out every question as for an answer."""
    result = []
    for row in rows:
        read = embed_question(row["question"], detect(row["question"]), graph, embedder)
        hits = search(read, graph, embedder)
        question = hits.question(read)
        pool, _ = gather_pool(question, hits, graph, 4)
        if pool is not None:
            facts = fact_graph(pool, question)
            result.append(Asked(row=row, pool=pool, graph=facts, question=question, gold=gold.get(row["id"])))
    return result


# --------------------------------------------------------------------------------------------------------------------
# Chunks


Row = tuple[Floats, list[set[int]]]  # (n, 6) standardized INPUTS, gold


def chunk_rows(those: Sequence[Asked], weights: NarrativeRanker) -> list[Row]:
    """The rows of chunks; `weights` start the flow and the search for chains."""
    rows = []
    for one in those:
        if one.gold:
            features, _ = inputs(one.pool, one.graph, one.question, weights, depth=4)
            languages = [chunk.language for chunk in one.pool.chunks]
            rows.append((np.column_stack([standardized(features[name], languages) for name in INPUTS]), one.rows))
    return rows


def sum_of(matrix: Floats, weights: Floats) -> Floats:
    """(n,) the chunks' scores, as the ranker sums them."""
    result: Floats = matrix @ weights + near_weight(len(matrix)) * matrix[:, INPUTS.index("meaning")]
    return result


def learn_chunks(rows: Sequence[Row]) -> NarrativeRanker:
    """The weights, and Platt's curve over them."""
    targets = []
    for matrix, gold in rows:
        target = np.zeros(len(matrix))
        for piece in gold:
            target[list(piece)] += 1 / max(len(piece), 1)
        targets.append(target / max(float(target.sum()), 1e-9))

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(len(INPUTS))
        for (matrix, _), target in zip(rows, targets, strict=True):
            score = sum_of(matrix, weights)
            score -= score.max()
            chance = np.exp(score) / np.exp(score).sum()
            total -= float(target @ np.log(chance + 1e-12))
            slope += matrix.T @ (chance - target)
        away = weights - START
        return total / len(rows) + PENALTY * float(away @ away), slope / len(rows) + 2 * PENALTY * away

    begin = np.full(len(INPUTS), START)
    weights = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(INPUTS)).x
    scores = np.concatenate([sum_of(matrix, weights) for matrix, _ in rows])
    labels = np.concatenate([np.isin(np.arange(len(m)), list(set().union(*gold))) for m, gold in rows])
    platt = LogisticRegression(C=1e6).fit(scores[:, None], labels)
    return NarrativeRanker(
        weights={name: round(float(weight), 4) for name, weight in zip(INPUTS, weights, strict=True)},
        slope=round(float(platt.coef_[0][0]), 4),
        offset=round(float(platt.intercept_[0]), 4),
    )


def recall(rows: Sequence[Row], learned: NarrativeRanker) -> list[tuple[float, float]]:
    """Recall@5 and @10 of each question."""
    weights = np.array([learned.weights[name] for name in INPUTS])
    recalls = []
    for matrix, gold in rows:
        order = np.argsort(-sum_of(matrix, weights), kind="stable")
        five, ten = (float(np.mean([bool(piece & set(order[:k].tolist())) for piece in gold])) for k in (5, 10))
        recalls.append((five, ten))
    return recalls


# --------------------------------------------------------------------------------------------------------------------
# Facts


@dataclass(frozen=True, kw_only=True, eq=False)
class FactRows:
    """The facts of one question from which the regression learns."""

    inputs: Floats  # (k, 8) FACT_INPUTS
    answers: Floats  # (k,) 1 if it says the end of the answer in a gold chunk


def fact_rows(those: Sequence[Asked], learned: NarrativeRanker) -> list[FactRows]:
    """The rows of facts; leaves out questions that no fact answers."""
    rows = []
    for one in those:
        if one.gold is None:
            continue
        score = score_chunks(one.pool, one.graph, one.question, learned, depth=4).score
        gold = np.isin(one.graph.chunk, list(set().union(*one.rows)))
        answers = np.array([gold[fact] and says_end(one, [fact]) for fact in range(one.graph.size)])
        answers &= one.graph.states
        near = deviations(one.graph.cosine) + deviations(score)[one.graph.chunk] - 1e3 * ~one.graph.states
        taken = np.union1d(np.argsort(-near, kind="stable")[:LIKELY], np.flatnonzero(answers))
        if answers.any():
            features = fact_inputs(taken, one.graph, one.pool, one.question, score)
            rows.append(FactRows(inputs=features, answers=answers[taken].astype(float)))
    return rows


def deviations(column: Floats) -> Floats:
    """The deviations from the mean, in standard deviations."""
    result: Floats = (column - column.mean()) / (column.std() + 1e-9)
    return result


def says_end(one: Asked, facts: Sequence[int]) -> bool:
    """Whether the facts say half of the words of the gold chain's last object, or of the answer."""
    end = words(one.row["chain"][-1][2] if one.row.get("chain") else one.row["answer"])
    those = [one.pool.facts[fact] for fact in facts]
    fact_words = words(" ".join(f"{fact.subject} {fact.predicate} {fact.object}" for fact in those))
    return bool(end) and len(end & fact_words) >= max(1, len(end) // 2)


def learn_facts(rows: Sequence[FactRows]) -> dict[str, float]:
    """What each of FACT_INPUTS adds to the logit; every question has the same weight."""
    matrix = np.concatenate([row.inputs for row in rows])
    counts = np.concatenate([np.full(len(row.answers), 1 / len(row.answers)) for row in rows])
    scaler = StandardScaler().fit(matrix)
    model = LogisticRegression(C=0.3, max_iter=2000)
    model.fit(scaler.transform(matrix), np.concatenate([row.answers for row in rows]), counts / counts.mean())
    weights = model.coef_[0] / scaler.scale_
    return {name: round(float(weight), 4) for name, weight in zip(FACT_INPUTS, weights, strict=True)}


# --------------------------------------------------------------------------------------------------------------------
# Paths


@dataclass(frozen=True, kw_only=True)
class PathRow:
    """A path that was shown, and whether it answers: all gold is behind it, or it says the end of the answer."""

    question: str
    answerable: bool
    inputs: tuple[float, float, float]  # as of `PathSelector.inputs`
    answers: bool


def path_rows(those: Sequence[Asked], learned: NarrativeRanker, facts: Mapping[str, float]) -> list[PathRow]:
    rows = []
    for number, one in enumerate(those):
        selector = selector_of(one, learned, facts)
        paths = selector.select(3)
        for path, features in zip(paths, selector.inputs(paths), strict=True):
            rows.append(
                PathRow(
                    question=f"{one.row['id']} {number}",
                    answerable=one.gold is not None,
                    inputs=features,
                    answers=one.gold is not None and (says_end(one, path.facts) or holds_gold(one, path.facts)),
                )
            )
    return rows


def selector_of(one: Asked, learned: NarrativeRanker, facts: Mapping[str, float]) -> PathSelector:
    scored = score_chunks(one.pool, one.graph, one.question, learned, depth=4)
    return PathSelector(scored.chains, one.graph, one.pool, one.question, scored.score, FLAT, facts)


def holds_gold(one: Asked, facts: Sequence[int]) -> bool:
    """Whether all gold is behind the facts."""
    chunks = set(one.graph.chunk[list(facts)].tolist())
    return all(piece & chunks for piece in one.rows)


def bridges(those: Sequence[Asked], learned: NarrativeRanker, facts: Mapping[str, float]) -> list[tuple[float, float]]:
    """For each bridge question: whether all gold is behind the paths shown, and whether one says the end."""
    result = []
    for one in those:
        if one.gold and one.row["type"] == "bridge":
            shown = [fact for path in selector_of(one, learned, facts).select(3) for fact in path.facts]
            result.append((float(holds_gold(one, shown)), float(says_end(one, shown))))
    return result


def learn_paths(rows: Sequence[PathRow]) -> PathCurve:
    """The curve, without a floor."""
    matrix = np.array([row.inputs for row in rows])
    model = LogisticRegression(C=1.0).fit(matrix, [row.answers for row in rows])
    value, together, meaning = (round(float(x), 4) for x in model.coef_[0])
    return PathCurve(
        value=value,
        together=together,
        meaning=meaning,
        bias=round(float(model.intercept_[0]), 4),
        floor=0.0,
    )


def learn_floor(rows: Sequence[PathRow], curve: PathCurve) -> float:
    """The probability below which LOST of the questions have their best path."""
    best: dict[str, float] = {}
    for row in rows:
        logit = curve.bias + float(np.dot((curve.value, curve.together, curve.meaning), row.inputs))
        best[row.question] = max(best.get(row.question, 0.0), float(1 / (1 + np.exp(-logit))))
    return round(float(np.quantile(list(best.values()), LOST)), 3)


# --------------------------------------------------------------------------------------------------------------------
# The run


@dataclass(frozen=True, kw_only=True)
class Unseen:
    """Figures of sets by weights that never saw them."""

    found: list[tuple[float, float]] = field(default_factory=list)  # recall@5 and @10 of each question
    shown: list[tuple[float, float]] = field(default_factory=list)  # the result of `bridges`


def main() -> None:
    """Collect, learn, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.training.narrative_ranker")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--embedder", help="as in FILIGRAPH_EMBEDDER")
    options = parser.parse_args()
    embedder = load_embedder(options.embedder)
    address = start_neo4j()
    names = all_sets()
    random = np.random.default_rng(7)
    by_set: dict[tuple[str, str, str], list[Asked]] = {}
    foreign: dict[str, list[Asked]] = {}
    by_spacy: list[Asked] = []
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in names:
            for named, reading in READ:
                graph = workspace(name + named, reading, store, embedder)
                rows = questions(name + named)
                by_set[name, named, reading] = asked(rows, graph, embedder, gold_of(rows, graph))
            graph, rows = workspace(name, "thorough", store, embedder), questions(name)
            elsewhere = [row for other in names if other != name for row in questions(other) if row["gold"]]
            chosen = [elsewhere[n] for n in random.permutation(len(elsewhere))[:FOREIGN]]
            foreign[name] = asked(chosen, graph, embedder, {})
            local = workspace(name, "local", store, embedder)
            gold = gold_of(rows, local)
            by_spacy += asked([row for row in rows if row["id"] in gold], local, embedder, gold)
    chunks = {key: chunk_rows(those, learned_ranker()) for key, those in by_set.items()}
    facts = {key: fact_rows(those, learned_ranker()) for key, those in by_set.items()}
    unseen: dict[tuple[str, str], Unseen] = {read: Unseen() for read in READ}
    for name in names:
        learned = learn_chunks([row for key, rows in chunks.items() if key[0] != name for row in rows])
        likely = learn_facts([row for key, rows in facts.items() if key[0] != name for row in rows])
        for read in READ:
            recalls = recall(chunks[name, *read], learned)
            shown = bridges(by_set[name, *read], learned, likely)
            unseen[read].found.extend(recalls)
            unseen[read].shown.extend(shown)
            print(name, *read, in_percent(recalls), in_percent(shown), flush=True)
    learned = learn_chunks([row for rows in chunks.values() for row in rows])
    likely = learn_facts([row for rows in facts.values() for row in rows])
    paths = [row for name in names for row in path_rows([*by_set[name, *READ[0]], *foreign[name]], learned, likely)]
    curve = learn_paths(paths)
    curve = replace(curve, floor=learn_floor(path_rows(by_spacy, learned, likely), curve))
    figures = {
        "weights that never saw the set": {
            " ".join(filter(None, read)): {
                "recall@5 and @10": in_percent(those.found),
                "all gold behind three paths, the end said": in_percent(those.shown),
            }
            for read, those in unseen.items()
        },
        "questions": len(unseen[READ[0]].found),
        "bridge questions": len(unseen[READ[0]].shown),
    }
    print(figures, learned, likely, curve, flush=True)
    save("train_narrative", figures)
    if options.keep:
        provenance = {
            "made by": "python -m bench.training.narrative_ranker --keep",
            "learned from": f"{', '.join(names)}, as an excellent LLM reads them, with many facts and few, and renamed",
            **figures,
            "embedder": embedder.name,
        }
        model = {
            "provenance": provenance,
            "embedder": embedder.fingerprint,
            "chunks": vars(learned),
            "facts": likely,
            "paths": vars(curve),
        }
        KEPT_AT.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")


def in_percent(recalls: Sequence[tuple[float, float]]) -> list[float]:
    return [round(100 * float(x), 1) for x in np.mean(recalls, axis=0)]


if __name__ == "__main__":
    main()

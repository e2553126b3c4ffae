"""Learn which paths without an LLM are shown open, from judged paths.

    python -m bench.training.leads [SET ...] [--replies FOLDER]

The paths and the verdicts are those of `bench.quality.leads`. Two logistic regressions of one number each say how
likely a path helps: of a first path by the rarity of the least rare name on its way that the question does not have, of
a further path by its probability. For each set they are learned from the other sets, and so is the threshold that folds
FOLDED of the paths that help. Printed and stored: how many open paths help and how many helping ones are folded, on
the sets that were left out; the same by the probability alone; and the thresholds learned from all sets. Those of
`graph/ask/paths/probability.py` are near these.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from bench.common import DATA, machine, save
from bench.quality.leads import CASE_FILES, FIRST, folding, given_verdicts, item
from bench.quality.narrative import questions, workspace
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.ask.explore.search import embed_question, gather_pool, search
from filigraph.graph.ask.paths.fact_graph import fact_graph
from filigraph.graph.ask.paths.path_filter import PathFilter
from filigraph.graph.ask.paths.select import rarity_on_the_way
from filigraph.graph.ask.ranking.rank import rank_pool
from filigraph.graph.model.arrays import Floats
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.language import detect

FOLDED = 0.24  # share of the helping paths of the sets that are learned from
STRENGTH = 0.3  # inverse of the regularization


@dataclass(frozen=True, kw_only=True)
class JudgedPath:
    """A path that a question was shown."""

    set: str
    question: str
    place: int  # from 1
    rarity: float  # on its way
    probability: float
    helps: bool


def judged_paths(name: str, graph: Graph, embedder: Embedder, verdicts: dict[str, str]) -> list[JudgedPath]:
    """The judged paths of a set."""
    judged = []
    for row in (row for row in questions(name) if row["type"] != "unanswerable"):
        read = embed_question(row["question"], detect(row["question"]), graph, embedder)
        hits = search(read, graph, embedder)
        question = hits.question(read)
        ranked = rank_pool(
            gather_pool(question, hits, graph, 4),
            question,
            (),
            embedder.fingerprint,
            graph,
            path_filter=PathFilter(),
            comparable=True,
            depth=4,
            limit=FIRST,
            without_own=False,
        )
        if ranked.pool is None:
            continue
        facts = fact_graph(ranked.pool, question)
        shown = ranked.in_words(graph.passages([chunk.id for chunk in ranked.pool.chunks]))
        for place, (path, chosen) in enumerate(zip(shown, ranked.paths, strict=True), start=1):
            verdict = verdicts.get(item(row, path))
            if verdict is not None:
                judged.append(
                    JudgedPath(
                        set=name,
                        question=row["id"],
                        place=place,
                        rarity=rarity_on_the_way(chosen.facts, facts),
                        probability=chosen.probability,
                        helps=verdict != "noise",
                    )
                )
    return judged


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Judged paths as arrays, each (n,)."""

    first: Any  # which are first paths
    helps: Any
    rarity: Floats
    logit: Floats  # of the probability


def columns(paths: Sequence[JudgedPath]) -> Columns:
    probability = np.array([path.probability for path in paths])
    return Columns(
        first=np.array([path.place == 1 for path in paths]),
        helps=np.array([path.helps for path in paths]),
        rarity=np.array([path.rarity for path in paths]),
        logit=np.log(probability / (1 - probability)),
    )


def likely(rows: Columns, learned_from: Any, *, by_rarity: bool) -> Floats:
    """(n,) how likely each path helps, as a logit learned from some of them."""
    result = np.zeros(len(rows.first))
    for which, number in ((rows.first, rows.rarity if by_rarity else rows.logit), (~rows.first, rows.logit)):
        known = which & learned_from
        model = LogisticRegression(C=STRENGTH).fit(standard(number, known)[known, None], rows.helps[known])
        result[which] = model.decision_function(standard(number, known)[which, None])
    return result


def standard(number: Floats, known: Any) -> Floats:
    result: Floats = (number - number[known].mean()) / number[known].std()
    return result


def open_by(rows: Columns, learned_from: Any, *, by_rarity: bool) -> Any:
    """(n,) which paths are shown open."""
    score = likely(rows, learned_from, by_rarity=by_rarity)
    return score >= np.quantile(score[learned_from & rows.helps], FOLDED)


def figures(paths: Sequence[JudgedPath]) -> dict[str, Any]:
    """Of the sets that were left out, and what all of them teach."""
    rows, sets = columns(paths), np.array([path.set for path in paths])
    result: dict[str, Any] = {}
    for name, by_rarity in (("by the probability", False), ("first paths by rarity", True)):
        opened = np.zeros(len(paths), dtype=bool)
        for one in dict.fromkeys(sets.tolist()):
            opened[sets == one] = open_by(rows, sets != one, by_rarity=by_rarity)[sets == one]
        number = rows.rarity if by_rarity else rows.logit
        result[name] = {
            **folding(rows.helps.tolist(), opened.tolist()),
            "open": int(opened.sum()),
            "area under the curve, first paths": float(roc_auc_score(rows.helps[rows.first], number[rows.first])),
        }
    opened = open_by(rows, np.ones(len(paths), dtype=bool), by_rarity=True)
    result["thresholds learned from all"] = {
        "rarity of first paths": float(rows.rarity[opened & rows.first].min()),
        "probability of further paths": min(
            path.probability for path, shown in zip(paths, opened, strict=True) if shown and path.place > 1
        ),
    }
    helping: dict[tuple[str, str], int] = {}
    for path in paths:
        helping[path.set, path.question] = helping.get((path.set, path.question), 0) + path.helps
    return result | {"questions": len(helping), "without a helping path": sum(not count for count in helping.values())}


def main() -> None:
    """Collect, learn, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.training.leads")
    parser.add_argument("sets", nargs="*", default=CASE_FILES)
    parser.add_argument("--replies", type=Path, default=DATA.parent / "replies")
    options = parser.parse_args()
    embedder, address = load_embedder(None), start_neo4j()
    verdicts = given_verdicts(options.replies)
    paths: list[JudgedPath] = []
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in options.sets:
            paths += judged_paths(name, workspace(name, "thorough", store, embedder), embedder, verdicts)
            print(name, len(paths), "paths", flush=True)
    shares = figures(paths)
    print(json.dumps(shares, indent=1))
    save("train_leads", {"machine": machine(), "embedder": embedder.name, **shares})


if __name__ == "__main__":
    main()

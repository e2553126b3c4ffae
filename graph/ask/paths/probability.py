"""Probability: the probability that a path answers, which is its score; and the threshold below which no path is shown.

Learned from question sets (`bench.training.narrative_ranker`), with provenance in `narrative_ranker.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.ask.weights import read_weights
from filigraph.graph.model.retrieval import Question

# A first path that is less probable is a lead; so is one that leads over a hub: a name that the question does not have
# and that is less rare (1: one chunk mentions it, 0: all do). A further path below the second threshold is a lead, too.
# Chosen on judged paths of five case files (`bench.training.leads`, docs/benchmarks.md): the probability tells which
# further path helps, but hardly which first path does; the hub does, since it shows that the search found no way on.
LEAD_MAX_PROBABILITY = 0.08
HUB_MAX_RARITY = 0.34
HUB_MIN_CHUNKS = 12  # in a workspace: in a smaller one, a few mentions make any name common
FURTHER_LEAD_MAX_PROBABILITY = 0.135


@dataclass(frozen=True, kw_only=True)
class PathCurve:
    """The probability that a path answers: a logistic regression of its value and of two cosines with the question, the
    best of a chunk and the best of a path's summed facts, over the paths to show. The answer likelihood is not an
    input: it says which end to show, not whether it answers."""

    value: float
    together: float
    meaning: float
    bias: float
    floor: float  # if the best path is less probable than this, and has no name of the question, none is shown

    def probability(self, inputs: tuple[float, float, float]) -> float:
        """The probability of a path with this value, togetherness and meaning."""
        logit = self.bias + float(np.dot((self.value, self.together, self.meaning), inputs))
        return float(1 / (1 + np.exp(-logit)))


@cache
def learned_curve(fingerprint: str) -> PathCurve:
    """The curve that came with Filigraph. Its cosines are those of one embedder: with another there is no floor."""
    data = read_weights("narrative_ranker")
    curve = PathCurve(**data["paths"])
    return curve if data["embedder"] == fingerprint else replace(curve, floor=0.0)


def path_cosines(
    paths: Sequence[Sequence[int]], graph: FactGraph, pool: Pool, question: Question
) -> tuple[float, float]:
    """The best cosine of the question with what the facts of one path say together, and with one of their chunks."""
    sums = [graph.vectors[list(facts)].sum(axis=0) for facts in paths]
    together = max((float(v @ question.vector) / max(float(np.linalg.norm(v)), 1e-6) for v in sums), default=0.0)
    rows = sorted({row for facts in paths for row in graph.chunk[list(facts)].tolist()})
    return together, float(pool.dense[rows].max(initial=0.0))

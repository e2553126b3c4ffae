"""Rerank: the final order; the evidence of the walk stays, whatever a reranker says.

A cross-encoder is trained on sentences that answer a question. The hops of a path answer only together, so each single
chunk behind it looks irrelevant and would be dropped first: the third hop of "Why be wary of Jules?" mentions neither
Jules nor caution. So paths have reserved places, by the walk's own scores. Without a reranker the graph's ranking is
final.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from filigraph.graph.model.retrieval import Evidence, Path

MAX_RERANKED = 30  # of the evidence, best first, are shown to the reranker
PATH_SCORE_WEIGHT = 0.2  # of the joint score; the reranker has the rest
MIN_JOINT_SCORE = 0.35  # evidence with a lower joint score goes,
TRUSTED_WALK_SCORE = 0.55  # unless the walk gave it at least this
MIN_PATH_SCORE = 0.1  # a path that the walk itself scores lower has no reserved place


class Scorer(Protocol):
    """Says how well texts answer a question. Thread-safe."""

    name: str

    def score(
        self, question: str, texts: Sequence[str], *, cancelled: Callable[[], bool] = lambda: False
    ) -> list[float]:
        """0..1 for each text, in order. Raises Cancelled soon after `cancelled` turns true."""


def rerank(
    question: str,
    evidence: Sequence[Evidence],
    paths: Sequence[Path],
    scorer: Scorer | None,
    *,
    keep: int = 10,
    reserved_paths: int = 3,
    neighbours: Mapping[str, Evidence] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Evidence]:
    """The `keep` pieces of evidence that the answer is made from, best first.

    `evidence` comes in the walk's order and holds the chunks behind the hops of `paths` (best first). The chunks of the
    first `reserved_paths` paths stay, in the place of their score; those that would otherwise be dropped are `kept_by`
    "graph", and the last of the others make room. The result is longer than `keep` only if reserved chunks alone exceed
    it. `neighbours`: chunk id -> a chunk next to it in its document; the best chunk brings its neighbour. Without a
    scorer, order and scores do not change, and no neighbour is added.
    """
    reserved = _ids_reserved_for_paths(evidence, paths, reserved_paths)
    if scorer is None:
        return _keep_best_and_reserved(evidence, evidence, reserved, keep)
    shown = [item for n, item in enumerate(evidence) if n < MAX_RERANKED or item.id in reserved]
    texts = prefix_paths([(item.id, item.text) for item in shown], paths)
    scores = scorer.score(question, texts, cancelled=cancelled)
    scored = [dataclasses.replace(item, rerank_score=score) for item, score in zip(shown, scores, strict=True)]
    ordered = sorted(scored, key=lambda item: -joint_score(item))  # stable: a tie is as the walk had it
    ranked = [item for item in ordered if joint_score(item) >= MIN_JOINT_SCORE or item.score >= TRUSTED_WALK_SCORE]
    chosen = _keep_best_and_reserved(ordered, ranked, reserved, keep)
    return _with_neighbour(chosen, neighbours or {}, reserved, keep)


def prefix_paths(texts: Sequence[tuple[str, str]], paths: Sequence[Path]) -> list[str]:
    """(Chunk id, text) as a reranker sees it: the path that leads there in words, if there is one, then the text.

    By itself the last passage of a path has none of the question's names. A cross-encoder that was shown the path found
    77 % of the gold within its first five passages, without it 70 % (measured at v0.1).
    """
    path_text: dict[str, str] = {}
    for path in paths:
        for id_ in path.chunk_ids:
            path_text.setdefault(id_, path.text)
    return [f"{path_text[id_]} | {text}" if id_ in path_text else text for id_, text in texts]


def joint_score(item: Evidence) -> float:
    """The walk's score and the reranker's in one, 0..1."""
    return PATH_SCORE_WEIGHT * item.score + (1 - PATH_SCORE_WEIGHT) * (item.rerank_score or 0.0)


def _ids_reserved_for_paths(evidence: Sequence[Evidence], paths: Sequence[Path], most: int) -> set[str]:
    """Ids of the evidence that stays: the chunks behind the best paths, and these paths where they are evidence too."""
    holding = [path for path in paths if path.score >= MIN_PATH_SCORE][:most]
    wanted = {id_ for path in holding for id_ in (path.id, *path.chunk_ids)}
    return wanted & {item.id for item in evidence}


def _keep_best_and_reserved(
    ordered: Sequence[Evidence], ranked: Sequence[Evidence], reserved: set[str], keep: int
) -> list[Evidence]:
    """The best of `ranked` and all that is reserved, in the order of `ordered`."""
    by_rank = {item.id for item in ranked[:keep]}
    room = max(keep - len(reserved), 0)
    free = [item.id for item in ranked if item.id not in reserved][:room]
    kept_ids = reserved | set(free)
    return [
        item if item.id in by_rank else dataclasses.replace(item, kept_by="graph")
        for item in ordered
        if item.id in kept_ids
    ]


def _with_neighbour(
    chosen: list[Evidence], neighbours: Mapping[str, Evidence], reserved: set[str], keep: int
) -> list[Evidence]:
    """The neighbour of the best chunk that has one follows it; if there is no room, the last unreserved piece is
    dropped."""
    ids = {item.id for item in chosen}
    at = next((n for n, item in enumerate(chosen) if item.id in neighbours and neighbours[item.id].id not in ids), None)
    if at is None:
        return chosen
    along = dataclasses.replace(neighbours[chosen[at].id], kept_by="neighbour")
    if len(chosen) >= keep:
        free = [n for n, item in enumerate(chosen) if item.id not in reserved and n > at]
        if not free:
            return chosen
        del chosen[free[-1]]
    return [*chosen[: at + 1], along, *chosen[at + 1 :]]

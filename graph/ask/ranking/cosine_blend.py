"""Blend: another way to rerank, by cosine and cross-encoder alone. The walk's paths have no reserved places here.

    score = 0.2 x cosine with the question + 0.8 x cross-encoder, 30 passages -> 10, each with its neighbour

It answers as a two-stage retriever does, for users who expect one; `rerank.py` is the default because the hops of a
path answer only together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.model.retrieval import Evidence


@dataclass(frozen=True, kw_only=True)
class Blend:
    """How cosine and cross-encoder are weighed."""

    ann_weight: float = 0.2  # of the cosine with the question; the cross-encoder has the rest
    min_rerank: float = 0.35  # a passage that the cross-encoder scores lower goes,
    min_ann: float = 0.55  # unless its cosine is at least this
    candidates: int = 30  # passages that the cross-encoder is shown
    neighbours: bool = True  # the next passage of its document (the one before the last) comes with each that stays


def blend(
    question: str,
    evidence: Sequence[Evidence],
    scorer: Scorer,
    how: Blend,
    *,
    keep: int,
    neighbours: Mapping[str, Evidence],
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Evidence]:
    """The `keep` best of the first `how.candidates` passages, each followed by its neighbour, which counts for none.

    `neighbours` gives, for the id of a passage, the one next to it.
    """
    shown = evidence[: how.candidates]
    scores = scorer.score(question, [item.text for item in shown], cancelled=cancelled)
    scored = [dataclasses.replace(item, rerank_score=score) for item, score in zip(shown, scores, strict=True)]
    stays = [
        item for item in scored if (item.rerank_score or 0.0) >= how.min_rerank or (item.cosine or 0.0) >= how.min_ann
    ]
    best = sorted(stays, key=lambda item: -blended_score(item, how))[:keep]  # stable: a tie is as the walk had it
    if not how.neighbours:
        return best
    ids = {item.id for item in best}
    chosen: list[Evidence] = []
    for item in best:
        chosen.append(item)
        along = neighbours.get(item.id)
        if along and along.id not in ids:
            ids.add(along.id)
            chosen.append(dataclasses.replace(along, kept_by="neighbour"))
    return chosen


def blended_score(item: Evidence, how: Blend) -> float:
    """The score by which passages are ordered."""
    return how.ann_weight * (item.cosine or 0.0) + (1 - how.ann_weight) * (item.rerank_score or 0.0)

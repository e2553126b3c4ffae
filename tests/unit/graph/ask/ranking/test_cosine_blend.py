"""The blend of cosine and cross-encoder, passage by passage."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from filigraph.graph.ask.ranking.cosine_blend import Blend, blend
from filigraph.graph.model.retrieval import Evidence


class Says:
    """A cross-encoder that reads its score in the text."""

    name = "says"

    def score(
        self, question: str, texts: Sequence[str], *, cancelled: Callable[[], bool] = lambda: False
    ) -> list[float]:
        return [float(text) for text in texts]


def passage(id_: str, cosine: float, says: float) -> Evidence:
    return Evidence(
        id=id_, kind="chunk", text=str(says), document_id="d", title="", source="", place="", score=0.0, cosine=cosine
    )


PASSAGES = [passage("a", 0.9, 0.2), passage("b", 0.5, 0.34), passage("c", 0.1, 0.9), passage("d", 0.2, 0.8)]


def ids(how: Blend, keep: int = 10, **neighbours: Evidence) -> list[str]:
    return [item.id for item in blend("?", PASSAGES, Says(), how, keep=keep, neighbours=neighbours)]


def test_a_low_score_goes_unless_the_cosine_is_high() -> None:
    assert ids(Blend()) == ["c", "d", "a"]  # 0.74, 0.68, 0.34; b: 0.34 < 0.35 and 0.5 < 0.55
    assert ids(Blend(min_ann=0.5)) == ["c", "d", "b", "a"]
    assert ids(Blend(ann_weight=1.0, min_rerank=0.0)) == ["a", "b", "d", "c"]
    assert ids(Blend(candidates=2)) == ["a"]


def test_every_passage_that_stays_brings_its_neighbour_once() -> None:
    beside = {"c": passage("x", 0, 0), "d": passage("x", 0, 0), "b": passage("y", 0, 0), "a": PASSAGES[2]}
    assert ids(Blend(), **beside) == ["c", "x", "d", "a"]
    assert ids(Blend(), keep=1, **beside) == ["c", "x"]
    assert ids(Blend(neighbours=False), keep=1, **beside) == ["c"]

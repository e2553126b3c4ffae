"""A minimum cosine leaves out passages that are too far from the question, except those behind a path."""

from __future__ import annotations

from filigraph.graph.ask.evidence.min_cosine import MinCosine

COSINE = {"near": 0.6, "far": 0.1}


def test_far_passages_go_and_those_behind_a_path_stay() -> None:
    least = MinCosine(asked=0.5, comparable=True)
    assert least.drop_below(["near", "far", "unread"], COSINE, []) == ["near"]
    assert least.drop_below(["near", "far", "unread"], COSINE, ["far"]) == ["near", "far"]
    assert least.summary() == {"min_score": 0.5}


def test_none_is_asked_for() -> None:
    least = MinCosine(asked=None, comparable=True)
    assert least.drop_below(["near", "far", "unread"], COSINE, []) == ["near", "far", "unread"]
    assert least.summary() == {}


def test_cosines_of_an_unknown_language_limit_nothing() -> None:
    least = MinCosine(asked=0.5, comparable=False)
    assert least.drop_below(["near", "far"], COSINE, []) == ["near", "far"]
    assert "not applied" in least.summary()["min_score"]

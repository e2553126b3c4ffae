from __future__ import annotations

from typing import Any

from filigraph.app.cli.questions import without_effect


def trace(**inputs: dict[str, Any]) -> dict[str, Any]:
    return {"steps": [{"name": name, "inputs": given} for name, given in inputs.items()]}


NONE = "none: no reranker is loaded: the graph's ranking is final"


def test_an_option_that_changed_nothing_is_told_with_the_reason() -> None:
    (note,) = without_effect(trace(rerank={"reranker": NONE}), rerank=True)
    assert note == "--rerank had no effect: no reranker is loaded: the graph's ranking is final."
    assert without_effect(trace(rerank={"reranker": "tiny"}), rerank=True) == []
    assert "--rerank" in without_effect(trace(rank={}), rerank=True)[0]  # plain search


def test_what_was_not_given_is_not_told() -> None:
    for rerank in (None, False):
        assert without_effect(trace(rerank={"reranker": NONE}), rerank=rerank) == []

"""Choose: a short reply of numbers is a choice, everything else is none."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.paths.llm_choice import BUDGET, choose, far_ahead, read_choice
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import estimate_tokens

CHAINS = ["Jules porte chevalière; chevalière est l'emblème de La Griffe", "Sophie aime Jules", "Jules promet Italie"]


def never() -> bool:
    return False


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("1", [0]),
        (" 3, 1\n", [2, 0]),
        ("[2, 1]", [1, 0]),
        ("(P3) P1", [2, 0]),
        ("3 3 3 1", [2, 0]),
        ("1, 2, 3", [0, 1]),  # at most two were asked for
        ("9, 2", [1]),  # there is no ninth
        ("0", []),
        ("", None),
        ("9", None),
        ("Jules wears the ring [1].", None),
        ("None of the 3 chains", None),
    ],
)
def test_a_reply_is_read(reply: str, chosen: list[int] | None) -> None:
    assert read_choice(reply, 3, 2) == chosen


def test_the_model_has_the_question_and_the_chains_numbered() -> None:
    llm = ScriptedLLM({"": "2"})
    assert choose("Qui aime Jules ?", CHAINS, llm, most=3, cancelled=never) == [1]
    (prompt,) = llm.prompts
    assert "Qui aime Jules ?" in prompt
    assert [f"{n}. {chain}" in prompt for n, chain in enumerate(CHAINS, start=1)] == [True] * 3


def test_a_call_is_short_whatever_the_chains_say() -> None:
    llm = ScriptedLLM({"": "20"})
    assert choose("Qui ?", ["Jules porte chevalière; " * 20] * 20, llm, most=3, cancelled=never) is None, "not all fit"
    assert estimate_tokens(llm.prompts[0]) <= BUDGET + 200


def test_who_leads_by_far_is_not_chosen() -> None:
    assert far_ahead([0.4, 0.2, 0.1])
    assert not far_ahead([0.4, 0.21])
    assert far_ahead([0.1])
    assert far_ahead([])

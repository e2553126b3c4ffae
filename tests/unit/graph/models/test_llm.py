"""What callers and adapters of an LLM share: removal of thinking, sizes, fences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.errors import Cancelled, LLMUnavailable
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest, estimate_tokens, fence
from filigraph.graph.models.thinking import ends_unopened_thought, strip_thinking, without_thinking

THOUGHTS = [
    ("Nora", "Nora"),
    ("<think>Jules?</think>\n\nNora", "Nora"),
    ("<THINK>a < b</THINK>Nora <3", "Nora <3"),
    ("<thinking>Jules?</thinking>Nora", "Nora"),
    ("<think>Jul", ""),
    ("<think>a</think>No<think>b</think>ra", "Nora"),
    ("1 < 2 and <b>bold</b>", "1 < 2 and <b>bold</b>"),
    ("[THINK]Jules?[/THINK]Nora [1]", "Nora [1]"),
    ('<think>I saw "</think>" there.</think>Nora', "Nora"),
]
QUOTED = [
    'The log says "<think>" before each reply [1].',
    "Le journal écrit « <think> », puis « </think> » [1].",
    'It holds "<think>hm</think>" as a reply [2].',
    "The marks are `<think>` and `</think>` [1].",
    "They put <think> in front of it [1].",
]
THOUGHTS += [(text, text) for text in QUOTED]


@pytest.mark.parametrize(("reply", "rest"), THOUGHTS)
def test_a_thought_is_taken_out(reply: str, rest: str) -> None:
    assert strip_thinking(reply) == rest


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        ("Jules?\n</think>\nNora", "Nora"),
        ("Jules?</think>Nora", "Nora"),
        ('Jules?</think>"Nora" it is', '"Nora" it is'),
        ('"<think>" is said there.\nSo be it.\n</think>\n\nIt says "</think>" [1].', 'It says "</think>" [1].'),
    ],
)
def test_an_opening_mark_may_have_been_swallowed(reply: str, rest: str) -> None:
    assert ends_unopened_thought(reply) and strip_thinking(reply) == rest


def test_a_server_that_swallows_the_mark_leaves_those_that_the_model_wrote() -> None:
    assert strip_thinking("I should <think> first.\n</think>\nNora", opened=True) == "Nora"


def test_no_quoted_mark_ends_a_thought() -> None:
    assert not any(map(ends_unopened_thought, QUOTED))


@pytest.mark.parametrize(("reply", "rest"), THOUGHTS)
@given(data=st.data())
def test_a_thought_is_taken_out_of_a_stream_however_it_is_cut(reply: str, rest: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(reply)))))
    pieces = [reply[a:b] for a, b in zip([0, *cuts], [*cuts, len(reply)], strict=True)]
    assert "".join(without_thinking(pieces)) == rest


def test_words_are_streamed_as_they_come() -> None:
    assert list(without_thinking(["Jules ", "est ", "un"])) == ["Jules ", "est ", "un"]


def test_sizes_grow_with_the_script() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("Why be wary of Jules?") == 6
    assert estimate_tokens("夏洛克") == 3
    assert estimate_tokens("\udc80") == 1  # a lone surrogate, from a broken file


@given(st.text(), st.text())
def test_a_text_cannot_forge_its_fence(first: str, second: str) -> None:
    tag = fence(first, second)
    assert tag not in first.lower()
    assert tag not in second.lower()
    assert tag == fence(first, second)


def test_the_scripted_llm_answers_by_what_stands_in_the_prompt() -> None:
    llm = ScriptedLLM({"Jules": "A thief.", "down": LLMUnavailable("It is down."), "": "Nothing."})
    assert llm.complete(LLMRequest("Who is Jules?")) == "A thief."
    assert list(llm.stream(LLMRequest("Who is Jules?"))) == ["A ", "thief."]
    assert llm.complete(LLMRequest("Who is Nora?")) == "Nothing."
    with pytest.raises(LLMUnavailable, match="It is down"):
        llm.complete(LLMRequest("down"))
    with pytest.raises(Cancelled):
        llm.complete(LLMRequest("Who?"), cancel=lambda: True)
    assert llm.prompts == ["Who is Jules?", "Who is Jules?", "Who is Nora?", "down"]

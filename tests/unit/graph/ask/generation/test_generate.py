"""Generate: the answer is streamed, and checked before it counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from filigraph.graph.ask.generation.check import check_reply
from filigraph.graph.ask.generation.generate import ask_llm
from filigraph.graph.ask.generation.reply import read_reply
from filigraph.graph.errors import Cancelled, FiligraphError, LLMUnavailable
from filigraph.graph.model.answers import Composed, Generated
from filigraph.graph.model.retrieval import Evidence
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.prompts import render
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.wording import wording

CONTEXT = "[1] Lettre\nLe jeune Jules porte une chevalière.\n[2] Coupure\nLa chevalière est l'emblème de La Griffe."


def composed(
    question: str = "Pourquoi se méfier de Jules ?", language: str = "fr", context: str = CONTEXT, count: int = 2
) -> Composed:
    cited = tuple(
        Evidence(id=f"c{n}", kind="chunk", text="", document_id="d", title="", source="", place="", score=0.5)
        for n in range(count)
    )
    return Composed(question=question, language=language, context=context, cited=cited, left_out=(), tokens=50)


def generate(asked: Composed, llm: LLM, **watch: Any) -> Generated:
    """A reply, asked for and checked."""
    told = wording(asked.language).ask
    prompt = render("answer", tag="0", evidence=asked.context, notes="", question=asked.question, ask=told)
    reply = read_reply(ask_llm(prompt, llm, **watch))
    numbers = len(asked.cited)
    return check_reply(reply, evidence=asked.context, question=asked.question, language=asked.language, numbers=numbers)


def answered(said: str, **about: str) -> tuple[Generated, str]:
    """(what counts, what was streamed)."""
    streamed: list[str] = []
    generated = generate(composed(**about), ScriptedLLM({"": said}), on_token=streamed.append)  # type: ignore[arg-type]
    return generated, "".join(streamed)


def test_an_answer_is_streamed_and_taken_apart() -> None:
    generated, streamed = answered(
        "Jules porte l'emblème de La Griffe [1][2].\nIl faut s'en méfier.\n\nMISSING: ce que fait La Griffe"
    )
    assert generated.text == "Jules porte l'emblème de La Griffe [1][2].\nIl faut s'en méfier."
    assert generated.missing == "ce que fait La Griffe"
    assert (generated.generated, generated.unsupported) == (True, ())
    assert streamed.strip() == generated.text


def test_a_path_s_number_is_taken_out() -> None:
    generated, _ = answered("Jules porte l'emblème de La Griffe [1, p2][P9]. Il faut s'en méfier [P1].")
    assert generated.text == "Jules porte l'emblème de La Griffe [1]. Il faut s'en méfier."
    assert generated.unsupported == ()


class Dying(ScriptedLLM):
    """Says a part of its answer, then is gone."""

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        yield from super().stream(request, cancel=cancel)
        raise LLMUnavailable("It is gone.", cure="Start it.")


def test_what_was_said_before_an_llm_died_stays() -> None:
    streamed: list[str] = []
    failed: list[FiligraphError] = []
    llm = Dying({"": "Jules porte une chevalière [1]. Elle"})
    generated = generate(composed(), llm, on_token=streamed.append, on_failure=failed.append)
    assert (generated.text, generated.generated) == ("Jules porte une chevalière [1]. Elle", True)
    assert "".join(streamed) == generated.text
    assert [str(error) for error in failed] == ["It is gone. Start it."]


@pytest.mark.parametrize("said", ["", "  \n", "MISSING: la date"])
def test_an_llm_that_died_before_its_first_word_raises(said: str) -> None:
    with pytest.raises(LLMUnavailable, match="It is gone"):
        generate(composed(), Dying({"": said}))


def test_the_prompt_holds_evidence_question_and_language() -> None:
    llm = ScriptedLLM({"": "Oui."})
    generate(composed(), llm)
    (prompt,) = llm.prompts
    assert CONTEXT in prompt
    assert "Pourquoi se méfier de Jules ?" in prompt
    assert "Réponds à cette question en français" in prompt


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "in English,"),
        ("zh", "请用中文回答"),
        ("ru", "in the language in which it is asked"),
        ("", "in which it is asked"),
    ],
)
def test_every_language_is_told(language: str, told: str) -> None:
    llm = ScriptedLLM({"": "Yes."})
    generate(composed(language=language), llm)
    assert told in llm.prompts[0]


@pytest.mark.parametrize("label", ["MISSING:", "Missing :", "**MISSING:**", "- missing:", "MANQUE :", "Manquant :"])
def test_the_last_line_is_known_however_it_is_written(label: str) -> None:
    generated, streamed = answered(f"Oui [1].\n{label} la date du vol.")
    assert (generated.text, generated.missing) == ("Oui [1].", "la date du vol.")
    assert streamed.strip() == "Oui [1]."


@pytest.mark.parametrize("rest", ["", "\nNEW: Jules.", "\nMISSING: tout"])
def test_what_follows_the_last_line_does_not_count(rest: str) -> None:
    generated, streamed = answered(f"Oui [1].\nMISSING: la date{rest}")
    assert (generated.text, generated.missing, streamed) == ("Oui [1].", "la date", "Oui [1].\n")


@pytest.mark.parametrize("nothing", ["nothing", "Nothing.", "rien", "None", "", "无。", "**nothing**", "[4] [5] [6]"])
def test_nothing_missing_is_nothing(nothing: str) -> None:
    assert answered(f"Oui [1].\nMISSING: {nothing}")[0].missing == ""


def test_words_that_only_begin_like_the_label_are_streamed() -> None:
    said = "Missing persons are many.\nMiss Nora too.\nM."
    generated, streamed = answered(said)
    assert (generated.text, generated.missing) == (said, "")
    assert streamed == said


def test_an_answer_that_is_only_a_lack_says_so() -> None:
    generated, streamed = answered("MISSING: qui est Jules")
    assert generated.text == "Rien dans ces documents n'en parle."
    assert (generated.missing, streamed) == ("qui est Jules", "")
    assert not generated.answered


@pytest.mark.parametrize("label", ["UNANSWERED:", "**Unanswered:**", "SANS RÉPONSE :", "未回答："])
def test_an_answer_that_is_none(label: str) -> None:
    generated, streamed = answered(f"Les pièces ne le disent pas [1].\n{label} qui l'a tué")
    assert (generated.answered, generated.missing) == (False, "qui l'a tué")
    assert generated.text == streamed.strip() == "Les pièces ne le disent pas [1]."


def test_an_answer_that_lacks_nothing_is_one() -> None:
    """A small model may write both of the labels that it is told."""
    generated, _ = answered("Oui [1].\nUNANSWERED: nothing")
    assert (generated.text, generated.missing, generated.answered) == ("Oui [1].", "", True)
    assert answered("Oui [1].\nMISSING: la date")[0].answered


def unsupported(generated: Generated) -> list[tuple[str, str]]:
    """(kind, words), each seen to stand where it says."""
    assert all(generated.text[part.start : part.end] == part.text for part in generated.unsupported)
    return [(part.kind, part.text) for part in generated.unsupported]


@pytest.mark.parametrize(
    ("said", "text", "unknown"),
    [
        ("Oui [1].", "Oui [1].", []),
        ("Oui [3].", "Oui [3].", ["[3]"]),
        ("Oui [1, 2].", "Oui [1][2].", []),
        ("Oui [1;9].", "Oui [1][9].", ["[9]"]),
        ("Oui[0][2].", "Oui[0][2].", ["[0]"]),
        ("Oui 【2】.", "Oui [2].", []),
        ("En [1912], oui [sic].", "En [1912], oui [sic].", ["[1912]"]),
    ],
)
def test_citations_that_point_to_nothing_are_marked(said: str, text: str, unknown: list[str]) -> None:
    generated, _ = answered(said)
    assert generated.text == text
    assert unsupported(generated) == [("citation", mark) for mark in unknown]


def test_names_that_stand_in_no_evidence_are_marked() -> None:
    generated, _ = answered("Jules Delmas connaît Moriarty [1]. Moriarty était à Londres [2].")
    names = ["Jules Delmas", "Moriarty", "Moriarty", "Londres"]
    assert unsupported(generated) == [("name", name) for name in names]


def test_a_false_amount_with_a_false_source() -> None:
    generated, _ = answered("La Griffe a volé 9 millions d'euros [99] le 3 mai 1911 [1].")
    assert generated.text == "La Griffe a volé 9 millions d'euros [99] le 3 mai 1911 [1]."
    assert unsupported(generated) == [
        ("number", "9 millions d'euros"),
        ("citation", "[99]"),
        ("date", "3 mai 1911"),
    ]


def test_the_numbers_of_extracts_are_no_evidence() -> None:
    """[1] and [2] are ours, and so are the digits in the tags around an extract."""
    context = f"<path-47>\nLead 5: a\n</path-47>\n<extract-47>\n{CONTEXT}\n</extract-47>"
    generated, _ = answered("Il a 2 frères, 5 sœurs et 47 cousins.", context=context)
    assert unsupported(generated) == [("number", "2"), ("number", "5"), ("number", "47")]


def test_what_the_question_says_is_no_invention() -> None:
    generated, _ = answered("Nothing is said of Moriarty in 1911.", question="Who was Moriarty in 1911?", language="en")
    assert generated.unsupported == ()


def test_errors_of_the_llm_are_the_callers() -> None:
    with pytest.raises(LLMUnavailable, match="It is down"):
        generate(composed(), ScriptedLLM({"": LLMUnavailable("It is down.")}))
    with pytest.raises(Cancelled):
        generate(composed(), ScriptedLLM({"": "Oui."}), cancelled=lambda: True)

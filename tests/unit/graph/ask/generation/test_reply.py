"""A reply of a model: an answer with its path, or the next search; with and without the protocol."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.generation.reply import MAX_REQUESTS, AnswerStream, Reply, Request, read_reply

PATH = "Jules - wears - ring [1] > ring - is of - Ann [2]"
ANSWERED = f"ANSWER: Jules wears it [1].\nHe took it [2].\nPATH: {PATH}\nMISSING: nothing"
GOES_ON = "NOTES: Jules is a thief [3].\nKEEP: 3, 1\nSEARCH: who wore the ring\nFACTS: Jules\nBETWEEN: Jules | Ann"


def looks(reply: Reply) -> list[str]:
    return [f"{request.kind}: {request.text}" for request in reply.requests]


def streamed(said: str, size: int = 1) -> str:
    pieces: list[str] = []
    stream = AnswerStream(pieces.append)
    for start in range(0, len(said), size):
        stream.add(said[start : start + size])
    stream.finish()
    return "".join(pieces)


def test_an_answer_with_its_path() -> None:
    reply = read_reply(ANSWERED)
    assert (reply.answer, reply.missing) == ("Jules wears it [1].\nHe took it [2].", "")
    assert reply.path == PATH
    assert reply.answered and not reply.goes_on


def test_what_is_looked_for_next() -> None:
    reply = read_reply(GOES_ON)
    assert reply.goes_on
    assert (reply.notes, reply.keep) == ("Jules is a thief [3].", (3, 1))
    assert looks(reply) == ["search: who wore the ring", "facts: Jules", "between: Jules | Ann"]


@pytest.mark.parametrize(
    "said", ["Jules wears it [1].", "Jules wears it [1].\nMISSING: rien", "**Réponse :** Jules wears it [1]."]
)
def test_a_reply_that_keeps_no_protocol_is_an_answer(said: str) -> None:
    reply = read_reply(said)
    assert (reply.answer, reply.answered, reply.goes_on) == ("Jules wears it [1].", True, False)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_label_may_be_numbered_like_the_ways_to_reply(size: int) -> None:
    said = f"1. {ANSWERED}".replace("PATH:", "2. **PATH:**")
    assert (read_reply(said).answer, read_reply(said).path) == ("Jules wears it [1].\nHe took it [2].", PATH)
    assert streamed(said, size) == "Jules wears it [1].\nHe took it [2].\n"
    assert streamed("1. Jules wears it [1].", size) == "1. Jules wears it [1]."


@pytest.mark.parametrize("size", [1, 1000])
def test_of_several_answers_the_first_counts(size: int) -> None:
    said = (
        "ANSWER: Jules wears it.\nNOTES: [1]\nMISSING:\nUNANSWERED:\nNOTES: [2]\n\nANSWER: No.\nPATH: Ann - is - x [2]"
    )
    reply = read_reply(said)  # of Qwen 2.5, 1.5 billion parameters
    assert (reply.answer, reply.path, reply.answered) == ("Jules wears it. [1]", "", True)
    assert streamed(said, size) == "Jules wears it.\n"


def test_notes_alone_are_an_answer() -> None:
    reply = read_reply("NOTES: Jules wears it [1].")
    assert (reply.answer, reply.goes_on) == ("Jules wears it [1].", False)


def test_an_answer_ends_it_although_more_is_looked_for() -> None:
    assert not read_reply("ANSWER: Jules [1].\nSEARCH: who is Jules").goes_on


@pytest.mark.parametrize("said", ["UNANSWERED: the date", "ANSWER: It is not said.\nUNANSWERED: the date"])
def test_a_refusal(said: str) -> None:
    reply = read_reply(said)
    assert (reply.answered, reply.missing) == (False, "the date")


@pytest.mark.parametrize(
    "said",
    [
        '{"notes": "x [2]", "keep": [2], "search": ["one", "two"], "between": ["Jules", "Ann"]}',
        '```json\n{"NOTES": "x [2]", "KEEP": "2", "SEARCH": "one\\ntwo", "BETWEEN": "Jules | Ann"}\n```',
    ],
)
def test_json_is_read(said: str) -> None:
    reply = read_reply(said)
    assert (reply.notes, reply.keep) == ("x [2]", (2,))
    assert looks(reply) == ["search: one", "search: two", "between: Jules | Ann"]
    assert streamed(said) == ""


def test_an_answer_in_json() -> None:
    reply = read_reply('{"answer": "Jules [1].", "path": "Jules - wears - ring [1]", "missing": "nothing"}')
    assert (reply.answer, reply.path, reply.missing) == ("Jules [1].", "Jules - wears - ring [1]", "")


def test_a_reply_cannot_ask_for_everything() -> None:
    said = "\n".join(["SEARCH: one", "SEARCH: one", "SEARCH:", "SEARCH: none", *(f"SEARCH: {n}" for n in range(9))])
    assert read_reply(said).requests == tuple(Request(kind="search", text=text) for text in ("one", "0", "1"))
    assert MAX_REQUESTS == 3


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_only_the_answer_streams(size: int) -> None:
    assert streamed(ANSWERED, size) == "Jules wears it [1].\nHe took it [2].\n"
    assert streamed(GOES_ON, size) == ""
    assert (
        streamed("Jules wears it [1].\nMissing persons are many.", size)
        == "Jules wears it [1].\nMissing persons are many."
    )


@pytest.mark.parametrize(
    "text",
    [
        "ANSWER: UNANSWERED: no price [2].",
        "**Réponse :** Sans réponse : no price [2].",
        '{"answer": "UNANSWERED: no price [2]."}',
    ],
)
def test_a_refusal_behind_the_label_of_an_answer_is_a_refusal(text: str) -> None:
    reply = read_reply(text)
    assert not reply.answered and reply.missing == "no price."


def test_a_label_without_text_is_not_the_first_answer() -> None:
    said = "ANSWER:\nANSWER: Jules [1].\nANSWER: Ann [2]."
    assert read_reply(said).answer == "Jules [1]."
    assert streamed(said, 1).strip() == "Jules [1]."

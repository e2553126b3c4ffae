"""Cutting a question into parts that different passages may answer."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.question.segment import segments


def texts(question: str, language: str) -> list[str]:
    return [question[start:end] for start, end in segments(question, language)]


@pytest.mark.parametrize(
    ("question", "language", "pieces"),
    [
        (
            "Who is the mother of the director of Polish-Russian War?",
            "en",
            ["is the mother", "the director", "Polish-Russian War"],
        ),
        (
            "Quelle société porte l'emblème que Jules montre à Paris ?",
            "fr",
            ["Quelle société porte l'emblème", "Jules montre à Paris"],
        ),
        ("谁是这部电影的导演的母亲", "zh", ["谁是这部电影", "导演", "母亲"]),
        ("Why?", "en", []),
        ("", "en", []),
    ],
)
def test_pieces(question: str, language: str, pieces: list[str]) -> None:
    assert texts(question, language) == pieces


def test_a_piece_that_comes_twice_is_one_where_it_comes_first() -> None:
    assert segments("the red ring, and the red ring, and a blue stone", "en")[0] == (0, 12)
    assert texts("The red ring, and the blue stone, and The red ring", "en") == ["The red ring", "the blue stone"]


def test_a_long_question_without_a_cut_is_halved() -> None:
    assert texts("один два три четыре пять шесть семь восемь девять десять", "xx") == [
        "один два три четыре пять",
        "шесть семь восемь девять десять",
    ]


def test_thousands_of_pieces_are_bounded() -> None:
    assert len(segments(", ".join(f"word{n} again" for n in range(5000)), "en")) == 8

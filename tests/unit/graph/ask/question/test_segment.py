"""Cutting a question into what different passages may answer."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.question.segment import segments


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
    assert segments(question, language) == pieces


def test_a_long_question_without_a_cut_is_halved() -> None:
    assert segments("один два три четыре пять шесть семь восемь девять десять", "xx") == [
        "один два три четыре пять",
        "шесть семь восемь девять десять",
    ]


def test_thousands_of_pieces_are_bounded() -> None:
    assert len(segments(", ".join(f"word{n} again" for n in range(5000)), "en")) == 8

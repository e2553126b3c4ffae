"""Questions that ask how two names are connected."""

from __future__ import annotations

import pytest

from filigraph.graph.text.connection_questions import connection_asked, connection_question


@pytest.mark.parametrize(
    "question",
    [
        "How is Jules Delmas connected to The Claw?",
        "How are Jules Delmas and The Claw related to each other?",
        "Is “Jules Delmas” linked with The Claw",
        "What connects Jules Delmas and The Claw ?",
        "What is the connection between Jules Delmas and The Claw?",
        "Comment Jules Delmas est-il lié à The Claw ?",
        "Quel lien y a-t-il entre Jules Delmas et The Claw ?",
        "Quelle est la relation entre Jules Delmas et « The Claw » ?",
        "Qu'est-ce qui relie Jules Delmas à The Claw ?",
        "¿Qué relación hay entre Jules Delmas y The Claw?",
        "Was verbindet Jules Delmas mit The Claw?",
        "Che legame c'è tra Jules Delmas e The Claw?",
    ],
)
def test_both_names_are_found(question: str) -> None:
    assert connection_asked(question) == [("Jules Delmas", "The Claw")]


@pytest.mark.parametrize(
    "question",
    [
        "Who is connected to The Claw?",
        "How is Jules Delmas dressed?",
        "What links him?",
        "Comment Jules est-il mort ?",
        "Quel train relie Paris à Lyon ?",
    ],
)
def test_other_questions_ask_for_no_connection(question: str) -> None:
    assert connection_asked(question) == []


def test_a_question_of_two_names_asks_for_these() -> None:
    asked = connection_question("Jules  Delmas", "the wolf's head\nin the chapel")
    assert connection_asked(asked) == [("Jules Delmas", "the wolf's head in the chapel")]


@pytest.mark.parametrize(
    "question",
    [
        "Quel lien y a-t-il entre Dupont et Fils et Jules ?",
        "Comment sont liés Dupont et Fils et Jules ?",
    ],
)
def test_a_name_with_and_in_it_is_read_in_every_way(question: str) -> None:
    assert connection_asked(question) == [("Dupont", "Fils et Jules"), ("Dupont et Fils", "Jules")]
    (_, whole) = connection_asked("How are Ann and Smith and Son connected?")
    assert whole == ("Ann and Smith", "Son")

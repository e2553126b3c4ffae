"""Names in a question that nothing bears: what is looked for by likeness."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.link import Linked, names_nowhere, unknown_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who was Sherlok Holms?", ["Sherlok Holms"]),
        ("Where did Lecoqq meet May?", ["Lecoqq", "May"]),
        ("Où est « la bague » de Delmass ?", ["la bague", "Delmass"]),
        ("谁拿走了「戒指」？", ["戒指"]),
        ("Где Жюль Дельмасс?", ["Где Жюль Дельмасс"]),
        ("Who is it?", []),
        ("Pourquoi ?", []),
        ("", []),
        ("A B C D", ["A B C D"]),
        ("is X it?", []),  # one letter is no name
    ],
)
def test_capitals_and_quotes_make_a_name(question: str, names: list[str]) -> None:
    assert unknown_names(question, []) == names


def test_what_is_linked_by_string_is_known() -> None:
    linked = Linked(entity_id="e", name="Jules Delmas", chunks=3, span="Jules Delmas")
    assert unknown_names("Does Sofie love Jules Delmas or Delmas?", [linked]) == ["Does Sofie"]


def test_a_long_list_of_names_is_bounded() -> None:
    question = "who: " + ", ".join(f"Name{n}" for n in range(500))
    assert len(unknown_names(question, [])) == 4


@pytest.mark.parametrize(
    ("question", "nowhere"),
    [
        ("Who is Zorglub?", ("Zorglub",)),
        ("Does Inspector Zorglub know Jules?", ("Zorglub",)),  # the first word has its capital from its place
        ("Que sait Jules d'Ysolde Karpath ou de Zorglub ?", ("Ysolde Karpath", "Zorglub")),
        ("Who saw Jules in Lyon?", ()),
        ("Who is it?", ()),
    ],
)
def test_names_that_no_text_holds_are_told(question: str, nowhere: tuple[str, ...]) -> None:
    held = {"Jules", "Lyon", "Inspector"}
    assert names_nowhere(question, unknown_names(question, []), held.__contains__) == nowhere

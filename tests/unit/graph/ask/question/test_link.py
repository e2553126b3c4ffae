"""Names in a question that no entity has: the search by likeness."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.question.link import (
    Linked,
    candidate_spans,
    comparison_remark,
    names_nowhere,
    names_to_compare,
    names_to_connect,
    side_by_side,
    unknown_names,
)
from filigraph.graph.text.names.parse import name_key


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
        ("What did Zorglub do between March and June 1891?", ["Zorglub"]),
        ("Who came on Friday or in October?", []),
        ("Was geschah im März?", []),
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


@pytest.mark.parametrize(
    ("question", "names", "beside"),
    [
        ("Who is older, Gévrol or Lecoq?", ["Gévrol", "Lecoq"], ["Gévrol", "Lecoq"]),
        (
            "Lequel est le plus âgé, du père Absinthe ou de Gévrol ?",
            ["père Absinthe", "Gévrol"],
            ["père Absinthe", "Gévrol"],
        ),
        ("Ont-ils vu, Jules et l'inspecteur Paul Brun, la bague ?", ["Brun", "Jules", "bague"], ["Jules", "Brun"]),
        ("张三和李四谁大？", ["张三", "李四"], ["张三", "李四"]),
        ("Did Ann, Paul and Jules all leave?", ["Paul", "Jules"], ["Paul", "Jules"]),
        ("Who saw Ann? And Paul?", ["Ann", "Paul"], []),
        ("Who gave Ann the ring of Paul?", ["Ann", "Paul"], []),
        ("Did Ann come or did somebody else see what she gave Paul?", ["Ann", "Paul"], []),
    ],
)
def test_names_that_stand_side_by_side_are_compared(question: str, names: list[str], beside: list[str]) -> None:
    linked = [Linked(entity_id=name, name=name, chunks=1, span=name) for name in names]
    assert side_by_side(question, linked) == tuple(frozenset([name]) for name in beside)


@pytest.mark.parametrize(
    "question",
    [
        "Who gave the Count of Musée d'Orsay Jules's ring, and why?",
        "Qu'est-ce que l'émeraude de L'Espion doit à la rue du Bœuf ?",
        "谁拿走了王恩京的「戒指」？",
        "What calls graph.store.open_graph() or Reader::read_all in src/main.rs?",
        "Кто видел Ты Анну-Марию?",
    ],
)
def test_a_span_has_the_key_of_a_name_with_its_text(question: str) -> None:
    found = candidate_spans(question)
    assert found
    assert [span.key for span in found] == [name_key(question[span.start : span.end]) for span in found]


@pytest.mark.parametrize(
    ("question", "spans", "connected"),
    [
        ("How is Ann linked to The Claw?", ["Ann", "The Claw"], ["Ann", "The Claw"]),
        ("Comment Ann est-elle liée à Duroy ?", ["Ann", "à Duroy"], ["Ann", "à Duroy"]),
        ("How is Ann linked to the moon?", ["Ann"], []),
        ("How is Ann linked to Ann?", ["Ann"], []),
        ("Who is Ann, and what is The Claw?", ["Ann", "The Claw"], []),
    ],
)
def test_the_names_whose_connection_a_question_asks_for(question: str, spans: list[str], connected: list[str]) -> None:
    linked = [Linked(entity_id=span, name=span, chunks=1, span=span) for span in spans]
    assert names_to_connect(question, linked) == tuple(frozenset([span]) for span in connected)


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare Rachel and Rosanna.", ("rachel", "rosanna")),
        ("Rosanna or Rachel?", ("rosanna", "rachel")),
        ("Qui a pris le diamant, Rachel ou Rosanna ?", ("rachel", "rosanna")),
        ("Worin unterscheiden sich Rachel und Rosanna?", ("rachel", "rosanna")),
        ("Compare Rachel with Rosanna.", ("rachel", "rosanna")),
        ("Comparez Franklin à Rosanna.", ("franklin", "rosanna")),
        ("Does Rachel speak with Rosanna?", ()),
        ("Compare Rachel, Rosanna and Franklin.", ("rachel", "rosanna", "franklin")),
        ("Franklin, Rachel, ou Rosanna ?", ("franklin", "rachel", "rosanna")),
        ("Franklin says: is it Rachel or Rosanna?", ("rachel", "rosanna")),
        ("What do Rachel and Rosanna say?", ()),
        ("Compare Rachel with the moon.", ()),
        ("Compare Rachel and Rachel.", ()),
    ],
)
def test_the_names_that_a_question_compares(question: str, compared: tuple[str, ...]) -> None:
    names = ("Rachel", "Rosanna", "Franklin")
    linked = [
        Linked(entity_id=id_, name=name, chunks=chunks, span=name)
        for name in names
        if name in question
        for id_, chunks in ((name.casefold(), 3), (f"other {name}", 1))
    ]
    assert names_to_compare(question, linked) == compared


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare Anna with Ann.", ("anna", "ann")),
        ("Compare Ann with Anna.", ("ann", "anna")),
        ("Compare Mary Ann and Ann.", ("mary ann", "ann")),
        ("Compare Mary Ann and Anna.", ("mary ann", "anna")),
        ("Ann or Anna, or Mary Ann?", ("ann", "anna", "mary ann")),
    ],
)
def test_a_name_within_another_is_compared(question: str, compared: tuple[str, ...]) -> None:
    linked = [Linked(entity_id=name, name=name, chunks=1, span=name.title()) for name in sorted(compared)]
    assert names_to_compare(question, linked) == compared


@pytest.mark.parametrize(
    ("question", "remark"),
    [
        ("Compare Ada, Bea, Cid, Dan and Eve.", "At most four names are compared side by side: Ada, Bea, Cid, Dan."),
        ("Compare Ada, Bea, Cid and Dan.", ""),
        ("Compare her with Ada.", "To compare, write the names, two to four of them."),
        ("Compare the letters.", ""),
    ],
)
def test_a_comparison_that_is_not_whole_says_so(question: str, remark: str) -> None:
    names = [name for name in ("Ada", "Bea", "Cid", "Dan", "Eve") if name in question]
    linked = [Linked(entity_id=name.lower(), name=name, chunks=1, span=name) for name in names]
    assert comparison_remark(question, names_to_compare(question, linked), linked, "en") == remark


def test_a_comparison_says_that_a_period_does_not_limit_it() -> None:
    linked = [Linked(entity_id=name, name=name, chunks=1, span=name) for name in ("Ada", "Bea")]
    remark = comparison_remark("Compare Ada and Bea in May 1904.", ("Ada", "Bea"), linked, "en", has_period=True)
    assert remark == "The comparison also has facts of other dates."

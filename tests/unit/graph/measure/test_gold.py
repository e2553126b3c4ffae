"""Files of questions as people write them, and quotes that are found in chunks despite white space and borders."""

from __future__ import annotations

import json
from typing import Any

import pytest

from filigraph.graph.errors import InputError
from filigraph.graph.measure.gold import Gold, chunks_holding, disjoint, parse_questions, whole_text
from filigraph.graph.records.documents import ChunkText


def row(**fields: Any) -> dict[str, Any]:
    return {"id": "q1", "question": "Who led the gang?", "type": "bridge", "gold": ["p1", "p2"], **fields}


def lines(*rows: object) -> bytes:
    return "\r\n".join(each if isinstance(each, str) else json.dumps(each) for each in rows).encode()


def test_a_file_of_questions() -> None:
    content = b"\xef\xbb\xbf" + lines(row(), "", row(id=7, type=None, gold=[4, "a  quoted\nsentence", 4], more="x"))
    found = parse_questions(content)
    assert found.problems == ()
    first, second = found.questions
    assert (first.id, first.text, first.type, first.gold) == ("q1", "Who led the gang?", "bridge", ("p1", "p2"))
    assert (second.id, second.type, second.gold) == ("7", "", ("4", "a quoted sentence"))


def test_a_question_without_an_id_is_known_by_its_line() -> None:
    bare = {"question": "Why?", "gold": ["p1"]}
    assert [question.id for question in parse_questions(lines(bare, bare)).questions] == ["line 1", "line 2"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, ""),
        ("[]", "no object"),
        (row(question=""), "no question"),
        (row(question=5), "no question"),
        (row(question="x" * 10_001), "longer than"),
        (row(type=["bridge"]), "the type"),
        (row(gold=[]), "no gold"),
        (row(gold="p1"), "no gold"),
        (row(gold=[None]), "gold is not text"),
        (row(gold=["  "]), "gold is not text"),
        (row(id=True), "the id"),
        (row(id="good"), "used before"),
    ],
)
def test_a_row_that_is_none_is_told_by_its_line_and_the_rest_goes_on(bad: object, why: str) -> None:
    found = parse_questions(lines(row(id="good"), bad))
    assert [question.id for question in found.questions] == ["good"]
    (problem,) = found.problems
    assert problem.startswith("line 2: ") and why in problem


@pytest.mark.parametrize(
    "content", [b"", b" \n\n", b"\xef\xbb\xbf", b"\x89PNG\r\n\x1a\n\x00\xff", b"\x00\x01\x02", b"{}"]
)
def test_a_file_that_holds_no_question(content: bytes) -> None:
    with pytest.raises(InputError) as refused:
        parse_questions(content)
    assert "JSON" in refused.value.cure


TEXT = "Jules  came late.\n\nThe ring\tis the emblem of The Claw. Nobody knew it."


def chunks(*spans: tuple[int, int]) -> list[ChunkText]:
    return [ChunkText(id=f"{start}-{end}", start=start, text=TEXT[start:end]) for start, end in spans]


def test_the_text_of_a_document_out_of_its_chunks() -> None:
    middle = TEXT.index("The ring")
    assert whole_text(chunks((0, 40), (30, len(TEXT)))) == TEXT
    assert whole_text(chunks((0, 40), (10, 20), (30, len(TEXT)))) == TEXT
    apart = whole_text(chunks((0, middle - 2), (middle, len(TEXT))))  # the white space between was dropped
    assert len(apart) == len(TEXT) and apart.split() == TEXT.split()


@pytest.mark.parametrize(
    ("spans", "ids"),
    [
        ([(0, len(TEXT))], {f"0-{len(TEXT)}"}),
        ([(0, 48), (10, len(TEXT))], {f"10-{len(TEXT)}"}),  # both hold a part, one of them all of it
        ([(0, len(TEXT)), (10, len(TEXT))], {f"0-{len(TEXT)}", f"10-{len(TEXT)}"}),
        ([(0, 17), (19, 40), (40, len(TEXT))], {"19-40", f"40-{len(TEXT)}"}),  # a border cuts it
        ([(0, 25), (19, 30), (28, 50), (45, len(TEXT))], {"0-25", "19-30", "28-50", f"45-{len(TEXT)}"}),
    ],
)
def test_the_chunks_that_hold_a_quote(spans: list[tuple[int, int]], ids: set[str]) -> None:
    assert chunks_holding("The ring is the emblem of The Claw.", TEXT, chunks(*spans)) == ids


def test_a_quote_is_no_pattern() -> None:
    assert chunks_holding("The ring .* Claw", TEXT, chunks((0, len(TEXT)))) == frozenset()


def test_every_place_of_a_quote_will_do() -> None:
    text = "He ran away. She saw. He ran away."
    twice = [ChunkText(id="a", start=0, text=text[:12]), ChunkText(id="b", start=13, text=text[13:])]
    assert chunks_holding("He ran away.", text, twice) == {"a", "b"}


def test_quotes_that_stand_together_are_one_piece() -> None:
    a, b, c = (frozenset(ids) for ids in ({"1", "2"}, {"2", "3"}, {"4"}))
    assert disjoint([a, b, c]) == (frozenset({"2"}), c)
    assert disjoint([a, c]) == (a, c)


def test_gold_stands_in_chunks_if_every_piece_does() -> None:
    gold = Gold(pieces=(frozenset({"1", "2"}), frozenset({"3"})), by_document=False)
    assert gold.in_chunks(["2", "3", "9"])
    assert not gold.in_chunks(["1", "2"])

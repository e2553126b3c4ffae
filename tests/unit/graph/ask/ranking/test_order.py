"""The order of the evidence if a question asks for no detail."""

from __future__ import annotations

import dataclasses
from datetime import date

import numpy as np
import pytest

from filigraph.graph.ask.explore.pool import build_pool
from filigraph.graph.ask.ranking.order import date_parts, diversified, newest_first, newest_of_period, timely_first
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Passage
from tests.unit.graph.making import asking, chunk, passages

EAST, NORTH = np.eye(4, dtype=np.float32)[:2]


def test_a_chunk_like_the_one_before_waits() -> None:
    pool = build_pool([chunk("a", vector=EAST), chunk("b", vector=EAST), chunk("c", vector=NORTH)], asking())
    scores = {"a": 0.9, "b": 0.8, "c": 0.5}
    assert diversified(scores, pool, passages({"a": "", "b": "", "c": ""})) == ["a", "c", "b"]


def test_a_chunk_of_the_same_part_waits() -> None:
    along = 0.6 * EAST + 0.8 * NORTH
    pool = build_pool([chunk("a", vector=EAST), chunk("b", vector=along), chunk("c", vector=along)], asking())
    shown = passages({"a": "", "b": "", "c": ""})
    shown = {id_: dataclasses.replace(passage, document_id="novel", place="I") for id_, passage in shown.items()}
    shown["c"] = dataclasses.replace(shown["c"], place="II")
    assert diversified({"a": 0.9, "b": 0.8, "c": 0.7}, pool, shown) == ["a", "c", "b"]


def test_what_is_not_spread_follows_as_it_was() -> None:
    pool = build_pool([chunk("a", vector=EAST)], asking())
    assert diversified({"a": 0.9, "gone": 0.8, "far": 0.1}, pool, passages({"a": ""})) == ["a", "gone", "far"]
    assert diversified({"gone": 0.8}, pool, {}) == ["gone"]


def test_the_newest_comes_first_and_the_undated_last() -> None:
    shown = passages(dict.fromkeys("abcd", ""))
    dates = {"a": "", "b": "1912-03-04", "c": "1912-11", "d": "in spring"}
    shown = {id_: dataclasses.replace(passage, date=dates[id_]) for id_, passage in shown.items()}
    scores = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "gone": 0.5}
    assert newest_first(scores, shown) == ["c", "b", "a", "d", "gone"]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("1912-03-04", (1912, 3, 4)),
        (" 1912-03-04T10:00:00Z", (1912, 3, 4)),
        ("1912-03", (1912, 3)),
        ("1912", (1912,)),
        ("04.03.1912", ()),
        ("", ()),
    ],
)
def test_a_date_is_read_as_far_as_it_tells(date: str, expected: tuple[int, ...]) -> None:
    assert date_parts(date) == expected


def test_what_is_of_the_period_comes_first_unless_others_rank_much_higher() -> None:
    def passage(id_: str, text: str = "", date: str = "") -> Passage:
        return Passage(id=id_, document_id=id_, title="", source=id_, place="", language="en", text=text, date=date)

    passages = {
        "old": passage("old", "He moved in in May 1912.", "1885-02-01"),
        "best": passage("best", "The house is his.", "1880"),
        "new": passage("new", "He is there.", "1891-04-02"),
        "undated": passage("undated", "She lives in it."),
    }
    scores = {"best": 0.9, "undated": 0.5, "old": 0.4, "new": 0.3, "unread": 0.2}
    since = Period(first=date(1890, 1, 1), last=None)
    assert timely_first(scores, passages, since) == (["best", "old", "new", "undated", "unread"], 2)


def test_the_newest_of_a_period_is_told_by_what_is_said_and_about_whom() -> None:
    dates = {
        "letter": ("1891-03-12", ("1891-03-17",)),  # announces it
        "wire": ("2019-06-03", ()),
        "earlier": ("1891-03-01", ("1891-02-27",)),
        "later": ("1891-05-02", ("1891-03-16",)),
        "undated": ("", ()),
    }
    shown = {
        id_: dataclasses.replace(passage, date=dates[id_][0], dates=dates[id_][1])
        for id_, passage in passages(dict.fromkeys(dates, "")).items()
    }
    scores = {"undated": 0.9, "earlier": 0.8, "wire": 0.7, "letter": 0.6, "later": 0.5}
    after = Period(first=date(1891, 3, 16), last=None)
    assert newest_of_period(scores, shown, after, ()) == ["wire", "later", "letter", "undated", "earlier"]
    about = {"letter", "later", "earlier"}
    assert newest_of_period(scores, shown, after, about) == ["later", "letter", "wire", "undated", "earlier"]

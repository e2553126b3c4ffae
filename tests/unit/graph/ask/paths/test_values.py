"""Hours, days and amounts are the same in other words and in another language; a text that says more is no value."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.paths.values import as_value, values_in


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("half past one", "1 h 30, feu vérifié."),
        ("11 h 52", "It stopped at eight minutes to twelve."),
        ("deux heures moins vingt", "We got under way at twenty to two."),
        ("two hundred pounds", "She drew £200."),
        ("60 000 francs", "sixty thousand francs, in cash"),
        ("3 mars 1912", "on the third of March 1912"),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert as_value(one) and as_value(one) <= values_in(other)


@pytest.mark.parametrize(
    ("one", "other"), [("half past one", "half past two"), ("£200", "200 francs"), ("£20", "£200")]
)
def test_others_differ(one: str, other: str) -> None:
    assert not as_value(one) <= values_in(other)


@pytest.mark.parametrize("said", ["the crew at half past one", "the £200 note of Ann", "Room 14", "Jules", ""])
def test_what_says_more_is_no_value(said: str) -> None:
    assert not as_value(said)

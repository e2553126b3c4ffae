"""Hours of the day in English and French."""

from __future__ import annotations

import pytest

from filigraph.graph.text.time.hours import hours_in, minutes_apart


@pytest.mark.parametrize(
    ("text", "language", "hours"),
    [
        ("ten minutes past two", "en", ["2:10"]),
        ("a quarter past eight in the evening", "en", ["8:15"]),
        ("twenty to two", "en", ["1:40"]),
        ("half past one", "en", ["1:30"]),
        ("It was ten to four.", "en", ["3:50"]),
        ("a quarter to nine", "en", ["8:45"]),
        ("The boxes are numbered 1 to 8, the rooms 5 to 10; about 5 to 10 men came from 10 to 12.", "en", []),
        ("It was about 10 to 12 feet high, and nearly 5 to 10 per cent longer.", "en", []),
        ("at 2.10 a.m. and at 9 p.m.", "en", ["2:10", "9:00"]),
        ("at 22.50", "en", ["10:50"]),
        ("11 h 52", "fr", ["11:52"]),
        ("de 19 h 10 à 19 h 30", "fr", ["7:10", "7:30"]),
        ("midi moins huit", "fr", ["11:52"]),
        ("à huit heures du matin", "fr", ["8:00"]),
        ("400 pounds, 3 March", "en", []),
        ("um zwei Uhr", "de", []),
    ],
)
def test_hours_of_a_text(text: str, language: str, hours: list[str]) -> None:
    assert [f"{minutes // 60}:{minutes % 60:02}" for minutes in sorted(hours_in(text, language))] == hours


def test_hours_on_a_dial() -> None:
    assert minutes_apart([5], [12 * 60 - 5]) == 10
    assert minutes_apart([130], [712, 131]) == 1
    assert minutes_apart([], [3]) == 0

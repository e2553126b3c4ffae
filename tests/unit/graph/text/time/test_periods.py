"""Periods that questions name."""

from __future__ import annotations

from datetime import date

import pytest

from filigraph.graph.text.time.periods import day_in, period_in

TODAY = date(1912, 4, 10)  # a Wednesday


@pytest.mark.parametrize(
    ("question", "language", "period"),
    [
        ("What happened since yesterday?", "en", "1912-04-09.."),
        ("Quoi de neuf depuis hier ?", "fr", "1912-04-09.."),
        ("Que sait-on depuis mars 1912 ?", "fr", "1912-03-01.."),
        ("What was found after 4 March 1912?", "en", "1912-03-05.."),
        ("Was geschah vor dem 4. März 1912?", "de", "..1912-03-03"),
        ("Qu'a-t-on appris jusqu'en 1911 ?", "fr", "..1911-12-31"),
        ("What was written between 3 March 1912 and 2 April 1912?", "en", "1912-03-03..1912-04-02"),
        ("Que s'est-il passé du 3 mars 1912 au 2 avril 1912 ?", "fr", "1912-03-03..1912-04-02"),
        ("¿Qué pasó entre enero de 1912 y marzo de 1912?", "es", "1912-01-01..1912-03-31"),
        ("What came in last week?", "en", "1912-04-01..1912-04-07"),
        ("Et depuis la semaine dernière ?", "fr", "1912-04-01.."),
        ("News of the last 3 days", "en", "1912-04-07..1912-04-10"),
        ("Les faits des trois derniers jours", "fr", "1912-04-07..1912-04-10"),
        ("Was kam in den letzten 2 Monaten?", "de", "1912-02-10..1912-04-10"),
        ("What changed this month?", "en", "1912-04-01..1912-04-10"),
        ("since March", "en", "1912-03-01.."),
        ("since May", "en", "1911-05-01.."),
        ("What happened on 4 March 1912?", "en", None),
        ("Who may march in March?", "en", None),
        ("Was ist hier geschehen?", "de", None),
        ("Who was the last of the Delmas?", "en", None),
        ("since 40 March 1912", "en", None),
        ("the last 99999999999 days", "en", None),
        ("the last 9999 years", "en", None),
        ("", "", None),
    ],
)
def test_periods(question: str, language: str, period: str | None) -> None:
    found = period_in(question, language, TODAY)
    assert (str(found) if found else None) == period


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("What happened on 11 March 1891?", "en", "1891-03-11..1891-03-11"),
        ("Que s'est-il passé le 11 mars 1891 ?", "fr", "1891-03-11..1891-03-11"),
        ("Who sailed in March 1891?", "en", "1891-03-01..1891-03-31"),
        ("Who was born in 1871?", "en", "None"),
        ("Who came on 11 March?", "en", "None"),
        ("Who lived there on 3 May 1890 and on 4 May 1891?", "en", "None"),
    ],
)
def test_the_one_day_that_a_question_names(text: str, language: str, expected: str) -> None:
    assert str(day_in(text, language)) == expected

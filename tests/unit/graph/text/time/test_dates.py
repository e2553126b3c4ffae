"""Dates in one form."""

from __future__ import annotations

import pytest

from filigraph.graph.text.time.dates import first_date, iso_date, names_a_time


@pytest.mark.parametrize(
    ("given", "iso"),
    [
        ("1912-03-04", "1912-03-04"),
        ("1912-03-04T08:00:00Z", "1912-03-04"),
        ("1912-03", "1912-03"),
        ("1912", "1912"),
        ("Mon, 04 Mar 1912 08:00:00 +0100", "1912-03-04"),
        (" 4 Mar 1912\n 23:30:00 -0500", "1912-03-04"),
        ("1912-13-40", "1912-13-40"),
        ("19120304", "19120304"),
        ("le 4 mars 1912", "le 4 mars 1912"),
        ("4 Mar 99999999999999999999 10:00", "4 Mar 99999999999999999999 10:00"),
        ("(" * 500, "(" * 500),
        ("", ""),
    ],
)
def test_a_date_in_one_form(given: str, iso: str) -> None:
    assert iso_date(given) == iso


@pytest.mark.parametrize(
    ("text", "language", "date"),
    [
        ("on 12 March 1912", "en", "1912-03-12"),
        ("May 3rd, 1878", "en", "1878-05-03"),
        ("the third of March 1912", "en", "1912-03-03"),
        ("March the twenty-first, nineteen hundred and twelve", "en", "1912-03-21"),
        ("the fourteenth day of February eighteen eighty-four", "en", "1884-02-14"),
        ("The second may be late", "en", ""),
        ("on the 4th of March, twelve hundred men", "en", "--03-04"),
        ("le trois mars 1912", "fr", "1912-03-03"),
        ("le premier août mil neuf cent quatorze", "fr", "1914-08-01"),
        ("le vingt et un janvier", "fr", "--01-21"),
        ("le 3 mars mil huit cent quatre-vingt-dix", "fr", "1890-03-03"),
        ("le 1er mai", "fr", "--05-01"),
        ("le 20 février 18..", "fr", "--02-20"),
        ("en mars 1912", "fr", "1912-03"),
        ("in 1912", "en", "1912"),
        ("12/03/1912", "fr", "1912-03-12"),
        ("12/03/1912", "en", ""),
        ("le 2 mars, ou plutôt en 1913", "fr", "1913"),
        ("the next day", "en", ""),
    ],
)
def test_the_date_that_words_name(text: str, language: str, date: str) -> None:
    assert first_date(text, language) == date


@pytest.mark.parametrize(
    ("text", "language", "named"),
    [
        ("le lendemain", "fr", True),
        ("In May", "en", True),
        ("at 10", "en", True),
        ("on Tuesday", "en", True),
        ("Ann", "en", False),
        ("au marché", "fr", False),
    ],
)
def test_words_that_name_a_time(text: str, language: str, named: bool) -> None:
    assert names_a_time(text, language) is named

"""Years of birth beside names."""

from __future__ import annotations

import pytest

from filigraph.graph.text.birth_years import birth_years


@pytest.mark.parametrize(
    ("text", "key", "year"),
    [
        ("Li Wei was born in 1961 in Harbin.", "li wei", 1961),
        ("He left Alder AG. Li Wei was born in 1961 in Harbin. Alder AG is audited.", "li wei", 1961),
        ("Dr. J. P. Delmas, born 1871, left.", "j p delmas", 1871),
        ("Li Wei (b. 1955) signed.", "li wei", 1955),
        ("Li Wei (born 3 May 1955) signed.", "li wei", 1955),
        ("Captain Li Wei, born in Lyon on 3 May 1955, signed.", "li wei", 1955),
        ("Li Wei (né en 1982) a signé.", "li wei", 1982),
        ("Anne Roche, née le 1er mars 1982 à Lyon, a signé.", "anne roche", 1982),
        ("Anne Roche est née à Lyon le 2 mars 1982.", "anne roche", 1982),
        ("Anne Roche naquit à Lyon en 1782.", "anne roche", 1782),
        ("1. DELMAS, Jules, baker, born 1871", "delmas jules", 1871),
        ("Jules Delmas, baker, born about 1871, left.", "jules delmas", 1871),
        ("Jules Delmas (1871–1940) left.", "jules delmas", 1871),
        ("Karl Weber, geb. 1871, ging.", "karl weber", 1871),
    ],
)
def test_a_name_has_the_year_of_birth_beside_it(text: str, key: str, year: int) -> None:
    assert birth_years(text)[key] == {year}


@pytest.mark.parametrize(
    "text",
    [
        "Jules Delmas left the house. He was born in 1871.",
        "Jules Delmas, whose son was born in 1871, left.",
        "Anne Roche, née Varenne, a signé en 1871.",
        "Jules Delmas was born in a house that was built in 1771.",
        "The Great Fire (1666–1999) is over.",
        "Jules was born in 1871.",
    ],
)
def test_what_is_not_a_year_of_birth_of_a_full_name(text: str) -> None:
    assert not birth_years(text)


def test_namesakes_of_one_text_have_a_year_each() -> None:
    assert birth_years("Li Wei (b. 1955) and Li Wei (né en 1982) met.") == {"li wei": {1955, 1982}}


def test_hostile_texts_take_no_long() -> None:
    for text in ("Li Wei " * 20_000, "A, b, " * 20_000, "Li Wei born " * 20_000, "Li Wei, born in Lyon " * 9000):
        birth_years(text)

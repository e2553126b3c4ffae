"""Amounts and quantities of a text, as values with units."""

from __future__ import annotations

import pytest

from filigraph.graph.text.numbers.quantities import quantities
from filigraph.graph.text.numbers.quantity_units import same_unit

SENTENCES = [  # written after the rules
    ("fr", "Deux billions de francs, 2 billions d'euros.", ["2000000000000 FRF", "2000000000000 EUR"]),
    ("fr", "Deux ou trois billions de francs.", ["2000000000000 FRF", "3000000000000 FRF"]),
    ("de", "2 oder 3 Billionen Euro.", ["2000000000000 EUR", "3000000000000 EUR"]),
    ("en", "Two or three trillion dollars.", ["2000000000000 USD", "3000000000000 USD"]),
    ("en", "Two billion pounds.", ["2000000000 GBP"]),
    ("en", "Two or three dozen eggs.", ["24 eggs", "36 eggs"]),
    ("de", "3 bis 5 Mark, zwischen 7 und 9 Euro.", ["3 mark", "5 mark", "7 EUR", "9 EUR"]),
    ("de", "2 Billionen Mark.", ["2000000000000 mark"]),
    ("en", "He was fined one hundred and fifty pounds, ten shillings and sixpence.", ["150.525 GBP"]),
    ("en", "A sum of 2,000 guineas at 3 per cent.", ["2000 guinea", "3 %"]),
    ("en", "They met at ten minutes to nine, 40 yards from Number 9.", ["40 yd"]),
    ("en", "£1,380, say 34,800 francs", ["1380 GBP", "34800 FRF"]),
    ("en", "He paid ten pounds on 3 May 1912 for three horses.", ["10 GBP", "3 horses"]),
    ("en", "Nothing was said of Room 12.", []),
    ("fr", "Il a perdu 1 250 000 F et trois chevaux.", ["1250000 FRF", "3 chevaux"]),
    ("fr", "Quatre mille cinq cents francs et 25 centimes.", ["4500.25 FRF"]),
    ("fr", "À neuf heures, douze soldats vinrent à 300 mètres.", ["12 soldats", "300 m"]),
    ("fr", "Elle attendit pendant trois heures.", ["3 h"]),
    ("fr", "Le 14 février 1884, sous le numéro 31.", []),
    ("fr", "Rafler cinq ou six cent mille francs.", ["500000 FRF", "600000 FRF"]),
    ("fr", "Deux ou trois mille francs.", ["2000 FRF", "3000 FRF"]),
    ("en", "Two or three thousand pounds, from 5 to 600 dollars.", ["2000 GBP", "3000 GBP", "5 USD", "600 USD"]),
    ("de", "Er zahlte 1.200 Euro und 3,5 kg.", ["1200 EUR", "3.5 kg"]),
]


@pytest.mark.parametrize(("language", "text", "expected"), SENTENCES)
def test_values_have_units(language: str, text: str, expected: list[str]) -> None:
    assert [f"{one.value.normalize():f} {one.unit}" for one in quantities(text, language)] == expected


def test_livres_may_be_pounds_and_are_no_francs() -> None:
    assert same_unit("livre", "GBP")
    assert not same_unit("livre", "FRF")


def test_quantities_are_found_in_linear_time() -> None:
    sentence = "He paid £120 and a hundred and twenty pounds on 3 May 1912 for 48 cases. "
    assert len(quantities(sentence * 5_000, "en")) == 5_000 * len(quantities(sentence, "en"))

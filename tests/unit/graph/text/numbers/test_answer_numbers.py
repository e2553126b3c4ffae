"""Numbers, amounts, times and dates that a model made up are distinguished from those that it only writes in another
way.
"""

from __future__ import annotations

import pytest

from filigraph.graph.text.numbers.answer_numbers import unsupported_figures

EVIDENCE = (
    "On 12 March 1911, at 10:30, the Banque Morel lost 9,000,000 francs. Three pearls, twenty-one rings. "
    "La banque a versé 1 250,50 € à quatre-vingt-dix-sept clients, soit 3,5 %. Lettre du 4 juillet. Fondée en 1889. "
    "A mail of 1912-03-04."
)


def unsupported(answer: str, language: str = "en") -> list[str]:
    return [answer[figure.start : figure.end] for figure in unsupported_figures(answer, language, EVIDENCE)]


@pytest.mark.parametrize(
    ("answer", "language"),
    [
        ("It lost 9 million francs.", "en"),
        ("Elle a perdu 9 millions de francs.", "fr"),
        ("Elle a perdu neuf millions de francs.", "fr"),
        ("It lost 9.000.000.", "en"),
        ("It lost nine million.", "en"),
        ("3 pearls and 21 rings; three of them; vingt et un.", "en"),
        ("Trois perles et vingt et une bagues.", "fr"),
        ("It paid €1,250.50 to 97 clients, that is 3.5%.", "en"),
        ("Elle a payé 1250,5 euros, 3,5 pour cent.", "fr"),
        ("Le 12 mars 1911, à 10h30 ou 10 heures 30.", "fr"),
        ("March 12, 1911; March 1911; 12/03/1911; 1911-03-12; the 12th of March.", "en"),
        ("On 4 July 1911, on 4 March 1912, in 1889.", "en"),  # a year may stand elsewhere
        ("Two men, one of them old. A second time.", "en"),
        ("Un manteau neuf, deux raisons.", "fr"),
        ("1. The bank.\n2. The rings.\n5) The mail.", "en"),
        ("", "en"),
    ],
)
def test_what_the_evidence_says_in_other_words(answer: str, language: str) -> None:
    assert unsupported(answer, language) == []


@pytest.mark.parametrize(
    ("answer", "language", "found"),
    [
        ("It lost 9 million euros.", "en", ["9 million euros"]),  # these were francs
        ("It lost $9 million.", "en", ["$9 million"]),
        ("It lost 9 billion francs.", "en", ["9 billion francs"]),
        ("It lost 9 francs.", "en", ["9 francs"]),
        ("Four pearls and 22 rings.", "en", ["Four", "22"]),
        ("Quatre-vingt-seize clients, deux cents bagues.", "fr", ["Quatre-vingt-seize", "deux cents"]),
        ("On 13 March 1911.", "en", ["13 March 1911"]),
        ("On 12 April 1911, on 12 March 1912.", "en", ["12 April 1911", "12 March 1912"]),
        ("In 1890, at 10:45.", "en", ["1890", "10:45"]),
        ("Le 1er mai, 4 %.", "fr", ["1er mai", "4 %"]),
        ("В 1890 году. ٤٢ кольца.", "ru", ["1890", "٤٢"]),
        ("Es waren 9 Millionen Mark.", "de", ["9 Millionen Mark"]),
    ],
)
def test_what_it_does_not_say(answer: str, language: str, found: list[str]) -> None:
    assert unsupported(answer, language) == found

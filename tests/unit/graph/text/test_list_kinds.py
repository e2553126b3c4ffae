"""Which questions want all things of a type."""

from __future__ import annotations

import pytest

from filigraph.graph.text.language import detect
from filigraph.graph.text.list_kinds import kind_listed
from filigraph.graph.text.list_questions import list_question, parse_list_question


@pytest.mark.parametrize(
    ("text", "type_", "within"),
    [
        ("Which ships are named?", "Vessel", ""),
        ("Which ships are named in the log?", "ship", "log"),
        ("Quels sont tous les bateaux désignés par leur nom dans le dossier ?", "Navire", ""),
        ("Combien de navires sont cités ?", "Ship", ""),
        ("toutes les personnes", "Person", ""),
        ("All characters of the novel", "Personnage", ""),
        ("Who is named in the file?", "Person", ""),
        ("Qui est nommé dans les lettres de Jules ?", "Person", "lettres jules"),
        ("List all places in The Moonstone", "Location", "moonstone"),
        ("Énumère tous les lieux", "Lieu", ""),
        ("List all companies", "Company", ""),
        ("Énumère toutes les villes", "Ville", ""),
        ("List all witnesses", "Witness", ""),
        ("List all species", "Species", ""),
        ("Quels sont tous les journaux cités ?", "Journal", ""),
        ("Énumère tous les lieux", "Place", ""),
    ],
)
def test_all_of_a_type(text: str, type_: str, within: str) -> None:
    language = detect(text) or "en"
    kind = kind_listed(parse_list_question(text, language))
    assert kind and kind.includes(type_) and not kind.includes("Instrument")
    assert kind.within == {*within.split()}
    assert list_question(text, language)


@pytest.mark.parametrize(
    "text", ["List all payments over 100 pounds", "Which ships came in May 1904?", "Who?", "List all", "Qui ?"]
)
def test_other_lists(text: str) -> None:
    assert kind_listed(parse_list_question(text, "en")) is None


def test_a_town_is_one_place_of_several() -> None:
    kind = kind_listed(parse_list_question("List all towns", "en"))
    assert kind and kind.includes("Town") and not kind.includes("Place")


@pytest.mark.parametrize("text", ["Who was it?", "Tous les soirs il va où ?", "Qui est le gardien ?"])
def test_questions_about_somebody(text: str) -> None:
    assert not list_question(text, "fr")

"""Which questions want all things of a type."""

from __future__ import annotations

import pytest

from filigraph.graph.text.language import detect
from filigraph.graph.text.list_kinds import head_of, is_called, kind_listed, name_asked_for
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


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("wooden boats", "boats"),
        ("the notary's letters", "letters"),
        ("letters of the notary", "letters"),
        ("payments to Harper", "payments"),
        ("Quels bateaux de pêche sont nommés dans le dossier ?", "bateaux"),
        ("factures impayées", "factures"),
        ("petits bateaux", "bateaux"),
        ("wills and weddings", ""),  # both are things
        ("boats", ""),
        ("wooden boats of the harbour", ""),
    ],
)
def test_one_of_two_words_says_what_the_things_are(text: str, head: str) -> None:
    assert head_of(parse_list_question(text, detect(text) if "ê" in text or "é" in text else "en")) == head


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("We took the tender Ann.", True),
        ("It lies there, a ketch of sixty feet, the Ann.", True),
        ("He saw the Ann, a schooner, at noon.", True),
        ("The boat left. Ann saw it.", False),
        ("The boat left before Ann.", False),
        ("Ann, who has a boat, came.", False),
    ],
)
def test_what_a_text_calls_a_name(text: str, called: bool) -> None:
    kind = kind_listed(parse_list_question("List all ships", "en"))
    assert kind and is_called(text, ["Ann"], kind.words("en")) is called
    assert is_called(text, ["tender Ann"], kind.words("en"))


def test_a_name_of_signs_is_called_nothing() -> None:
    assert not is_called("Ana met ***, a tender.", ["***"], {"boat"})


def test_questions_for_all_places_of_a_name() -> None:
    asked = name_asked_for(parse_list_question("Under which names does Ada Pell appear in the file?", "en"))
    assert asked and (asked.name, asked.forms) == ("Ada Pell", True)
    asked = name_asked_for(parse_list_question("Dans quelles lettres Jules est-il nommé ?", "fr"))
    assert asked and (asked.name, asked.forms) == ("Jules", False)
    asked = name_asked_for(parse_list_question("In which letters does the agent of Lyon appear?", "en"))
    assert asked and asked.name == "agent of Lyon"
    assert not name_asked_for(parse_list_question("In which letters did Jules ask for money?", "en"))

"""A capital is not always a name: the text shows how it uses a word."""

from __future__ import annotations

import pytest

from filigraph.graph.text.names.usage import forms_not_used_as_names, never_names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Parfait, dit-il. C'était parfait. Parfait !", ["Parfait"]),
        ("— Voyons, Jules. Il dit : « Voyons ». Nous voyons.", ["Voyons"]),
        ('"Halloa!" he cried. "Halloa, Watson! Halloa! What is this?"', ["Halloa"]),
        ("A German came. The German spoke to a German.", ["German"]),
        ("Your Majesty is kind. If your Majesty would come.", ["Majesty"]),
        ("Witness: I refuse.\nCoroner asked.\nWitness: I must still refuse.", ["Witness"]),
        ("Прощай! Прощай, Иван. Прощай!", ["Прощай"]),
        ("— Calme-toi, Jules. — Calme-toi !", ["Calme"]),
        ("— Ouvre-moi cette tombe. — Ouvre, reprit-il. — Ouvre, dit-il.", ["Ouvre"]),
    ],
)
def test_a_word_that_only_opens_sentences_is_no_name(text: str, words: list[str]) -> None:
    assert forms_not_used_as_names([text], [*words, "Jules", "Watson", "Иван"]) == set(words)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Rose opened the door. A rose stood there.", "Rose"),  # a given name
        ("Wells rose. Mr. Wells said: wells are deep.", "Wells"),
        ("Lecoq sortit. Lecoq revint. On vit Lecoq.", "Lecoq"),
        ("Holmes, come! Holmes, see! Holmes, sit!", "Sherlock Holmes"),
        ("He went to Stratford-on-Avon. He left Stratford-on-Avon.", "Stratford"),
        ("Cerf parla. Les cerfs. Il vit Cerf et Cerf le vit.", "Cerf"),
    ],
)
def test_a_name_stays(text: str, word: str) -> None:
    assert forms_not_used_as_names([text], [word, "Mr. Wells", "Sherlock Holmes"]) == set()


def test_a_text_of_several_chunks_counts_as_one() -> None:
    assert forms_not_used_as_names(["Voyons, Jules.", "nous voyons bien"], ["Voyons"]) == {"Voyons"}


def test_a_french_place_to_which_people_go_is_a_name() -> None:
    assert (
        forms_not_used_as_names(["Il va à Paris. Elle revient à Paris. Un soir, à Paris, il pleut."], ["Paris"])
        == set()
    )


def test_some_words_are_names_in_no_text() -> None:
    forms = ["Sire", "German", "The Englishman", "petit Anglais", "Anglaise", "Spanierin", "XIXe", "K.C", "Esq"]
    forms += ["CHAPTER", "Chapitre", "A.M"]
    assert never_names([*forms, "Jules Delmas"]) == set(forms)


@pytest.mark.parametrize(
    "forms",
    [
        ["French", "Mr. French"],  # a surname here
        ["Welsh", "Irvine Welsh", "Irvine", "Miss Welsh"],
        ["English Bay", "General German Bank", "Anglais Robert Fortune"],
        ["Germans", "Russes"],  # nations act
        ["Suisse", "China", "Corse", "Finn"],
        ["Milady", "Lady", "Don", "Dame"],  # who is known by no other name
        ["A.", "J.B", "IV", "Ivy", "AM"],
        ["Chapter House", "Chapitre Delmas"],
    ],
)
def test_what_looks_like_those_and_is_a_name(forms: list[str]) -> None:
    assert never_names(forms) == set()

"""Predicates in one form, by language."""

from __future__ import annotations

import pytest

from filigraph.graph.text.predicates import normalized


@pytest.mark.parametrize(
    ("written", "present"),
    [
        ("porte", "porte"), ("portait", "porte"), ("porta", "porte"), ("a porté", "porte"), ("avait porté", "porte"),
        ("portera", "porte"), ("portaient", "porte"), ("portèrent", "porte"), ("portait à", "porte à"),
        ("mangeait", "mange"), ("commençait à", "commence à"), ("menait", "mène"), ("espérait", "espère"),
        ("appelait", "appelle"), ("finissait", "finit"), ("a fini", "finit"), ("glissait", "glisse"),
        ("était l'ami de", "est l'ami de"), ("fut l'emblème de", "est l'emblème de"), ("avait", "a"), ("eut", "a"),
        ("avait vu", "voit"), ("venait de", "vient de"), ("est venu à", "vient à"), ("s'appelait", "s'appelle"),
        ("se trouvait à", "se trouve à"), ("vivait à", "vit à"), ("tenait", "tient"), ("connaissait", "connaît"),
        ("a épousé", "épouse"), ("regardait", "regarde"), ("rendrait", "rend"), ("  porte \n la ", "porte la"),
    ],
)  # fmt: skip
def test_a_french_verb_is_told_in_the_present(written: str, present: str) -> None:
    assert normalized(written, "fr") == present


@pytest.mark.parametrize(
    "written",
    ["portrait de", "fait de", "est", "a", "né à", "tué par", "frère de", "est fait de", "là", "", "est emblème de"],
)
def test_what_is_no_verb_in_another_tense_stays(written: str) -> None:
    assert normalized(written, "fr") == written


@pytest.mark.parametrize(
    ("written", "present"),
    [
        ("wears", "wears"), ("wore", "wears"), ("has worn", "wears"), ("had stolen from", "steals from"),
        ("carried", "carries"), ("loved", "loves"), ("killed", "kills"), ("stabbed", "stabs"), ("robbed", "robs"),
        ("watched", "watches"), ("lived in", "lives in"), ("died at", "dies at"), ("Married", "marries"),
        ("wrote a letter to", "writes a letter to"), ("spoke to", "speaks to"), ("found", "finds"), ("led", "leads"),
        ("went  to", "goes to"), ("came from", "comes from"), ("travelled to", "travels to"), ("fell in", "falls in"),
        ("met", "meets"), ("passed", "passes"), ("obeyed", "obeys"),
    ],
)  # fmt: skip
def test_an_english_verb_is_told_in_the_present(written: str, present: str) -> None:
    assert normalized(written, "en") == present


@pytest.mark.parametrize(
    "written",
    ["was born in", "had", "killed by", "found in", "directed by", "located in", "founded in", "held at", "known as",
     "written by", "given to", "had been", "is the mother of", "left of", "red", "based on", "married to", "used for",
     "succeeded by", "founded and owned by", "called"],
)  # fmt: skip
def test_what_may_be_a_passive_stays_in_english(written: str) -> None:
    assert normalized(written, "en") == written


@pytest.mark.parametrize("written", ["wore", "portait", "носил"])
def test_other_languages_stay_as_they_are_written(written: str) -> None:
    assert normalized(written, "de") == normalized(written, "ru") == normalized(written, "") == written


def test_a_form_is_its_own_form() -> None:
    french = ("portait", "avait vu", "menait", "finissait", "était l'ami de")
    english = ("wore", "has given", "beat", "became", "ran to", "had come from")
    for written, language in [*((w, "fr") for w in french), *((w, "en") for w in english)]:
        once = normalized(written, language)
        assert normalized(once, language) == once

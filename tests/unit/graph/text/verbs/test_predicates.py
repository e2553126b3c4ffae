"""Predicates in one form, by language."""

from __future__ import annotations

import pytest

from filigraph.graph.text.verbs import french_verbs
from filigraph.graph.text.verbs.predicates import normalized, predicate_as_stated


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
        ("transmettait à", "transmet à"), ("mordit", "mord"), ("entretenait", "entretient"), ("pendait à", "pend à"),
        ("s'introduisait dans", "s'introduit dans"),
        ("laissait", "laisse"), ("a dormi à", "dort à"), ("a trahi", "trahit"),
        ("achetait", "achète"), ("rappelait", "rappelle"), ("accueillait", "accueille"),
        ("a épousé", "épouse"), ("regardait", "regarde"), ("rendrait", "rend"), ("  porte \n la ", "porte la"),
    ],
)  # fmt: skip
def test_a_french_verb_is_told_in_the_present(written: str, present: str) -> None:
    assert normalized(written, "fr") == present


@pytest.mark.parametrize(
    "written",
    [
        "s'introduise",
        "bût",
        "zébulait",
        "gisait",
        "cinéma",
        "opéra de",
        "a pitié de",
        "a aussi",
        "vit à",
        "portrait de",
        "fait de",
        "est",
        "a",
        "né à",
        "tué par",
        "frère de",
        "est fait de",
        "là",
        "",
        "est emblème de",
    ],
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


@pytest.mark.parametrize(
    ("sentence", "predicate", "language", "told"),
    [
        ("The ring belonged to Moreau until 1921.", "belonged to", "en", "belonged to"),
        ("The ring once belonged to Moreau.", "belonged to", "en", "belonged to"),
        ("The ring belonged to Moreau. He waited until 1921.", "belonged to", "en", "belongs to"),
        ("The ring belonged to Moreau.", "belonged to", "en", "belongs to"),
        ("La bague appartenait à Moreau jusqu'en 1921.", "appartenait à", "fr", "appartenait à"),
        ("La bague appartenait à Moreau jusqu’à sa mort.", "appartenait à", "fr", "appartenait à"),
        ("La bague appartenait autrefois à Moreau.", "appartenait", "fr", "appartenait"),
        ("La bague appartenait à Moreau.", "appartenait à", "fr", "appartient à"),
        ("Jules marchait jusqu'à la porte.", "marchait", "fr", "marche"),
        ("Jules in other words.", "belonged to", "en", "belongs to"),
    ],
)
def test_what_is_so_no_more_keeps_its_tense(sentence: str, predicate: str, language: str, told: str) -> None:
    assert predicate_as_stated(sentence, predicate, language) == told


def test_no_form_of_the_tables_leads_on_to_another_verb() -> None:
    """ "vit" is of "vivre" and of "voir": it stays."""
    told = {form: normalized(form, "fr") for form in french_verbs.FORMS}
    assert {form: present for form, present in told.items() if normalized(present, "fr") != present} == {}

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


@pytest.mark.parametrize("written", ["wore", "was born in", "portait", "носил"])
def test_other_languages_stay_as_they_are_written(written: str) -> None:
    assert normalized(written, "en") == normalized(written, "") == written


def test_a_form_is_its_own_form() -> None:
    for written in ("portait", "avait vu", "menait", "finissait", "était l'ami de"):
        once = normalized(written, "fr")
        assert normalized(once, "fr") == once

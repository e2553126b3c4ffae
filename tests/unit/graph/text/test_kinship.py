"""Which kinship predicates express, and maiden names."""

from __future__ import annotations

import pytest

from filigraph.graph.text.kinship import kin_word, kinship_of, maiden_name


@pytest.mark.parametrize(
    ("predicate", "kind", "above", "gender"),
    [
        ("is the daughter of", "parent", -1, ""),
        ("was the father of", "parent", 1, "m"),
        ("est la mère de", "parent", 1, "f"),
        ("gave birth to", "parent", 1, ""),
        ("married", "spouse", 0, ""),
        ("est la veuve de", "spouse", 0, ""),
        ("is the brother of", "sibling", 0, ""),
        ("is the uncle of", "relative", 1, ""),
        ("est l'oncle de", "relative", 1, ""),
        ("est la petite-fille de", "relative", -2, ""),
        ("was the foster father of", "relative", 1, "m"),
        ("is the foster-daughter of", "relative", -1, ""),
        ("is the foster brother of", "relative", 0, ""),
        ("est le père nourricier de", "relative", 1, "m"),
        ("était la sœur de lait de", "relative", 0, ""),
        ("est la fille d'accueil de", "relative", -1, ""),
        ("is the adoptive father of", "parent", 1, "m"),
        ("est le fils aîné de", "parent", -1, ""),
        ("est la mère adoptive de", "parent", 1, "f"),
        ("fille naturelle de", "parent", -1, ""),
        ("est l'oncle maternel de", "relative", 1, ""),
        ("est le cousin germain de", "relative", 0, ""),
    ],
)
def test_kinship_of_a_predicate(predicate: str, kind: str, above: int, gender: str) -> None:
    kinship = kinship_of(predicate, "Paul")
    assert kinship and (kinship.kind, kinship.above, kinship.gender) == (kind, above, gender)


@pytest.mark.parametrize("predicate", ["is not the son of", "saw", "n'est pas le fils de", "may be the father of"])
def test_what_is_denied_or_uncertain_or_something_else_is_no_kinship(predicate: str) -> None:
    assert kinship_of(predicate, "Paul") is None


def test_a_denial_has_a_word_of_kinship() -> None:
    assert kin_word("is not the son of") and kin_word("n'est pas le père de") and kin_word("never married")
    assert not kin_word("never saw")


@pytest.mark.parametrize(
    ("forms", "sentences", "name"),
    [
        (["Julia Verinder"], ["Julia Verinder, née Herncastle, was rich."], "Herncastle"),
        (["Mme Delmas, née Vernet"], [], "Vernet"),
        (["Miss Rachel Verinder", "Mrs. Rachel Blake"], [], "Verinder"),
        (["Mrs. Julia Verinder"], ["Mrs. Julia Verinder was born in Dover."], ""),
        (["Miss Rachel Verinder"], [], ""),
    ],
)
def test_maiden_names(forms: list[str], sentences: list[str], name: str) -> None:
    assert maiden_name(forms, sentences) == name

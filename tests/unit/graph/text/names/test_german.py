"""In German every noun has a capital: the text shows which are names."""

from __future__ import annotations

import pytest

from filigraph.graph.text.names.german import common_nouns, likely_names

TEXT = """
Heinrich sah das Bild, und sein Vater Erasmus schwieg. Da sagte Heinrich, die Nacht sei schön. In der Nacht
stand Ruprecht am Tor. Wenn ihr wollt, sagte Ruprecht, so gebt mir ein Glas Wein. Der Wein war gut, und Ruprecht
trank aus seinem Glas. Graf Prokopus kam. Der Name des Prokopus war bekannt. Habt Ihr Heinrichs Mutter gesehen?
Seine Mutter nicht, sagte Anna. Ich danke Euch. Die deutsche Fahne wehte. Dort ist die Deutsche Bank. Zur Bank ging
der Wirt. Am Ohre Heinrichs, an dem Ohre, rief Anna. Die SPD siegte. Zu Heinrich sprach der Herr Pfarrer,
ein Pfarrer, und so ging Heinrich.
"""


@pytest.mark.parametrize(
    "form",
    [
        *("Nacht", "Bild", "Glas", "Wirt", "Das Bild"),
        *("Ihr", "Euch", "Wenn Ihr", "Sein Vater"),
        *("Glas Wein", "Heinrichs Mutter", "Ohre Heinrichs", "Heinrichs", "Mutter Heinrichs", "Herr Pfarrer"),
        "So Heinrich",
        "Tor",  # which nothing tells, and which stands there once
    ],
)
def test_a_noun_is_no_name(form: str) -> None:
    assert common_nouns([TEXT], [form, "Heinrich", "Anna"]) == {form}


@pytest.mark.parametrize(
    "form",
    [
        *("Heinrich", "Anna"),  # given names
        "Ruprecht",  # never behind an article
        *("Vater Erasmus", "Graf Prokopus", "Frau Wirt Anna", "Deutsche Bank", "SPD"),
    ],
)
def test_a_name_is_one(form: str) -> None:
    assert common_nouns([TEXT], [form, "Glas Wein"]) == {"Glas Wein"}


def test_a_title_makes_a_name_of_what_follows_an_article() -> None:
    assert common_nouns([TEXT], ["Prokopus"]) == {"Prokopus"}
    assert common_nouns([TEXT], ["Prokopus", "Graf Prokopus"]) == set()


def test_a_short_text_gives_names_of_which_it_is_sure_enough() -> None:
    runs = ["Heinrich", "Ruprecht", "Glas Wein", "Wein", "Nacht", "Prokopus", "Graf Prokopus", "Tor"]
    assert likely_names(runs, TEXT) == ["Heinrich", "Ruprecht", "Glas Wein", "Wein", "Prokopus", "Graf Prokopus"]

"""What the names of an entity by themselves say about its type."""

from __future__ import annotations

import pytest

from filigraph.graph.names.name_types import type_by_names
from filigraph.graph.text.names.tables import GIVEN_NAMES


@pytest.mark.parametrize(
    ("forms", "type_"),
    [
        (["Rourke", "Captain Rourke"], "Person"),
        (["Sophie Vernet", "Sophie"], "Person"),
        (["le père Goriot"], "Person"),
        (["Mme Aubry"], "Person"),
        (["Whitby Savings Bank"], "Organization"),
        (["Compagnie du Phare"], "Organization"),
        (["Bâtirive SA"], "Organization"),
        (["rue Mercière"], "Place"),
        (["Baker Street"], "Place"),
        (["London"], "Place"),
        (["Angleterre"], "Place"),
        (["Rourke"], ""),  # nobody says what that is
        (["Jonathan Park"], ""),  # a man, or a park
        (["Nancy"], ""),  # a woman, or a town
        (["the captain"], ""),  # no name
        (["society of thieves"], ""),
        (["letter of Victor Lang"], ""),
        (["Box 41", "1923-05-01"], ""),
        (["Mr. Lang", "Lang Bank"], ""),  # they differ
        (["app/court.py::Judge"], ""),  # source code
    ],
)
def test_a_name_tells_its_type_or_nothing(forms: list[str], type_: str) -> None:
    assert type_by_names(forms, GIVEN_NAMES) == type_

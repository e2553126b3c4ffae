"""Names found word by word."""

from __future__ import annotations

import pytest

from filigraph.graph.text.find import Finder

TEXT = "L'Étranger vit Jules, et Jules vit l'étranger. 夏洛克来了。"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Jules", ["Jules", "Jules"]),
        ("L’ETRANGER", ["L'Étranger", "l'étranger"]),
        ("vit  Jules!", ["vit Jules"]),
        ("夏洛克", ["夏洛克"]),
        ("Jul", []),
        ("Jules Jules", []),
        ("", []),
        ("?!", []),
    ],
)
def test_find(name: str, found: list[str]) -> None:
    assert [TEXT[start:end] for start, end in Finder(TEXT).find(name)] == found


def test_words_between() -> None:
    finder = Finder("The Claw, dite La Griffe")
    (claw,), (griffe,) = finder.find("Claw"), finder.find("Griffe")
    assert finder.words_between(claw, griffe) == finder.words_between(griffe, claw) == 2
    assert finder.words_between(claw, claw) == 0

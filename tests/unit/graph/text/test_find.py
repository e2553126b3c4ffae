"""Names found word by word."""

from __future__ import annotations

import pytest

from filigraph.graph.text.find import PhraseFinder, find_within, text_of_pieces

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
    assert [TEXT[start:end] for start, end in PhraseFinder(TEXT).find(name)] == found


def test_words_between() -> None:
    finder = PhraseFinder("The Claw, dite La Griffe")
    (claw,), (griffe,) = finder.find("Claw"), finder.find("Griffe")
    assert finder.words_between(claw, griffe) == finder.words_between(griffe, claw) == 2
    assert finder.words_between(claw, claw) == 0


QUOTED = "Ann wrote: «\u202fJ’ai l’anneau\nd’Anne\u2010Marie\u202f»… the ware\u00adhouses — and O'Hara’s “lamp”."


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("\"j'ai l'anneau d'Anne-Marie\"", ["J’ai l’anneau\nd’Anne\u2010Marie"]),
        ("anneau d'anne", ["anneau\nd’Anne"]),
        ("eau d'An", ["eau\nd’An"]),
        ("O’Hara's 'lamp'", ["O'Hara’s “lamp"]),
        ("an", ["An", "an", "An", "an"]),
        ("—", ["—"]),
        ("Anne anneau", []),
        ("lamps", []),
        ("  ", []),
    ],
)
def test_a_phrase_is_found_however_it_is_set(wanted: str, found: list[str]) -> None:
    assert [QUOTED[start:end] for start, end in find_within(QUOTED, wanted)] == found


def test_a_phrase_goes_from_one_piece_into_the_next() -> None:
    text = "The lamp went out. Nobody saw who took it."
    pieces = [(0, text[:18]), (19, text[19:31]), (26, text[26:])]
    assert text_of_pieces(pieces) == text
    assert find_within(text_of_pieces(pieces), "out. Nobody saw who") == [(14, 33)]

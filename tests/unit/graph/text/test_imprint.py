"""Sentences about the edition of a text."""

from __future__ import annotations

import pytest

from filigraph.graph.text.imprint import is_imprint


@pytest.mark.parametrize(
    "sentence",
    [
        "Copyright © 1998 by the Estate of W. Collins.",
        "This eBook is for the use of anyone anywhere.",
        "First published in 1868 by Tinsley Brothers.",
        "Second edition, London, 1871.",
        "Printed in Great Britain, 1928.",
        "Released under the Creative Commons Attribution licence in 2019.",
        "Paris, Imprimerie Nationale, 1875.",
        "Achevé d'imprimer le 3 mars 1921.",
        "Première édition, 1868.",
        "Publié en 1901 chez Hachette.",
        "Dépôt légal : mai 1954.",
        "LONDON: CHAPMAN AND HALL\n1891",
        "London: Macmillan and Co., Limited, 1901",
        "New York: Harper & Brothers",
        "PARIS : LIBRAIRIE HACHETTE, 1891",
        "Transcribed from the 1891 Chapman and Hall edition by David Price",
    ],
)
def test_what_an_edition_says_of_itself(sentence: str) -> None:
    assert is_imprint(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "On 3 March 1904 the Gazette published the letter that the notary had kept in his desk for years.",
        "He was born in 1821 above his father's press in Lyon.",
        "The licence of the inn was refused in 1911.",
        "Il publia ses mémoires en 1899, et quitta Lyon le lendemain.",
        "She left Dover on 12 May 1912.",
        "London: the fog was thick in 1891.",
        "Paris: Anne Roche and Paul",
        "They transcribed the letter from the edition of 1891.",
        "The banns were published on 3 May 1848, and nobody came forward.",
    ],
)
def test_what_a_story_tells_stays(sentence: str) -> None:
    assert not is_imprint(sentence)

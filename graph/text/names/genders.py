"""Whether a name is a man's or a woman's, by the pronouns that follow it: "Harker closed his book."

Titles and given names say it of most names; a bare surname says nothing, and no table has all given names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import dropwhile

from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.tables import ADDRESS, EPITHETS, KIN, PARTICLES, RANKS, Gender
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.words import fold

PLACES = 3  # min. places of a name with a pronoun after it
RATIO = 4  # min. ratio of pronouns of one gender to those of the other
CHARS_BETWEEN = 120  # characters from a name to its pronoun

_PRONOUNS: Mapping[str, tuple[str, str]] = {
    "en": ("he|him|his|himself", "she|her|hers|herself"),
    "fr": (r"il(?! (?:y|n['’]y|fa[lu]\w*|s['’]agi\w*)\b)|lui-même", "elle|elle-même"),  # "son" and "lui" are of either
}
_CAPITAL = "A-ZÀ-ÖØ-ÞĀ-Ž"
_WORD = rf"(?:(?:Mr|Mrs|Ms|Dr|M|Mme|Mlle|St|Ste|Capt|Col)\.|[{_CAPITAL}](?:\.|\w*(?:[’'-](?!s\b)\w+)*))"
_LINK = r"(?:de |du |des |d['’]|von |van |la |le )"
_NAME = (
    rf"(?<![\w’'-])(?:(?P<before>[^\W\d_{_CAPITAL}]+\.?)\s)?"
    rf"(?P<name>{_LINK}{{0,3}}{_WORD}(?:\s{_LINK}{{0,3}}{_WORD}){{0,3}})"
)
_PLACES = {
    language: re.compile(
        rf"{_NAME}(?![\w’'-])[^{_CAPITAL}.!?;:“”«»\"()—]{{0,{CHARS_BETWEEN}}}?\b(?:(?P<m>{he})|(?P<f>{she}))\b"
    )
    for language, (he, she) in _PRONOUNS.items()
}
# words that often open a sentence; the genders of the others say nothing, as they are nobody's names
_NO_NAMES = PRONOUNS.union(
    *map(
        str.split,
        (
            "then when if but as so there this that after before at once how what all one no yes now here why",
            "mais puis alors quand enfin comme car si oui non souvent cependant ensuite aussi donc apres tout pourquoi",
        ),
    )
).difference(PARTICLES)
_TITLES = ADDRESS.keys() | RANKS.keys() | KIN.keys() | EPITHETS.keys()


def pronouns_after(text: str, language: str) -> Iterator[tuple[str, Gender]]:
    """Key of a name that says nothing of its bearer's gender, and the gender of the first pronoun after it in its
    clause, if no other name is in between.
    """
    if language not in _PLACES:
        return
    for match in _PLACES[language].finditer(text):
        words = [match["before"] or "", *match["name"].split()]
        if fold(words[0].rstrip(".")) not in _TITLES:
            words = [*dropwhile(lambda word: fold(word) in _NO_NAMES, words[1:])]
        name = parse(" ".join(words))
        if name.key and not name.gender:
            yield name.key, "m" if match["m"] else "f"


def genders_by_pronouns(pronouns: Mapping[tuple[str, str], int]) -> dict[str, Gender]:
    """Key of a name -> the gender that the pronouns after it show, from how many of each there are."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (key, gender), count in pronouns.items():
        counts[key][gender] += count
    shown: dict[str, Gender] = {}
    for key, of in counts.items():
        if of.total() >= PLACES and max(of.values()) >= RATIO * min(of["m"], of["f"]):
            shown[key] = "m" if of["m"] > of["f"] else "f"
    return shown

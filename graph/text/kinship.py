"""Kinship: the relation of two relatives in a predicate, and maiden names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.verbs.relation_lists import LANGUAGES
from filigraph.graph.text.verbs.relation_types import relation_type
from filigraph.graph.text.words import fold

TieKind = Literal["parent", "spouse", "sibling", "relative"]

KINDS: dict[str, TieKind] = {
    "IS_CHILD_OF": "parent",
    "IS_SIBLING_OF": "sibling",
    "IS_MARRIED_TO": "spouse",
    "IS_RELATIVE_OF": "relative",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Generations that a relative is above the other -> folded words for the relative.
_ABOVE = {
    2: _words(
        "grandfather grandmother grandparent grandparents great-uncle great-aunt aieul aieule grand-pere grand-mere"
    )
    | _words("grand-oncle grand-tante ancestor ancetre"),
    1: _words(
        "uncle aunt stepfather stepmother step-father step-mother father-in-law mother-in-law godfather godmother"
    )
    | _words("foster-father foster-mother foster-parent foster-parents father mother parent parents")  # "foster father"
    | _words("oncle tante beau-pere belle-mere parrain marraine pere mere"),
    -1: _words("nephew niece stepson stepdaughter step-son step-daughter son-in-law daughter-in-law godson goddaughter")
    | _words("foster-son foster-daughter foster-child foster-children son daughter child children")
    | _words("godchild neveu niece beau-fils belle-fille gendre bru filleul filleule fils fille enfant"),
    -2: _words("grandson granddaughter grandchild grandchildren great-nephew petit-fils petite-fille petit-neveu")
    | _words("petite-niece descendant"),
}
_FATHERS = _words("father papa pere")
_MOTHERS = _words("mother maman mere")
_MARRIAGE = _words("marry marries married épouse épousa épousé marie mariée birth")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BORN = r",?\s*\(?(?:née?|born|geb\.?|geborene)\s+((?:(?:de|du|d['’]|von|van)\s?)?[A-ZÀ-ÖØ-Þ][\w'’-]+)"


@dataclass(frozen=True, kw_only=True)
class Kinship:
    """The relation of two relatives in a fact. `inverse`: it runs from the object to the subject."""

    kind: TieKind
    inverse: bool  # of a parent: the subject is the parent
    above: int  # generations that the subject is above the object
    gender: Literal["", "m", "f"]  # of a parent, where the word says it


def kinship_of(predicate: str, object_: str) -> Kinship | None:
    """The kinship that a predicate states; None for other predicates, and for denied or uncertain ones."""
    relations = (relation_type(predicate, object_, language) for language in LANGUAGES)
    relation = next((relation_ for relation_ in relations if relation_ and relation_.name in KINDS), None)
    if relation is None:
        return None
    words = {fold(word) for word in _WORD.findall(predicate)}
    kind = KINDS[relation.name]
    above = next((number for number, listed in _ABOVE.items() if words & listed), 0) if kind == "relative" else 0
    if kind == "parent":
        above = 1 if relation.inverse else -1
    elif relation.inverse:
        above = -above
    gender: Literal["", "m", "f"] = "m" if words & _FATHERS else "f" if words & _MOTHERS else ""
    return Kinship(kind=kind, inverse=relation.inverse, above=above, gender=gender)


def kin_word(predicate: str) -> bool:
    """Whether a predicate contains a word of kinship, even a denied one: "is not the son of"."""
    words = [word.lower() for word in _WORD.findall(predicate)]
    return bool(_MARRIAGE & set(words)) or any(
        kinship_of(phrase.format(word), "") for word in words for phrase in ("is the {} of", "est le {} de")
    )


def maiden_name(forms: Iterable[str], sentences: Iterable[str]) -> str:
    """The surname that a person had before marriage, from "née", or from a Miss beside a Mrs. with another surname; ""
    if there is none.
    """
    names = list(dict.fromkeys(forms))
    return next(_maiden_names(names, sentences), "")


def _maiden_names(names: list[str], sentences: Iterable[str]) -> Iterator[str]:
    """The surnames before marriage in names and sentences."""
    for name in names:
        if match := re.search(rf"\w{_BORN}", name):
            yield match[1]
    forms = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if len(name) > 2)
    for sentence in sentences if forms else ():
        if match := re.search(rf"(?:{forms}){_BORN}", sentence):
            yield match[1]
    surnames = {title: _surnames(names, title) for title in ("miss", "mrs")}
    if surnames["mrs"]:
        yield from (surname for surname in surnames["miss"] if surname not in surnames["mrs"])


def _surnames(names: Iterable[str], title: str) -> list[str]:
    parsed = [parse(name) for name in names]
    return [name.bare.split()[-1] for name in parsed if title in name.titles and name.bare.split()]

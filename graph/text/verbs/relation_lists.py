"""Loads the lexicons that map predicates to relation types: `relations/`, one file per language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from filigraph.graph.text.verbs.inflections import Forms, VerbForm, english_forms, french_forms

LANGUAGES = ("en", "fr")

_FOLDER = files("filigraph.graph.text.verbs") / "relations"
_WORD = {"en": re.compile(r"\w+(?:[-']\w+)*'?"), "fr": re.compile(r"\w+(?:-\w+)*'?")}


@dataclass(frozen=True)
class RelationType:
    """A relation type; `inverse` if it runs from the object to the subject: "is killed by" is an inverse KILLS."""

    name: str
    inverse: bool = False

    def inverted(self) -> RelationType:
        return RelationType(self.name, not self.inverse)


# Link between a word and the object ("object", "clause", "passive", or a preposition) -> type; see `relations/en.yaml`.
Roles = Mapping[str, RelationType]


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """The word lists of one language."""

    words: Mapping[str, frozenset[str]]  # by kind: negations, determiners, ...
    endings: Mapping[str, re.Pattern[str]]  # by kind, of open classes: participles, adjectives, ...
    compounds: Mapping[tuple[str, ...], str]  # words of a compound preposition -> the preposition
    copula: Roles
    apposition: Roles  # without a verb
    passive: Roles  # of any verb
    nouns: Mapping[str, RelationType]  # relational nouns; "*": any noun with such an ending
    verbs: Mapping[str, Roles]
    forms: Forms
    word: re.Pattern[str]
    have: str  # base form of "have"

    def has(self, kind: str, word: str) -> bool:
        return word in self.words.get(kind, ())  # not every language has every kind

    def ends(self, kind: str, word: str) -> bool:
        return self.endings[kind].search(word) is not None

    def verb(self, word: str, form: VerbForm) -> str:
        """The listed verb with this inflected form, "" if there is none."""
        return self.forms.get((word, form), "")


@cache
def list_texts() -> Mapping[str, str]:
    """Language -> text of its file."""
    return {language: (_FOLDER / f"{language}.yaml").read_text(encoding="utf-8") for language in LANGUAGES}


@cache
def lexicon(language: str) -> Lexicon:
    file = yaml.safe_load(list_texts()[language])
    verbs: dict[str, dict[str, RelationType]] = {}
    for row in file["verbs"]:
        for verb in row["verbs"].split():
            for how, type_ in _roles(row).items():
                verbs.setdefault(verb, {}).setdefault(how, type_)
    irregular = {verb: forms for verb, *forms in (entry.split(":") for entry in file["irregular"].split())}
    bare = [verb.removeprefix("se_") for verb in verbs]
    return Lexicon(
        words={kind: frozenset(listed.split()) for kind, listed in file["words"].items()},
        endings={kind: re.compile(f"(?:{'|'.join(listed.split())})$") for kind, listed in file["endings"].items()},
        compounds={tuple(words.split()): compound for words, compound in file["compounds"].items()},
        copula=_roles(file["copula"]),
        apposition=_roles(file["apposition"]),
        passive=_roles(file["passive"]),
        nouns=_roles(file["nouns"]),
        verbs=verbs,
        forms=english_forms(bare, irregular) if language == "en" else french_forms(bare, irregular),
        word=_WORD[language],
        have=file["having"],
    )


def _roles(row: Mapping[str, Any]) -> dict[str, RelationType]:
    """ "GOES_TO: to into" -> {"to": GOES_TO, "into": GOES_TO}."""
    return {
        how: RelationType(name.removeprefix("<"), inverse=name.startswith("<"))
        for name, hows in row.items()
        if name != "verbs"
        for how in hows.split()
    }

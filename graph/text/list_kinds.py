"""Lists of all things of a type: "which ships are named in the log", "list all places", « toutes les personnes »; and
of all places that name somebody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass

from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.names.type_class import type_class
from filigraph.graph.text.word_groups import words_of_kind
from filigraph.graph.text.words import fold, tokens

_WORDS = {
    # that mean all of a class; others ("towns", « romans ») mean only what has just this type
    "class": """person people character individual somebody someone everybody everyone anybody personne gens personnage
        individu organization organisation place location lieu endroit ship vessel boat navire bateau work oeuvre event
        evenement""",
    "person": "people individual somebody someone everybody everyone anybody gens individu",
    "place": "endroit",
    # that say that something is named
    "naming": """name named names mention mentioned mentions cite cited appear appears appearing appeared occur occurs
        occurring figure figures designated called by whose known proper different various distinct nom noms nomme
        nommes nommee nommees mentionne mentionnes mentionnee mentionnees cites citee citees apparait apparaissent
        apparaissant figurent figurant paraissent designe designes designee designees appele appeles appelee appelees
        connu connus dont propre differents differentes""",
    "forms": "under by sous par in dans form forms forme formes letter letters lettres papers pieces",
    # where anything is
    "documents": """file files dossier dossiers text texts texte textes document documents book books livre livres novel
        roman story histoire recit record records corpus archive archives case affaire here ici workspace collection
        anywhere throughout""",
    "quiet": """all every each list lists there are were was is be been who which that what how many whole complete full
        any it they them given entire of tous toutes tout toute chaque liste y a t il elle ils elles qui que quels
        quelles combien do does did sont ont est furent etait etaient par entier entiere complet ensemble""",
}
_ARE = {name: frozenset(words.split()) for name, words in _WORDS.items()}
NAMING_WORDS = _ARE["naming"] | _ARE["documents"]  # words that say only where a thing is named
_QUIET = FUNCTION_WORDS | _ARE["quiet"]
_CLASS_OF = {word: kind for kind in ("person", "place") for word in _ARE[kind]}


@dataclass(frozen=True, kw_only=True)
class EntityQuestion:
    """All things of a type, perhaps of one document."""

    nouns: Set[str]  # what names the type, folded; with all that it may be the plural of
    kind: str  # class of types; "" if only the type that the noun names is meant
    within: Set[str]  # folded words that name the document; none: all documents

    def includes(self, type_: str) -> bool:
        """Whether things of a type are meant."""
        if self.kind and type_class(type_) == self.kind:
            return True
        words = [word.folded for word in tokens(type_)]
        return len(words) == 1 and words[0] in self.nouns

    def may_include(self, type_: str) -> bool:
        """Whether things of a type may be meant if none is of the type that the noun names: companies are
        organizations, but not each place is a town."""
        return type_class(type_) == "organization" and any(type_class(noun) == "organization" for noun in self.nouns)

    def words(self, language: str) -> Set[str]:
        """The words of a language by which a text calls such a thing, folded."""
        return frozenset(word for noun in self.nouns for word in words_of_kind(noun, language))


_JOINING = frozenset(["and", "or", "et", "ou"])


def head_of(question: ListQuestion) -> str:
    """What the things are, folded, where two words say it: "wooden boats", "the notary's letters", « bateaux de
    pêche »; "" for other questions."""
    words = [word.folded for word in tokens(question.about)]
    said = {term: word for term, word in question.terms(question.language).items() if word not in NAMING_WORDS}
    if len(said) != 2 or _JOINING.intersection(words):
        return ""
    first, last = said.values()
    kinds = [word for word in (first, last) if words_of_kind(word, question.language)]
    if len(kinds) == 1:
        return kinds[0]
    between = words[words.index(first) + 1 : words.index(last)]
    beside = question.language == "en" and all(len(word) == 1 for word in between)  # "notary's" is two words
    return last if beside else first


_APPOSED_BEFORE = 6  # words from "a ketch of sixty feet" to ", the Ann"
_APPOSED_AFTER = re.compile(r"\s*[,(]\s*((?:[^\W\d_]+[ '’-]?){1,3})")


def is_called(text: str, names: Iterable[str], words: Set[str]) -> bool:
    """Whether one of these words is part of a name or stands beside it: "the tender Ann", "a ketch of sixty feet, the
    Ann", "Ann, a schooner"."""
    return any(
        not words.isdisjoint(word.folded for word in tokens(name)[:1])
        or any(
            _is_beside(text, *found.span(), words) for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        )
        for name in names
    )


def _is_beside(text: str, start: int, end: int, words: Set[str]) -> bool:
    sentence = re.split(r"[.;:!?\n]\s", text[max(0, start - 80) : start])[-1]
    apposed = re.search(r",\s*(?:[^\W\d_]{1,3}['’ ]\s*)?[«“\"]?\s*$", sentence)
    after = _APPOSED_AFTER.match(text, end)
    beside = [*tokens(sentence)[-_APPOSED_BEFORE if apposed else -2 :], *tokens(after[1] if after else "")]
    return not words.isdisjoint(word.folded for word in beside)


_ASKS_FOR_PLACES = re.compile(
    r"^\W*(?:in|dans) (?:which|what|quels?|quelles?) "
    r"(?:documents?|letters?|texts?|papers?|files?|textes?|lettres?|pieces?)\b"
)
_ASKS_FOR_FORMS = re.compile(r"^\W*(?:under|by|sous|par) (?:which|what|quels?) (?:names?|noms?)\b")


@dataclass(frozen=True, kw_only=True)
class NameQuestion:
    """A question for all places that name somebody."""

    name: str
    forms: bool  # for each of the forms of the name; else for each document


def name_asked_for(question: ListQuestion) -> NameQuestion | None:
    """Whether a question asks in which documents, or under which names, somebody appears."""
    plain = fold(" ".join(question.text.split()))
    places, forms = _ASKS_FOR_PLACES.match(plain), _ASKS_FOR_FORMS.match(plain)
    words = tokens(question.text)
    named = [word for word in words if word.folded not in _QUIET | NAMING_WORDS | _ARE["forms"]]
    if question.unit or question.period or not (places or forms) or not named:
        return None
    if _ARE["naming"].isdisjoint(word.folded for word in words):
        return None
    return NameQuestion(name=question.text[named[0].start : named[-1].end], forms=bool(forms))


def kind_listed(question: ListQuestion) -> EntityQuestion | None:
    """The type whose things a question wants; None if it says more of them than where they are named."""
    if question.unit or question.period:
        return None
    asked = [word.folded for word in tokens(question.about)]
    words = [word for word in asked if word not in _QUIET]
    if words and words[0] in _ARE["naming"] and asked[0] in ("who", "qui"):  # "who is named in the log?"
        words = ["person", *words]
    if not words or words[0] in _ARE["naming"]:
        return None
    forms = _singulars(words[0])
    noun = next((form for form in forms if form in _ARE["class"]), "")
    kind = _CLASS_OF.get(noun) or type_class(noun)
    within = frozenset(words[1:]) - _ARE["naming"] - _ARE["documents"]
    return EntityQuestion(nouns=frozenset(forms), kind=kind, within=within)


def _singulars(noun: str) -> list[str]:
    """A noun, and all that it may be the plural of: "ships", "witnesses", "parties", « journaux »."""
    endings = (("s", ""), ("x", ""), ("es", ""), ("ies", "y"), ("aux", "al"))
    return [noun, *(noun.removesuffix(plural) + one for plural, one in endings if noun.endswith(plural))]

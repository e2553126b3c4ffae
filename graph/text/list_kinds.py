"""Lists of all things of a type: "which ships are named in the log", "list all places", « toutes les personnes »."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.names.type_class import type_class
from filigraph.graph.text.words import tokens

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
    # where anything is
    "documents": """file files dossier dossiers text texts texte textes document documents book books livre livres novel
        roman story histoire recit record records corpus archive archives case affaire here ici workspace collection
        anywhere throughout""",
    "quiet": """all every each list lists there are were was is be been who which that what how many whole complete full
        any it they them given entire of tous toutes tout toute chaque liste y a t il elle ils elles qui que quels
        quelles combien sont ont est furent etait etaient par entier entiere complet ensemble""",
}
_ARE = {name: frozenset(words.split()) for name, words in _WORDS.items()}
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


def kind_listed(question: ListQuestion) -> EntityQuestion | None:
    """The type of which a question wants all things; None if it says more of them than where they are named."""
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

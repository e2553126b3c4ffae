"""Whether French words agree in number and gender: if they do not, the parse is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_fr as w
from filigraph.graph.ingest.extract.patterns.french_names import is_name, title_with_name

if TYPE_CHECKING:
    from spacy.tokens import Token


def agrees(verb: Token, copula: Token | None) -> bool:
    """Whether verb and subject agree in number and the subject is no "tu" or "vous"."""
    subject = next((c for c in verb.children if c.dep_ in {"nsubj", "nsubj:pass"}), None)
    if subject is None:
        return True
    if subject.lower_ in w.FIRST:
        return True
    finite = copula if copula is not None else next((c for c in verb.children if c.dep_.startswith("aux")), verb)
    noun = verb.head if subject.lower_ in {"qui", "lequel", "laquelle"} else subject
    several = any(child.dep_ == "conj" for child in noun.children) or _grammatical_number(noun) == "Plur"
    if finite.morph.get("Person", ["3"]) != ["3"] or finite.lower_.endswith(("ez", "ons")):
        return False
    ending = finite.lower_.endswith(("ent", "ont")) and finite.lower_ not in {"ment", "sent", "vient", "tient"}
    if finite.lower_.endswith(("aient", "èrent", "irent", "urent", "inrent")) or finite.lower_ in {"sont", "ont"}:
        return several or noun.lower_ in w.SEVERAL
    if _grammatical_number(finite) == "Sing" and not ending:
        return not several or is_name(noun)
    return True


def noun_chain(noun: Token) -> Iterator[Token]:
    """A noun, and the nouns that it depends on: "ministres", "conseil" in "le conseil des ministres"."""
    yield noun
    while noun.dep_ == "nmod":
        noun = noun.head
        yield noun


def participle_agrees(participle: Token, noun: Token) -> bool:
    """Whether a participle may describe a noun: "l'annuaire de l'administration proposé par" is about the annuaire."""
    feminine, plural = participle.lower_.rstrip("s").endswith("e"), participle.lower_.endswith("s")
    if is_name(noun) or title_with_name(noun):
        return not plural
    gender = noun.morph.get("Gender", [])
    return (not gender or feminine == ("Fem" in gender)) and (_grammatical_number(noun) or "Sing") == (
        "Plur" if plural else "Sing"
    )


def _grammatical_number(token: Token) -> str:
    """The number, from the determiner if there is one: the tagger knows few nouns of an old novel."""
    for child in token.children:
        if child.dep_ == "det":
            if child.lower_ in w.PLURAL:
                return "Plur"
            if child.lower_ in w.SINGULAR:
                return "Sing"
    return next(iter(token.morph.get("Number", [])), "")

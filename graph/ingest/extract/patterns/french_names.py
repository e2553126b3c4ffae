"""French noun phrases: which words of a sentence name something, and where the name ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_fr as w
from filigraph.graph.ingest.extract.patterns.phrases import (
    Phrase,
    beside_number,
    capitalised,
    content_words,
    end_with_generation,
    opens_sentence,
    run_around,
    spell,
)

if TYPE_CHECKING:
    from spacy.tokens import Token


def is_name(token: Token) -> bool:
    """Whether a token is (part of) a proper name, from its capital and its tag."""
    lower = token.lower_
    if not capitalised(token) or token.is_stop or lower in w.NO_NAME | w.CALENDAR | {"m.", "mm."}:
        return False
    if beside_number(token, w.CALENDAR_SHORT):
        return False
    if opens_sentence(token) and (
        lower in w.OPENERS | w.KIN | w.GENERIC or lower.endswith(("ez", "ons", "ment", "ant"))
    ):
        return False  # "Décidément, ...", "Voyons, ...": the tagger takes them for names
    if token.pos_ == "PROPN" or any(child.dep_ == "flat:name" and capitalised(child) for child in token.children):
        return True  # "Anne Roux": the tagger takes the first name for an adjective
    if opens_sentence(token):  # the tagger takes "Sophie" for a noun, but what follows a noun with no article is a verb
        return (
            token.pos_ == "NOUN"
            and token.dep_ in {"nsubj", "nsubj:pass"}
            and lower.rstrip(".") not in w.TITLES
            and not token.n_lefts
        )
    return token.pos_ in {"NOUN", "ADJ", "X", "VERB"}


def phrase(head: Token) -> Phrase | None:
    """The noun phrase around `head`; None if it is too vague to be an entity."""
    place = place_with_name(head)
    titled = place or title_with_name(head)
    if head.pos_ not in {"NOUN", "PROPN", "X"} and not is_name(head):
        return None
    if head.lower_.rstrip(".") in w.NO_NAME and not is_name(head) and not titled:
        return None
    if head.lower_ in w.CALENDAR:
        return None
    named = is_name(head) or titled
    if named and any(child.lower_ == "autre" and child.i < head.i for child in head.children):
        return None  # "l'autre Paul Renard": another bearer of the name
    if not named and _no_noun(head):
        return None
    included, owner = {head.i}, None
    possessive = False
    for child in head.children:
        if child.dep_ == "det" and named and is_name(child):
            included.add(child.i)  # "Louise Perrin": the parser takes the first name for a determiner
        elif child.dep_ == "det":
            if child.lower_ in w.NO_DETERMINERS:
                return None
            possessive = possessive or child.lower_ in w.POSSESSIVES
        elif child.dep_ == "nmod" and (place or not named) and is_owner(child):
            owner = child
            included.update(_inside(child))
        elif _belongs(child, named=named):
            included.update(_inside(child))
    before = head.nbor(-1) if head.i > 0 else None
    if named and before is not None and before.text in w.ARTICLES and is_name(head):
        included.add(before.i)  # "La Griffe": the article may be part of the name
    first, last = run_around(head, included)
    if owner is not None:
        case = owner.left_edge.i
        if case > last:
            owner = None
        elif not place and content_words(head.doc[first:case]) >= 2:
            last = case - 1  # "la chevalière d'argent de Jules": the owner is a separate fact
    while is_name(head) and last > head.i and head.doc[last].text.islower():
        last -= 1  # "Lecoq entra": the tagger takes a verb for a part of the name
    if is_name(head) and last > first:
        last = end_with_generation(head, last)
    text = spell(head.doc[first : last + 1])
    if not text or text.lower().rstrip(".") in w.TITLES - w.KIN or (possessive and head.lower_ in w.KIN):
        return None  # "son frère": whose?
    if first == last and not named and head.lower_ in w.GENERIC:
        return None  # "l'homme" : lequel ?
    words = content_words(head.doc[first : last + 1])
    return Phrase(text=text, named=named, words=words, first=first, last=last)


def _no_noun(head: Token) -> bool:
    """Whether the tagger took an adjective or a verb for a noun: "l'inexplicable résistance", "il éveille"."""
    after = head.nbor() if head.i + 1 < len(head.doc) else None
    adjective = head.lower_.endswith(("ante", "antes", "able", "ables", "ible", "ibles", "eux", "euses"))
    if adjective and after is not None and (after.pos_ == "NOUN" or after.lower_ == "et"):
        return True
    if after is not None and after.pos_ == "NOUN" and after.text.islower() and after.dep_ != "amod":
        return not any(child.dep_ == "det" and child.i > head.i for child in after.children)
    return head.lower_.endswith(("èrent", "aient", "irent", "urent", "isse")) or any(
        child.dep_ in {"amod", "acl"} and child.lower_.endswith(("ait", "aient", "èrent", "a", "irent"))
        for child in head.children
    )


def title_with_name(head: Token) -> bool:
    """ "commissaire Roux", "M. Armand Delmas", "duc de Sairmeuse": a title with its name."""
    if head.lower_.rstrip(".") not in w.TITLES and head.lower_ not in w.RANKS:
        return False
    for child in head.children:
        if child.i > head.i and capitalised(child) and child.dep_ in {"flat:name", "nmod", "appos", "flat:foreign"}:
            if not cases_of(child) and child.left_edge.i == head.i + 1:
                return True
            if head.lower_ in w.RANKS and cases_of(child) and cases_of(child)[0].lower_ in w.OF:
                return True
    return False


def place_with_name(head: Token) -> bool:
    """ "la rue du Bœuf", "quai Voltaire": a common noun that forms one name with the next words."""
    if head.lower_ not in w.PLACES or any(child.lower_ in {"un", "une"} for child in head.children):
        return False
    for child in head.children:
        if child.dep_ in {"nmod", "appos"} and child.left_edge.i == head.i + 1 and is_name(child):
            cases = cases_of(child)
            return not cases or cases[0].lower_ in w.OF | {"des", "aux", "au"}
    return False


def _is_generic(noun: Token) -> bool:
    """Whether a noun is "homme", "femme"; the parser takes "vieil" of "vieil homme" for it."""
    if noun.lower_ in w.GENERIC:
        return True
    return noun.lower_ in {"vieil", "bel", "jeune"} and any(child.lower_ in w.GENERIC for child in noun.children)


def cases_of(noun: Token) -> list[Token]:
    """The prepositions of a noun."""
    return [child for child in noun.children if child.dep_ == "case"]


def is_owner(child: Token) -> bool:
    """ "de Jules", "de La Griffe": whose it is."""
    cases = cases_of(child)
    return bool(cases) and cases[0].lower_ in w.OF and (is_name(child) or title_with_name(child))


def _belongs(child: Token, *, named: bool) -> bool:
    """Whether a dependent of a noun is part of its name."""
    if child.dep_ in {"flat:name", "flat:foreign", "compound", "fixed", "nummod"}:
        return True
    if child.dep_ == "amod":
        return child.lower_ not in w.NOT_IN_NAMES
    if child.dep_ in {"nmod", "appos"}:
        cases = cases_of(child)
        if not cases:  # "commissaire Roux"
            return child.left_edge.i == child.head.i + 1 and capitalised(child)
        if _is_generic(child.head) and cases[0].lower_ in w.TELLING and not is_name(child):
            return child.left_edge.i == child.head.i + 1 or child.head.n_rights > 1
        case, determined = cases[0].lower_, any(t.dep_ == "det" for t in child.children)
        if case in {"de", "d'", "d’", "du", "des"} and child.lower_ not in w.NO_NAME | w.NO_THING:
            return is_name(child) if named else child.pos_ in w.NOUNS | {"ADJ", "X"}
        if case in {"à", "en"}:  # "à tête de loup", "en or"; "à Sophie", "à la gare" belong to the verb
            return not determined and not named and not is_name(child) and not title_with_name(child)
    return False


def _inside(token: Token) -> Iterator[int]:
    """The indexes of a dependent that belongs to a name, and of its own dependents."""
    yield token.i
    for child in token.children:
        if child.dep_ in {"case", "det"} or _belongs(child, named=False):
            yield from _inside(child)

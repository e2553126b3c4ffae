"""English noun phrases: which words of a sentence name something, and where the name ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_en as w
from filigraph.graph.ingest.extract.patterns.phrases import (
    Phrase,
    beside_number,
    capitalised,
    content_words,
    end_with_generation,
    is_person_in_full,
    opens_sentence,
    run_around,
    spell,
)

if TYPE_CHECKING:
    from spacy.tokens import Token


def is_name(token: Token) -> bool:
    """Whether a token is (part of) a proper name, from its capital and its tag."""
    if not capitalised(token) or token.lower_ in w.NO_NAME or token.lower_ in w.CALENDAR or token.is_stop:
        return False
    if beside_number(token, w.CALENDAR_SHORT):
        return False
    if token.pos_ == "PROPN":
        return True
    return token.pos_ in {"NOUN", "ADJ", "X"} and not opens_sentence(token)


def phrase(head: Token) -> Phrase | None:
    """The noun phrase around `head`; None if it is too vague to be an entity."""
    if head.pos_ not in {"NOUN", "PROPN", "NUM", "X"} or (head.lower_ in w.NO_NAME and not is_name(head)):
        is_thing = head.lower_ in w.WITH_DETERMINER and any(child.dep_ in {"det", "poss"} for child in head.children)
        if not is_thing:
            return None
    if head.lower_ in w.CALENDAR:
        return None
    if is_name(head) and any(child.lower_ == "other" and child.i < head.i for child in head.children):
        return None  # "the other Paul Renard": another bearer of the name
    if (bearer := _name_beside(head)) is not None:
        return phrase(bearer)
    if head.pos_ == "NUM" and not (head.is_digit and len(head) == 4):
        return None
    included, owner = {head.i}, None
    for child in head.children:
        if child.dep_ in {"det", "predet"}:
            if child.lower_ in w.NO_DETERMINERS:
                return None
            if child.lower_ == "the" and capitalised(child) and is_name(head):
                included.add(child.i)  # "The Claw": the article may be part of the name
        elif child.dep_ == "poss":
            owner = child
            if child.lower_ == "whose":
                return None
            if child.pos_ != "PRON":
                included.update(token.i for token in child.subtree)
        elif child.dep_ != "case" and _belongs(child):
            included.update(_inside(child))
    first, last = run_around(head, included)
    if owner is not None and owner.pos_ != "PRON":
        rest = range(owner.right_edge.i + 1, last + 1)
        if first <= owner.i and content_words(head.doc[rest.start : rest.stop]) >= 2 and not is_name(head):
            first = rest.start  # "Jules's silver signet ring" is named by its description; the owner is a separate fact
        elif first > owner.left_edge.i:
            return None
    if is_name(head) and last > first:
        last = end_with_generation(head, last)
    text = spell(head.doc[first : last + 1])
    named = is_name(head) or any(
        token.dep_ == "appos" and is_name(token) for token in head.children if token.i == head.i + 1
    )
    if not text or text.lower().rstrip(".") in w.TITLES:
        return None
    if owner is not None and owner.pos_ == "PRON" and head.lower_ in w.KIN:
        return None  # "his brother": whose?
    if first == last and not named and head.lower_ in w.GENERIC:
        return None  # "the man": which?
    words = content_words(head.doc[first : last + 1])
    return Phrase(text=text, named=named, words=words, first=first, last=last)


def _name_beside(noun: Token) -> Token | None:
    """The name that stands right after a noun and says which one it is: "the driver Otto Brandt"."""
    names = (c for c in noun.children if c.dep_ == "appos" and c.left_edge.i == noun.i + 1 and c.pos_ == "PROPN")
    determined = noun.pos_ == "NOUN" and any(c.dep_ == "det" for c in noun.children)  # "her brother Karl" is kin
    name = next(names, None) if determined else None
    return name if name is not None and all(map(capitalised, name.doc[noun.i + 1 : name.i + 1])) else None


def _belongs(child: Token) -> bool:
    """Whether a dependent of a noun is part of its name."""
    if child.dep_ in {"compound", "nmod", "nummod", "amod", "quantmod", "npadvmod", "case"}:
        return child.lower_ not in w.NOT_IN_NAMES
    if child.dep_ == "prep" and child.head.lower_ in w.GENERIC and _distinguishes(child):
        return True
    if child.dep_ == "prep" and child.lower_ in {"of", "with"}:
        nouns = [token for token in child.children if token.dep_ == "pobj"]
        if not nouns or nouns[0].pos_ not in {"NOUN", "PROPN"}:
            return False
        if child.lower_ == "of" and follows_person(child):
            return False
        if child.lower_ == "with":  # "with a wolf's head" describes; "with the butler" does not
            return child.i == child.head.i + 1 and nouns[0].left_edge.lower_ in {"a", "an"}
        return True
    return False


def _distinguishes(preposition: Token) -> bool:
    """Whether "in white", "with the red hat", "from Lisbon" distinguishes one man from another."""
    ends = [token for token in preposition.children if token.dep_ == "pobj"]
    if preposition.lower_ not in w.TELLING or preposition.i != preposition.head.i + 1 or not ends:
        return False
    return ends[0].pos_ in {"NOUN", "PROPN", "ADJ"} and not (preposition.lower_ == "with" and is_name(ends[0]))


def follows_person(token: Token) -> bool:
    """Whether a word follows a person's title and whole name."""
    run: list[Token] = []
    for word in reversed(token.doc[: token.i]):
        if not is_name(word) and word.lower_.rstrip(".") not in w.TITLES:
            break
        run.append(word)
    return is_person_in_full(run[::-1], w.TITLES)


def _inside(token: Token) -> Iterator[int]:
    """The indexes of a dependent that belongs to a name, and of its own dependents."""
    yield token.i
    for child in token.children:
        if token.dep_ == "prep":
            if child.dep_ == "pobj":
                yield from _inside(child)
        elif child.dep_ in {"det", "poss", "case", "advmod"}:
            yield child.i
            yield from (grandchild.i for grandchild in child.children if child.dep_ == "poss")
        elif _belongs(child):
            yield from _inside(child)

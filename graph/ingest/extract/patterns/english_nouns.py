"""What English noun phrases say without a verb: "Holmes's brother Mycroft", "Jules, a jeweller from Lyon"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_en as w
from filigraph.graph.ingest.extract.patterns.english_names import follows_person, is_name, phrase
from filigraph.graph.ingest.extract.patterns.phrases import (
    Pattern,
    Phrase,
    SentenceReading,
    conjuncts,
    in_quotes,
    is_singular,
    names_who,
    quoted_apart,
    spell,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_ENDS = {",", ".", ";", "—", "--", ")", "!", ":"}


def read_noun(noun: Token, reading: SentenceReading) -> None:
    """Add what a noun and its dependents say."""
    _possessive(noun, reading)
    _relative(noun, reading)
    _apposition(noun, reading)
    _place(noun, reading)


def _possessive(noun: Token, reading: SentenceReading) -> None:
    """ "Jules's ring" -> (Jules, has, Jules's ring); a ring that is described well enough is named by its
    description.
    """
    owner = next((child for child in noun.children if child.dep_ == "poss" and is_name(child)), None)
    if noun.lower_ not in w.OWNED or is_name(noun):
        return
    if owner is None and any(child.lower_ == "the" for child in noun.children):  # "the house of Jules Delmas"
        preposition = next((child for child in noun.children if child.dep_ == "prep" and child.lower_ == "of"), None)
        owner = (
            next((c for c in preposition.children if c.dep_ == "pobj" and is_name(c)), None)
            if preposition is not None
            else None
        )
    if owner is not None:
        reading.add(phrase(owner), "has", phrase(noun), "possessive", noun.idx)


def _relative(noun: Token, reading: SentenceReading) -> None:
    """ "Holmes's brother Mycroft" -> (Mycroft, is brother of, Holmes)."""
    if noun.lower_ not in w.KIN | w.ROLES or is_name(noun) or noun.i + 1 >= len(noun.doc) or not is_name(noun.nbor()):
        return
    heads = [noun, noun.head] if noun.dep_ in {"compound", "nmod", "appos"} else [noun]
    owner = next((c for head in heads for c in head.children if c.dep_ == "poss" and is_name(c) and c.i < noun.i), None)
    if owner is None:
        return
    last = noun.i + 1
    while last + 1 < len(noun.doc) and is_name(noun.doc[last + 1]):
        last += 1
    name = spell(noun.doc[noun.i + 1 : last + 1])
    own = [c for c in noun.children if c.dep_ == "amod"]
    named = Phrase(text=name, named=True, words=last - noun.i, first=noun.i + 1, last=last)
    if name:
        reading.add(named, f"is {spell([*own, noun]).lower()} of", phrase(owner), "possessive", noun.idx)


def _apposition(noun: Token, reading: SentenceReading) -> None:
    """ "Jules Delmas, a jeweller from Lyon, ..." -> (Jules Delmas, is, jeweller)."""
    appositions = [child for child in noun.children if child.dep_ == "appos" and child.pos_ in {"NOUN", "PROPN"}]
    if len(appositions) != 1 or any(child.dep_ == "conj" for child in noun.children):
        return
    other = appositions[0]
    document = noun.doc
    if (
        other.left_edge.i == 0
        or other.left_edge.nbor(-1).text != ","
        or any(child.dep_ == "conj" for child in other.children)
    ):
        return
    after = other.right_edge.i + 1
    if after < len(document) and document[after].text not in _ENDS:
        return
    further = document[after + 1] if after + 1 < len(document) and document[after].text == "," else None
    if further is not None and (is_name(further) or further.lower_ == "and"):
        return  # a list: "there were Holmes, the engineer, Bradstreet and myself"
    name, role = (noun, other) if is_name(noun) else (other, noun)
    if role.dep_ == "attr" or quoted_apart(noun, other) or (role is noun and in_quotes(noun)):
        return  # "he is a young man, Mr. Merryweather", "The goose, Mr. Holmes!": a form of address
    if any(child.dep_ == "poss" and child.pos_ == "PRON" for child in role.children):
        return  # "my friend": whose?
    if name is noun and noun.left_edge.i > 0 and noun.left_edge.nbor(-1).text == ",":
        return  # "the money, Mr. Holmes, the money!"
    if role is noun and (
        any(c.lower_ in w.TITLES or c.tag_ == "JJR" for t in (noun, other) for c in t.children)
        or not any(c.lower_ in {"a", "an"} or c.dep_ == "poss" for c in role.children)
    ):
        return  # "I wish no smarter assistant, Mr. Holmes", "entered the house, Arthur"
    if role.lower_ in w.GENERIC and (
        name.head.lower_ in w.LOCATING or not any(c.dep_ in {"amod", "compound", "prep"} for c in role.children)
    ):
        return  # "a man in Southampton Road, a bearded man"
    determined = any(child.dep_ in {"det", "poss"} for child in role.children)
    if is_name(name) and not is_name(role) and role.pos_ == "NOUN" and determined and role.tag_ == "NN":
        subject = phrase(name)
        if subject is not None:
            attribute(subject, "is", role, reading, "apposition")
    elif name is noun and not determined and role.tag_ == "NN" and role.is_lower and _is_full(noun):
        reading.add(phrase(name), "is", phrase(role), "apposition", noun.idx)  # "Ambrose Tulloch, senior pilot, ..."


def _is_full(name: Token) -> bool:
    """Whether a name has a title, a first name or initials: then it is a person's, or sounds like one."""
    before = [child for child in name.children if child.dep_ == "compound"]
    return bool(before) and all(is_name(child) or child.lower_.rstrip(".") in w.TITLES for child in before)


def _place(noun: Token, reading: SentenceReading) -> None:
    """The place of a place or person: "in Eyford, Berkshire", "Mr. Armitage, of Crane Water", "Dr. Grimesby Roylott of
    Stoke Moran".
    """
    if not is_name(noun):
        return
    if noun.dep_ == "pobj" and noun.head.lower_ in w.LOCATING:
        for child in noun.children:
            before = child.left_edge.nbor(-1) if child.left_edge.i else None
            apart = child.dep_ == "appos" and is_name(child) and before is not None and before.text == ","
            if apart and not any(c.dep_ in {"conj", "cc"} for t in (noun, child) for c in t.children):
                reading.add(phrase(noun), "is in", phrase(child), "place", noun.idx)
    for child in noun.children:
        if child.dep_ != "prep" or child.lower_ not in {"of", "from"}:
            continue
        apart = child.i > 0 and child.nbor(-1).text == ","
        if apart or (child.lower_ == "of" and follows_person(child)):
            for place in child.children:
                if place.dep_ == "pobj" and is_name(place):
                    reading.add(phrase(noun), f"is {child.lower_}", phrase(place), "place", noun.idx)


# --------------------------------------------------------------------------------------------------------------------
# What a subject is


def attribute(subject: Phrase, verb: str, noun: Token, reading: SentenceReading, pattern: Pattern) -> None:
    """What a subject is: (is, society of thieves), but (is the emblem of, The Claw)."""
    described = phrase(noun) if noun.lower_ in w.PERSONS else None
    if described is not None and _is_who(subject, noun, described):
        reading.same(subject.text, described.text)  # "was the woman with the red hat"
        return
    related = _relation(noun)
    if related is not None:
        relation, target = related
        for member in conjuncts(target):
            reading.add(subject, f"{verb} {relation}", phrase(member), pattern, noun.idx)
        return
    if noun.lower_ in w.GENERIC and not any(c.dep_ in {"amod", "compound", "prep"} for c in noun.children):
        return  # "is a man"
    if noun.tag_ == "NN" and not any(child.dep_ in {"det", "poss", "nummod"} for child in noun.children):
        return  # "is handsomer": the tagger takes adjectives for nouns
    if noun.pos_ == "NOUN" and noun.lower_ in w.NO_THING:
        return
    if any(child.dep_ == "poss" and child.pos_ == "PRON" for child in noun.children):
        return  # "is my friend": whose?
    if any(child.lower_ == "very" for child in noun.children):
        return  # "is the very person" means the person whom somebody wanted
    what = phrase(noun)
    if what is not None and _is_who(subject, noun, what):
        reading.same(subject.text, what.text)  # "the man in white was Hector Amaral"
    reading.add(subject, verb, what, pattern, noun.idx)


def _is_who(subject: Phrase, noun: Token, what: Phrase) -> bool:
    """Whether a sentence says that a name is the person whom a description means, or the reverse; not for several at
    once, and not for the last man in the world.
    """
    before = noun.doc[noun.left_edge.i : noun.i]
    if not is_singular(noun) or any(token.lower_ in w.RANKS or token.tag_ in {"JJS", "RBS"} for token in before):
        return False
    definite = any(child.lower_ in w.DEFINITE for child in noun.children)
    return names_who(subject, what, w.PERSONS, proper=noun.pos_ == "PROPN", definite=definite)


def _relation(noun: Token) -> tuple[str, Token] | None:
    """The relation of a noun to a name or a certain thing: ("the emblem of", The Claw)."""
    owner = next((child for child in noun.children if child.dep_ == "poss" and child.pos_ in {"NOUN", "PROPN"}), None)
    own = [c for c in noun.children if c.dep_ in {"amod", "compound", "det", "nummod"} and c.i < noun.i]
    if noun.pos_ != "NOUN" or len(own) > 3:
        return None
    if owner is not None and is_name(owner):
        return f"{spell([c for c in own if c.dep_ != 'det'] + [noun]).lower()} of".strip(), owner
    for child in noun.children:
        if child.dep_ != "prep" or child.i > noun.i + 2 or child.lower_ not in w.RELATING:
            continue
        target = next((t for t in child.children if t.dep_ == "pobj"), None)
        if target is None or target.pos_ not in {"NOUN", "PROPN"}:
            continue
        certain = is_name(target) or any(t.lower_ in {"the", "this", "that"} for t in target.children)
        if certain and phrase(target) is not None:
            head = spell(noun.doc[min([noun.i, *(c.i for c in own)]) : noun.i + 1])
            if not any(is_name(token) for token in own):
                head = head.lower()
            return f"{head} {child.lower_}", target
    return None

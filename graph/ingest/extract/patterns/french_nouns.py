"""What French noun phrases say without a verb: "la bague de Jules", "Jules Delmas, bijoutier à Lyon"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_fr as w
from filigraph.graph.ingest.extract.patterns.french_names import cases_of, is_name, is_owner, phrase, title_with_name
from filigraph.graph.ingest.extract.patterns.phrases import (
    Pattern,
    Phrase,
    SentenceReading,
    capitalised,
    conjuncts,
    in_quotes,
    is_singular,
    names_who,
    opens_sentence,
    quoted_apart,
)
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.tables import ADDRESS, KIN, RANKS, Gender
from filigraph.graph.text.words import fold

if TYPE_CHECKING:
    from spacy.tokens import Token

_MEN: Gender = "m"
_WOMEN: Gender = "f"
_ROLE_GENDERS = {
    **dict.fromkeys(["homme", "garcon", "gars", "fils", "mari", "epoux", "vieillard", "gendre", "neveu"], _MEN),
    **dict.fromkeys(["femme", "fille", "dame", "epouse", "niece", "vieille", "demoiselle"], _WOMEN),
}
_ENDS = {",", ".", ";", "—", "--", ")", "!", ":"}


def read_noun(noun: Token, reading: SentenceReading) -> None:
    """Add what a noun and its dependents say."""
    _possessive(noun, reading)
    _apposition(noun, reading)


def _possessive(noun: Token, reading: SentenceReading) -> None:
    """ "la bague de Jules" -> (Jules, a, bague de Jules); a ring that is described well enough is named by its
    description.
    """
    if noun.lower_ not in w.OWNED or is_name(noun) or any(child.dep_ == "cop" for child in noun.children):
        return
    owner = next((child for child in noun.children if child.dep_ == "nmod" and is_owner(child)), None)
    certain = any(child.dep_ == "det" and child.lower_ in w.DEFINITE for child in noun.children)
    if owner is None or not certain:
        return
    after = next((token for token in owner.doc[owner.i + 1 : owner.i + 2]), None)
    described = after is not None and (after.pos_ == "ADJ" or "Part" in after.morph.get("VerbForm", []))
    if noun.lower_ in w.PLACES and any(t.dep_ == "det" or t.lower_ in {"du", "des"} for t in owner.children):
        return  # "l'auberge du Cerf": a sign, not an owner
    if described and any(case.lower_ == "du" for case in cases_of(owner)):
        return  # "l'auberge du Bœuf couronné" is not an ox's
    reading.add(phrase(owner), "a", phrase(noun), "possessive", noun.idx)


def _apposition(noun: Token, reading: SentenceReading) -> None:
    """ "Jules Delmas, bijoutier à Lyon, ..." -> (Jules Delmas, est, bijoutier)."""
    appositions = [
        c for c in noun.children if c.dep_ in {"appos", "acl"} and c.pos_ in {"NOUN", "PROPN"} and c.i > noun.i
    ]
    if len(appositions) != 1 or any(child.dep_ == "conj" for child in noun.children):
        return
    other = appositions[0]
    if other.left_edge.nbor(-1).text != "," or any(child.dep_ == "conj" for child in other.children):
        return
    after = other.right_edge
    if after.i + 1 < len(noun.doc) and after.nbor().text not in _ENDS:
        return
    if opens_sentence(noun) and capitalised(noun) and not is_name(noun) and not noun.n_lefts:
        return  # "Comptez sur moi, dit Fritz"
    if quoted_apart(noun, other):
        return
    if noun.dep_ == "nmod" and is_name(noun) and any(child.dep_ == "det" for child in noun.children):
        return  # "commandeur de la Légion d'honneur, ancien conseiller"
    if any(child.dep_ == "cop" for token in (noun, other) for child in token.children):
        return  # "son nom est une autorité, le baron Moser"
    first, second = is_name(noun) or title_with_name(noun), is_name(other) or title_with_name(other)
    name, role = (noun, other) if first else (other, noun)
    if first == second or role.pos_ != "NOUN" or any(c.lower_ in w.POSSESSIVES for c in role.children):
        return
    if role is noun and (in_quotes(noun) or role.lower_ not in w.KIN):
        return  # "devant un juge, la veuve Chupin ..."; but "le frère de Jules, Paul"
    if not any(child.dep_ == "det" for child in role.children) and role.lower_.endswith(_PARTICIPLES):
        return  # "Manette, prise en flagrant délit"
    subject = phrase(name)
    if subject is not None and not _is_of_other_gender(role, subject.text):
        attribute(subject, "est", role, reading, "apposition")


def _is_of_other_gender(role: Token, name: str) -> bool:
    """Whether a role that only men or only women have stands beside a name of the others: "Un monsieur saluait Suzanne,
    un grand garçon mince", "Rose épouse le comte, et Suzanne, le marquis"."""
    word = fold(role.lower_)
    gender = _ROLE_GENDERS.get(word) or next((table[word][1] for table in (ADDRESS, RANKS, KIN) if word in table), "")
    bearer = parse(name).gender
    return bool(gender and bearer) and gender != bearer


# --------------------------------------------------------------------------------------------------------------------
# What a subject is


def attribute(subject: Phrase, verb: str, noun: Token, reading: SentenceReading, pattern: Pattern) -> None:
    """What a subject is: (est, société de voleurs), but (est l'emblème de, La Griffe)."""
    described = phrase(noun) if noun.lower_ in w.PERSONS and not _is_relative(noun) else None
    if described is not None and _is_who(subject, noun, described):
        reading.same(subject.text, described.text)  # "was the woman with the red hat"
        return
    for child in noun.children:
        if noun.pos_ != "NOUN" or child.dep_ != "nmod" or child.left_edge.i > noun.i + 3:
            continue
        cases = cases_of(child)
        certain = is_name(child) or title_with_name(child)
        certain = certain or any(t.lower_ in w.DEFINITE for t in child.children)
        certain = certain or (bool(cases) and cases[0].lower_ in {"du", "au"})
        if not cases or not certain or phrase(child) is None:
            continue
        own = [c.i for c in noun.children if c.dep_ in {"det", "amod"} and c.i < noun.i]
        head = noun.doc[min([noun.i, *own]) : child.left_edge.i].text.strip().lower()
        for member in conjuncts(child):
            reading.add(subject, f"{verb} {head} {preposition_of(cases[0])}", phrase(member), pattern, noun.idx)
        return
    modified = any(c.dep_ in {"amod", "nmod", "acl:relcl"} for c in noun.children)
    if noun.lower_ in w.NO_THING or (noun.lower_ in w.GENERIC and not modified):
        return  # "est un homme"
    if noun.lower_.endswith(_VERB_ENDINGS) and not any(child.dep_ == "det" for child in noun.children):
        return  # "est consternait": the tagger takes verbs for nouns
    if any(c.lower_ in w.POSSESSIVES for c in noun.children):
        return  # "est mon ami": whose?
    what = phrase(noun)
    if what is not None and not _is_relative(noun) and _is_who(subject, noun, what):
        reading.same(subject.text, what.text)  # "l'homme en blanc était Hector Amaral"
    reading.add(subject, verb, what, pattern, noun.idx)


def _is_relative(noun: Token) -> bool:
    """Whether the noun means a relative: "la fille de Jean", but not "la fille au chapeau" or "la femme de chambre"."""
    return noun.lower_ in w.KIN and any(child.dep_ == "nmod" and is_owner(child) for child in noun.children)


def _is_who(subject: Phrase, noun: Token, what: Phrase) -> bool:
    """Whether a sentence says that a name is the person whom a description means, or the reverse; not for several at
    once, and not for the last man in the world.
    """
    if not is_singular(noun) or any(child.lower_ in w.RANKS for child in noun.children):
        return False
    definite = any(child.lower_ in w.DEFINITE for child in noun.children)
    return names_who(subject, what, w.PERSONS, proper=is_name(noun), definite=definite)


_PARTICIPLES = ("ise", "is", "ue", "us", "u", "é", "ée", "és", "ées", "ant", "ait", "ert", "erte")
_VERB_ENDINGS = ("ait", "aient", "èrent", "irent", "urent", "ant", "é", "ée", "és", "ées")


def preposition_of(case: Token) -> str:
    """ "du" -> "de", "aux" -> "à", "au fond de" -> "au fond de"."""
    fixed = [child.lower_ for child in case.children if child.dep_ == "fixed"]
    if fixed:
        return " ".join([case.lower_, *fixed[:-1], w.PREPOSITION.get(fixed[-1], fixed[-1])])
    return w.PREPOSITION.get(case.lower_, case.lower_)

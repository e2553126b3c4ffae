"""What both languages share: noun phrases, names, and the reading of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.words import tokens as split_words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

MAX_NAME_CHARS = 120  # characters; a longer one is a clause, not a name
MAX_CONJUNCTS = 5  # max. objects of one verb: "the watch, the pearls and the ring"

_OUTER = " \t\n.,;:!?…\"'’‘“”«»„()[]{}<>*_=|/\\—–-•"


# The pattern that read a fact: benchmarks count them.
Pattern = Literal[
    "active", "passive", "copula", "complement", "relative", "possessive", "apposition", "alias", "speech", "place"
]
PersonGender = Literal["m", "f", ""]
Pronoun = Literal["m", "f", "i", ""]  # he, she, I


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A noun phrase: one end of a fact."""

    text: str  # "chevalière d'argent à tête de loup"
    named: bool  # it is a proper name, or a title with one
    words: int  # content words; a description is specific if it has two or more
    first: int  # token indexes of the phrase in its sentence, both included
    last: int
    pronoun: Pronoun = ""  # it is "he" or "she", which mean a name before it, or "I", the writer


@dataclass(frozen=True, kw_only=True)
class SentenceFact:
    """A fact, as one sentence states it."""

    subject: str
    predicate: str
    object: str
    pattern: Pattern
    at: int  # where the word that states it occurs: characters from the beginning of the sentence
    pronoun: Pronoun = ""  # of the subject, if it is a pronoun: not a fact until it is resolved


@dataclass(frozen=True, kw_only=True)
class NamePosition:
    """A place of a name in a sentence."""

    form: str
    at: int  # characters
    subject: bool = False  # it is the subject of a clause


@dataclass(kw_only=True)
class SentenceReading:
    """The reading of one sentence."""

    facts: list[SentenceFact] = field(default_factory=list)
    aliases: list[tuple[str, str]] = field(default_factory=list)
    names: list[NamePosition] = field(default_factory=list)
    speakers: list[NamePosition] = field(default_factory=list)  # the speaker of the quotation
    pronouns: list[NamePosition] = field(default_factory=list)  # "he", "she" as subjects

    def add(self, subject: Phrase | None, predicate: str, object_: Phrase | None, pattern: Pattern, at: int) -> None:
        """Keep a fact if it has two ends and one of them is specific."""
        if subject is None or object_ is None or not predicate or object_.pronoun:
            return
        if names_nothing(object_.text) or (names_nothing(subject.text) and not subject.pronoun):
            return
        if "," in predicate:
            return  # two clauses in one: "est l'auteur, s'"
        described = sorted((subject.words, object_.words)) >= [2, 3]
        if not (subject.named or object_.named or subject.pronoun or described):
            return  # "the door opened on a corridor": true, but useless in a graph
        if subject.text.casefold() == object_.text.casefold() or object_.text.removeprefix("the ").startswith(
            (f"{subject.text}'", f"{subject.text}’")
        ):
            return  # "Ann has Ann's room"
        if any((subject.text, predicate, object_.text) == (f.subject, f.predicate, f.object) for f in self.facts):
            return
        self.facts.append(
            SentenceFact(
                subject=subject.text,
                predicate=predicate,
                object=object_.text,
                pattern=pattern,
                at=at,
                pronoun=subject.pronoun,
            )
        )

    def shifted(self, by: int) -> SentenceReading:
        """The reading of a part that begins `by` characters after the start of its sentence."""
        return SentenceReading(
            facts=[replace(fact, at=fact.at + by) for fact in self.facts],
            aliases=self.aliases,
            names=[replace(name, at=name.at + by) for name in self.names],
            speakers=[replace(name, at=name.at + by) for name in self.speakers],
            pronouns=[replace(name, at=name.at + by) for name in self.pronouns],
        )

    def extend(self, other: SentenceReading) -> None:
        """Add the reading of another part of the same sentence."""
        known = {(fact.subject, fact.predicate, fact.object) for fact in self.facts}
        self.facts.extend(fact for fact in other.facts if (fact.subject, fact.predicate, fact.object) not in known)
        self.aliases.extend(pair for pair in other.aliases if pair not in self.aliases)
        self.names.extend(other.names)
        self.speakers.extend(other.speakers)
        self.pronouns.extend(other.pronouns)

    def same(self, first: str, second: str) -> None:
        """Add an alias statement."""
        if names_nothing(first) or names_nothing(second):
            return
        if first.casefold() != second.casefold() and (first, second) not in self.aliases:
            self.aliases.append((first, second))


def is_question(sentence: Span) -> bool:
    """Whether a sentence ends with a question mark, perhaps before quotes."""
    return sentence.text.rstrip(" \"'”’»).…!").endswith("?")


def subject_pronouns(sentence: Span, pronouns: Container[str]) -> list[NamePosition]:
    """The pronouns of a sentence that are subjects."""
    return [
        NamePosition(form=token.lower_, at=token.idx, subject=True)
        for token in sentence
        if token.lower_ in pronouns and token.dep_.startswith("nsubj")
    ]


def is_singular(noun: Token) -> bool:
    """Whether a noun means one person or thing: it is not a plural, and no other noun is listed with it."""
    listed = noun.dep_ == "conj" and noun.head.pos_ in ("NOUN", "PROPN") and noun.head.i < noun.i
    beside = listed or any(child.dep_ == "conj" for child in noun.children)
    return "Plur" not in noun.morph.get("Number", []) and not beside


def is_description(phrase: Phrase, persons: frozenset[str]) -> bool:
    """Whether a phrase describes somebody and identifies the person: "man in white", "tall stranger"."""
    return not phrase.named and phrase.words >= DESCRIBES and any(w in persons for w in phrase.text.lower().split())


def names_who(subject: Phrase, what: Phrase, persons: frozenset[str], *, proper: bool, definite: bool) -> bool:
    """Whether one of two ends of "is" is a name and the other a description of that person. `proper`: `what` is a
    proper name; `definite`: it has a definite article.
    """
    if proper and what.named:
        return not definite and is_description(subject, persons)
    return subject.named and definite and is_description(what, persons)


DESCRIBES = 2  # min. content words of a description


def names_nothing(form: str) -> bool:
    """Whether a form has only pronouns, articles and the like: "I", "you", "a"."""
    return all(token.folded in PRONOUNS for token in split_words(form))


def words(text: str) -> frozenset[str]:
    """A set of words, from the form that the modules of this package use."""
    return frozenset(text.split())


def spell(tokens: Iterable[Token]) -> str:
    """The text of consecutive tokens, without outer punctuation."""
    text = "".join(token.text_with_ws for token in tokens)
    text = re.sub(r"\s+", " ", text).strip(_OUTER)
    return text if len(text) <= MAX_NAME_CHARS else ""


_GENERATIONS = frozenset(("sr", "jr", "senior", "junior", "père", "fils", "aîné", "cadet"))


def content_words(tokens: Span) -> int:
    """The number of content words in a phrase."""
    return sum(token.pos_ in {"NOUN", "PROPN", "ADJ", "NUM"} and not token.is_stop for token in tokens)


def end_with_generation(name: Token, last: int) -> int:
    """The last word of a name with what tells father and son apart behind it: "the elder", "Jr.", "fils"; not in
    "the elder brother".
    """
    after = [token.lower_.rstrip(".") for token in name.doc[last + 1 : last + 4]]
    if after[:1] == ["the"] and after[1:2] in (["elder"], ["younger"]) and last > 0:
        return last if any(token.pos_ in {"NOUN", "ADJ"} for token in name.doc[last + 3 : last + 4]) else last + 2
    of_somebody = after[1:2] and after[1] in {"de", "d'", "d’", "du", "des", "of"}
    return last + 1 if after[:1] and after[0] in _GENERATIONS and not of_somebody else last


def run_around(head: Token, included: set[int]) -> tuple[int, int]:
    """The unbroken run of included tokens around `head`; a hyphen or an ampersand between two does not break it."""
    document = head.doc
    first = last = head.i
    while first > 0:
        if first - 1 in included:
            first -= 1
        elif first > 1 and document[first - 1].text in _JOINTS and first - 2 in included:
            first -= 2
        else:
            break
    while last + 1 < len(document):
        if last + 1 in included:
            last += 1
        elif last + 2 < len(document) and document[last + 1].text in _JOINTS and last + 2 in included:
            last += 2
        else:
            break
    while last > head.i and document[last].pos_ in {"ADP", "DET", "PUNCT", "CCONJ", "PRON", "ADV"}:
        last -= 1
    while last + 2 < len(document) and _hyphen_after(document[last]):  # "Croix" of "Croix-Rouge"
        last += 2
    if document[last].text[-1] in "'’" and last + 1 < len(document) and not document[last].whitespace_:
        last += 1  # "Arcy" of "Croix-d'Arcy"
    while first >= 2 and _hyphen_after(document[first - 2]):
        first -= 2
    return first, last


def _hyphen_after(token: Token) -> bool:
    hyphen = token.nbor()
    return hyphen.text in _HYPHENS and not token.whitespace_ and not hyphen.whitespace_


_HYPHENS = {"-", "‐", "‑"}
_JOINTS = {*_HYPHENS, "&", "'", "’"}


def opens_sentence(token: Token) -> bool:
    """Whether a capital is not informative: at the start of the sentence, or after a dash, a quote or a colon."""
    if token.i == 0 or token.is_sent_start:
        return True
    before = token.nbor(-1)
    return (
        before.is_quote
        or before.is_space
        or before.text in {"—", "–", "-", "--", ":", "…", "...", "*", "•", "«", "»", "."}
    )


def capitalised(token: Token) -> bool:
    """Whether a token looks like part of a name: "Jules", "McCarthy", "K.", "PARIS"; not "I" or "C"."""
    text = token.text
    return text[:1].isupper() and len(text) > 1 and text not in {"Ah", "Oh", "Eh"}


def beside_number(token: Token, short: frozenset[str]) -> bool:
    """Whether a token is a short form of a month or a weekday in a date: "3 Oct. 1967", "Mon. 6"."""
    if token.lower_.rstrip(".") not in short:
        return False
    around = token.doc[max(0, token.i - 1) : token.i + 3]
    return any(other.text[0].isdigit() for other in around)


def date_at(noun: Token, calendar: frozenset[str]) -> Phrase | None:
    """The date whose head is a word, if it has a year: "2009", "4 January 2003", "janvier 1967"."""
    tokens = [noun]
    if noun.lower_ in calendar or noun.is_digit:
        strays = {token for stray in misattached_complements(noun, calendar) for token in stray.subtree}
        tokens = [t for t in noun.subtree if t.dep_ not in {"case", "det"} and not t.is_punct and t not in strays]
    years = [token for token in tokens if token.is_digit and len(token) == 4]
    if len(years) != 1 or not all(token.is_digit or token.lower_ in calendar for token in tokens):
        return None
    first, last = tokens[0].i, tokens[-1].i
    return Phrase(text=spell(noun.doc[first : last + 1]), named=False, words=1, first=first, last=last)


def misattached_complements(date: Token, calendar: frozenset[str]) -> list[Token]:
    """Complements of the verb that the parser attached to a date: Lyon in "née le 3 mai 1871 à Lyon"."""
    return [
        token
        for token in date.subtree
        if token.dep_ == "nmod"
        and not (token.is_digit or token.lower_ in calendar)
        and any(child.dep_ == "case" for child in token.children)
    ]


def quoted_apart(first: Token, second: Token) -> bool:
    """Whether a quotation begins or ends between two tokens: "Jules," announced the page-boy."""
    between = first.doc[min(first.i, second.i) : max(first.i, second.i)]
    return any(token.is_quote or token.text in {"«", "»"} for token in between)


def abstract(noun: Token) -> bool:
    """Whether a noun means a quality or an event, from its ending: nobody "has" an arrival."""
    word = noun.lower_.rstrip("s")
    return len(noun) > 5 and word.endswith(_ABSTRACT) and word not in _CONCRETE


_ABSTRACT = (
    "tion", "sion", "nion", "ness", "nes", "ity", "ence", "ance", "ment", "ship", "ism", "hood", "dom", "ing",
    "té", "isme", "esse", "age",
)  # fmt: skip
_CONCRETE = words("""
    apartment document monument testament instrument garment parchment settlement basement regiment parliament
    government station plantation mansion residence university city building painting wedding lodging clothing
    earring ambulance entrance inheritance photograph kingdom steamship appartement bâtiment vêtement logement
    département instrument médicament arrondissement testament équipage village bagage image page otage personnage
    cottage carriage garage package sausage garrison maison prison comté cité université société propriété
    forteresse princesse duchesse comtesse maîtresse hôtesse caisse boisson ambulance
""")


def conjuncts(head: Token) -> list[Token]:
    """`head` and the words that "and" joins to it, at most MAX_CONJUNCTS; commas by themselves join nothing. [] if "or"
    leaves open which of them it was.
    """
    heads = [head]
    joined = False
    for member in heads:
        if any(child.dep_ == "cc" and child.lower_ in {"or", "nor", "ou", "ni"} for child in member.children):
            return []
        heads.extend(child for child in member.children if child.dep_ == "conj" and child.pos_ in {"NOUN", "PROPN"})
        joined = joined or any(child.dep_ == "cc" for other in heads for child in other.children)
        if len(heads) >= MAX_CONJUNCTS:
            break
    return heads[:MAX_CONJUNCTS] if joined else [head]


@dataclass(frozen=True, kw_only=True)
class NameWords:
    """The words of a language that occur in names, or beside them."""

    links: frozenset[str]  # inside: "de", "of", "von"
    titles: frozenset[str]
    articles: frozenset[str]  # with a capital: "La Griffe"
    places: frozenset[str]  # small before a name that it completes: "rue du Bœuf"
    possessives: frozenset[str]  # "your Majesty", "mon Dieu": a form of address


def name_runs(tokens: Iterable[Token], is_name: Callable[[Token], bool], known: NameWords) -> list[NamePosition]:
    """Proper names: runs of name tokens, with "de", "of", "von" and hyphens inside, and a title or an article
    before.
    """
    items = list(tokens)
    names: list[NamePosition] = []
    position = 0
    while position < len(items):
        if not is_name(items[position]):
            position += 1
            continue
        start = end = position
        while start > 1 and _hyphenated(items[start - 2], items[start - 1]) and capitalised(items[start - 2]):
            start -= 2
        while True:
            if end + 1 < len(items) and is_name(items[end + 1]):
                end += 1
            elif (
                end + 2 < len(items)
                and (link := items[end + 1].lower_) in known.links
                and is_name(items[end + 2])
                and not (link == "of" and is_person_in_full(items[max(0, start - 1) : end + 1], known.titles))
            ):
                end += 2
            elif step := _over_hyphen(items, end, is_name, known.links):
                end += step
            else:
                break
        if start == end and start and items[start - 1].lower_ in known.possessives:
            position = end + 1
            continue
        if start > 0 and (
            items[start - 1].lower_.rstrip(".") in known.titles or items[start - 1].text in known.articles
        ):
            start -= 1
        start = _place_before(items, start, known)
        form = spell(items[start : end + 1])
        if form and form.lower().rstrip(".") not in known.titles and not names_nothing(form):
            subject = any(token.dep_.startswith("nsubj") for token in items[start : end + 1])
            names.append(NamePosition(form=form, at=items[start].idx, subject=subject))
        position = end + 1
    return names


def is_person_in_full(name: Sequence[Token], titles: frozenset[str]) -> bool:
    """Whether a name is a title and two words or more: "Inspector James Japp of Scotland Yard" is called James Japp;
    "the King of Bohemia" and "Sir Hugo of Baskerville" have no other name."""
    titled = [token.lower_.rstrip(".") in titles for token in name]
    return True in titled and titled[titled.index(True) :].count(False) >= 2


def _hyphenated(word: Token, hyphen: Token) -> bool:
    return hyphen.text in _HYPHENS and not word.whitespace_ and not hyphen.whitespace_


def _over_hyphen(items: Sequence[Token], end: int, is_name: Callable[[Token], bool], links: frozenset[str]) -> int:
    """The number of tokens that a hyphen adds to a name that ends at `end`: "-Coburg", "-d'Arcy", "-headed League"."""
    if end + 2 >= len(items) or not _hyphenated(items[end], items[end + 1]):
        return 0
    after = items[end + 2]
    if capitalised(after):
        return 2
    joined = after.is_alpha or after.lower_ in links
    return 3 if joined and end + 3 < len(items) and is_name(items[end + 3]) else 0


def _place_before(items: Sequence[Token], start: int, known: NameWords) -> int:
    """The start of a name that a common noun opens: "rue" of "rue du Bœuf", "quai" of "quai Voltaire"."""
    at = start - 1
    while at >= 0 and start - at <= _LINKS_TO_PLACE and items[at].lower_ in known.links:
        at -= 1
    return at if at >= 0 and items[at].lower_ in known.places else start


_LINKS_TO_PLACE = 2  # "rue de la Harpe"


def in_quotes(token: Token) -> bool:
    """Whether a token is between quotation marks that its sentence opens or closes."""
    before = sum(t.text in _QUOTES for t in token.doc[: token.i])
    return before % 2 == 1 or (before == 0 and sum(t.text in _QUOTES for t in token.doc[token.i :]) == 1)


_QUOTES = {'"', "“", "”", "«", "»", "``", "''"}

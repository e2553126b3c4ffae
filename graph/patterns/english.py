"""English sentences, read by their dependencies (spaCy's English models: ClearNLP labels).

Facts are written as the sentence says them: "was stolen by" stays passive, tense and auxiliaries stay; adverbs go. What
is negated, asked, supposed, wished, future or modal is no fact. Subjects and objects that are pronouns are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.patterns import words_en as w
from filigraph.graph.patterns.aliases import read_aliases
from filigraph.graph.patterns.english_names import is_name, phrase
from filigraph.graph.patterns.phrases import (
    Phrase,
    Reading,
    abstract,
    conjuncts,
    name_runs,
    quoted_apart,
    spell,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


def read(sentence: Span) -> Reading:
    """The facts, alias statements and names of one parsed sentence."""
    reading = Reading()
    asked = sentence.text.rstrip(" \"'”’»)").endswith("?")
    read_aliases(list(sentence), reading, phrase, "is")
    for token in sentence:
        if token.pos_ in {"NOUN", "PROPN"}:
            _possessive(token, reading)
            _apposition(token, reading)
        if token.pos_ in {"VERB", "AUX"} and not asked:
            _clause(token, reading)
    reading.names = name_runs(sentence, is_name, w.LINKS, w.TITLES, w.ARTICLES)
    return reading


# --------------------------------------------------------------------------------------------------------------------
# Clauses


def _clause(verb: Token, reading: Reading) -> None:
    """Facts of one clause: subject, verb, objects, complements with their prepositions."""
    if not _stated(verb):
        return
    subjects = _subjects(verb)
    relative = next(
        (t for t in verb.children if t.dep_ in {"dobj", "pobj"} and t.lower_ in {"that", "which", "whom"}), None
    )
    if not subjects:
        return
    if any(child.dep_ == "xcomp" and child.pos_ == "VERB" for child in verb.children):
        return  # "wanted to steal": what was done is not said
    words = _verb_group(verb)
    objects = [t for t in verb.children if t.dep_ in {"dobj", "attr", "oprd", "dative"} and t.pos_ in {"NOUN", "PROPN"}]
    direct = next((t for t in objects if t.dep_ == "dobj"), None)
    for subject in subjects[:3]:
        for obj in objects:
            if obj.dep_ in {"attr", "oprd"} or verb.lower_ in w.BECOME:
                for member in conjuncts(obj):
                    _attribute(subject, words, member, reading)
            elif obj.dep_ == "dobj" and not _idiom(obj):
                for member in conjuncts(obj):
                    reading.add(subject, words, phrase(member))
        if relative is not None and relative.dep_ == "dobj" and verb.dep_ == "relcl":
            reading.add(subject, words, phrase(verb.head))
        if any(t.dep_ in {"dobj", "dative"} and t.pos_ == "PRON" for t in verb.children):
            continue  # "took me to": took whom?
        for preposition, noun in _complements(verb):
            predicate = f"{words} {preposition}"
            if direct is not None:
                thing = phrase(direct)
                if thing is None or thing.named or thing.last - thing.first > 3 or _idiom(direct):
                    continue
                article = next(
                    (t.lower_ + " " for t in direct.children if t.dep_ in {"det", "poss"} and t.n_lefts == 0), ""
                )
                predicate = f"{words} {article}{thing.text} {preposition}"
            for member in conjuncts(noun):
                target = phrase(member)
                if target is not None and (target.named or (direct is None and (subject.named or target.words >= 2))):
                    reading.add(subject, predicate, target)


def _idiom(noun: Token) -> bool:
    """Whether an object belongs to its verb: "lost sight", "took note"."""
    return noun.tag_ == "NN" and not any(c.dep_ in {"det", "poss", "amod", "compound", "nummod"} for c in noun.children)


def _stated(verb: Token) -> bool:
    """Whether the clause is stated as a fact: finite, affirmed, neither modal nor supposed."""
    around = {"neg", "aux", "auxpass", "advmod", "mark", "preconj", "det"}
    words = {child.lower_ for child in verb.children if child.dep_ in around}
    if verb.lower_ in w.SPEECH or words & w.NEGATIONS or words & w.MODALS or words & w.IF or "to" in words:
        return False
    if any(child.dep_ == "nsubj" and child.lower_ in w.NEGATIONS for child in verb.children):
        return False
    if any(child.dep_ == "dobj" and any(t.lower_ == "no" for t in child.children) for child in verb.children):
        return False
    if verb.tag_ == "VB":
        return "do" in words or "did" in words or "does" in words
    if verb.tag_ == "VBG" and not words & w.BE:
        return verb.dep_ == "conj" and _stated(verb.head)
    if verb.tag_ == "VBN" and not any(child.dep_ in {"aux", "auxpass"} for child in verb.children):
        if verb.dep_ == "acl":
            return any(child.dep_ == "agent" for child in verb.children)
        if not any(child.dep_ == "nsubj" for child in verb.children):  # else a past tense, mistaken for a participle
            return verb.dep_ == "conj" and _stated(verb.head)
    if verb.dep_ == "ccomp" and verb.head.lower_ in w.DOUBT_FORMS and verb.head.i < verb.i:
        return False
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"}:
        own = any(child.dep_ in {"nsubj", "nsubjpass"} for child in verb.children)
        return own or _stated(verb.head)
    return True


def _subjects(verb: Token) -> list[Phrase]:
    """The subjects of a clause; a relative pronoun stands for its antecedent, a joined verb shares its head's."""
    own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}]
    if own:
        subject = own[-1]  # with two, the first is spoken to: "Lord St. Simon, I have brought ..."
        if quoted_apart(subject, verb):
            return []
        if subject.lower_ in {"who", "which", "that"} and verb.dep_ == "relcl":
            found = [phrase(verb.head)]
        else:
            found = [phrase(member) for member in conjuncts(subject)]
        return [item for item in found if item is not None]
    if any(child.dep_ in {"csubj", "expl"} for child in verb.children):
        return []
    if verb.dep_ == "acl" and verb.tag_ == "VBN":
        found = [phrase(verb.head)]
        return [item for item in found if item is not None]
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"}:
        return _subjects(verb.head)
    return []


def _verb_group(verb: Token) -> str:
    """The verb as written with its auxiliaries and particle, without adverbs: "has been stolen", "gave up"."""
    parts = [child for child in verb.children if child.dep_ in {"aux", "auxpass", "prt"}]
    if not parts and verb.dep_ == "conj" and verb.tag_ == "VBN":
        parts = [child for child in verb.head.children if child.dep_ in {"aux", "auxpass"}]
    words = []
    for token in sorted([*parts, verb], key=lambda token: token.i):
        word = token.lower_
        if word == "'s":
            word = "has" if verb.tag_ == "VBN" and token.dep_ == "aux" else "is"
        elif word == "'d":
            word = "had"
        words.append(w.SPELLED_OUT.get(word, word))
    return " ".join(words)


def _complements(verb: Token) -> Iterator[tuple[str, Token]]:
    """The verb's prepositions with their nouns; "lives in Lyon with Sophie" gives two."""
    for child in verb.children:
        if child.dep_ in {"prep", "agent", "dative"} and child.pos_ in {"ADP", "SCONJ"}:
            if child.lower_ in w.NOT_COMPLEMENTS:
                continue
            words = child.lower_
            for noun in child.children:
                if noun.dep_ == "pobj" and noun.pos_ in {"NOUN", "PROPN", "NUM"}:
                    yield words, noun
                elif noun.dep_ == "prep":  # "out of", "from under"
                    for inner in noun.children:
                        if inner.dep_ == "pobj" and inner.pos_ in {"NOUN", "PROPN"}:
                            yield f"{words} {noun.lower_}", inner


def _attribute(subject: Phrase, verb: str, noun: Token, reading: Reading) -> None:
    """What a subject is: (is, society of thieves), but (is the emblem of, The Claw)."""
    related = _relation(noun)
    if related is not None:
        relation, target = related
        for member in conjuncts(target):
            reading.add(subject, f"{verb} {relation}", phrase(member))
        return
    if noun.tag_ == "NN" and not any(child.dep_ in {"det", "poss", "nummod"} for child in noun.children):
        return  # "is handsomer": the tagger takes adjectives for nouns
    reading.add(subject, verb, phrase(noun))


def _relation(noun: Token) -> tuple[str, Token] | None:
    """What a noun is of, where that is a name or a certain thing: ("the emblem of", The Claw)."""
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


# --------------------------------------------------------------------------------------------------------------------
# Possessives and appositions


def _possessive(noun: Token, reading: Reading) -> None:
    """ "Jules's ring" -> (Jules, has, Jules's ring); described well enough, the ring goes by its description."""
    owner = next((child for child in noun.children if child.dep_ == "poss" and is_name(child)), None)
    if owner is None or noun.lower_ in w.NO_NAME | w.NOT_OWNED or is_name(noun) or abstract(noun):
        return
    reading.add(phrase(owner), "has", phrase(noun))


def _apposition(noun: Token, reading: Reading) -> None:
    """ "Jules Delmas, a jeweller from Lyon, ..." -> (Jules Delmas, is, jeweller)."""
    found = [child for child in noun.children if child.dep_ == "appos" and child.pos_ in {"NOUN", "PROPN"}]
    if len(found) != 1 or any(child.dep_ == "conj" for child in noun.children):
        return
    other = found[0]
    if (
        other.left_edge.i == 0
        or other.left_edge.nbor(-1).text != ","
        or any(child.dep_ == "conj" for child in other.children)
    ):
        return
    after = other.right_edge
    if after.i + 1 < len(noun.doc) and after.nbor().text not in {",", ".", ";", "—", "--", ")", "!", ":"}:
        return
    if (
        after.i + 2 < len(noun.doc)
        and after.nbor().text == ","
        and (is_name(after.nbor(2)) or after.nbor(2).lower_ == "and")
    ):
        return  # a list: "there were Holmes, the engineer, Bradstreet and myself"
    name, role = (noun, other) if is_name(noun) else (other, noun)
    if role.dep_ == "attr" or quoted_apart(noun, other):
        return  # "he is a young man, Mr. Merryweather": the one spoken to
    if any(child.dep_ == "poss" and child.pos_ == "PRON" for child in role.children):
        return  # "my friend": whose?
    if is_name(name) and not is_name(role) and role.pos_ == "NOUN":
        subject = phrase(name)
        if subject is not None:
            _attribute(subject, "is", role, reading)

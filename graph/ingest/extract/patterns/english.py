"""English sentences, read by their dependencies (spaCy's English models: ClearNLP labels).

Facts keep the words of the sentence: "was stolen by" stays passive, tense and auxiliaries stay; adverbs are dropped.
What is negated, asked, supposed, wished, future or modal is not a fact. Neither is a clause whose verb does not agree
with its subject: there the parse is wrong. "He" and "she" remain subjects until they are resolved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from filigraph.graph.ingest.extract.patterns import words_en as w
from filigraph.graph.ingest.extract.patterns.aliases import read_aliases
from filigraph.graph.ingest.extract.patterns.english_names import is_name, phrase
from filigraph.graph.ingest.extract.patterns.english_nouns import attribute, read_noun
from filigraph.graph.ingest.extract.patterns.governors import leaves_asserted
from filigraph.graph.ingest.extract.patterns.phrases import (
    NamePosition,
    Pattern,
    Phrase,
    SentenceReading,
    abstract,
    conjuncts,
    date_at,
    is_question,
    name_runs,
    quoted_apart,
    subject_pronouns,
)
from filigraph.graph.ingest.extract.patterns.speech import read_vocatives
from filigraph.graph.text.names.tables import GIVEN_NAMES, RANKS
from filigraph.graph.text.words import fold

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


def read(sentence: Span) -> SentenceReading:
    """The facts, alias statements and names of a parsed sentence, which is a whole spaCy document."""
    _join_numerals(sentence.doc)
    sentence = sentence.doc[:]
    reading, asks = SentenceReading(), is_question(sentence)
    read_aliases(list(sentence), reading, phrase, "is")
    for token in sentence:
        if token.pos_ in {"NOUN", "PROPN"}:
            read_noun(token, reading)
        if token.pos_ in {"VERB", "AUX"}:
            if token.lower_ in w.SPEECH:
                _speech(token, reading)
            elif not asks:
                _clause(token, reading)
    reading.pronouns = subject_pronouns(sentence, w.PRONOUNS)
    reading.names = name_runs(sentence, is_name, w.NAMES)
    read_vocatives(sentence, reading, "speaks to")
    return reading


def _join_numerals(document: Doc) -> None:
    """Make one token of a monarch's name with "I", which the parser takes for the pronoun: "Charles I"."""
    numerals = [token for token in document if token.text == "I" and _is_numeral(token)]
    with document.retokenize() as retokenizer:
        for token in numerals:
            features: dict[str | int, Any] = {"POS": "PROPN", "TAG": "NNP"}
            if token.dep_ == "nsubj":
                features["DEP"] = "nsubj"
            retokenizer.merge(document[token.i - 1 : token.i + 1], attrs=features)


def _is_numeral(token: Token) -> bool:
    """Whether "I" numbers the given name before it. A comma would set off a form of address; after a verb or a
    preposition the name may be its object: "To Charles I said nothing".
    """
    if not token.i or not token.nbor(-1).text.istitle() or fold(token.nbor(-1).text) not in GIVEN_NAMES:
        return False
    after = token.nbor(1) if token.i + 1 < len(token.doc) else None
    if after is None or after.is_punct or after.lower_ in {"'s", "’s"}:
        return True
    before = token.nbor(-2) if token.i > 1 else None
    free = before is None or before.is_punct or before.pos_ in {"NUM", "ADV", "SCONJ"} or before.lower_ in RANKS
    return free and after.lower_ not in {"am", "'m", "’m", "'ve", "’ve", "'ll", "’ll", "'d", "’d", "have", "do"}


# --------------------------------------------------------------------------------------------------------------------
# Clauses


def _clause(verb: Token, reading: SentenceReading) -> None:
    """The facts of one clause: subject, verb, objects, complements with their prepositions."""
    if not _states_a_fact(verb) or not _agrees(verb):
        return
    pattern = _pattern(verb)
    if verb.lower_ in w.CALLS and pattern != "passive" and _names_somebody(verb):
        _read_naming(verb, reading)
        return
    subjects = _subjects(verb)
    if not subjects:
        return
    words = _of_one(_verb_group(verb)) if len(subjects) > 1 else _verb_group(verb)
    done = _governed_infinitive(verb)
    if done is not None and _is_not_omitted(verb):
        first = min((c.i for c in verb.children if c.dep_ in {"aux", "neg"}), default=verb.i)
        verb, words = done, verb.doc[first : done.i + 1].text.lower()  # "did not hesitate to sell"
    elif done is not None:
        if verb.lower_ not in w.ASPECT or any(child.dep_ == "neg" for child in done.children):
            return  # "wanted to steal": this does not say what was done
        to = "to " if any(child.lower_ == "to" for child in done.children) else ""
        verb, words = done, f"{words} {to}{done.lower_}"  # "began to examine"
    objects = [t for t in verb.children if t.dep_ in {"dobj", "attr", "oprd", "dative"} and t.pos_ in {"NOUN", "PROPN"}]
    direct = next((t for t in objects if t.dep_ == "dobj"), None)
    said_of = next((t for t in verb.children if t.dep_ == "acomp" and t.pos_ in {"ADJ", "VERB"}), None)
    relative = any(t.dep_ == "dobj" and t.lower_ in {"that", "which", "whom"} for t in verb.children)
    for subject in subjects[:3]:
        for obj in objects:
            if obj.dep_ in {"attr", "oprd"} or verb.lower_ in w.BECOME:
                for member in conjuncts(obj):
                    attribute(subject, words, member, reading, "copula")
            elif obj.dep_ == "dobj" and not _idiom(obj):
                for member in conjuncts(obj):
                    reading.add(subject, words, _thing_object(member), pattern, verb.idx)
        if relative and verb.dep_ == "relcl":
            reading.add(subject, words, _thing_object(verb.head), "relative", verb.idx)
        if any(t.dep_ in {"dobj", "dative"} and t.pos_ == "PRON" for t in verb.children):
            continue  # "took me to": took whom?
        for predicate, noun, named_only in _complements(verb, words, direct, said_of):
            for member in conjuncts(noun):
                target = _target(member)
                if target is not None and (target.named or not named_only):
                    passive = predicate.endswith(" by") and pattern == "passive"
                    reading.add(subject, predicate, target, "passive" if passive else "complement", verb.idx)


def _governed_infinitive(verb: Token) -> Token | None:
    return next((child for child in verb.children if child.dep_ == "xcomp" and child.pos_ == "VERB"), None)


def _is_not_omitted(verb: Token) -> bool:
    """Whether a clause says that somebody did not fail to do something: "never failed to visit"."""
    if verb.lower_ not in w.OMITTED or (done := _governed_infinitive(verb)) is None:
        return False
    return any(child.dep_ == "neg" for child in verb.children) and not any(c.dep_ == "neg" for c in done.children)


def _names_somebody(verb: Token) -> bool:
    """Whether "called" gives a name: "called us the Lantern", but not "called to Cynthia"."""
    kinds = {"oprd", "dobj", "dative", "iobj"}
    return verb.dep_ == "relcl" or any(
        child.dep_ == "oprd" or (child.dep_ in kinds and child.pos_ == "PRON") for child in verb.children
    )


def _read_naming(verb: Token, reading: SentenceReading) -> None:
    """ "Captain Tulloch, whom all call the Sparrow" gives two names of one person. "They called us the Lantern" does
    not.
    """
    name = next((t for t in verb.children if t.dep_ in {"oprd", "dobj"} and is_name(t)), None)
    first, second = phrase(verb.head), None if name is None else phrase(name)
    if verb.dep_ == "relcl" and is_name(verb.head) and first is not None and second is not None:
        reading.same(first.text, second.text)


def _pattern(verb: Token) -> Pattern:
    if any(child.dep_ in {"auxpass", "nsubjpass", "agent"} for child in verb.children):
        return "passive"
    return "relative" if verb.dep_ == "relcl" else "active"


def _thing_object(noun: Token) -> Phrase | None:
    """A direct object that is a thing: not a quality, a gesture or a part of the body."""
    thing = phrase(noun)
    if thing is None or thing.named:
        return thing
    return None if abstract(noun) or {noun.lower_, noun.lower_.rstrip("s")} & w.NO_THING else thing


def _target(noun: Token) -> Phrase | None:
    """The object of a preposition: a name, a date with its year, or a certain or described thing, but not in "in
    silence", "at breakfast".
    """
    if date := date_at(noun, w.CALENDAR):
        verb = noun.head.head  # "became a state on", "released in": with only a date, half of the fact is missing
        finite = verb.pos_ == "VERB" and verb.dep_ != "acl" and not any(t.dep_ == "attr" for t in verb.children)
        return date if finite else None
    thing = _thing_object(noun)
    if thing is None or thing.named:
        return thing
    determiner = next((t.lower_ for t in noun.children if t.dep_ in {"det", "poss"}), "")
    return thing if determiner in w.DEFINITE or (determiner and thing.words >= 2) else None


def _idiom(noun: Token) -> bool:
    """Whether an object belongs to its verb: "lost sight", "took note"."""
    return noun.tag_ == "NN" and not any(c.dep_ in {"det", "poss", "amod", "compound", "nummod"} for c in noun.children)


def _states_a_fact(verb: Token) -> bool:
    """Whether the clause states a fact: finite, affirmative, neither modal nor supposed."""
    around = {"neg", "aux", "auxpass", "advmod", "mark", "preconj", "det"}
    words = {child.lower_ for child in verb.children if child.dep_ in around and not _opens_a_pair(child)}
    words |= {
        t.lower_
        for child in verb.children
        for t in child.children
        if (child.dep_ == "acomp" and t.dep_ == "neg") or (child.dep_ == "advmod" and t.lower_ == "no")
    }  # "is not related to", "is no longer"
    if _is_not_omitted(verb):
        words -= w.NEGATIONS | (w.MODALS if verb.lower_ == "help" else frozenset())
    if verb.lower_ in w.SPEECH or words & w.NEGATIONS or words & w.MODALS or words & w.IF or "to" in words:
        return False
    if any(child.dep_ == "nsubj" and child.lower_ in w.NEGATIONS for child in verb.children):
        return False
    if any(child.dep_ == "dobj" and any(t.lower_ == "no" for t in child.children) for child in verb.children):
        return False
    if verb.tag_ == "VB":
        return "do" in words or "did" in words or "does" in words
    if verb.lower_ in w.LINKING or verb.dep_ == "pcomp":
        return False  # "preceding her death", "result in custom being transferred"
    if verb.tag_ == "VBG" and not words & w.BE:
        return verb.dep_ in {"conj", "advcl"} and verb.head.pos_ in {"VERB", "AUX"} and _states_a_fact(verb.head)
    if verb.tag_ == "VBN" and not any(child.dep_ in {"aux", "auxpass"} for child in verb.children):
        if verb.dep_ == "acl":
            return any(child.dep_ == "agent" for child in verb.children)
        # else a past tense that the tagger took for a participle
        if not any(child.dep_ == "nsubj" for child in verb.children):
            return verb.dep_ == "conj" and _states_a_fact(verb.head)
    if not leaves_asserted(verb, "en"):
        return False
    if verb.dep_ == "relcl" and (cleft := _cleft(verb)) is not None:
        return _states_a_fact(cleft)  # "the contention that it was Ann who left"
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"}:
        own = any(child.dep_ in {"nsubj", "nsubjpass"} for child in verb.children)
        return own or _states_a_fact(verb.head)
    return True


def _opens_a_pair(word: Token) -> bool:
    """Whether a "not" is that of "not only ... but": it denies nothing."""
    return word.lower_ == "not" and word.i + 1 < len(word.doc) and word.nbor().lower_ in {"only", "merely", "simply"}


def _cleft(verb: Token) -> Token | None:
    """The "was" of "it was Ann who left", if the clause is "left"."""
    be = verb.head.head
    it = verb.head.dep_ == "attr" and any(c.dep_ == "nsubj" and c.lower_ == "it" for c in be.children)
    return be if it else None


def _agrees(verb: Token) -> bool:
    """Whether subject and verb are in normal order and agree in number."""
    subject = next((child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}), None)
    if subject is None:
        return True
    if subject.i > verb.i:
        return False  # "Gone was the coarse brown tint"
    if subject.pos_ == "PRON":
        return True
    first = min([c for c in verb.children if c.dep_ in {"aux", "auxpass"}] + [verb], key=lambda token: token.i)
    several = subject.tag_ in {"NNS", "NNPS"} or any(child.dep_ in {"conj", "cc"} for child in subject.children)
    if first.lower_ in {"are", "were", "have", "do"} or first.tag_ == "VBP":
        return several or subject.lower_ in w.SEVERAL
    if first.lower_ in {"is", "was", "has", "does"} or first.tag_ == "VBZ":
        return not several or (subject.tag_ != "NNS" and not any(c.dep_ == "conj" for c in subject.children))
    return True


def _is_ruled_out(subject: Token) -> bool:
    """Whether "not ... but" excludes it: "Not Ann but Ruth left" says nothing of Ann."""
    first = subject.left_edge
    return first.lower_ == "not" or (first.i > 0 and first.nbor(-1).lower_ == "not")


def _subjects(verb: Token) -> list[Phrase]:
    """The subjects of a clause; a relative pronoun means its antecedent, and a joined verb shares the subject of its
    head.
    """
    own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}]
    if own:
        own = [child for child in own if child.text.strip(".")] or own  # "Sr" "." are two for the parser
        if len(own) > 1 and own[-1].lower_ in {"elder", "younger"}:
            own = own[:-1]  # "John Barlow the elder"
        subject = own[-1]  # with two, the first is a form of address: "Lord St. Simon, I have brought ..."
        if quoted_apart(subject, verb):
            return []
        if subject.lower_ in w.PRONOUNS:
            return [_pronoun(subject)]
        if subject.text == "I":
            return [Phrase(text="I", named=False, words=0, first=subject.i, last=subject.i, pronoun="i")]
        if subject.lower_ in {"who", "which", "that"} and verb.dep_ == "relcl":
            subjects = [_thing_object(verb.head)]
        else:
            subjects = [_thing_object(member) for member in conjuncts(subject) if not _is_ruled_out(member)]
        return [item for item in subjects if item is not None]
    if any(child.dep_ in {"csubj", "expl"} for child in verb.children):
        return []
    if verb.dep_ == "acl" and verb.tag_ == "VBN":
        subjects = [phrase(verb.head)]
        return [item for item in subjects if item is not None]
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"}:
        return _subjects(verb.head)
    if verb.dep_ == "advcl" and verb.tag_ == "VBG" and not any(child.dep_ == "mark" for child in verb.children):
        return _subjects(verb.head)  # "Holmes rose, opening the letter"
    return []


def _pronoun(token: Token) -> Phrase:
    return Phrase(
        text=token.lower_, named=False, words=0, first=token.i, last=token.i, pronoun=w.PRONOUNS[token.lower_]
    )


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


def _of_one(predicate: str) -> str:
    """The singular of a statement about several, for each of them: "were in" -> "was in"."""
    first, space, rest = predicate.partition(" ")
    return f"{_SINGULAR.get(first, first)}{space}{rest}"


_SINGULAR = {"are": "is", "were": "was", "have": "has"}


def _complements(
    verb: Token, words: str, direct: Token | None, said_of: Token | None
) -> Iterator[tuple[str, Token, bool]]:
    """The predicates formed with prepositions, each with its noun, and whether that must be a name. "lives in Lyon with
    Sophie" gives two; "is fond of" is one; an object gives "gave the ring to".
    """
    if said_of is not None:
        yield from (
            (f"{words} {said_of.lower_} {preposition}", noun, False) for preposition, noun in _prepositions(said_of)
        )
        return
    thing = None if direct is None else phrase(direct)
    if direct is not None and (thing is None or thing.named or thing.last - thing.first > 3 or _idiom(direct)):
        return
    article = ""
    if direct is not None:
        article = next((t.lower_ + " " for t in direct.children if t.dep_ in {"det", "poss"} and t.n_lefts == 0), "")
    for preposition, noun in _prepositions(verb):
        if noun.i > verb.i and "," in verb.doc[verb.i : noun.left_edge.i].text:
            continue  # "went to the house, at Lancaster Gate"
        if thing is None:
            yield f"{words} {preposition}", noun, False
        else:
            yield f"{words} {article}{thing.text} {preposition}", noun, True


def _prepositions(head: Token) -> Iterator[tuple[str, Token]]:
    """The prepositions of a verb or an adjective with their nouns."""
    for child in head.children:
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


# --------------------------------------------------------------------------------------------------------------------
# Speech


def _speech(verb: Token, reading: SentenceReading) -> None:
    """ "said Holmes to Watson" -> (Holmes, said to, Watson); the speaker is stored for the quotation."""
    speaker = next((child for child in verb.children if child.dep_ == "nsubj" and is_name(child)), None)
    speaker_phrase = None if speaker is None else phrase(speaker)
    if speaker is None or speaker_phrase is None or any(child.dep_ in {"neg", "aux"} for child in verb.children):
        return
    if quoted_apart(speaker, verb):
        return
    reading.speakers.append(NamePosition(form=speaker_phrase.text, at=speaker.idx))
    for child in verb.children:
        if child.i < verb.i or quoted_apart(verb, child):
            continue
        if child.dep_ in {"dobj", "dative"} and is_name(child) and verb.lower_ in {"asked", "answered"}:
            reading.add(speaker_phrase, verb.lower_, phrase(child), "speech", verb.idx)
        if child.dep_ in {"prep", "dative"} and child.lower_ == "to":
            for noun in child.children:
                if noun.dep_ == "pobj" and is_name(noun):
                    reading.add(speaker_phrase, f"{verb.lower_} to", phrase(noun), "speech", verb.idx)

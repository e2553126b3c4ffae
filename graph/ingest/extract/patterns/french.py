"""French sentences, read by their dependencies (spaCy's French models: Universal Dependencies).

Facts keep the words of the sentence: "a été volée par" stays passive, tense and auxiliaries stay; adverbs are dropped.
What is negated, asked, supposed, wished, future or conditional is not a fact. Neither is a clause whose verb does not
agree with its subject: there the parse is wrong. "Il" and "elle" remain subjects until they are resolved.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_fr as w
from filigraph.graph.ingest.extract.patterns.aliases import read_aliases
from filigraph.graph.ingest.extract.patterns.french_agreement import agrees, noun_chain, participle_agrees
from filigraph.graph.ingest.extract.patterns.french_names import cases_of, is_name, phrase, title_with_name
from filigraph.graph.ingest.extract.patterns.french_nouns import attribute, preposition_of, read_noun
from filigraph.graph.ingest.extract.patterns.governors import is_presupposed, leaves_asserted
from filigraph.graph.ingest.extract.patterns.phrases import (
    NamePosition,
    Pattern,
    Phrase,
    SentenceReading,
    abstract,
    conjuncts,
    date_at,
    is_question,
    misattached_complements,
    name_runs,
    quoted_apart,
    subject_pronouns,
)
from filigraph.graph.ingest.extract.patterns.speech import read_vocatives

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_WORDS_TO_DEED = 6  # from "ne" to the infinitive: "n'a pas hésité à vendre"


def read(sentence: Span) -> SentenceReading:
    """The facts, alias statements and names of a parsed sentence."""
    reading, asks = SentenceReading(), is_question(sentence)
    read_aliases(list(sentence), reading, phrase, "est")
    for token in sentence:
        if token.pos_ in w.NOUNS:
            read_noun(token, reading)
        if token.lemma_ in w.SPEECH or token.lower_ in w.SPOKE:
            _speech(token, reading)
        elif not asks:
            _clause(token, reading)
    reading.pronouns = subject_pronouns(sentence, w.PRONOUNS)
    reading.names = name_runs(sentence, is_name, w.NAMES)
    read_vocatives(sentence, reading, "parle à")
    return reading


# --------------------------------------------------------------------------------------------------------------------
# Clauses


def _clause(verb: Token, reading: SentenceReading) -> None:
    """The facts of the clause with the predicate `verb` (with a copula: a noun or an adjective)."""
    copula = next((child for child in verb.children if child.dep_ == "cop"), None)
    passive = any(child.dep_ == "aux:pass" for child in verb.children)
    if copula is None and verb.pos_ not in {"VERB", "AUX"} and not passive:
        return
    if verb.lower_ in w.NO_VERB:
        return
    if not _states_a_fact(verb, copula) or not agrees(verb, copula):
        return
    subjects = _subjects(verb)
    if not subjects:
        return
    if copula is not None and verb.pos_ in w.NOUNS | {"X"}:
        _copula(verb, copula, subjects, reading)
        return
    words = _verb_group(verb, copula)
    if not words:
        return
    somebody = any(c.dep_ in {"obj", "iobj"} and c.pos_ == "PRON" for c in verb.children)
    if verb.lower_.startswith(w.CALLS) and not passive and (somebody or verb.dep_ == "acl:relcl"):
        _read_naming(verb, reading)
        return
    pattern: Pattern = "passive" if passive else "relative" if verb.dep_ == "acl:relcl" else "active"
    done = _governed_infinitive(verb)
    if done is not None and (ne := _not_omitted(verb)) is not None:
        verb, words = done, verb.doc[ne.i : done.i + 1].text.lower()  # "n'hésita pas à vendre"
    elif done is not None:
        if verb.lemma_ not in w.ASPECT or done.i - verb.i > 3 or any(c.lower_ in w.NEGATIONS for c in done.children):
            return  # "voulait voler": this does not say what was done
        words += f" {verb.doc[verb.i + 1 : done.i + 1].text.lower()}"
        verb = done  # "achevait de remplir"
    objects = _objects(verb, copula)
    if objects is None:
        return
    if copula is not None:
        words += f" {verb.lower_}"
    relative = verb.dep_ == "acl:relcl" and any(
        t.lower_ in {"que", "qu'", "qu’"} and t.dep_ in {"obj", "mark"} and t.i < verb.i for t in verb.children
    )
    for subject in subjects[:3]:
        for obj in objects:
            for member in conjuncts(obj):
                if verb.lemma_ in w.BECOME:
                    attribute(subject, words, member, reading, "copula")
                elif member is obj or not _idiom(member):  # "brisa le cachet et lut": no "lut"
                    reading.add(subject, words, _thing_object(member), pattern, verb.idx)
        if relative and not objects:
            reading.add(subject, words, _thing_object(verb.head), "relative", verb.idx)
        if any(t.dep_ in {"obj", "iobj"} and t.pos_ == "PRON" and t.lower_ not in w.RELATIVES for t in verb.children):
            continue  # "l'a conduit à": conduit qui ?
        direct = objects[0] if objects else verb.head if relative else None
        for predicate, noun, named_only in _complements(verb, words, direct):
            for member in conjuncts(noun):
                target = _target(member)
                if target is not None and (target.named or not named_only):
                    kind: Pattern = "passive" if predicate.endswith(" par") else "complement"
                    reading.add(subject, predicate, target, kind, verb.idx)


def _read_naming(verb: Token, reading: SentenceReading) -> None:
    """ "Odile Garance, que tout le métier appelait Mouche": two names of one."""
    name = next((c for c in verb.children if c.i > verb.i and is_name(c)), None)
    first, second = phrase(verb.head), None if name is None else phrase(name)
    named = is_name(verb.head) or title_with_name(verb.head)
    if verb.dep_ == "acl:relcl" and named and first is not None and second is not None:
        between = verb.doc[first.last + 1 : verb.left_edge.i]
        if all(token.is_punct for token in between):  # in "Wilhem par sa sœur, qu'il appelait" it means the sister
            reading.same(first.text, second.text)


def _copula(noun: Token, copula: Token, subjects: list[Phrase], reading: SentenceReading) -> None:
    """ "est notaire", "est l'emblème de La Griffe", "est à Lyon"."""
    words, cases = _verb_group(noun, copula), cases_of(noun)
    if any(c.dep_ == "nsubj" and c.i > copula.i for c in noun.children):
        return  # "Étroite était la saillie"
    if noun.dep_ == "acl:relcl" and any(c.lower_ == "dont" for c in noun.children):
        return  # "les scènes dont Montaignac était le théâtre"
    for subject in subjects[:3]:
        for member in conjuncts(noun):
            if not cases:
                attribute(subject, words, member, reading, "copula")
            elif cases[0].lower_ != "comme":
                target = _target(member)
                of = cases[0].lower_ in w.OF  # "était sûr du bonhomme": the parser lost an adjective; "est de Lyon"
                if target is not None and (target.named or not of):
                    reading.add(subject, f"{words} {_prepositions(cases)}", target, "complement", copula.idx)


def _governed_infinitive(verb: Token) -> Token | None:
    """The infinitive that goes with a verb."""
    infinitives = (c for c in verb.children if c.dep_ in {"xcomp", "ccomp"} and "Inf" in c.morph.get("VerbForm", []))
    return next((child for child in infinitives if child.pos_ == "VERB"), None)


def _not_omitted(verb: Token) -> Token | None:
    """The "ne" of a clause that says that somebody did not fail to do something: "ne manqua pas de prévenir"."""
    done = _governed_infinitive(verb) if verb.lemma_ in w.OMITTED else None
    ne = next((c for c in verb.children if c.lower_ in {"ne", "n'", "n’"}), None)
    near = done is not None and ne is not None and 0 < done.i - ne.i <= _WORDS_TO_DEED
    return ne if near and done is not None and not any(c.lower_ in w.NEGATIONS for c in done.children) else None


def _objects(verb: Token, copula: Token | None) -> list[Token] | None:
    """The direct objects; None if the clause says what was not done, or if they belong to the verb."""
    if copula is not None or verb.pos_ == "ADJ":
        return []
    kinds = {"obj", "xcomp"} if verb.lemma_ in w.BECOME else {"obj"}
    objects = [t for t in verb.children if t.dep_ in kinds and t.pos_ in w.NOUNS | {"X"} and not cases_of(t)]
    if objects and objects[0].left_edge.i > 0 and objects[0].left_edge.nbor(-1).text == ",":
        return None  # "s'était levé, son rapport à la main"
    if any(_is_infinitive(t) for t in objects) and verb.lower_.startswith(("v", "all", "os", "cour")):
        return None
    return None if any(_idiom(t) or _after_preposition(t) for t in objects) else objects


def _is_infinitive(noun: Token) -> bool:
    """ "était venue l'épier", which the parser takes for a noun."""
    return noun.lower_.endswith(("er", "ir")) and noun.i > 0 and noun.nbor(-1).lower_ in {"l'", "l’"}


def _after_preposition(noun: Token) -> bool:
    """Whether a preposition is before an "object": the parser attached it to the title, "à M. le baron"."""
    at = noun.left_edge.i
    while at > 0 and (noun.doc[at - 1].pos_ == "DET" or noun.doc[at - 1].lower_.rstrip(".") in w.TITLES):
        at -= 1
    return at > 0 and (noun.doc[at - 1].pos_ == "ADP" or noun.doc[at].lower_ in {"au", "aux", "du"})


def _thing_object(noun: Token) -> Phrase | None:
    """A direct object that is a thing: not a quality, a gesture or a part of the body."""
    thing = phrase(noun)
    if thing is None or thing.named:
        return thing
    return None if abstract(noun) or {noun.lower_, noun.lower_.rstrip("s")} & (w.NO_THING | w.EVENTS) else thing


def _target(noun: Token) -> Phrase | None:
    """The object of a preposition: a name, a date with its year, or a certain or described thing, but not in "en
    silence", "à table".
    """
    if date := date_at(noun, w.CALENDAR):
        return date
    thing = _thing_object(noun)
    if thing is None or thing.named:
        return thing
    certain = any(t.lower_ in w.DEFINITE for t in noun.children) or any(
        case.lower_ in {"du", "au"} for case in cases_of(noun)
    )
    determined = certain or any(t.dep_ in {"det", "nummod"} for t in noun.children)
    return thing if certain or (determined and thing.words >= 2) else None


def _is_past_historic(verb: Token) -> bool:
    """Whether a verb that the parser takes for a participle is none: "arrêta", "vendirent"; it has a subject."""
    ending = verb.lower_.endswith(("èrent", "irent", "urent", "inrent")) or (len(verb) > 3 and verb.lower_[-1] == "a")
    return ending and any(child.dep_ == "nsubj" for child in verb.children)


def _states_a_fact(verb: Token, copula: Token | None) -> bool:
    """Whether the clause states a fact: finite, indicative, affirmative, neither modal nor supposed."""
    near = [
        c
        for c in verb.children
        if c.dep_ in {"advmod", "mark", "det", "cc", "obj", "nsubj", "case"} or c.dep_.startswith("aux")
    ]
    words = {child.lower_ for child in near if not (child.lower_ == "plus" and child.i > verb.i)}
    if any(c.lower_ in w.ONLY and c.i > 0 and c.nbor(-1).lower_ in {"pas", "point"} for c in near):
        words -= {"n'", "n’", "ne", "pas", "point"}  # "n'a pas seulement payé"
    if _not_omitted(verb) is not None:
        words -= w.NEGATIONS
    if words & (w.NEGATIONS | w.IF | w.PERHAPS) or any(c.dep_ == "mark" and c.lower_ in w.SURE for c in near):
        return False
    if any(
        t.lower_ in {"aucun", "aucune", "nul", "nulle"}
        for c in verb.children
        if c.dep_ in {"obj", "nsubj"}
        for t in c.children
    ):
        return False
    finite = copula if copula is not None else next((c for c in verb.children if c.dep_.startswith("aux")), verb)
    if any(c.lemma_ in w.MODALS and c.dep_.startswith("aux") for c in verb.children) or verb.lemma_ in {
        "pouvoir",
        "falloir",
    }:
        return False
    if finite.lower_.endswith(w.CONDITIONAL) or finite.lower_ in w.SUBJUNCTIVE:
        return False
    if verb.dep_ == "acl:relcl" and any(
        c.lower_ in {"n'", "n’", "ne", "pas"} for noun in noun_chain(verb.head) for c in noun.children
    ):
        return False  # "ce n'était pas le duc de Sairmeuse qui ..."
    mood, tense, form = finite.morph.get("Mood", []), finite.morph.get("Tense", []), finite.morph.get("VerbForm", [])
    if "Inf" in verb.morph.get("VerbForm", []) or verb.lemma_ in w.SPEECH:
        return False
    if "Sub" in mood and not is_presupposed(verb, "fr"):
        return False
    if any(item in {"Cnd", "Imp"} for item in mood) or "Fut" in tense or "Inf" in form:
        return False
    if finite is verb and "Part" in form and not _is_past_historic(verb):
        if verb.dep_ == "acl":
            return any(child.dep_ == "obl:agent" for child in verb.children)
        if verb.dep_ == "advcl" and verb.lower_.endswith("ant"):
            return verb.head.pos_ == "VERB" and _states_a_fact(verb.head, None)  # "Lecoq se leva, ouvrant la lettre"
        return verb.dep_ == "conj" and _states_a_fact(verb.head, None)
    if verb.dep_ == "xcomp" and verb.head.lemma_ in w.MODALS:
        return False
    if not leaves_asserted(verb, "fr"):
        return False
    if verb.dep_ in {"xcomp", "ccomp", "acl", "advcl"} and verb.head.lower_ in w.SURE and verb.head.i < verb.i:
        return False
    if verb.dep_ == "ccomp" and "Fut" in verb.head.morph.get("Tense", []):
        return False  # "il dira qu'il est arrivé hier"
    if verb.dep_ == "conj" and not any(c.dep_.startswith("nsubj") for c in verb.children):
        return verb.head.pos_ not in {"VERB", "AUX"} or _states_a_fact(verb.head, None)
    return True


def _subjects(verb: Token) -> list[Phrase]:
    """The subjects of a clause; "qui" means its antecedent, and a joined verb shares the subject of its head."""
    own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubj:pass"}]
    if own and quoted_apart(own[-1], verb):
        return []
    if own:
        subject = own[-1]  # with two, the first is a form of address: "Jules, Sophie vous attend"
        if subject.lower_ in w.PRONOUNS:
            personal = verb.lemma_ not in w.IMPERSONAL and verb.pos_ != "ADJ" and subject.i < verb.i
            return [_pronoun(subject)] if personal else []
        if subject.lower_ in w.FIRST:
            narrates = subject.i < verb.i and not any(child.lower_ in w.ME for child in verb.children)
            return (
                [Phrase(text="je", named=False, words=0, first=subject.i, last=subject.i, pronoun="i")]
                if narrates
                else []
            )
        if subject.lower_ in {"qui", "lequel", "laquelle"} and verb.dep_ == "acl:relcl":
            noun = verb.head
            if noun.dep_ == "nmod" and noun.head.lower_ in w.RANKS:
                noun = noun.head  # "le duc de Sairmeuse, qui ..."
            of_another = any(c.dep_ == "nmod" and c.i < subject.i and c.pos_ == "NOUN" for c in noun.children)
            phrases = [None if of_another and not is_name(noun) and not title_with_name(noun) else _thing_object(noun)]
        elif _is_compared(subject):
            return []
        else:
            phrases = [_thing_object(member) for member in conjuncts(subject)]
        return [item for item in phrases if item is not None]
    if any(child.dep_.startswith("expl:subj") or child.dep_ == "csubj" for child in verb.children):
        return []
    if verb.dep_ == "acl":
        described = next((noun for noun in noun_chain(verb.head) if participle_agrees(verb, noun)), None)
        phrases = [] if described is None else [phrase(described)]
        return [item for item in phrases if item is not None]
    if verb.dep_ == "advcl" and verb.lower_.endswith("ant") and "Part" in verb.morph.get("VerbForm", []):
        return _subjects(verb.head)
    if (
        verb.dep_ == "conj"
        and verb.head.pos_ in {"VERB", "AUX", "ADJ"}
        and verb.morph.get("Person", []) in ([], verb.head.morph.get("Person", []))
        and verb.morph.get("Number", []) in ([], verb.head.morph.get("Number", []))
    ):
        return _subjects(verb.head)
    return []


def _is_compared(subject: Token) -> bool:
    """ "Plus encore que Mme Blanche, tante Médie ...": the parser takes her for the subject."""
    edge = subject.left_edge.i
    before = [token.lower_ for token in subject.doc[max(0, edge - 4) : edge]]
    return bool(before) and before[-1] in {"que", "qu'", "qu’"} and bool(set(before) & w.MORE)


def _pronoun(token: Token) -> Phrase:
    return Phrase(
        text=token.lower_, named=False, words=0, first=token.i, last=token.i, pronoun=w.PRONOUNS[token.lower_]
    )


def _verb_group(verb: Token, copula: Token | None) -> str:
    """The verb as written with its auxiliaries and reflexive, without adverbs: "a été volée", "se trouve", "est"."""
    parts = [
        c
        for c in verb.children
        if c.dep_.startswith("aux")
        or (c.dep_ in {"expl:comp", "expl:pass"} and c.lower_ in {"se", "s'", "s’"})
        or (c.lower_ in {"y", "en"} and c.pos_ == "PRON")
    ]
    if not parts and copula is None and verb.dep_ == "conj" and "Part" in verb.morph.get("VerbForm", []):
        parts = [c for c in verb.head.children if c.dep_.startswith("aux")]
    parts = sorted([*parts, copula if copula is not None else verb], key=lambda token: token.i)
    after_be = [b for a, b in pairwise(parts) if a.lower_ in w.BE and b.lower_ in w.HAVE]
    if parts[0].lower_ == "été" or after_be or any("…" in t.text for t in parts):
        return ""  # "c'est que ... avait été": two clauses in one
    return "".join(t.lower_ if t.text[-1] in "'’" else t.lower_ + " " for t in parts).strip()


def _complements(verb: Token, words: str, direct: Token | None) -> Iterator[tuple[str, Token, bool]]:
    """The predicates formed with prepositions, each with its noun, and whether that must be a name. "habite à Lyon avec
    Sophie" gives two; an object gives "donna la bague à".
    """
    thing = None if direct is None else phrase(direct)
    if direct is not None and (thing is None or thing.named or thing.last - thing.first > 3):
        return
    if thing is None and any(c.dep_ == "obl:arg" and c.i > verb.i and _target(c) is None for c in verb.children):
        return  # "jouit d'une grande influence dans le pays": the place says little
    article = "" if direct is None else next((t.text_with_ws.lower() for t in direct.children if t.dep_ == "det"), "")
    if direct is not None and thing is not None and (receiver := _receiver(direct)) is not None:
        yield f"{words} {article}{thing.text} à", receiver, True
    for child in verb.children:
        if child.dep_ in {"obl:arg", "obl:mod", "obl:agent", "obl"}:
            cases = cases_of(child)
            date = date_at(child, w.CALENDAR) if verb.pos_ == "VERB" else None
            if date and child.i > verb.i and thing is None:
                for place in misattached_complements(child, w.CALENDAR):
                    yield f"{words} {_prepositions(cases_of(place))}", place, True  # "en 1871 à Vienne"
            if date and not cases and child.i > verb.i and thing is None:
                yield f"{words} le", child, False  # "est mort le 4 janvier 2003"
            if not date and child.pos_ not in w.NOUNS and not is_name(child):
                continue
            if not cases or cases[0].lower_ in w.NOT_COMPLEMENTS or (child.i < verb.i and not is_name(child)):
                continue
            before = verb.doc[cases[0].i - 1].text if cases[0].i else ""
            if before == "-" or (child.i > verb.i and "," in verb.doc[verb.i : cases[0].i].text):
                continue  # "à la Croix-d'Arcy"; "était debout, immobile, appuyé sur"
            if thing is None:
                yield f"{words} {_prepositions(cases)}", child, False
            else:
                yield f"{words} {article}{thing.text} {_prepositions(cases)}", child, True


def _receiver(direct: Token) -> Token | None:
    """The receiver of a thing, if the parser took him for a part of the thing: "vendu la grange à Jonas Ek"."""
    for child in direct.children:
        to = [case.lower_ for case in cases_of(child)]
        if child.dep_ == "nmod" and child.i > direct.i and to == ["à"] and (is_name(child) or title_with_name(child)):
            return child
    return None


def _idiom(noun: Token) -> bool:
    """Whether a noun belongs to its verb: "prit place", "était à terre"."""
    return (
        not is_name(noun)
        and not any(
            (c.dep_ in {"det", "nummod"} or c.lower_ in {"du", "au", "des", "aux"}) and c.i < noun.i
            for c in noun.children
        )
        and not title_with_name(noun)
    )


def _prepositions(cases: list[Token]) -> str:
    """ "de chez" and the like, in one."""
    before = cases[0].nbor(-1).lower_ if cases[0].i else ""
    far = f"{before} " if before in w.FAR else ""  # "près de", which the parser attaches elsewhere
    return far + "".join(word if word[-1] in "'’" else word + " " for word in map(preposition_of, cases)).strip()


# --------------------------------------------------------------------------------------------------------------------
# Speech


def _speech(verb: Token, reading: SentenceReading) -> None:
    """ "dit Lecoq à Gévrol" -> (Lecoq, dit à, Gévrol); the speaker is stored for the quotation."""
    inverted = {"nsubj", "obj", "nmod", "appos"}  # "dit Sophie": the parser seldom knows who is speaking
    found_by = (c for c in verb.children if c.dep_ in inverted and (is_name(c) or title_with_name(c)))
    speaker = next((c for c in found_by if c.dep_ == "nsubj" or c.left_edge.i == verb.i + 1), None)
    speaker_phrase = None if speaker is None else phrase(speaker)
    if speaker is None or speaker_phrase is None or any(c.lower_ in w.NEGATIONS for c in verb.children):
        return
    if verb.dep_ == "acl" or (verb.i and verb.nbor(-1).text == "-"):
        return  # "Nicolas Antoine, dit le père Colas", "lieu-dit les Aubettes"
    if quoted_apart(speaker, verb) or verb.lower_.endswith((*w.CONDITIONAL, "rai", "rais")):
        return
    reading.speakers.append(NamePosition(form=speaker_phrase.text, at=speaker.idx))
    for child in verb.children:
        cases = cases_of(child)
        to = len(cases) == 1 and cases[0].lower_ in {"à", "au"}
        if to and child.i > verb.i and (is_name(child) or title_with_name(child)) and not quoted_apart(verb, child):
            reading.add(speaker_phrase, f"{verb.lower_} à", phrase(child), "speech", verb.idx)

"""French sentences, read by their dependencies (spaCy's French models: Universal Dependencies).

Facts are written as the sentence says them: "a été volée par" stays passive, tense and auxiliaries stay; adverbs go.
What is negated, asked, supposed, wished, future or conditional is no fact. Subjects and objects that are pronouns are
left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.patterns import words_fr as w
from filigraph.graph.patterns.aliases import read_aliases
from filigraph.graph.patterns.french_names import cases_of, is_name, is_owner, phrase, title_with_name
from filigraph.graph.patterns.phrases import (
    Phrase,
    Reading,
    abstract,
    capitalised,
    conjuncts,
    name_runs,
    opens_sentence,
    quoted_apart,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


def read(sentence: Span) -> Reading:
    """The facts, alias statements and names of one parsed sentence."""
    reading = Reading()
    asked = sentence.text.rstrip(" \"'”’»)").endswith("?")
    read_aliases(list(sentence), reading, phrase, "est")
    for token in sentence:
        if token.pos_ in w.NOUNS:
            _possessive(token, reading)
            _apposition(token, reading)
        if not asked:
            _clause(token, reading)
    reading.names = name_runs(sentence, is_name, w.LINKS, w.TITLES, w.ARTICLES)
    return reading


# --------------------------------------------------------------------------------------------------------------------
# Clauses


def _clause(verb: Token, reading: Reading) -> None:
    """Facts of the clause whose predicate is `verb` (with a copula: a noun or an adjective)."""
    copula = next((child for child in verb.children if child.dep_ == "cop"), None)
    if (
        copula is None
        and verb.pos_ not in {"VERB", "AUX"}
        and not any(child.dep_ == "aux:pass" for child in verb.children)
    ):
        return
    if not _stated(verb, copula):
        return
    subjects = _subjects(verb)
    if not subjects:
        return
    if copula is not None and verb.pos_ in w.NOUNS | {"X"}:
        words = _verb_group(verb, copula)
        cases = cases_of(verb)
        for subject in subjects[:3]:
            for member in conjuncts(verb):
                if cases and cases[0].lower_ != "comme" and not _idiom(member):
                    reading.add(subject, f"{words} {_prepositions(cases)}", phrase(member))
                elif cases:
                    continue
                else:
                    _attribute(subject, words, member, reading)
        return
    if copula is not None or verb.pos_ == "ADJ":
        words = f"{_verb_group(verb, copula)}" + ("" if copula is None else f" {verb.lower_}")
        objects: list[Token] = []
    else:
        words = _verb_group(verb, None)
        if any(
            c.dep_ in {"xcomp", "ccomp"} and c.pos_ == "VERB" and "Inf" in c.morph.get("VerbForm", [])
            for c in verb.children
        ):
            return  # "voulait voler", "achevait de remplir": what was done is not said
        objects = [
            t for t in verb.children if t.dep_ in {"obj", "xcomp"} and t.pos_ in w.NOUNS | {"X"} and not cases_of(t)
        ]
        if any(_idiom(t) for t in objects):
            return
    relative = verb.dep_ == "acl:relcl" and any(
        t.lower_ in {"que", "qu'", "qu’"} and t.dep_ in {"obj", "mark"} and t.i < verb.i for t in verb.children
    )
    direct = objects[0] if objects else None
    for subject in subjects[:3]:
        for obj in objects:
            for member in conjuncts(obj):
                if verb.lemma_ in w.BECOME or obj.dep_ == "xcomp":
                    _attribute(subject, words, member, reading)
                else:
                    reading.add(subject, words, phrase(member))
        if relative and not objects:
            reading.add(subject, words, phrase(verb.head))
        if any(t.dep_ in {"obj", "iobj"} and t.pos_ == "PRON" and t.lower_ not in w.RELATIVES for t in verb.children):
            continue  # "l'a conduit à": conduit qui ?
        for preposition, noun in _complements(verb):
            predicate = f"{words} {preposition}"
            if direct is not None:
                thing = phrase(direct)
                if thing is None or thing.named or thing.last - thing.first > 3:
                    continue
                article = next((t.text_with_ws.lower() for t in direct.children if t.dep_ == "det"), "")
                predicate = f"{words} {article}{thing.text} {preposition}"
            for member in conjuncts(noun):
                target = phrase(member)
                if target is not None and (target.named or (direct is None and (subject.named or target.words >= 2))):
                    reading.add(subject, predicate, target)


def _stated(verb: Token, copula: Token | None) -> bool:
    """Whether the clause is stated as a fact: finite, indicative, affirmed, neither modal nor supposed."""
    near = [
        c
        for c in verb.children
        if c.dep_ in {"advmod", "mark", "det", "cc", "obj", "nsubj", "case"} or c.dep_.startswith("aux")
    ]
    words = {child.lower_ for child in near if not (child.lower_ == "plus" and child.i > verb.i)}
    if words & w.NEGATIONS or words & w.IF:
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
    mood, tense, form = finite.morph.get("Mood", []), finite.morph.get("Tense", []), finite.morph.get("VerbForm", [])
    if "Inf" in verb.morph.get("VerbForm", []) or verb.lemma_ in w.SPEECH:
        return False
    if any(item in {"Cnd", "Sub", "Imp"} for item in mood) or "Fut" in tense or "Inf" in form:
        return False
    if finite is verb and "Part" in form:
        if verb.dep_ == "acl":
            return any(child.dep_ == "obl:agent" for child in verb.children)
        return verb.dep_ == "conj" and _stated(verb.head, None)
    if verb.dep_ in {"xcomp", "ccomp"} and (verb.head.lemma_ in w.DOUBT | w.MODALS):
        return False
    if verb.dep_ == "conj" and not any(c.dep_.startswith("nsubj") for c in verb.children):
        return verb.head.pos_ not in {"VERB", "AUX"} or _stated(verb.head, None)
    return True


def _subjects(verb: Token) -> list[Phrase]:
    """The subjects of a clause; "qui" stands for its antecedent, a joined verb shares its head's."""
    own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubj:pass"}]
    if own and quoted_apart(own[-1], verb):
        return []
    if own:
        subject = own[-1]  # with two, the first is spoken to: "Jules, Sophie vous attend"
        if subject.lower_ in {"qui", "lequel", "laquelle"} and verb.dep_ == "acl:relcl":
            found = [phrase(verb.head)]
        else:
            found = [phrase(member) for member in conjuncts(subject)]
        return [item for item in found if item is not None]
    if any(child.dep_.startswith("expl:subj") or child.dep_ == "csubj" for child in verb.children):
        return []
    if verb.dep_ == "acl":
        found = [phrase(verb.head)]
        return [item for item in found if item is not None]
    if (
        verb.dep_ == "conj"
        and verb.head.pos_ in {"VERB", "AUX", "ADJ"}
        and verb.morph.get("Person", []) in ([], verb.head.morph.get("Person", []))
    ):
        return _subjects(verb.head)
    return []


def _verb_group(verb: Token, copula: Token | None) -> str:
    """The verb as written with its auxiliaries and reflexive, without adverbs: "a été volée", "se trouve", "est"."""
    parts = [
        c
        for c in verb.children
        if c.dep_.startswith("aux")
        or c.dep_ in {"expl:comp", "expl:pass"}
        or (c.lower_ in {"y", "en"} and c.pos_ == "PRON")
    ]
    if not parts and copula is None and verb.dep_ == "conj" and "Part" in verb.morph.get("VerbForm", []):
        parts = [c for c in verb.head.children if c.dep_.startswith("aux")]
    parts = sorted([*parts, copula if copula is not None else verb], key=lambda token: token.i)
    return "".join(t.lower_ if t.text[-1] in "'’" else t.lower_ + " " for t in parts).strip()


def _complements(verb: Token) -> Iterator[tuple[str, Token]]:
    """The verb's prepositions with their nouns; "habite à Lyon avec Sophie" gives two."""
    for child in verb.children:
        if child.dep_ in {"obl:arg", "obl:mod", "obl:agent", "obl"} and (child.pos_ in w.NOUNS or is_name(child)):
            cases = cases_of(child)
            if not cases or cases[0].lower_ in w.NOT_COMPLEMENTS:
                continue
            if cases[0].lower_ == "avec" and abstract(child):
                continue  # "avec curiosité": a manner
            if cases[0].lower_ == "de" or not _idiom(child):
                yield _prepositions(cases), child


def _idiom(noun: Token) -> bool:
    """Whether a noun belongs to its verb: "prit place", "était à terre"."""
    return (
        noun.pos_ == "NOUN"
        and not is_name(noun)
        and not any(c.dep_ in {"det", "nummod"} or c.lower_ in {"du", "au", "des", "aux"} for c in noun.children)
        and not title_with_name(noun)
    )


def _prepositions(cases: list[Token]) -> str:
    """ "de chez" and the like, in one."""
    return "".join(word if word[-1] in "'’" else word + " " for word in map(_preposition, cases)).strip()


def _preposition(case: Token) -> str:
    """ "du" -> "de", "aux" -> "à", "au fond de" -> "au fond de"."""
    fixed = [child.lower_ for child in case.children if child.dep_ == "fixed"]
    if fixed:
        return " ".join([case.lower_, *fixed[:-1], w.PREPOSITION.get(fixed[-1], fixed[-1])])
    return w.PREPOSITION.get(case.lower_, case.lower_)


def _attribute(subject: Phrase, verb: str, noun: Token, reading: Reading) -> None:
    """What a subject is: (est, société de voleurs), but (est l'emblème de, La Griffe)."""
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
            reading.add(subject, f"{verb} {head} {_preposition(cases[0])}", phrase(member))
        return
    reading.add(subject, verb, phrase(noun))


# --------------------------------------------------------------------------------------------------------------------
# Possessives and appositions


def _possessive(noun: Token, reading: Reading) -> None:
    """ "la bague de Jules" -> (Jules, a, bague de Jules); described well enough, the ring goes by its description."""
    if noun.lower_ in w.NO_NAME | w.PLACES or noun.lower_.rstrip(".") in w.TITLES or noun.pos_ != "NOUN":
        return
    if is_name(noun) or abstract(noun):
        return
    if noun.lower_ in w.EVENTS or any(child.dep_ == "cop" for child in noun.children) or noun.head.lemma_ in w.BECOME:
        return
    owner = next((child for child in noun.children if child.dep_ == "nmod" and is_owner(child)), None)
    certain = any(child.dep_ == "det" and child.lower_ in w.DEFINITE for child in noun.children)
    if owner is not None and certain:
        reading.add(phrase(owner), "a", phrase(noun))


def _apposition(noun: Token, reading: Reading) -> None:
    """ "Jules Delmas, bijoutier à Lyon, ..." -> (Jules Delmas, est, bijoutier)."""
    found = [c for c in noun.children if c.dep_ in {"appos", "acl"} and c.pos_ in {"NOUN", "PROPN"} and c.i > noun.i]
    if len(found) != 1 or any(child.dep_ == "conj" for child in noun.children):
        return
    other = found[0]
    if other.left_edge.nbor(-1).text != "," or any(child.dep_ == "conj" for child in other.children):
        return
    after = other.right_edge
    if after.i + 1 < len(noun.doc) and after.nbor().text not in {",", ".", ";", "—", "--", ")", "!", ":"}:
        return
    if opens_sentence(noun) and capitalised(noun) and not is_name(noun) and not noun.n_lefts:
        return  # "Comptez sur moi, dit Fritz"
    if quoted_apart(noun, other):
        return
    if any(child.dep_ == "cop" for token in (noun, other) for child in token.children):
        return  # "son nom est une autorité, le baron Moser"
    first, second = is_name(noun) or title_with_name(noun), is_name(other) or title_with_name(other)
    name, role = (noun, other) if first else (other, noun)
    if first != second and role.pos_ == "NOUN" and not any(c.lower_ in w.POSSESSIVES for c in role.children):
        subject = phrase(name)
        if subject is not None:
            _attribute(subject, "est", role, reading)

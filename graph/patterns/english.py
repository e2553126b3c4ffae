"""English sentences, read by their dependencies (spaCy's English models: ClearNLP labels).

Facts are written as the sentence says them: "was stolen by" stays passive, tense and auxiliaries stay; adverbs go. What
is negated, asked, supposed, wished, future or modal is no fact. Subjects and objects that are pronouns are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.patterns.phrases import (
    Phrase,
    Reading,
    abstract,
    capitalised,
    conjuncts,
    name_runs,
    opens_sentence,
    quoted_apart,
    run_around,
    spell,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

TITLES = frozenset(
    "mr mrs miss ms master mister dr doctor sir lady lord madam madame monsieur m mme mlle mademoiselle professor prof captain "
    "capt colonel col major general sergeant inspector constable superintendent detective judge justice father mother sister "
    "brother uncle aunt cousin king queen prince princess duke duchess count countess baron baroness earl marquis reverend rev "
    "saint st president senator governor bishop cardinal pope abbot don doña señor signor herr frau fräulein von".split()
)
_RANKS = frozenset("king queen prince princess duke duchess count countess earl marquis baron baroness lord lady bishop".split())
_LINKS = frozenset("of de du von van der den la le d' the & del della di".split())
_NEGATIONS = frozenset("not n't never no neither nor hardly scarcely barely none nobody nothing without".split())
_NO_NAME = frozenset(  # words that name nothing, alone
    "thing things something anything nothing everything one ones other others way ways time times moment matter fact part kind "
    "sort lot deal case word words end side hand hands eye eyes head face arm arms foot feet voice heart mind lip lips hair "
    "shoulder shoulders finger fingers none what who which that this these those there all some any both each another such "
    "many much more most few several half rest course instant minute minutes hour hours day days week weeks month months year "
    "years night morning evening afternoon yesterday today tomorrow place reason question answer attention care use "
    "sir madam oh ah yes i".split()
)
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december christmas easter".split()
)
_DOUBT = frozenset(  # "I think that ...": what follows is an opinion
    "think believe suppose imagine fancy suspect doubt hope wish fear guess presume assume expect pretend dream deny swear "
    "trust seem appear wonder ask".split()
)
_DOUBT_FORMS = frozenset(_DOUBT | {verb + "s" for verb in _DOUBT} | {
    "thought", "believed", "supposed", "imagined", "fancied", "suspected", "doubted", "hoped", "wished", "feared", "guessed",
    "presumed", "assumed", "expected", "pretended", "dreamed", "dreamt", "denied", "denies", "swore", "trusted", "seemed",
    "appeared", "wondered", "asked", "fancies", "wishes", "guesses", "thinking", "believing", "denying",
})  # fmt: skip
_MODALS = frozenset("will would shall should can could may might must ca wo 'll ought need dare".split())
_BE = frozenset("am is are was were be been being 's 're 'm".split())
_BECOME = frozenset("become becomes became remain remains remained".split())
_IF = frozenset("if unless whether lest though".split())
_SPELLED_OUT = {"'re": "are", "'m": "am", "'ve": "have", "ca": "can"}
_ARTICLES = frozenset({"The", "La", "Le", "Les"})
_NOT_OWNED = frozenset(  # said to be somebody's, but nothing that somebody has
    "name sake case conduct cry cries insight surmise example address innocence death life murder marriage absence presence "
    "departure arrival return fate story account words word remark remarks question advice request order orders idea ideas "
    "view views thoughts mind manner behaviour delight surprise astonishment anger fear hope wish turn help aid".split()
)
_KIN = frozenset("son daughter brother sister father mother wife husband widow fiancé fiancée friend".split())


def read(sentence: Span) -> Reading:
    """The facts, alias statements and names of one parsed sentence."""
    reading = Reading()
    asked = sentence.text.rstrip(" \"'”’»)").endswith("?")
    _aliases(sentence, reading)
    for token in sentence:
        if token.pos_ in {"NOUN", "PROPN"}:
            _possessive(token, reading)
            _apposition(token, reading)
        if token.pos_ in {"VERB", "AUX"} and not asked:
            _clause(token, reading)
    reading.names = name_runs(sentence, is_name, _LINKS, TITLES, _ARTICLES)
    return reading


# --------------------------------------------------------------------------------------------------------------------
# Names


def is_name(token: Token) -> bool:
    """Whether a token is (part of) a proper name, by its capital and its tag."""
    if not capitalised(token) or token.lower_ in _NO_NAME or token.lower_ in _CALENDAR or token.is_stop:
        return False
    if token.pos_ == "PROPN":
        return True
    return token.pos_ in {"NOUN", "ADJ", "X"} and not opens_sentence(token)


def phrase(head: Token) -> Phrase | None:
    """The noun phrase around `head`, None where it names nothing that could be told again."""
    if head.pos_ not in {"NOUN", "PROPN", "NUM", "X"} or (head.lower_ in _NO_NAME and not is_name(head)):
        return None
    if head.pos_ == "NUM" and not (head.is_digit and len(head) == 4):
        return None
    included, owner = {head.i}, None
    for child in head.children:
        if child.dep_ in {"det", "predet"}:
            if child.lower_ in {"no", "any", "every", "each", "what", "which", "whatever", "either", "neither", "such"}:
                return None
            if child.lower_ == "the" and capitalised(child) and is_name(head):
                included.add(child.i)  # "The Claw": the article may be a part of the name
        elif child.dep_ == "poss":
            owner = child
            if child.pos_ != "PRON":
                included.update(token.i for token in child.subtree)
        elif child.dep_ != "case" and _belongs(child):
            included.update(_inside(child))
    first, last = run_around(head, included)
    if owner is not None and owner.pos_ != "PRON":
        rest = range(owner.right_edge.i + 1, last + 1)
        if first <= owner.i and _words(head, rest) >= 2 and not is_name(head):
            first = rest.start  # "Jules's silver signet ring": the ring goes by its description, the owner is a fact of its own
        elif first > owner.left_edge.i:
            return None
    text = spell(head.doc[first : last + 1])
    named = is_name(head) or any(token.dep_ == "appos" and is_name(token) for token in head.children if token.i == head.i + 1)
    if not text or (owner is not None and owner.pos_ == "PRON" and head.lower_ in _KIN):
        return None  # "his brother": whose?
    words = _words(head, range(first, last + 1))
    return Phrase(text=text, named=named, words=words, first=first, last=last)


def _belongs(child: Token) -> bool:
    """Whether a dependent of a noun is a part of its name."""
    if child.dep_ in {"compound", "nmod", "nummod", "amod", "quantmod", "npadvmod", "case"}:
        return child.lower_ not in {"other", "such", "same", "own", "more", "many", "much", "few", "several", "last", "next"}
    if child.dep_ == "prep" and child.lower_ in {"of", "with"}:
        nouns = [token for token in child.children if token.dep_ == "pobj"]
        if not nouns or nouns[0].pos_ not in {"NOUN", "PROPN"}:
            return False
        if child.lower_ == "with":  # "with a wolf's head" describes; "with the butler" does not
            return child.i == child.head.i + 1 and nouns[0].left_edge.lower_ in {"a", "an"}
        return True
    return False


def _inside(token: Token) -> Iterator[int]:
    """Indexes of a dependent that belongs to a name, with what belongs to it in turn."""
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


def _words(head: Token, span: range) -> int:
    """Content words in a span."""
    return sum(head.doc[i].pos_ in {"NOUN", "PROPN", "ADJ", "NUM"} and not head.doc[i].is_stop for i in span)


# --------------------------------------------------------------------------------------------------------------------
# Clauses


def _clause(verb: Token, reading: Reading) -> None:
    """Facts of one clause: subject, verb, objects, complements with their prepositions."""
    if not _stated(verb):
        return
    subjects = _subjects(verb)
    relative = next((t for t in verb.children if t.dep_ in {"dobj", "pobj"} and t.lower_ in {"that", "which", "whom"}), None)
    if not subjects:
        return
    if any(child.dep_ == "xcomp" and child.pos_ == "VERB" for child in verb.children):
        return  # "wanted to steal": what was done is not said
    words = _verb_group(verb)
    objects = [t for t in verb.children if t.dep_ in {"dobj", "attr", "oprd", "dative"} and t.pos_ in {"NOUN", "PROPN"}]
    direct = next((t for t in objects if t.dep_ == "dobj"), None)
    for subject in subjects[:3]:
        for obj in objects:
            if obj.dep_ in {"attr", "oprd"} or verb.lower_ in _BECOME:
                for member in conjuncts(obj):
                    _attribute(subject, words, member, reading)
            elif obj.dep_ == "dobj" and not _idiom(obj):
                for member in conjuncts(obj):
                    reading.add(subject, words, phrase(member))
        if relative is not None and relative.dep_ == "dobj" and verb.dep_ == "relcl":
            reading.add(subject, words, phrase(verb.head))
        for preposition, noun in _complements(verb):
            predicate = f"{words} {preposition}"
            if direct is not None:
                thing = phrase(direct)
                if thing is None or thing.named or thing.last - thing.first > 3 or _idiom(direct):
                    continue
                article = next((t.lower_ + " " for t in direct.children if t.dep_ in {"det", "poss"} and t.n_lefts == 0), "")
                predicate = f"{words} {article}{thing.text} {preposition}"
            for member in conjuncts(noun):
                target = phrase(member)
                if target is not None and (target.named or (direct is None and target.words >= 2)):
                    reading.add(subject, predicate, target)


def _idiom(noun: Token) -> bool:
    """Whether an object belongs to its verb: "lost sight", "took note"."""
    return noun.tag_ == "NN" and not any(c.dep_ in {"det", "poss", "amod", "compound", "nummod"} for c in noun.children)


def _stated(verb: Token) -> bool:
    """Whether the clause is stated as a fact: finite, affirmed, neither modal nor supposed."""
    around = [child for child in verb.children if child.dep_ in {"neg", "aux", "auxpass", "advmod", "mark", "preconj", "det"}]
    words = {child.lower_ for child in around}
    if words & _NEGATIONS or words & _MODALS or words & _IF or "to" in words:
        return False
    if any(child.dep_ == "nsubj" and child.lower_ in {"nobody", "none", "nothing", "neither"} for child in verb.children):
        return False
    if any(child.dep_ == "dobj" and any(t.lower_ == "no" for t in child.children) for child in verb.children):
        return False
    if verb.tag_ in {"VB"}:
        return "do" in words or "did" in words or "does" in words
    if verb.tag_ == "VBG" and not words & _BE:
        return verb.dep_ == "conj" and _stated(verb.head)
    if verb.tag_ == "VBN" and not any(child.dep_ in {"aux", "auxpass"} for child in verb.children):
        if verb.dep_ == "acl":
            return any(child.dep_ == "agent" for child in verb.children)
        return verb.dep_ == "conj" and _stated(verb.head)
    if verb.dep_ == "ccomp" and verb.head.lower_ in _DOUBT_FORMS and verb.head.i < verb.i:
        return False
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"}:
        own = any(child.dep_ in {"nsubj", "nsubjpass"} for child in verb.children)
        return own or _stated(verb.head)
    return True


def _subjects(verb: Token) -> list[Phrase]:
    """The subjects of a clause; a relative pronoun stands for its antecedent, a joined verb shares its head's."""
    own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass"}]
    if own:
        subject = own[0]
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
        passive = any(child.dep_ == "auxpass" for child in verb.head.children)
        if passive and verb.tag_ != "VBN":
            return _subjects(verb.head)
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
        words.append(_SPELLED_OUT.get(word, word))
    return " ".join(words)


def _complements(verb: Token) -> Iterator[tuple[str, Token]]:
    """The verb's prepositions with their nouns; "lives in Lyon with Sophie" gives two."""
    for child in verb.children:
        if child.dep_ in {"prep", "agent", "dative"} and child.pos_ in {"ADP", "SCONJ"}:
            if child.lower_ in {"without", "except", "like", "than", "if", "unlike", "since", "until", "during"}:
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
    """"is a society of thieves" -> (is, society of thieves); "is the emblem of The Claw" -> (is the emblem of, The Claw)."""
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
    """What a noun is of, where that is a name or a certain thing: "the emblem of The Claw" -> ("the emblem of", Claw)."""
    owner = next((child for child in noun.children if child.dep_ == "poss" and child.pos_ in {"NOUN", "PROPN"}), None)
    own = [c for c in noun.children if c.dep_ in {"amod", "compound", "det", "nummod"} and c.i < noun.i]
    if noun.pos_ != "NOUN" or len(own) > 3:
        return None
    if owner is not None and is_name(owner):
        return f"{spell([c for c in own if c.dep_ != 'det'] + [noun]).lower()} of".strip(), owner
    for child in noun.children:
        if child.dep_ != "prep" or child.i > noun.i + 2 or child.lower_ not in {"of", "to", "in", "at", "for", "from", "with"}:
            continue
        target = next((t for t in child.children if t.dep_ == "pobj"), None)
        if target is None or target.pos_ not in {"NOUN", "PROPN"}:
            continue
        certain = is_name(target) or any(t.lower_ in {"the", "this", "that"} for t in target.children)
        if certain and phrase(target) is not None:
            head = spell(noun.doc[min([noun.i, *(c.i for c in own)]) : noun.i + 1])
            return f"{head} {child.lower_}".lower() if not _keeps_capital(noun, own) else f"{head} {child.lower_}", target
    return None


def _keeps_capital(noun: Token, own: list[Token]) -> bool:
    return any(is_name(token) for token in own)


# --------------------------------------------------------------------------------------------------------------------
# Possessives, appositions, aliases


def _possessive(noun: Token, reading: Reading) -> None:
    """"Jules's ring" -> (Jules, has, Jules's ring); described well enough, the ring goes by its description."""
    owner = next((child for child in noun.children if child.dep_ == "poss" and is_name(child)), None)
    if owner is None or noun.lower_ in _NO_NAME | _NOT_OWNED or is_name(noun) or abstract(noun):
        return
    reading.add(phrase(owner), "has", phrase(noun))


def _apposition(noun: Token, reading: Reading) -> None:
    """"Jules Delmas, a jeweller from Lyon, ..." -> (Jules Delmas, is, jeweller)."""
    found = [child for child in noun.children if child.dep_ == "appos" and child.pos_ in {"NOUN", "PROPN"}]
    if len(found) != 1 or any(child.dep_ == "conj" for child in noun.children):
        return
    other = found[0]
    if other.left_edge.i == 0 or other.left_edge.nbor(-1).text != "," or any(child.dep_ == "conj" for child in other.children):
        return
    after = other.right_edge
    if after.i + 1 < len(noun.doc) and after.nbor().text not in {",", ".", ";", "—", "--", ")", "!", ":"}:
        return
    if after.i + 2 < len(noun.doc) and after.nbor().text == "," and (is_name(after.nbor(2)) or after.nbor(2).lower_ == "and"):
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


_ALIAS = frozenset("alias aka nicknamed called dubbed known named dit dite".split())


def _aliases(sentence: Span, reading: Reading) -> None:
    """"The Claw, known to the police as La Griffe" says that two names are one; "a gang known as The Claw", what one is."""
    tokens = [token for token in sentence if not token.is_space]
    for position, token in enumerate(tokens):
        if token.lower_ not in _ALIAS and not (token.lower_ == "or" and token.i > 0):
            continue
        right = position + 1
        if token.lower_ == "known":
            window = [t.lower_ for t in tokens[right : right + 6]]
            if "as" not in window:
                continue
            right += window.index("as") + 1
        elif token.lower_ == "or":
            continue
        second = _name_from(tokens, right)
        left = position - 1
        while left >= 0 and tokens[left].lower_ in {"also", "otherwise", "better", "sometimes", "and", ",", "(", "commonly"}:
            left -= 1
        comma = left + 1 < position and tokens[left + 1].text in {",", "("}
        if second is None or left < 0:
            continue
        first = _name_until(tokens, left)
        if first is not None:
            if comma or token.lower_ in {"alias", "aka", "dit", "dite", "nicknamed"}:
                reading.same(first, second[0])
        elif tokens[left].pos_ in {"NOUN", "VERB"}:
            head = next((t for t in tokens[left].subtree if t is tokens[left]), None)
            noun = _noun_ending(tokens, left) if head is not None else None
            if noun is not None:
                described = phrase(noun)
                if described is not None and not described.named:
                    reading.add(
                        Phrase(text=second[0], named=True, words=1, first=second[1], last=second[1]), "is", described
                    )


def _name_from(tokens: list[Token], position: int) -> tuple[str, int] | None:
    """The name that begins at `position` (after quotes and an article), with the index of its first token."""
    while position < len(tokens) and (tokens[position].is_quote or tokens[position].text in {"«", "(", ","}):
        position += 1
    if position < len(tokens) and tokens[position].lower_ in {"the", "a", "an"}:
        article, position = position, position + 1
    else:
        article = position
    end = position
    while end < len(tokens) and capitalised(tokens[end]):
        end += 1
    if end == position or (end == position + 1 and tokens[position].lower_ in _NO_NAME):
        return None
    begin = article if capitalised(tokens[article]) else position
    return spell(tokens[begin:end]), tokens[begin].i


def _name_until(tokens: list[Token], position: int) -> str | None:
    """The name that ends at `position`."""
    if tokens[position].is_quote or tokens[position].text == "»":
        position -= 1
    begin = position
    while begin >= 0 and capitalised(tokens[begin]) and (is_name(tokens[begin]) or tokens[begin].text in _ARTICLES):
        begin -= 1
    return spell(tokens[begin + 1 : position + 1]) if begin < position else None


def _noun_ending(tokens: list[Token], position: int) -> Token | None:
    """The common noun whose phrase ends at `position`: "a society of thieves" -> society; "a letter from a thief" -> thief."""
    token = tokens[position]
    while token.dep_ == "pobj" and token.head.lower_ == "of" and not any(child.dep_ == "det" for child in token.children):
        token = token.head.head
    return token if token.pos_ == "NOUN" else None

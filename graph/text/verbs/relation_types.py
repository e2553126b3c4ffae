"""Map predicates to relation types: "walks down to" is GOES_TO, "was the stepfather of" IS_RELATIVE_OF.

The head of the predicate decides: the main verb with the preposition before the object, or the noun after a copula.
Denied, uncertain and unlisted predicates have no type.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from filigraph.graph.ids import content_id
from filigraph.graph.text.verbs.inflections import Form
from filigraph.graph.text.verbs.measures import is_amount, is_time
from filigraph.graph.text.verbs.relation_lists import LANGUAGES, Lexicon, RelationType, Roles, lexicon, texts

VERSION = "3"  # increment if a code change gives other types for the same lists
LONGEST = 200  # characters; a longer text is no predicate

_OBJECT, _CLAUSE, _PASSIVE = "object", "clause", "passive"  # link between verb and object, if no preposition
_NONE = "NONE"  # in the lists: explicitly no type
_RECIPIENT = "GIVES_TO"  # in the passive GOES_TO: "the letter is given to"
_PLACES = frozenset({"IS_IN", "IS_NEAR", "GOES_TO", "COMES_FROM"})
# No inverse in the passive, where the agent is another one: "is lit by a lamp", "was married by a priest".
_ONE_WAY = frozenset({"HANDLES", "GOES_TO", "IS_NEAR", "LEAVES", "IS_MARRIED_TO"})
_SIDE_BY_SIDE = frozenset({"HAS_ROLE_IN", "LEAVES"})  # only articles and adjectives allowed before the object
_AT_PLACES = _PLACES | {"LIVES_IN", "LEAVES"}
_TWO_OBJECTS = frozenset({"GIVES", "HAS"})  # "offers the guest the wine", "bears the number 12"
_WHEN = RelationType("ON_DATE")
_BIRTH = RelationType("IS_BORN_IN")

_STOP = re.compile(r"[;!?()\"«»“”]|(?<!\d)[,:.]|[,:.](?!\d)")


def relation_type(predicate: str, object_: str, language: str) -> RelationType | None:
    """The type of a predicate with this object; None without a type, or for a language without lists."""
    if language not in LANGUAGES or len(predicate) > LONGEST:
        return None
    text = unicodedata.normalize("NFC", predicate).lower().replace("’", "'")
    if is_time(object_, language):
        return _Reader(lexicon(language)).read_when(text)
    found = _read(text, language)
    if found and _Reader(lexicon(language)).begins_with_preposition(object_[:LONGEST].lower()):
        return None  # "is", "in black"; "pays", "in full"
    return None if found and found.name in _AT_PLACES and is_amount(object_) else found


@lru_cache(maxsize=1 << 14)
def _read(text: str, language: str) -> RelationType | None:
    return _Reader(lexicon(language)).read(text)


def lists_version() -> str:
    """A hash of code version and lists; types may differ between hashes."""
    return content_id("lists", VERSION, *texts().values())


@dataclass(frozen=True)
class _Tail:
    """The words between a verb and the object."""

    preposition: str  # before the object, "" for none
    between: Sequence[str]  # the words before the preposition
    article: str = ""  # after the preposition


@dataclass(frozen=True)
class _Reader:
    lexicon: Lexicon

    def read_when(self, predicate: str) -> RelationType | None:
        """The type of a predicate before a date: "was born in", "arrived on", "dated"; not "is closed until"."""
        words = self._words(predicate)
        if not words or self._is_denied(words) or any(self._is_of(("uncertain", "limits"), word) for word in words):
            return None
        found = self.read(predicate)
        return found if found == _BIRTH else _WHEN

    def read(self, predicate: str) -> RelationType | None:
        clauses = [part for part in _STOP.split(predicate) if part.strip()]
        words = [word for part in clauses[-1:] for word in self._words(part)]
        if not words or self._is_denied(self._words(predicate)):
            return None
        if len(clauses) > 1 and len(words) == 1:
            return None  # "was a devil, says"
        words = self._last_of_several(words)
        found = self._clause(words) or (self._apposition(words) if len(clauses) == 1 else None)
        return found if found and found.name != _NONE else None

    def begins_with_preposition(self, text: str) -> bool:
        first = self._words(text)[:1]
        return any(self.lexicon.has("prepositions", word) and not self.lexicon.has("genitive", word) for word in first)

    def _words(self, text: str) -> list[str]:
        """Tokens with compounds joined and contractions split: "out of" is one preposition."""
        words: list[str] = self.lexicon.word.findall(text)
        found: list[str] = []
        while words:
            length = next((n for n in (4, 3, 2, 1) if tuple(words[:n]) in self.lexicon.compounds), 0)
            if length:
                found += self.lexicon.compounds[tuple(words[:length])].split()
            else:
                found.append(words[0])
            words = words[length or 1 :]
        return found

    def _last_of_several(self, words: list[str]) -> list[str]:
        """The last of coordinated verbs, to which the object belongs: "arrested and searched the" -> "searched the"."""
        for at in range(len(words) - 2, 0, -1):
            if self.lexicon.has("conjunctions", words[at]):
                tail = words[at + 1 :]
                head = tail[self._skip(tail) :][:1]
                if head and self.lexicon.verb(head[0], Form.FINITE):
                    return tail
                if head and self.lexicon.verb(head[0], Form.PARTICIPLE):
                    auxiliary = words[0] if self._is_auxiliary(words[0]) else self.lexicon.have
                    return [auxiliary, *tail]
                if head and self.lexicon.ends("participles", head[0]):
                    return []
        return words

    def _clause(self, words: list[str]) -> RelationType | None:
        at = self._skip(words)
        if at == len(words) or self.lexicon.has("uncertain", words[at]) or self.lexicon.has("conjunctions", words[-1]):
            return None
        reflexive = any(self.lexicon.has("reflexives", word) for word in words[: at + 2])
        word, rest = words[at], words[at + 1 :]
        if self._is_auxiliary(word):
            return self._after_auxiliary(word, rest, reflexive)
        if self.lexicon.has("become", word):
            return self._after_auxiliary(word, rest, reflexive=False)
        tail = self._tail(rest)
        verb, participle = self.lexicon.verb(word, Form.FINITE), self.lexicon.verb(word, Form.PARTICIPLE)
        if participle and self.lexicon.has("agent", tail.preposition) and not tail.between:
            return self._passive(participle, tail)
        if verb:
            found = self._active(verb, tail, reflexive)
            both = participle and self._is_tight(tail.between)  # "marked with", "sent to"
            return (self._passive(participle, tail, sure=False) if both else None) or found
        if participle:
            return self._passive(participle, tail, sure=not self._agrees("figurative", word))
        if progressive := self.lexicon.verb(word, Form.PROGRESSIVE):
            return self._active(progressive, tail, reflexive)
        return None

    def _after_auxiliary(self, word: str, rest: list[str], reflexive: bool) -> RelationType | None:
        at = self._skip(rest)
        main, after = (rest[at], rest[at + 1 :]) if at < len(rest) else ("", [])
        if self.lexicon.has("have", word):
            if self._is_of(("be", "become"), main):
                return self._after_auxiliary(main, after, reflexive)
            if verb := self.lexicon.verb(main, Form.PARTICIPLE):
                return self._active(verb, self._tail(after), reflexive)
            if self.lexicon.ends("participles", main):
                return None
            return self._active(self.lexicon.have, self._tail(rest), reflexive)
        if verb := self.lexicon.verb(main, Form.PROGRESSIVE):
            return self._active(verb, self._tail(after), reflexive)
        verb = self.lexicon.verb(main, Form.PARTICIPLE)
        if reflexive and verb:
            return self._active(verb, self._tail(after), reflexive)  # "s'est assis"
        if verb not in self.lexicon.verbs or main in self.lexicon.nouns or self._agrees("adjectives", main):
            return self._copula(rest)
        if self._is_intransitive(verb):
            return self._active(verb, self._tail(after), reflexive)  # "is gone", "est parti"
        return self._passive(verb, self._tail(after), sure=not self._agrees("figurative", main))

    # ---- link to the object

    def _active(self, verb: str, tail: _Tail, reflexive: bool) -> RelationType | None:
        roles = self.lexicon.verbs.get(f"se_{verb}" if reflexive else verb, {})
        how = tail.preposition
        if self._is_embedded(tail.between):
            return None if how else roles.get(_CLAUSE)
        if tail.between and (light := roles.get(f"{tail.between[-1]}_{how}")):
            return light  # "had knowledge of"
        if not how:
            if _OBJECT not in roles and self.lexicon.has("dated", tail.article):
                return _WHEN
            found = roles.get(_OBJECT)
            found = found if found and self._is_object(tail, found) else None
            if found and found.name == "LEAVES" and self.lexicon.has("indefinite", tail.article):
                return None  # "leaves a mark"
            if found and found.name in _SIDE_BY_SIDE and self._has_preposition(tail.between):
                return None  # "ran to the house the", "left in trust the"
            if found and found.name == "HANDLES" and any(self.lexicon.has("such", word) for word in tail.between):
                return None  # "put down as missing the"
            return self._described(tail, roles) or found
        if self.lexicon.has("particles", how) and not _listed(roles, how):
            return roles.get(_OBJECT)
        tight = self._is_tight(tail.between)
        if found := self._led(roles, how, tail.between):
            return found
        if not self.lexicon.has("indefinite", tail.article) and (found := self._led(roles, f"{how}!", tail.between)):
            return found  # "speaks with Ann", but "speaks with an accent"
        return roles.get(_OBJECT) if tight and tail.article and self.lexicon.has("partitive", how) else None

    def _led(self, roles: Roles, how: str, between: Sequence[str]) -> RelationType | None:
        own = bool(between) and self.lexicon.has("determiners", between[0])  # an object of its own
        free = ("", "+", "++") if self._is_tight(between) else ("++",) if own else ("+", "++")
        return next((roles[sign + how] for sign in free if sign + how in roles), None)

    def _is_object(self, tail: _Tail, found: RelationType) -> bool:
        """Whether the object is the verb's direct object: not after "gives a party", which has one, or "hides in the
        dark", where a preposition precedes adjectives."""
        if tail.between and self.lexicon.has("genitive", tail.between[0]) and not tail.article:
            return False
        two = found.name in _TWO_OBJECTS and not self._has_preposition(tail.between)
        own = tail.between and self.lexicon.has("determiners", tail.between[0]) and not tail.article and not two
        if own and not all(
            self._is_light(w) or self.lexicon.has("determiners", w) or self.lexicon.ends("adjectives", w)
            for w in tail.between
        ):
            return False
        return not self._before_adjectives(tail).preposition

    def _described(self, tail: _Tail, roles: Roles) -> RelationType | None:
        """The type by the preposition before trailing adjectives of the object: "lurks behind the high"."""
        inner = self._before_adjectives(tail)
        how = inner.preposition
        return _listed(roles, how) if how and self._is_tight(inner.between) else None

    def _before_adjectives(self, tail: _Tail) -> _Tail:
        """The tail without adjectives at its end; an empty tail if it has none."""
        words = [] if tail.article else list(tail.between)
        while words and self.lexicon.ends("adjectives", words[-1]) and not self.lexicon.has("times", words[-1]):
            words.pop()
        return self._tail(words) if words and len(words) < len(tail.between) else _Tail("", [])

    def _passive(self, verb: str, tail: _Tail, *, sure: bool = True) -> RelationType | None:
        """The type of "is covered with", "is seen by". Not `sure`: "marked with" may be active or passive."""
        roles, how = self.lexicon.verbs.get(verb, {}), tail.preposition
        if self._is_embedded(tail.between):
            return None
        if not how:
            if self._has_preposition(tail.between) and not tail.article:
                own = {name.removeprefix(f"{_PASSIVE}:"): type_ for name, type_ in roles.items() if ":" in name}
                return self._described(tail, {**self.lexicon.passive, **own})
            if self.lexicon.has("dated", tail.article):
                return _WHEN
            return roles.get(_PASSIVE) if sure else None
        if self.lexicon.has("agent", how):
            turned = roles.get(_OBJECT)
            return turned.turned() if turned and turned.name not in _ONE_WAY else None
        if listed := roles.get(f"{_PASSIVE}:{how}"):
            return listed
        if led := _listed(roles, how):
            return RelationType("GOES_TO") if led.name == _RECIPIENT else (led if led.name in _PLACES else None)
        placed = (sure or (_OBJECT in roles and how != "on")) and not any(
            self.lexicon.has("manner", word) for word in tail.between
        )
        return self.lexicon.passive.get(how) if placed else None

    def _copula(self, rest: list[str]) -> RelationType | None:
        tail = self._tail(rest)
        if self._is_embedded(tail.between):
            return None
        if not tail.preposition:
            first = rest[self._skip(rest) :][:1]
            if any(self.lexicon.has("prepositions", word) or self.lexicon.ends("participles", word) for word in first):
                return self._described(tail, self.lexicon.copula)
            bare = tail.article or not self._has_preposition(tail.between)
            return self.lexicon.copula.get(_OBJECT) if bare else None
        if tail.between and (light := self.lexicon.copula.get(f"{tail.between[-1]}_{tail.preposition}")):
            return light  # "is in love with"
        if found := self._noun(tail):
            return found
        if self.lexicon.has("genitive", tail.preposition) and self._is_noun_phrase(tail.between):
            whole = RelationType("HAS", inverse=True)  # "is the house of"; but "is a man of means"
            return whole.turned() if self.lexicon.has("qualities", tail.between[-1]) else whole
        between = [word for word in tail.between if not self._agrees("adjectives", word)]
        placed = self.lexicon.copula.get(tail.preposition)
        unknown = (
            len(between) == 1
            and self.lexicon.ends("participles", between[0])
            and not self._agrees("figurative", between[0])
        )
        if unknown and tail.preposition in self.lexicon.passive:
            return self.lexicon.passive[tail.preposition]  # "was tattooed in"
        if self._is_tight(between) or (
            placed and placed.name.startswith("IS_") and self.lexicon.has("prepositions", between[0])
        ):
            return placed
        return None

    def _is_noun_phrase(self, words: Sequence[str]) -> bool:
        nouns = [word for word in words if not self.lexicon.has("adverbs", word)]
        return len(nouns) > 1 and self.lexicon.has("determiners", nouns[0]) and not self._has_preposition(nouns)

    def _apposition(self, words: list[str]) -> RelationType | None:
        """The type of a predicate without a verb: "maire de", "in"."""
        tail = self._tail(words)
        if not tail.between:
            return {**self.lexicon.copula, **self.lexicon.apposition}.get(tail.preposition)
        if not tail.preposition:
            return self._role(words[0]) if len(words) == 1 else self.lexicon.nouns.get(words[0])
        nouns = [word for word in tail.between if not self.lexicon.has("determiners", word)]
        return self._noun(_Tail(tail.preposition, nouns)) if len(nouns) == 1 else None

    def _noun(self, tail: _Tail) -> RelationType | None:
        """The type of a relational noun: "the eldest son of"."""
        words = [word for word in tail.between if not self.lexicon.has("adverbs", word)]
        if not words or not self.lexicon.has("of", tail.preposition):
            return None
        if any(self.lexicon.has("prepositions", word) for word in words[:-1]):
            return None
        return self._role(words[-1])

    def _role(self, noun: str) -> RelationType | None:
        """The type of a relational noun, by list or ending."""
        if noun in self.lexicon.nouns:
            return self.lexicon.nouns[noun]
        agent = self.lexicon.ends("agents", noun) and not self.lexicon.has("things", noun)
        return self.lexicon.nouns["*"] if agent else None

    # ---- words

    def _tail(self, rest: Sequence[str]) -> _Tail:
        words, article = list(rest), ""
        while words:
            if self.lexicon.has("determiners", words[-1]) or words[-1].endswith(("'s", "s'")):
                article = words.pop()
            elif len(words) > 1 and self.lexicon.has("genitive", words[-1]) and self.lexicon.has("amounts", words[-2]):
                del words[-2:]  # "a glass of"
            else:
                break
        if not words or not self.lexicon.has("prepositions", words[-1]):
            return _Tail("", words, article)
        preposition = words.pop()
        if self.lexicon.has("genitive", preposition) and words and self.lexicon.has("parts", words[-1]):
            inner = len(words) - 1
            while inner and self._is_of(("determiners", "parts"), words[inner - 1]):
                inner -= 1
            if inner and self.lexicon.has("prepositions", words[inner - 1]):
                return _Tail(words[inner - 1], words[: inner - 1], article)
        return _Tail(preposition, words, article)

    def _agrees(self, kind: str, word: str) -> bool:
        """Whether a kind lists a word, also without the French endings -s, -e, -es."""
        return any(self.lexicon.has(kind, word.removesuffix(ending)) for ending in ("", "s", "e", "es"))

    def _skip(self, words: Sequence[str]) -> int:
        """Index of the first word that is no adverb or pronoun."""
        return next((at for at, word in enumerate(words) if not self._is_light(word, first=at == 0)), len(words))

    def _is_light(self, word: str, *, first: bool = False) -> bool:
        return self._is_of(("adverbs", "pronouns", "reflexives"), word) or (
            self.lexicon.ends("first adverbs" if first else "adverbs", word)
            and (word, Form.FINITE) not in self.lexicon.forms
        )

    def _is_tight(self, words: Sequence[str]) -> bool:
        return all(self._is_light(word) or self.lexicon.has("particles", word) for word in words)

    def _has_preposition(self, words: Sequence[str]) -> bool:
        return any(self.lexicon.has("prepositions", word) and not self.lexicon.has("particles", word) for word in words)

    def _is_embedded(self, words: Sequence[str]) -> bool:
        """Whether the words contain another verb: "goes to fetch the"."""
        for before, word in zip(["", *words], words, strict=False):
            finite = self.lexicon.verb(word, Form.FINITE) and self.lexicon.ends("finite", word)
            if finite and not any(self.lexicon.verb(word, form) for form in (Form.INFINITIVE, Form.PARTICIPLE)):
                return True
            if self._is_of(("subordinators", "uncertain", "be", "have"), word):
                return True
            if self.lexicon.has("infinitive", before) and self.lexicon.verb(word, Form.INFINITIVE):
                return True
            if self.lexicon.has("prepositions", before) and self.lexicon.verb(word, Form.PROGRESSIVE):
                return True
            if self.lexicon.ends("infinitives", word) and not self.lexicon.has("determiners", before):
                return True
        return False

    def _is_intransitive(self, verb: str) -> bool:
        return not any(how.startswith((_OBJECT, _PASSIVE)) for how in self.lexicon.verbs[verb])

    def _is_auxiliary(self, word: str) -> bool:
        return self._is_of(("have", "be"), word)

    def _is_denied(self, words: Sequence[str]) -> bool:
        return any(self.lexicon.has("negations", word) or word.endswith("n't") for word in words)

    def _is_of(self, kinds: Sequence[str], word: str) -> bool:
        return any(self.lexicon.has(kind, word) for kind in kinds)


def _listed(roles: Roles, how: str) -> RelationType | None:
    return roles.get(how) or roles.get(f"+{how}") or roles.get(f"++{how}")

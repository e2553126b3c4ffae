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
from filigraph.graph.text.verbs.inflections import VerbForm
from filigraph.graph.text.verbs.measures import is_amount, is_time
from filigraph.graph.text.verbs.relation_lists import LANGUAGES, RelationType, Roles, lexicon, list_texts
from filigraph.graph.text.verbs.relation_words import Tail, WordKinds

VERSION = "5"  # increment if a code change gives other types for the same lists
MAX_PREDICATE_CHARS = 200  # characters; a longer text is not a predicate

_OBJECT, _CLAUSE, _PASSIVE = "object", "clause", "passive"  # link between verb and object, if no preposition
_NONE = "NONE"  # in the lists: explicitly no type
_RECIPIENT = "GIVES_TO"  # in the passive GOES_TO: "the letter is given to"
_PLACES = frozenset({"IS_IN", "IS_NEAR", "GOES_TO", "COMES_FROM"})
# No inverse in the passive, where the agent is another one: "is lit by a lamp", "was married by a priest".
_ONE_WAY = frozenset({"HANDLES", "GOES_TO", "IS_NEAR", "LEAVES", "IS_MARRIED_TO"})
_SIDE_BY_SIDE = frozenset({"HAS_ROLE_IN", "LEAVES"})  # only articles and adjectives allowed before the object
_AT_PLACES = _PLACES | {"LIVES_IN", "LEAVES"}
_AT_THINGS = _AT_PLACES | {"MEETS"}
_TWO_OBJECTS = frozenset({"GIVES", "HAS"})  # "offers the guest the wine", "bears the number 12"
_WHEN = RelationType("ON_DATE")
_BIRTH = RelationType("IS_BORN_IN")

_BESIDE_NOUNS = ("determiners", "before nouns", "after nouns")

_STOP = re.compile(r"[;!?()\"«»“”]|(?<!\d)[,:.]|[,:.](?!\d)")


def relation_type(predicate: str, object_: str, language: str) -> RelationType | None:
    """The type of a predicate with this object; None without a type, or for a language without lists."""
    if language not in LANGUAGES or len(predicate) > MAX_PREDICATE_CHARS:
        return None
    text = unicodedata.normalize("NFC", predicate).lower().replace("’", "'")
    if is_time(object_, language):
        return _Reader(lexicon(language)).read_when(text)
    relation = _read(text, language)
    reader = _Reader(lexicon(language))
    if relation and reader.begins_with_preposition(object_[:MAX_PREDICATE_CHARS].lower()):
        return None  # "is", "in black"; "pays", "in full"
    if relation and relation.name in _AT_THINGS and reader.is_abstract(object_[:MAX_PREDICATE_CHARS]):
        return None  # "lives in", "mortal terror"; "met with", "some success"
    return None if relation and relation.name in _AT_PLACES and is_amount(object_) else relation


@lru_cache(maxsize=1 << 14)
def _read(text: str, language: str) -> RelationType | None:
    return _Reader(lexicon(language)).read(text)


def lists_version() -> str:
    """A hash of code version and lists; types may differ between hashes."""
    return content_id("lists", VERSION, *list_texts().values())


@dataclass(frozen=True)
class _Reader(WordKinds):
    def read_when(self, predicate: str) -> RelationType | None:
        """The type of a predicate before a date: "was born in", "arrived on", "dated"; not "is closed until"."""
        words = self._words(predicate)
        if not words or self._is_denied(words) or any(self.lexicon.has("uncertain", word) for word in words):
            return None
        if any(self.lexicon.has("limits", word) for word in words[-3:]):
            return None
        relation = self.read(predicate)
        return relation if relation == _BIRTH else _WHEN

    def read(self, predicate: str) -> RelationType | None:
        clauses = [part for part in _STOP.split(predicate) if part.strip()]
        words = [word for part in clauses[-1:] for word in self._words(part)]
        if not words or self._is_denied(self._words(predicate)):
            return None
        if len(clauses) > 1 and len(words) == 1:
            return None  # "was a devil, says"
        words = self._without_occasions(self._last_of_several(words))
        relation = self._clause(words) or (self._apposition(words) if len(clauses) == 1 else None)
        return relation if relation and relation.name != _NONE else None

    def _without_occasions(self, words: list[str]) -> list[str]:
        """The words without "that night", "every day", except after a preposition and at either end."""
        for at in range(len(words) - 3, 0, -1):
            each_time = self.lexicon.has("each time", words[at]) and self.lexicon.has("occasions", words[at + 1])
            if each_time and not self.lexicon.has("prepositions", words[at - 1]):
                return self._without_occasions([*words[:at], *words[at + 2 :]])
        return words

    def _last_of_several(self, words: list[str]) -> list[str]:
        """The last of coordinated verbs, to which the object belongs: "arrested and searched the" -> "searched the"."""
        for at in range(len(words) - 2, 0, -1):
            if self.lexicon.has("conjunctions", words[at]):
                tail = words[at + 1 :]
                head = tail[self._skip(tail) :][:1]
                if head == words[at + 1 :] and at > 1 and self.lexicon.has("prepositions", words[at - 2]):
                    return []  # "repousse avec vigueur et adresse"
                if head and self.lexicon.verb(head[0], VerbForm.FINITE):
                    return tail
                if head and self.lexicon.verb(head[0], VerbForm.PARTICIPLE):
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
        if inner := self._clause_of_begun_verb(word, rest, reflexive):
            return self._clause(inner)
        if reflexive and any(self.lexicon.has("idiom", word) for word in words[:at]):
            return None  # "s'en tient à"
        if self._is_auxiliary(word):
            return self._after_auxiliary(word, rest, reflexive)
        if self.lexicon.has("become", word):
            return self._after_auxiliary(word, rest, reflexive=False)
        tail = self._tail(rest)
        verb, participle = self.lexicon.verb(word, VerbForm.FINITE), self.lexicon.verb(word, VerbForm.PARTICIPLE)
        if participle and self.lexicon.has("agent", tail.preposition) and not tail.between:
            return self._passive(participle, tail)
        if verb:
            relation = self._active(verb, tail, reflexive)
            both = participle and self._is_tight(tail.between)  # "marked with", "sent to"
            return (self._passive(participle, tail, sure=False) if both else None) or relation
        if participle:
            return self._passive(participle, tail, sure=not self._agrees("figurative", word))
        if progressive := self.lexicon.verb(word, VerbForm.PROGRESSIVE):
            return self._active(progressive, tail, reflexive)
        return None

    def _clause_of_begun_verb(self, word: str, rest: Sequence[str], reflexive: bool) -> list[str]:
        """The clause of a verb that is begun, continued or achieved: "begins to tell the" -> "tells the"."""
        if not rest or not self.lexicon.has("beginnings", f"{'se_' if reflexive else ''}{word}_{rest[0]}"):
            return []
        inner = list(rest[1:])
        at = self._skip(inner)
        verb = self.lexicon.verb(inner[at], VerbForm.INFINITIVE) if at < len(inner) else ""
        return [*inner[:at], verb, *inner[at + 1 :]] if verb else []

    def _after_auxiliary(self, word: str, rest: list[str], reflexive: bool) -> RelationType | None:
        at = self._skip(rest)
        main, after = (rest[at], rest[at + 1 :]) if at < len(rest) else ("", [])
        if self.lexicon.has("have", word):
            if self._is_of(("be", "become"), main):
                return self._after_auxiliary(main, after, reflexive)
            if verb := self.lexicon.verb(main, VerbForm.PARTICIPLE):
                return self._active(verb, self._tail(after), reflexive)
            if self.lexicon.ends("participles", main):
                return None
            return self._active(self.lexicon.have, self._tail(rest), reflexive)
        if verb := self.lexicon.verb(main, VerbForm.PROGRESSIVE):
            return self._active(verb, self._tail(after), reflexive)
        verb = self.lexicon.verb(main, VerbForm.PARTICIPLE)
        if reflexive and verb:
            return self._active(verb, self._tail(after), reflexive)  # "s'est assis"
        if verb not in self.lexicon.verbs or main in self.lexicon.nouns or self._agrees("adjectives", main):
            return self._copula(rest)
        if self._is_intransitive(verb):
            return self._active(verb, self._tail(after), reflexive)  # "is gone", "est parti"
        return self._passive(verb, self._tail(after), sure=not self._agrees("figurative", main))

    # ---- link to the object

    def _active(self, verb: str, tail: Tail, reflexive: bool) -> RelationType | None:
        roles = self.lexicon.verbs.get(f"se_{verb}" if reflexive else verb, {})
        how = tail.preposition
        if self._is_embedded(tail.between):
            return None if how else roles.get(_CLAUSE)
        if tail.between and (light := roles.get(f"{tail.between[-1]}_{how}")):
            return light  # "had knowledge of"
        if not how:
            relation = roles.get(_OBJECT)
            if not relation and not self.lexicon.has("indefinite", tail.article):
                relation = roles.get(f"{_OBJECT}!")  # "trahit son maître", but "trahit un pied mignon"
            relation = relation if relation and self._is_object(tail, relation) else None
            if relation and relation.name == "LEAVES" and self.lexicon.has("indefinite", tail.article):
                return None  # "leaves a mark"
            if relation and relation.name in _SIDE_BY_SIDE and self._has_preposition(tail.between):
                return None  # "ran to the house the", "left in trust the"
            if relation and relation.name == "HANDLES" and any(self.lexicon.has("such", word) for word in tail.between):
                return None  # "put down as missing the"
            return self._described(tail, roles) or relation
        if self.lexicon.has("particles", how) and not _role_of(roles, how):
            return roles.get(_OBJECT)
        tight = self._is_tight(tail.between)
        if relation := self._led(roles, how, tail.between):
            return relation
        if not self.lexicon.has("indefinite", tail.article) and (relation := self._led(roles, f"{how}!", tail.between)):
            return relation  # "speaks with Ann", but "speaks with an accent"
        return roles.get(_OBJECT) if tight and tail.article and self.lexicon.has("partitive", how) else None

    def _led(self, roles: Roles, how: str, between: Sequence[str]) -> RelationType | None:
        own = bool(between) and self.lexicon.has("determiners", between[0])  # an object of its own
        free = ("", "+", "++") if self._is_tight(between) else ("++",) if own else ("+", "++")
        return next((roles[sign + how] for sign in free if sign + how in roles), None)

    def _is_object(self, tail: Tail, relation: RelationType) -> bool:
        """Whether the object is the verb's direct object: not after "gives a party", which has one, or "hides in the
        dark", where a preposition precedes adjectives."""
        if tail.between and self.lexicon.has("genitive", tail.between[0]) and not tail.article:
            return False
        two = relation.name in _TWO_OBJECTS and not self._has_preposition(tail.between)
        own = tail.between and self.lexicon.has("determiners", tail.between[0]) and not tail.article and not two
        if own and not all(
            self._is_adverb_or_pronoun(w) or self.lexicon.has("determiners", w) or self.lexicon.ends("adjectives", w)
            for w in tail.between
        ):
            return False
        return not self._before_adjectives(tail).preposition

    def _described(self, tail: Tail, roles: Roles) -> RelationType | None:
        """The type by the preposition before trailing adjectives of the object: "lurks behind the high"."""
        inner = self._before_adjectives(tail)
        how = inner.preposition
        return _role_of(roles, how) if how and self._is_tight(inner.between) else None

    def _before_adjectives(self, tail: Tail) -> Tail:
        """The tail without adjectives at its end; an empty tail if it has none."""
        words = [] if tail.article else list(tail.between)
        while words and self.lexicon.ends("adjectives", words[-1]) and not self._is_of(("times", "things"), words[-1]):
            words.pop()
        return self._tail(words) if words and len(words) < len(tail.between) else Tail("", [])

    def _passive(self, verb: str, tail: Tail, *, sure: bool = True) -> RelationType | None:
        """The type of "is covered with", "is seen by". Not `sure`: "marked with" may be active or passive."""
        roles, how = self.lexicon.verbs.get(verb, {}), tail.preposition
        if self._is_embedded(tail.between):
            return None
        if not how:
            if self._has_preposition(tail.between) and not tail.article:
                own = {name.removeprefix(f"{_PASSIVE}:"): type_ for name, type_ in roles.items() if ":" in name}
                return self._described(tail, {**self.lexicon.passive, **own})
            return roles.get(_PASSIVE) if sure else None
        if self.lexicon.has("agent", how):
            if tail.between and self.lexicon.has("prepositions", tail.between[-1]):
                return None  # "was taken in by"
            turned = roles.get(f"{_PASSIVE}:{how}") or roles.get(_OBJECT)
            return turned.inverted() if turned and turned.name not in _ONE_WAY else None
        if listed := roles.get(f"{_PASSIVE}:{how}"):
            return listed
        if led := _role_of(roles, how):
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
            if first and self.lexicon.ends("progressives", first[0]):
                return None  # "was cross-indexing his"
            if any(self.lexicon.has("prepositions", word) or self.lexicon.ends("participles", word) for word in first):
                return self._described(tail, self.lexicon.copula)
            bare = tail.article or not self._has_preposition(tail.between)
            return self.lexicon.copula.get(_OBJECT) if bare else None
        if tail.between and (light := self.lexicon.copula.get(f"{tail.between[-1]}_{tail.preposition}")):
            return light  # "is in love with"
        if relation := self._noun(tail):
            return relation
        if self.lexicon.has("agent", tail.preposition) and self._is_noun_phrase(tail.between):
            sure = not any(self.lexicon.ends("participles", word) for word in tail.between)
            return RelationType("CREATES", inverse=True) if sure else None  # "is a song by"
        if self.lexicon.has("genitive", tail.preposition) and self._is_noun_phrase(tail.between):
            whole = RelationType("HAS", inverse=True)  # "is the house of"; but "is a man of means"
            return whole.inverted() if self.lexicon.has("qualities", tail.between[-1]) else whole
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
            role = self._role(words[0])
            if role and len(words) == 2 and self.lexicon.has("be", words[1]):
                return role.inverted()  # "son is": of the object
            role = role if len(words) == 1 else self.lexicon.nouns.get(words[0])
            return None if role and role.name == "IS_CHILD_OF" else role  # "Ann", "daughter", "Paul": whose?
        nouns = [word for word in tail.between if not self._is_of(_BESIDE_NOUNS, word)]
        return self._noun(Tail(tail.preposition, nouns)) if len(nouns) == 1 else None

    def _noun(self, tail: Tail) -> RelationType | None:
        """The type of a relational noun: "the eldest son of"."""
        words = [word for word in tail.between if not self.lexicon.has("adverbs", word)]
        if not words or not self.lexicon.has("of", tail.preposition):
            return None
        if any(self.lexicon.has("prepositions", word) for word in words[:-1]):
            return None
        while len(words) > 1 and self.lexicon.has("after nouns", words[-1]):
            words.pop()  # "le fils aîné de"
        return self._role(words[-1])

    def _role(self, noun: str) -> RelationType | None:
        """The type of a relational noun, by list or ending."""
        if noun in self.lexicon.nouns:
            return self.lexicon.nouns[noun]
        agent = self.lexicon.ends("agents", noun) and not self.lexicon.has("things", noun)
        return self.lexicon.nouns["*"] if agent else None

    def _is_intransitive(self, verb: str) -> bool:
        return not any(how.startswith((_OBJECT, _PASSIVE, "++")) for how in self.lexicon.verbs[verb])


def _role_of(roles: Roles, how: str) -> RelationType | None:
    return roles.get(how) or roles.get(f"+{how}") or roles.get(f"++{how}")

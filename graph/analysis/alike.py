"""Alike: entities that may be one though no text says so: "Captain C. Voss" and "Caradoc Voss", "account 2206" and
"compte 2206", "eight new flasks" and "huit bouteilles de mercure". Names that the rules, a person or an LLM
keep apart are not alike, nor are dates and amounts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from filigraph.graph.records.entities import AlikeNames
from filigraph.graph.text.names.pairs import canonicals_of, conflict, is_short_of
from filigraph.graph.text.names.parse import Name, parse
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.names.type_class import type_class
from filigraph.graph.text.numbers.answer_numbers import figures
from filigraph.graph.text.numbers.number_words import numbers_in_words
from filigraph.graph.text.verbs.measures import is_amount, is_time
from filigraph.graph.text.verbs.relation_lists import LANGUAGES
from filigraph.graph.text.words import tokens

BYTES_PER_ENTITY = 1500  # approximate size of an entity in memory
NEAREST_NAMES = 8  # names that are compared with each, by vector
MAX_ENTITIES_PER_RARE_WORD = 12  # entities that may share a word, at most: a more common one is not evidence
MAX_ENTITIES_PER_NAME = 4  # entities that may have one name, at most: more are many things of a kind
MAX_FORMS = 6  # of an entity
MAX_HOLDING_NAMES = 12  # entities whose names contain one name, at most: more are many things of a kind
_OF = frozenset(["of", "de", "du", "des", "d", "for", "from", "pour", "von", "zu", "del", "della", "di", "da"])
MIN_COSINE, COUNTED = 0.75, 0.5  # of names; of names that hold the same number
MIN_IDENTIFYING_NUMBER = 100  # least number that identifies something: an account, a policy
_YEARS = range(1000, 2101)


@dataclass(frozen=True, kw_only=True)
class NameRow:
    """An entity with its names."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class AlikePair:
    """Two entities that may be one."""

    first: NameRow
    other: NameRow

    def after(self, facts: int) -> AlikeNames:
        """The link as a step of a chain, after so many facts."""
        one, two = self.first, self.other
        return AlikeNames(after=facts, first_id=one.id, first=one.name, other_id=two.id, other=two.name)


class NameTable:
    """The entities of a workspace by the words of their names."""

    def __init__(self, things: Iterable[NameRow], *, apart: Iterable[tuple[str, str]] = (), revision: str = "") -> None:
        """`apart`: pairs of entities that a person or an LLM says are two."""
        self.revision = revision
        self._apart = {frozenset(pair) for pair in apart}
        self.things = {thing.id: thing for thing in things}
        self._bearing: dict[str, list[str]] = defaultdict(list)
        for thing in self.things.values():
            for word in _words(thing):
                self._bearing[word].append(thing.id)

    @property
    def size(self) -> int:
        """Bytes, about."""
        return BYTES_PER_ENTITY * len(self.things)

    def hub(self, id_: str) -> str:
        """The name of an entity if it is a place or a date, "" if not: everything happens somewhere, some day."""
        thing = self.things[id_]
        is_hub = type_class(thing.type) in ("place", "date") or not any(map(str.isalpha, thing.name))
        return thing.name if is_hub else ""

    def leads_on(self, id_: str) -> bool:
        """Whether a step in a text may lead to an entity: not to a place, a date or anything unknown."""
        return id_ in self.things and not self.hub(id_)

    def alike(
        self, ids: Sequence[str], near: Iterable[tuple[str, str, float]] = ()
    ) -> Mapping[tuple[str, str], AlikePair]:
        """The pairs of entities that may be one, one of them among `ids`, each in both orders. `near`: entities whose
        names are near each other by vector, with their cosines."""
        pairs: dict[tuple[str, str], AlikePair] = {}
        by_words = ((id_, other, 0.0) for id_ in ids for other in self._entities_sharing_word(id_))
        for id_, other, cosine in (*by_words, *near):
            if id_ == other or (id_, other) in pairs or id_ not in self.things or other not in self.things:
                continue
            one, two = self.things[id_], self.things[other]
            if frozenset((id_, other)) not in self._apart and self._may_be_one(one, two, cosine):
                pairs[id_, other] = AlikePair(first=one, other=two)
                pairs[other, id_] = AlikePair(first=two, other=one)
        return pairs

    def holding(self, ids: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """For some entities those that are named by them: "The shareholder of Tern Holdings", "key of boathouse 7".
        Persons, places and organizations have names of their own ("Norbert de Varenne")."""
        found = ((id_, self._entities_holding(id_)) for id_ in dict.fromkeys(ids) if self.leads_on(id_))
        return {id_: holding for id_, holding in found if 0 < len(holding) <= MAX_HOLDING_NAMES}

    def _entities_holding(self, id_: str) -> list[str]:
        thing = self.things[id_]
        named = [form for form in thing.aliases[:MAX_FORMS] if parse(form).proper or any(map(str.isdigit, form))]
        runs = [[word.folded for word in tokens(form)] for form in named]
        bearing = [set(self._bearing[word]) for run in runs for word in run if word not in FUNCTION_WORDS]
        return sorted(
            other
            for other in set().union(*bearing) - {id_}
            if not type_class(self.things[other].type)
            and any(_is_of(run, [word.folded for word in tokens(self.things[other].name)]) for run in runs)
        )

    def _entities_sharing_word(self, id_: str) -> Iterator[str]:
        """The entities that share a rare word of their names."""
        words = _words(self.things[id_]) if id_ in self.things else ()
        yield from dict.fromkeys(
            other
            for word in words
            if len(self._bearing[word]) <= MAX_ENTITIES_PER_RARE_WORD
            for other in self._bearing[word]
        )

    def _may_be_one(self, one: NameRow, two: NameRow, cosine: float) -> bool:
        classes = type_class(one.type), type_class(two.type)
        if (
            (all(classes) and classes[0] != classes[1])
            or "date" in classes
            or _is_measure(one.name)
            or _is_measure(two.name)
        ):
            return False
        first, other = parse(one.name), parse(two.name)
        mine, theirs = _numbers(one.name), _numbers(two.name)
        numbers = mine & theirs
        if any(number >= MIN_IDENTIFYING_NUMBER and number not in _YEARS for number in numbers):
            return True
        if (mine and theirs and not numbers) or _are_apart(one, two):
            return False
        if numbers:
            return cosine >= COUNTED or bool(_content_words(first) & _content_words(other))
        if any(_is_form_of(a, b) for a in one.aliases[:MAX_FORMS] for b in two.aliases[:MAX_FORMS]):
            return not (first.proper and other.proper) or first.core != other.core
        if first.proper or other.proper:
            return False
        words, others = (
            _content_words(first) & set(first.core[: first.head]),
            _content_words(other) & set(other.core[: other.head]),
        )
        if words and others and (words <= others or others <= words):
            alone = min(len(words), len(others)) == 1 and not (one.type and one.type == two.type)
            return not alone and self._is_rare(words & others)
        return cosine >= MIN_COSINE

    def _is_rare(self, words: Iterable[str]) -> bool:
        """Whether few entities have the rarest of some words."""
        return min(len(self._bearing[word]) for word in words) <= MAX_ENTITIES_PER_NAME


def _is_of(name: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a longer name has these words after "of"."""
    places = (at for at in range(2, len(words) - len(name) + 1) if list(words[at : at + len(name)]) == list(name))
    return any(words[at - 1] in _OF or (words[at - 1] in FUNCTION_WORDS and words[at - 2] in _OF) for at in places)


def _are_apart(one: NameRow, two: NameRow) -> bool:
    """Whether a name of the one rules out a name of the other."""
    return any(conflict(parse(a), parse(b)) for a in one.aliases[:MAX_FORMS] for b in two.aliases[:MAX_FORMS])


@lru_cache(maxsize=1 << 14)
def _numbers(name: str) -> frozenset[int]:
    """The numbers of a name, those in words as well."""
    worded = (value for language in LANGUAGES for _, _, value in numbers_in_words(name, language))
    return frozenset([*parse(name).numbers, *(value for value in worded if value > 1)])  # "un" counts nothing


def _is_form_of(name: str, other: str) -> bool:
    one, two = parse(name), parse(other)
    return not conflict(one, two) and (is_short_of(one, two) or is_short_of(two, one))


def _words(thing: NameRow) -> set[str]:
    """The words of an entity in the index: those of its names, and the given names behind diminutives."""
    words = {word.folded for form in thing.aliases[:MAX_FORMS] for word in tokens(form)} - FUNCTION_WORDS
    return words | {canonical for word in words for canonical in canonicals_of(word)}


def _content_words(name: Name) -> set[str]:
    return {word for word in name.core if word not in FUNCTION_WORDS}


@lru_cache(maxsize=1 << 14)
def _is_measure(name: str) -> bool:
    """Whether a name is a date, an hour or an amount."""
    return is_amount(name) or any(
        is_time(name, language) or any(figure.unit or figure.time or figure.dates for figure in figures(name, language))
        for language in LANGUAGES
    )

"""Cited: an extract that a step cites, with its sentences and its facts in the graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from filigraph.graph.ask.paths.steps import Step
from filigraph.graph.ask.paths.values import Values, as_value, values_in
from filigraph.graph.model.arrays import Matrix, Span, Vector
from filigraph.graph.model.retrieval import Evidence, PoolChunk, PoolFact
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.names.parse import is_proper, name_key
from filigraph.graph.text.names.tables import ADDRESS, FUNCTION_WORDS, GIVEN_NAMES
from filigraph.graph.text.negation import denies
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import Token, fold, terms, tokens

Embed = Callable[[Sequence[str]], Matrix]

NEAR_SENTENCES = 2  # sentences in which both ends have to be named
# Weights for the sentence of a step: similarity, words of the relation, words of an end, a sentence between ends.
SIMILARITY_WEIGHT, RELATION_WEIGHT, END_WEIGHT, DISTANCE_COST = 0.8, 0.6, 0.3, 0.03
MIN_DESCRIPTION_WORD_SHARE = 0.5  # of the words of a description that a sentence must have to name it
MIN_SHARED_WORD_SHARE = (
    0.5  # of the words of a relation or a predicate, the shorter one, that both must share to say the same
)
MIN_RELATION_WORD_SHARE = (
    0.6  # of the words of a relation that a sentence must have to say it without the name of an end
)
NAMED_SCORE, NAMED_IN_FULL_SCORE = 0.6, 0.9  # from which on an end counts as named, and as named by its own words
MAX_SHORT_WORD_CHARS = 3  # characters of a word with little meaning
NAME_OR_NUMBER_WEIGHT = 2.0  # weight of a lacking name or number; another word has 1
COMMON_WORD_WEIGHT, COMMON_WORD_SHARE = (
    0.2,
    0.25,
)  # weight of a word that many sentences have, and the share of them that counts as many
_ENDS_IN_INITIAL = re.compile(r"[:;,(«“]\s*[^\W\d_]\.\s*$")
_PRONOUNS = PRONOUNS - FUNCTION_WORDS
_TIMES = frozenset(("twice", "thrice", "times", "fois", "zweimal", "dreimal", "veces", "volte"))
MAX_REPEATS = 2  # further sentences of what happened several times
_WITHIN_NAME = ("", "-", "'", "’")  # between two words of one name, beside spaces


class CitedExtract:
    """An extract that a step cites, with its sentences and its facts in the graph."""

    def __init__(
        self,
        item: Evidence,
        chunk: PoolChunk | None,
        entities: Mapping[str, Sequence[str]],
        embed: Embed,
        *,
        without_own: bool,
    ) -> None:
        self._without_own = without_own
        self._embed = embed
        self._vectors: Matrix | None = None  # of the sentences, once they are asked for
        self.item, self.chunk, self._entities = item, chunk, entities
        self.language = chunk.language if chunk else ""
        self.spans = _merge_at_initials(item.text, sentences(item.text, self.language))
        self._finders = [PhraseFinder(item.text[start:end]) for start, end in self.spans]
        self._terms = [frozenset(terms(item.text[start:end], self.language)) for start, end in self.spans]
        self._times = Counter(term for sentence_terms in self._terms for term in sentence_terms)
        self._names = self._names_of()
        self._named: dict[str, list[float]] = {}  # results of `named`

    def _names_of(self) -> Mapping[str, frozenset[str]]:
        """Entity id -> the names under which this chunk's facts and mentions have it."""
        names_by_entity: dict[str, set[str]] = {}
        for entity in self.chunk.entities if self.chunk else ():
            names_by_entity.setdefault(entity.entity_id, set()).add(entity.name)
        for fact in self.chunk.facts if self.chunk else ():
            names_by_entity.setdefault(fact.subject_id, set()).add(fact.subject)
            names_by_entity.setdefault(fact.object_id, set()).add(fact.object)
        return {id_: frozenset(names) for id_, names in names_by_entity.items()}

    def entity(self, end: str) -> str:
        """The id of the entity that this chunk means by a name; "" if there is none, or more than one."""
        here = [id_ for id_ in self._entities.get(name_key(end), ()) if id_ in self._names]
        if here:
            return here[0]
        words = self._words(end)
        alike = [id_ for id_, names in self._names.items() if any(self._words(name) == words for name in names)]
        alike = alike or [
            id_ for id_, names in self._names.items() if any(self._is_form_of(end, name) for name in names)
        ]
        return alike[0] if len(alike) == 1 else ""

    def _is_form_of(self, end: str, name: str) -> bool:
        """Whether an end is a shorter or longer form of a name, or a description that the name extends."""
        words, others = self._words(end), self._words(name)
        return is_proper(name) and is_within(words, others) if is_proper(end) else bool(words) and words <= others

    def naming_scores(self, end: str) -> Sequence[float]:
        """For each sentence, how surely it names an end: 1 word by word, less by another name of it, by the same hour
        or amount in other words, or by most of its words; 0 if it does not."""
        if end not in self._named:
            proper, words, value = is_proper(end), self._words(end), as_value(end)
            others = [name for name in self._names.get(self.entity(end), ()) if is_proper(name) or not proper]
            capitalized = _capitalized(end)
            own = frozenset(terms(" ".join(capitalized), self.language)) if proper else frozenset()

            def score_of(place: int) -> float:
                finder, sentence_words = self._finders[place], self._terms[place]
                if finder.find(end):
                    return 1.0
                if words and words <= sentence_words:
                    return 0.9
                if any(map(finder.find, others)) or (value and value <= values_in(self.text(place))):
                    return 0.8
                if proper:
                    return 0.6 if own & sentence_words and not _of_another(self.text(place), end, capitalized) else 0.0
                share = len(words & sentence_words) / len(words) if words else 0.0
                return 0.7 * share if share >= MIN_DESCRIPTION_WORD_SHARE else 0.0

            self._named[end] = list(map(score_of, range(len(self.spans))))
        return self._named[end]

    def relation_share(self, relation: str, sentence: int) -> float:
        """Share of the words of a relation that a sentence has."""
        words = self._words(relation)
        return len(words & self._terms[sentence]) / len(words) if words else 0.0

    def says_relation(self, relation: str, sentence: int) -> bool:
        """Whether a sentence has a word of a relation that is not a number, or a number of a relation that has nothing
        else: a price does not say that something was sold."""
        words = self._words(" ".join(token.text for token in tokens(relation) if not any(map(str.isdigit, token.text))))
        return not words.isdisjoint(self._terms[sentence]) if words else self.relation_share(relation, sentence) > 0.0

    def _words(self, text: str) -> frozenset[str]:
        """The index terms of the words with a meaning of their own; of all words if none has one."""
        telling = " ".join(token.text for token in tokens(text) if token.folded not in FUNCTION_WORDS)
        return frozenset(terms(telling, self.language)) or frozenset(terms(text, self.language))

    def fact(self, step: Step) -> PoolFact | None:
        """The fact of this chunk that says the step: between its ends, by a word of its relation."""
        subject, object_ = self.entity(step.subject), self.entity(step.object)
        if self.chunk is None or not subject or not object_ or subject == object_:
            return None
        between = [fact for fact in self.chunk.facts if {fact.subject_id, fact.object_id} == {subject, object_}]
        candidates = [
            (relation_score, fact)
            for fact in between
            if fact.origin != "cooccurrence" and not (self._without_own and fact.origin == "own")
            if (relation_score := self._same_relation(step.relation, fact))
        ]
        best = max(candidates, key=lambda one: (one[0], one[1].subject_id == subject), default=None)
        return best[1] if best and best[1].subject_id == subject else None

    def _same_relation(self, relation: str, fact: PoolFact) -> float:
        """The share of words that a relation and a fact's predicate have in common; 0.0 if they are less than
        MIN_SHARED_WORD_SHARE of the shorter one, if both have numbers or names but none in common, or if one denies the
        other."""
        words, others = self._words(relation), self._words(fact.predicate)
        common = len(words & others)
        if common < MIN_SHARED_WORD_SHARE * min(len(words), len(others)) or fact.denied != denies(
            relation, self.language
        ):
            return 0.0
        specific_terms, other_terms = self._specific_terms(relation), self._specific_terms(fact.predicate)
        if specific_terms and other_terms and specific_terms.isdisjoint(other_terms):
            return 0.0
        return common / len(words | others)

    def _specific_terms(self, relation: str) -> frozenset[str]:
        """The numbers and names in a relation: they distinguish the payment of 1901 from that of 1905."""
        words = [token.text for n, token in enumerate(tokens(relation)) if _is_specific(token.text, first=not n)]
        return frozenset(terms(" ".join(words), self.language))

    def window(self, step: Step) -> tuple[int, int] | None:
        """The first and the last of neighbouring sentences that together name both ends: of several the best by how
        surely they name them, by words of the relation, and by being few. None if there are none."""
        windows: list[tuple[float, int, int]] = []
        subject, object_ = self.naming_scores(step.subject), self.naming_scores(step.object)
        for first in range(len(self.spans)):
            for last in range(first, min(first + NEAR_SENTENCES, len(self.spans))):
                sure = max(subject[first : last + 1]), max(object_[first : last + 1])
                if min(sure) > 0.0 and not (step.is_identity and self._confuses(step, range(first, last + 1))):
                    relation_score = max(self.relation_share(step.relation, n) for n in range(first, last + 1))
                    windows.append((sum(sure) + relation_score - 0.3 * (last - first), -first, -last))
        best = max(windows, default=None)
        return (-best[1], -best[2]) if best else None

    def _confuses(self, step: Step, places: Collection[int]) -> bool:
        """Whether some sentences have the words of one end only as far as the other end has them, too: "a black book"
        is not a sentence about "a black parcel"."""
        words, others = self._words(step.subject), self._words(step.object)
        known = frozenset[str]().union(*(self._terms[n] for n in places))
        return any(own and own.isdisjoint(known) for own in (words - others, others - words))

    def best_sentence(self, step: Step) -> tuple[int, frozenset[int]] | None:
        """The sentence that says the step best, and the sentences with the ends that it does not name. None if no
        sentence says it.

        An end that no sentence names may be a pronoun in a sentence with the relation ("We cleared port").
        """
        ends = self.naming_scores(step.subject), self.naming_scores(step.object)
        alike = self._alike(step)
        names = frozenset[str]().union(*(self._words(end) for end in (step.subject, step.object) if is_proper(end)))
        best: tuple[float, int, frozenset[int]] | None = None
        for n in range(len(self.spans)):
            named, relation_score = max(sure[n] for sure in ends), self.relation_share(step.relation, n)
            is_stated = relation_score >= MIN_RELATION_WORD_SHARE and len(self._words(step.relation)) > 1
            if self._terms[n] <= names and not is_stated:  # a heading or a signature says nothing of them
                continue
            further: set[int] = set()
            for end, sure in zip((step.subject, step.object), ends, strict=True):
                place = None if sure[n] else _nearest(n, sure)
                if place is not None:
                    further.add(place)
                elif not sure[n] and not (is_stated and self._may_be_meant(end, n)):
                    break
            else:
                if not named and not is_stated:
                    continue
                how = (
                    SIMILARITY_WEIGHT * alike[n]
                    + RELATION_WEIGHT * relation_score
                    + END_WEIGHT * sum(sure[n] for sure in ends)
                )
                score = how - DISTANCE_COST * sum(abs(n - place) for place in further)
                if best is None or score > best[0]:
                    best = score, n, frozenset(further)
        return best[1:] if best else None

    def most_alike(self, step: Step) -> int:
        """The sentence most similar to a step, by its vector."""
        return int(np.argmax(self._alike(step)))

    def text(self, sentence: int) -> str:
        return self.item.text[slice(*self.spans[sentence])]

    def vector(self, sentence: int) -> Vector:
        row: Vector = self._sentence_vectors()[sentence]
        return row

    def terms(self, sentence: int) -> frozenset[str]:
        return self._terms[sentence]

    def names(self, end: str, places: Collection[int], surely: float = NAMED_SCORE) -> bool:
        """Whether one of some sentences names an end."""
        sure = self.naming_scores(end)
        return any(sure[n] >= surely for n in places)

    def sentences_naming(self, end: str, surely: float = 0.0) -> list[int]:
        """The sentences that name an end most surely; none where that is less than `surely`."""
        sure = self.naming_scores(end)
        most = max(sure, default=0.0)
        return [n for n, how in enumerate(sure) if how == most] if most > 0.0 and most >= surely else []

    def names_separately(self, end: str, other: str, sentence: int) -> bool:
        """Whether a sentence has two ends word by word, neither within the other's words."""
        finder = self._finders[sentence]
        ones, others = finder.find(end), finder.find(other)
        return any(one[1] <= two[0] or two[1] <= one[0] for one in ones for two in others)

    def missing_terms(self, step: Step, places: Collection[int]) -> Mapping[str, float]:
        """The terms of a step that some sentences lack, and the weight of each. For an end that they name by another
        name, only its numbers; none for an hour or amount in other words."""
        known = frozenset[str]().union(*(self._terms[n] for n in places))
        lacking: dict[str, float] = {}
        for part in (step.subject, step.relation, step.object):
            named = part != step.relation and self.names(part, places)
            if named and as_value(part):
                continue
            for token in tokens(part):
                if token.folded in FUNCTION_WORDS or token.folded in ADDRESS:
                    continue
                number = any(map(str.isdigit, token.text))
                worth = (
                    NAME_OR_NUMBER_WEIGHT
                    if number or token.text[:1].isupper()
                    else 1.0
                    if len(token.text) > MAX_SHORT_WORD_CHARS
                    else COMMON_WORD_WEIGHT
                )
                if named and not number:
                    continue
                for term in frozenset(terms(token.text, self.language)) - known:
                    lacking[term] = max(lacking.get(term, 0.0), worth if self._rare(term) else COMMON_WORD_WEIGHT)
        return lacking

    def missing_values(self, step: Step, places: Collection[int]) -> Values:
        """The hours, days and amounts of a step that some sentences lack."""
        known = frozenset[Hashable]().union(*(values_in(self.text(n)) for n in places))
        return frozenset().union(*map(values_in, (step.subject, step.relation, step.object))) - known

    def repeats(self, step: Step, places: Collection[int]) -> list[int]:
        """Sentences, beside some, with words of both ends of a step that happened several times."""
        if not any(token.folded in _TIMES for token in tokens(step.relation)):
            return []
        ends = [self._words(end) for end in (step.subject, step.object)]
        further = [n for n in range(len(self.spans)) if n not in places and all(end & self._terms[n] for end in ends)]
        return further[:MAX_REPEATS]

    def _rare(self, term: str) -> bool:
        return self._times[term] <= max(2.0, COMMON_WORD_SHARE * len(self.spans))

    def _alike(self, step: Step) -> Sequence[float]:
        """The similarity of each sentence to a step and to its relation, by cosine: 0 for the least, 1 for the most.
        Names make up most of a step's vector, so a meaningful relation has a vector of its own."""
        texts = [f"{step.subject} {step.relation} {step.object}"]
        if len(self._words(step.relation)) > 1:
            texts.append(step.relation)
        if not self.spans:
            return []
        cosines = self._sentence_vectors() @ self._embed(texts).T
        least, most = cosines.min(axis=0), cosines.max(axis=0)
        alike = ((cosines - least) / np.maximum(most - least, 1e-6)).mean(axis=1)
        return [float(likeness) for likeness in alike]

    def _sentence_vectors(self) -> Matrix:
        if self._vectors is None:
            self._vectors = self._embed([self.item.text[start:end] for start, end in self.spans])
        return self._vectors

    def _may_be_meant(self, end: str, sentence: int) -> bool:
        """Whether a pronoun of a sentence may stand for an end, unless that is an hour or amount; or the title names
        it."""
        return self._in_title(end) or (self._has_pronoun(sentence) and not as_value(end))

    def _in_title(self, end: str) -> bool:
        words = frozenset(terms(" ".join(_capitalized(end)), self.language)) if is_proper(end) else self._words(end)
        return bool(words) and words <= frozenset(terms(f"{self.item.title} {self.item.source}", self.language))

    def _has_pronoun(self, sentence: int) -> bool:
        return any(word.folded in _PRONOUNS for word in tokens(self.item.text[slice(*self.spans[sentence])]))

    def says_of(self, lacking: Collection[str], text: str) -> bool:
        """Whether a text has one of the lacking terms."""
        return not frozenset(lacking).isdisjoint(terms(text, self.language))

    def span(self, first: int, last: int) -> Span:
        return self.spans[first][0], self.spans[last][1]


def _nearest(sentence: int, sure: Sequence[float]) -> int | None:
    """The sentence before, or else after, that names an end."""
    return nearest([n for n, how in enumerate(sure) if how > 0], sentence)


def nearest(named: Sequence[int], sentence: int) -> int | None:
    """The last of some sentences before one, or else the first after it."""
    before = [n for n in named if n < sentence]
    return before[-1] if before else named[0] if named else None


def is_within(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether all words of one are among those of the other."""
    return bool(one and other) and (one <= other or other <= one)


def _is_specific(word: str, *, first: bool) -> bool:
    return any(map(str.isdigit, word)) or (word[:1].isupper() and not first)


def _of_another(text: str, end: str, capitalized: Sequence[str]) -> bool:
    """Whether a text has words of an end only in the name of another: its surname after another given name ("Guy
    Hartnell" for Julian Hartnell), or, without its last word, a word that goes on otherwise ("Port Louis" for Port
    Amaury)."""
    surname, words = fold(capitalized[-1]), {token.folded for token in tokens(end)}
    if len(words) == 1:
        return False
    run = tokens(text)
    before = [run[n - 1].folded if n else "" for n, token in enumerate(run) if token.folded == surname]
    if before:
        return all(word in GIVEN_NAMES and word not in words and word[:1] not in words for word in before)
    others = {fold(word) for word in capitalized}.difference(GIVEN_NAMES)  # "Hans gab Anna Gold": a German noun
    shared = [n for n, token in enumerate(run) if token.folded in others]
    return bool(shared) and all(_continues_differently(text, run[n:], words) for n in shared)


def _continues_differently(text: str, run: Sequence[Token], words: Collection[str]) -> bool:
    """Whether the name that begins a run goes on with a word that is not one of `words` ("Banque de France")."""
    for word, following in pairwise(run):
        if text[word.end : following.start].strip() not in _WITHIN_NAME:
            return False
        if following.text[:1].isupper() or following.folded not in FUNCTION_WORDS:
            return following.text[:1].isupper() and following.folded not in words
    return False


def _merge_at_initials(text: str, spans: Sequence[Span]) -> list[Span]:
    """Sentences, joined where one ends with the initial of a name: "a tape: I. GARROW" is one."""
    whole: list[Span] = []
    for start, end in spans:
        if whole and _ENDS_IN_INITIAL.search(text[whole[-1][0] : whole[-1][1]]) and text[start : start + 1].isupper():
            whole[-1] = (whole[-1][0], end)
        else:
            whole.append((start, end))
    return whole


def _capitalized(name: str) -> list[str]:
    """The words of a name that are written like names, without forms of address and articles ("La Griffe")."""
    written = [word for word in tokens(name) if word.text[:1].isupper() or word.text[:1].isdigit()]
    return [word.text for word in written if word.folded not in ADDRESS and word.folded not in FUNCTION_WORDS] or [name]

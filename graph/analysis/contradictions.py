"""Contradictions: statements of different voices about the same things that cannot both be true, as candidates for a
person.

Statements are compared in pairs, each with its sentence and its voice: who asserts it in the text, else the author of
its document, else the document. A pair is a candidate if it

    denial  asserts and denies, while two of the three agree: subject, object, a word of the predicate; without that
            word, both ends are the same and not only alike
    number  gives different amounts, while two of the three agree; so for `time` (of the day) and `date`
    place   puts one thing in two places at one time
    object  gives one thing two values where only one is possible, such as a place of birth

The similarity of two statements is the cosine of their vectors, after subtracting the mean of all statements of the
workspace. No rule distinguishes a joke, an estimate or a change from a contradiction: they "may disagree".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.llm_readings import PairVerdict
from filigraph.graph.records.facts import Statement
from filigraph.graph.tables.adjacency import Bools, Ints
from filigraph.graph.text.names.pairs import conflict, is_short_of
from filigraph.graph.text.names.parse import Name, name_key, parse
from filigraph.graph.text.names.type_class import type_class
from filigraph.graph.text.numbers.answer_numbers import figures
from filigraph.graph.text.numbers.quantities import quantities
from filigraph.graph.text.time.dates import dates_in
from filigraph.graph.text.time.hours import hours_in, minutes_apart
from filigraph.graph.text.verbs.relation_types import relation_type
from filigraph.graph.text.words import terms

Kind = Literal["denial", "number", "time", "date", "place", "object", "read"]  # read: found by an LLM alone

SHARED_END_BONUS = 0.1  # added to the cosine for each end of the one that is an end of the other
MIN_SCORE: Mapping[Kind, float] = {"denial": 0.4, "number": 0.5, "time": 0.5, "date": 0.5}
MIN_MINUTES_APART = 10  # minutes: less is a clock's error, or rounded
ISO_DAY_CHARS = len("1912-03-12")
MAX_CANDIDATES_PER_SENTENCE = 2  # most candidates of one sentence, the likeliest
MAX_COMPARED_ENTITIES = 3000  # entities whose names are compared with all others
BATCH_ROWS = 256  # statements that are compared with all others at once
_SAY_LITTLE = frozenset(  # terms of predicates: denials, auxiliaries, first words of objects
    [
        "not",
        "never",
        "no",
        "none",
        "ever",
        "are",
        "was",
        "were",
        "be",
        "been",
        "has",
        "have",
        "had",
        "do",
        "doe",
        "did",
        "would",
        "could",
        "will",
        "must",
        "of",
        "in",
        "on",
        "at",
        "to",
        "by",
        "for",
        "with",
        "from",
        "that",
        "the",
        "a",
        "an",
        "n",
        "ne",
        "pas",
        "jamais",
        "plus",
        "est",
        "sont",
        "etait",
        "a",
        "ont",
        "avait",
        "ete",
        "fut",
        "etre",
        "avoir",
        "de",
        "du",
        "des",
        "la",
        "le",
        "les",
        "en",
        "au",
        "aux",
        "sur",
        "par",
        "pour",
        "qui",
        "que",
        "dans",
        "se",
        "s",
    ]
)
_FUNCTIONAL_RELATIONS = frozenset({"IS_BORN_IN"})  # relations with one object for each subject


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """Two statements that may disagree."""

    kind: Kind
    first: Statement
    other: Statement
    score: float
    verdict: PairVerdict | Literal[""] = ""  # of an LLM; "": none judged it
    what: str = ""  # the LLM's words: the difference, or why they do not contradict each other
    model: str = ""  # that LLM
    entity_ids: frozenset[str] = frozenset()  # named by the sentences, if an LLM found the pair

    def is_about(self, entity_id: str) -> bool:
        """Whether one of the two is about an entity."""
        return entity_id in self.entity_ids or any(
            entity_id in (one.subject_id, one.object_id) for one in (self.first, self.other)
        )


def find_contradictions(
    statements: Sequence[Statement], vectors: Matrix, alike: Mapping[tuple[str, str], object]
) -> list[Contradiction]:
    """The pairs of statements that may disagree, the likeliest first. `vectors`: (n, d) of the statements; `alike`:
    pairs of entities that may be one."""
    if len(statements) < 2:
        return []
    table = _Table(statements, vectors, alike)
    candidates = [*table.denials(), *table.values(), *table.two_values(), *table.places()]
    return _likeliest(candidates)


def compared_ends(statements: Sequence[Statement]) -> list[str]:
    """The entities whose names are compared with all others: those with a denial or with figures."""
    ends = {id_ for one in statements for id_ in (one.subject_id, one.object_id) if one.denied or _has_figure(one)}
    return sorted(ends)[:MAX_COMPARED_ENTITIES]


def _has_figure(one: Statement) -> bool:
    return any(map(str.isdigit, f"{one.predicate} {one.object}"))


class _Table:
    """n statements, laid out to be compared."""

    def __init__(
        self, statements: Sequence[Statement], vectors: Matrix, alike: Mapping[tuple[str, str], object]
    ) -> None:
        self._statements, self._alike = statements, alike
        centred = vectors - vectors.mean(axis=0)
        self._vectors = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
        number: dict[str, int] = {}
        for id_ in (end for one in statements for end in (one.subject_id, one.object_id)):
            number.setdefault(id_, len(number))
        self._ends: Ints = np.array([[number[one.subject_id], number[one.object_id]] for one in statements])
        self._voices = _voices([one.voice for one in statements])

    def denials(self) -> Iterator[Contradiction]:
        denied = np.array([one.denied for one in self._statements])
        for one, other, score in self._similar_pairs(
            np.flatnonzero(denied), np.flatnonzero(~denied), MIN_SCORE["denial"]
        ):
            same_ends = bool((self._ends[one] == self._ends[other]).all())
            if same_ends or (self._shares_word(one, other) and self._count_shared_parts(one, other) >= 2):
                yield self._pair("denial", one, other, score)

    def values(self) -> Iterator[Contradiction]:
        """The statements with figures whose figures of one kind differ."""
        rows = np.array([n for n, amounts in enumerate(self._figures) if amounts], dtype=np.intp)
        for one, other, score in self._similar_pairs(
            rows, rows, min(MIN_SCORE["number"], MIN_SCORE["time"], MIN_SCORE["date"])
        ):
            kind = _differing_kind(self._figures[one], self._figures[other])
            if one < other and kind and score >= MIN_SCORE[kind] and self._count_shared_parts(one, other) >= 2:
                yield self._pair(kind, one, other, score)

    def two_values(self) -> Iterator[Contradiction]:
        """One thing with two values where only one is possible."""
        groups: dict[tuple[str, str, bool], list[int]] = defaultdict(list)
        for n, statement in enumerate(self._statements):
            relation = relation_type(statement.predicate, statement.object, statement.language)
            if relation and relation.name in _FUNCTIONAL_RELATIONS and not statement.denied:
                groups[statement.subject_id, relation.name, bool(self._figures[n])].append(n)
        for rows in groups.values():
            for one, other in _pairs(rows):
                ends = self._statements[one], self._statements[other]
                if self._voices[one] != self._voices[other] and not self._agree(*ends):
                    yield self._pair("object", one, other, 1.0)

    def places(self) -> Iterator[Contradiction]:
        """One thing in two places at one time."""
        groups: dict[tuple[str, str], list[int]] = defaultdict(list)
        for n, statement in enumerate(self._statements):
            if (
                len(statement.when_date) == ISO_DAY_CHARS
                and type_class(statement.object_type) == "place"
                and not statement.denied
            ):
                groups[statement.subject_id, statement.when_date].append(n)
        for rows in groups.values():
            for one, other in _pairs(rows):
                ends = self._statements[one], self._statements[other]
                hours = _differing_kind(*(_values_of(end.when, end.language) for end in ends))
                if self._voices[one] != self._voices[other] and not hours and not self._agree(*ends):
                    yield self._pair("place", one, other, 1.0)

    def _agree(self, one: Statement, other: Statement) -> bool:
        """Whether their objects may be one."""
        return (
            one.object_id == other.object_id
            or (one.object_id, other.object_id) in self._alike
            or (bool(set(parse(one.object).core) & set(parse(other.object).core)))
        )

    def _count_shared_parts(self, one: int, other: int) -> int:
        """How many of subject, predicate and object the two share: similar ends, a word of the predicate."""
        a, b = self._statements[one], self._statements[other]
        ends = (a.subject_id, b.subject_id), (a.object_id, b.object_id)
        return sum(x == y or (x, y) in self._alike for x, y in ends) + self._shares_word(one, other)

    def _shares_word(self, one: int, other: int) -> bool:
        """Whether a word of the two predicates is the same."""
        a, b = (self._statements[n] for n in (one, other))
        words, others = (set(terms(end.predicate, end.language)) - _SAY_LITTLE for end in (a, b))
        return bool(words & others)

    def _similar_pairs(self, rows: Ints, others: Ints, least: float) -> Iterator[tuple[int, int, float]]:
        """Pairs of `rows` and `others` by different voices that are alike enough."""
        for start in range(0, len(rows), BATCH_ROWS):
            block = rows[start : start + BATCH_ROWS]
            score = self._vectors[block] @ self._vectors[others].T
            shared = self._ends[block][:, None, :, None] == self._ends[others][None, :, None, :]
            score = score + SHARED_END_BONUS * shared.any(axis=3).sum(axis=2)
            apart: Bools = self._voices[block][:, None] != self._voices[others][None, :]
            for at, beside in zip(*np.nonzero(apart & (score >= least)), strict=True):
                yield int(block[at]), int(others[beside]), float(score[at, beside])

    @cached_property
    def _figures(self) -> list[StatementValues]:
        return [_values_of(f"{one.predicate} {one.object}", one.language) for one in self._statements]

    def _pair(self, kind: Kind, one: int, other: int, score: float) -> Contradiction:
        first, second = sorted((self._statements[one], self._statements[other]), key=lambda end: (end.date, end.source))
        return Contradiction(kind=kind, first=first, other=second, score=round(score, 3))


def _voices(names: Sequence[str]) -> npt.NDArray[np.intp]:
    """A number for each voice; a name and its short form ("Malgorn", "H. Malgorn", "Hervé Malgorn") have the
    same number."""
    parsed = {name_key(name): parse(name) for name in names}
    number: dict[str, int] = {}
    for key in sorted(parsed, key=lambda key: (-len(key.split()), -len(key), key)):
        longer = [other for other in number if _is_one_voice(parsed[key], parsed[other])]
        number[key] = number[longer[0]] if len({number[other] for other in longer}) == 1 else len(number)
    return np.array([number[name_key(name)] for name in names], dtype=np.intp)


def _is_one_voice(short: Name, long: Name) -> bool:
    ends = short.core == long.core[: len(short.core)] or short.core == long.core[-len(short.core) :]
    return not conflict(short, long) and (ends or is_short_of(short, long))


def _differing_kind(mine: StatementValues, theirs: StatementValues) -> Kind | Literal[""]:
    """The kind of value in which the two differ; "" if there is none."""
    if mine.hours and theirs.hours:
        return "time" if minutes_apart(mine.hours, theirs.hours) >= MIN_MINUTES_APART else ""
    if mine.days and theirs.days:
        agree = any(a.startswith(b) or b.startswith(a) for a in mine.days for b in theirs.days)
        return "" if agree else "date"
    units = {unit for unit, _ in mine.numbers} & {unit for unit, _ in theirs.numbers}
    return "number" if units and not mine.numbers & theirs.numbers else ""


@dataclass(frozen=True, slots=True)
class StatementValues:
    """The hours, days and numbers of a text."""

    hours: tuple[int, ...]
    days: frozenset[str]  # ISO 8601, some of a month or a year
    numbers: frozenset[tuple[str, Decimal]]  # each with its unit; numbers without a unit are not comparable

    def __bool__(self) -> bool:
        return bool(self.hours or self.days or self.numbers)


def _values_of(text: str, language: str) -> StatementValues:
    hours = tuple(hours_in(text, language))
    numbers = {(one.unit, value) for one in figures(text, language) if one.unit for value in one.values}
    numbers |= {(one.unit, one.value) for one in quantities(text, language) if one.kind == "measure"}
    return StatementValues(hours, frozenset(dates_in(text, language)), frozenset(numbers))


def _pairs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((one, other) for at, one in enumerate(rows) for other in rows[at + 1 :])


def _likeliest(candidates: Sequence[Contradiction]) -> list[Contradiction]:
    """The likeliest first, each pair of sentences once, a sentence in MAX_CANDIDATES_PER_SENTENCE pairs."""
    known: set[frozenset[tuple[str, str]]] = set()
    times: dict[tuple[str, str], int] = defaultdict(int)
    best = []
    for one in sorted(candidates, key=lambda one: (-one.score, one.first.sentence, one.other.sentence, one.kind)):
        ends = [(end.document_id, end.sentence) for end in (one.first, one.other)]
        if (
            frozenset(ends) in known
            or len(set(ends)) < 2
            or any(times[end] >= MAX_CANDIDATES_PER_SENTENCE for end in ends)
        ):
            continue
        known.add(frozenset(ends))
        for end in ends:
            times[end] += 1
        best.append(one)
    return best

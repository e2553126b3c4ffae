"""Matters: contradictions about one question of fact as one entry, the two statements that speak most directly against
each other first.

Pairs are of one matter if an LLM says so, or if they share a sentence and an LLM calls both contradictions. Two matters
that an LLM separated in one reply stay apart, whatever they share, unless a check joined them. A pair that only rules
found stays alone: of numbers, many pairs share a sentence, and each is another value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.records.facts import Statement

Sentence = tuple[str, str]  # of a document, in words
Ends = frozenset[Sentence]  # two sentences


@dataclass(frozen=True, kw_only=True)
class NamedMatter:
    """A matter as one reply of an LLM has it."""

    reply: str  # its key
    checked: bool  # the reply looked at all matters again
    about: str
    ends: tuple[Ends, ...]  # of its pairs, the most direct first


@dataclass(frozen=True, kw_only=True)
class MatterStatement:
    """A statement, and with whom it goes."""

    statement: Statement
    side: int  # 1: as the first; 2: against it; 3 and more: against both


@dataclass(frozen=True)
class Matter:
    """What several voices say of one thing, and cannot all be true."""

    about: str  # in one line, as an LLM says it; "" where none did
    pairs: tuple[Contradiction, ...]  # the most direct first
    further: int = 0  # how many of the last pairs are not what was looked for

    @property
    def lead(self) -> Contradiction:
        return self.pairs[0]

    @cached_property
    def statements(self) -> tuple[MatterStatement, ...]:
        """Each sentence once: the two of the first pair, then the others, those of one side together."""
        sides: dict[Sentence, int] = {}
        whose: dict[Sentence, Statement] = {}
        against: dict[Sentence, list[Sentence]] = defaultdict(list)
        for pair in self.pairs:
            for said, opposite in ((pair.first, pair.other), (pair.other, pair.first)):
                whose.setdefault(sentence_of(said), said)
                against[sentence_of(said)].append(sentence_of(opposite))
        for sentence in _from_first(against):
            taken = {sides[opposite] for opposite in against[sentence] if opposite in sides}
            sides[sentence] = min(set(range(1, len(taken) + 2)) - taken)
        first, other, *further = whose
        ordered = [first, other, *sorted(further, key=lambda sentence: sides[sentence])]
        return tuple(MatterStatement(statement=whose[sentence], side=sides[sentence]) for sentence in ordered)

    def place_of(self, statement: Statement) -> int:
        """Which of `statements` it is."""
        wanted = sentence_of(statement)
        return next(n for n, said in enumerate(self.statements) if sentence_of(said.statement) == wanted)

    def focused_on(self, wanted: Callable[[Contradiction], bool]) -> Matter | None:
        """The matter, first with the pairs that are wanted; None if there are none."""
        first = tuple(pair for pair in self.pairs if wanted(pair))
        others = tuple(pair for pair in self.pairs if not wanted(pair))
        return Matter(self.about, (*first, *others), further=len(others)) if first else None

    @cached_property
    def looked_for(self) -> Set[Sentence]:
        """The sentences of the pairs that are what was looked for."""
        wanted = self.pairs[: len(self.pairs) - self.further]
        return {sentence for pair in wanted for sentence in ends_of(pair)}


def _from_first(against: Mapping[Sentence, Sequence[Sentence]]) -> list[Sentence]:
    """Each sentence after one that it stands against, as far as there is one."""
    found: dict[Sentence, None] = {}
    for start in against:
        waiting = [start]
        while waiting:
            said = waiting.pop(0)
            if said not in found:
                found[said] = None
                waiting.extend(against[said])
    return list(found)


def sentence_of(statement: Statement) -> Sentence:
    return statement.document_id, " ".join(statement.sentence.split())


def ends_of(one: Contradiction) -> Ends:
    return frozenset((sentence_of(one.first), sentence_of(one.other)))


def matters_of(contradictions: Sequence[Contradiction], named: Sequence[NamedMatter] = ()) -> list[Matter]:
    """The matters of contradictions, in the order of the best pair of each. `contradictions`: the best first, each pair
    of sentences once."""
    groups = _Groups([one for one in contradictions if len(ends_of(one)) == 2], named)  # not words said twice
    for matter in sorted(named, key=lambda one: not one.checked):
        groups.join_named(matter)
    groups.join_sentences()
    return groups.matters()


class _Groups:
    """Pairs, joined to matters step by step. A pair is known by its number."""

    def __init__(self, contradictions: Sequence[Contradiction], named: Sequence[NamedMatter]) -> None:
        self._pairs, self._named = contradictions, named
        self._number = {ends_of(one): n for n, one in enumerate(contradictions)}
        self._group = list(range(len(contradictions)))
        self._members = {n: [n] for n in self._group}
        self._replies: dict[int, dict[str, set[str]]] = {n: defaultdict(set) for n in self._group}  # reply -> matters
        checked = {n for matter in named if matter.checked for n in self._of(matter)}
        for matter in named:
            for n in self._of(matter):
                if matter.checked or n not in checked:
                    self._replies[n][matter.reply].add(matter.about)

    def _of(self, matter: NamedMatter) -> list[int]:
        return [self._number[ends] for ends in matter.ends if ends in self._number]

    def join_named(self, matter: NamedMatter) -> None:
        first, *others = self._of(matter) or [0]
        for n in others:
            self._join(first, n)

    def join_sentences(self) -> None:
        holding: dict[Sentence, int] = {}
        for n, one in enumerate(self._pairs):
            if one.verdict == "contradiction":
                for sentence in sorted(ends_of(one)):
                    self._join(holding.setdefault(sentence, n), n)

    def _join(self, one: int, other: int) -> None:
        """Nothing where a reply told the two apart."""
        into, gone = self._group[one], self._group[other]
        mine, theirs = self._replies[into], self._replies[gone]
        if into == gone or any(mine[reply] != theirs[reply] for reply in mine.keys() & theirs.keys()):
            return
        for reply, abouts in self._replies.pop(gone).items():
            mine[reply] |= abouts
        for n in self._members.pop(gone):
            self._members[into].append(n)
            self._group[n] = into

    def matters(self) -> list[Matter]:
        leads: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))  # place where checked, times first
        abouts: dict[int, str] = {}
        for matter in sorted(self._named, key=lambda one: not one.checked):
            for place, n in enumerate(self._of(matter)):
                at, times = leads[n]
                leads[n] = (place - len(self._pairs) if matter.checked else at, times + (place == 0))
                abouts.setdefault(n, matter.about)
        sorted_matters = []
        for members in self._members.values():
            degree: dict[Sentence, int] = defaultdict(int)
            for n in members:
                for sentence in ends_of(self._pairs[n]):
                    degree[sentence] += 1

            def order(n: int, degree: Mapping[Sentence, int] = degree) -> tuple[int, int, int, int]:
                return leads[n][0], -leads[n][1], -sum(degree[end] for end in ends_of(self._pairs[n])), n

            best = min(members)
            verdict = self._pairs[best].verdict
            ordered = sorted(members, key=lambda n: (self._pairs[n].verdict != verdict, order(n)))
            about = next((abouts[n] for n in ordered if abouts.get(n)), "")
            sorted_matters.append((best, Matter(about, tuple(self._pairs[n] for n in ordered))))
        return [matter for _, matter in sorted(sorted_matters, key=lambda ranked: ranked[0])]

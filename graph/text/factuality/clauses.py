"""The words of a sentence, and the limits of its clauses, as far as words and punctuation show them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from filigraph.graph.text.factuality import lexicon
from filigraph.graph.text.factuality.cues import Cues, word_set
from filigraph.graph.text.words import Token, folded_words, tokens

HARD = re.compile(r"[;:.!?…()\[\]]|--|—|[“”«»\"]")  # no clause continues across these
_MARK = re.compile(r"[;:.!?…(),\[\]]|--|—|[“”«»\"]")


@dataclass(frozen=True)
class Clauses:
    """A sentence in words. Positions are word numbers."""

    text: str
    language: str
    cues: Cues

    @cached_property
    def words(self) -> Sequence[Token]:
        return tokens(self.text)

    @cached_property
    def folded(self) -> Sequence[str]:
        words = folded_words(self.words)
        for n in range(len(words) - 1):
            if words[n : n + 2] == ["peut", "etre"] or words[n : n + 2] == ["soi", "disant"]:
                words[n] = f"{words[n]}-{words[n + 1]}"
        return words

    @cached_property
    def _marks(self) -> Sequence[str]:
        """The punctuation before each word, and after the last one."""
        ends = [0, *(word.end for word in self.words)]
        starts = [*(word.start for word in self.words), len(self.text)]
        between = (self.text[end:start] for end, start in zip(ends, starts, strict=True))
        return [gap if _MARK.search(gap) else "" for gap in between]

    @cached_property
    def _hard(self) -> Sequence[bool]:
        return [bool(mark and HARD.search(mark)) for mark in self._marks]

    @cached_property
    def _outer(self) -> Sequence[bool]:
        """Whether an outer clause begins at each word: a full stop, or a comma with a conjunction."""
        after = (word in self.cues.joins for word in (*self.folded, ""))
        return [hard or bool(mark and joins) for hard, mark, joins in zip(self._hard, self._marks, after, strict=True)]

    @cached_property
    def _places(self) -> dict[frozenset[str], Sequence[int]]:
        return {}

    def has(self, words: frozenset[str], start: int, stop: int) -> bool:
        """Whether one of `words` is between two words."""
        places = self._places.get(words)
        if places is None:
            places = self._places[words] = [n for n, word in enumerate(self.folded) if word in words]
        first = bisect_left(places, max(start, 0))
        return first < len(places) and places[first] < stop

    def mark(self, before: int, after: int) -> str:
        """The punctuation between two neighbouring words; "" if there is none."""
        return self._marks[after] if before >= 0 and after <= len(self.words) else ""

    @cached_property
    def _soft_starts(self) -> Sequence[int]:
        joined = (False, *(word in self.cues.parts for word in self.folded))
        return _nearest_before([bool(mark) or part for mark, part in zip(self._marks, joined, strict=True)])

    @cached_property
    def _outer_starts(self) -> Sequence[int]:
        return _nearest_before(self._outer)

    @cached_property
    def _hard_starts(self) -> Sequence[int]:
        return _nearest_before(self._hard)

    @cached_property
    def _hard_ends(self) -> Sequence[int]:
        return _nearest_after(self._hard)

    @cached_property
    def _outer_ends(self) -> Sequence[int]:
        return _nearest_after(self._outer)

    @cached_property
    def _commas(self) -> Sequence[int]:
        return _nearest_after(list(map(bool, self._marks)))

    @cached_property
    def _ands(self) -> Sequence[int]:
        stops = self.cues.parts | {"and", "or"} - {"that"}
        return _nearest_after([word in stops for word in (*self.folded, "")])

    @cached_property
    def _infinitive_ends(self) -> Sequence[int]:
        ends = (
            word in self.cues.parts or (word in {"and", "et"} and self.is_finite(n + 1))
            for n, word in enumerate((*self.folded, ""))
        )
        return _nearest_after(list(ends))

    def clause_start(self, at: int, *, soft: bool = True) -> int:
        return (self._soft_starts if soft else self._outer_starts)[at]

    def segment_start(self, at: int) -> int:
        return self._hard_starts[at]

    def segment_end(self, at: int) -> int:
        return self._after(self._hard_ends, at)

    def end(self, at: int) -> int:
        """The end of the clause that begins at `at`: a full stop, or a comma with a conjunction."""
        return self._after(self._outer_ends, at)

    def comma(self, at: int) -> int:
        return self._after(self._commas, at)

    def before_and(self, at: int) -> int:
        """The next word that joins or separates clauses."""
        return min(self._after(self._ands, at), len(self.words))

    def end_of_infinitive(self, verb: int) -> int:
        """The end of an infinitive: a comma, or "and" with another verb."""
        return min(self.comma(verb), self._after(self._infinitive_ends, verb))

    def _after(self, nearest: Sequence[int], at: int) -> int:
        return nearest[at + 1] if at < len(self.words) else at + 1

    def is_finite(self, at: int) -> bool:
        if at >= len(self.words):
            return False
        word = self.folded[at]
        if word in self.cues.pronouns or word in lexicon.verbs(self.language):
            return True
        return bool((_PAST_EN if self.language == "en" else _PAST_FR).fullmatch(word)) or word in _IRREGULAR_PASTS

    def end_offset(self, end: int) -> int:
        return self.words[end].start if end < len(self.words) else len(self.text)

    def opens_clause(self, at: int) -> bool:
        """Whether a noun phrase begins at `at`, as subjects do: a name, a pronoun, a determiner."""
        if at >= len(self.words):
            return False
        word = self.words[at]
        return word.text[0].isupper() or word.folded in self.cues.pronouns | self.cues.determiners


_PAST_EN = re.compile(r"\w{2,}ed")
_PAST_FR = re.compile(r"\w{2,}(?:a|ait|aient|erent|irent|it|ut)")
_IRREGULAR_PASTS = word_set(
    "was were had did went came took gave got made saw sold bought left met found kept stole told said wrote ran "
    "fell held brought caught lost won paid sent hid drew drove sailed is has"
)


def _nearest_before(limits: Sequence[bool]) -> Sequence[int]:
    """For each place the nearest limit that is not after it; else 0."""
    nearest = [0] * len(limits)
    for n in range(1, len(limits)):
        nearest[n] = n if limits[n] else nearest[n - 1]
    return nearest


def _nearest_after(limits: Sequence[bool]) -> Sequence[int]:
    """For each place the nearest limit that is not before it; else the last place."""
    nearest = [len(limits) - 1] * len(limits)
    for n in range(len(limits) - 2, -1, -1):
        nearest[n] = n if limits[n] else nearest[n + 1]
    return nearest

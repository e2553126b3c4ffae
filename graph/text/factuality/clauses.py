"""The words of a sentence, and the limits of its clauses, as far as words and punctuation show them."""

from __future__ import annotations

import re
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

    def mark(self, before: int, after: int) -> str:
        """The punctuation between two neighbouring words; "" if there is none."""
        if before < 0 or after > len(self.words):
            return ""
        stop = self.words[after].start if after < len(self.words) else len(self.text)
        between = self.text[self.words[before].end : stop]
        return between if _MARK.search(between) else ""

    def clause_start(self, at: int, *, soft: bool = True) -> int:
        while at > 0:
            mark = self.mark(at - 1, at)
            if HARD.search(mark) or (soft and mark) or (soft and self.folded[at - 1] in self.cues.parts):
                break
            if not soft and mark and self.folded[at] in self.cues.joins:
                break
            at -= 1
        return at

    def segment_start(self, at: int) -> int:
        while at > 0 and not HARD.search(self.mark(at - 1, at)):
            at -= 1
        return at

    def segment_end(self, at: int) -> int:
        at += 1
        while at < len(self.words) and not HARD.search(self.mark(at - 1, at)):
            at += 1
        return at

    def end(self, at: int) -> int:
        """The end of the clause that begins at `at`: a full stop, or a comma with a conjunction."""
        at += 1
        while at < len(self.words):
            mark = self.mark(at - 1, at)
            if HARD.search(mark) or (mark and self.folded[at] in self.cues.joins):
                return at
            at += 1
        return at

    def comma(self, at: int) -> int:
        at += 1
        while at < len(self.words) and not self.mark(at - 1, at):
            at += 1
        return at

    def before_and(self, at: int) -> int:
        """The next word that joins or separates clauses."""
        stops = self.cues.parts | {"and", "or"} - {"that"}
        return next((n for n in range(at + 1, len(self.words)) if self.folded[n] in stops), len(self.words))

    def end_of_infinitive(self, verb: int) -> int:
        """The end of an infinitive: a comma, or "and" with another verb."""
        end = self.comma(verb)
        for n in range(verb + 1, end):
            if self.folded[n] in self.cues.parts:
                return n
            if self.folded[n] in {"and", "et"} and self.is_finite(n + 1):
                return n
        return end

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

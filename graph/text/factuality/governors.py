"""The word that governs a clause, and what it makes of the clause: denied, doubted, or said by somebody."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from filigraph.graph.model.arrays import Span
from filigraph.graph.text.factuality import lexicon
from filigraph.graph.text.factuality.clauses import Clauses
from filigraph.graph.text.factuality.cues import word_set
from filigraph.graph.text.factuality.lexicon import Kind

Status = Literal["denied", "doubted", "said"]

MAX_WORDS_TO_GOVERNOR = 9  # words between a clause and the word that governs it
_LONGEST_INSERT = 5  # words between a verb and its clause


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A part of a sentence, in characters, that is not asserted."""

    start: int
    end: int
    status: Status
    source: str = ""  # who says so, as written, if somebody does

    def __contains__(self, at: int) -> bool:
        return self.start <= at < self.end


class Governors(Clauses):
    """A sentence whose clauses are governed by words."""

    def governor(self, at: int) -> int | None:
        """The word that governs the clause beginning at `at`."""
        comma = self.language == "de"
        last = self._before_insert(at)
        for n in range(last, max(-1, at - 1 - MAX_WORDS_TO_GOVERNOR), -1):
            mark = self.mark(n, n + 1)
            beside = n == at - 1 and mark.strip() == "," and (comma or self._is_noun(n))  # "the theory, that Ann left,"
            if mark and not (n == last < at - 1) and not beside:
                return None
            if self.kind(n) is None:
                if n < at - 1 and self.folded[n] in self.cues.complementisers:
                    return None
                continue
            near = (
                n == last
                or self.folded[n + 1] in self.cues.between
                or self.folded[n + 1].endswith(("ly", "ment", "lich", "weise"))
            )
            near = near or bool(_TIME.fullmatch(" ".join(self.folded[n + 1 : at])))
            return n if near or self.folded[n] in self.cues.tell or self._is_adjective(n) else None
        return None

    def _before_insert(self, at: int) -> int:
        """The word before a clause, or before a few words between commas: "claimed, without proof, that"."""
        if self.mark(at - 1, at).strip() != ",":
            return at - 1
        first = next((n for n in range(at - 2, max(-1, at - 2 - _LONGEST_INSERT), -1) if self.mark(n, n + 1)), -1)
        return first if first >= 0 and self.mark(first, first + 1).strip() == "," else at - 1

    def kind(self, at: int) -> Kind | None:
        word = self.folded[at]
        noun, verb = lexicon.nouns(self.language).get(word), lexicon.verbs(self.language).get(word)
        if noun is not None and (verb is None or self.heads_noun(at)):
            return noun
        if verb is not None:
            return None if word.startswith("rul") and not self.followed_by(at, "out") else verb
        return lexicon.adjectives(self.language).get(word)

    def followed_by(self, at: int, word: str) -> bool:
        return at + 1 < len(self.folded) and self.folded[at + 1] == word

    def _is_adjective(self, at: int) -> bool:
        return self.folded[at] in lexicon.adjectives(self.language)

    def heads_noun(self, at: int) -> bool:
        """Whether a word is used as one of the nouns: a determiner is before it, or an adjective and one."""
        if self.folded[at] not in lexicon.nouns(self.language):
            return False
        if self.folded[at] not in lexicon.verbs(self.language):
            return True
        before = self.folded[max(0, at - 2) : at]
        last = before[-1:] and before[-1] in self.cues.determiners
        return bool(last or (len(before) == 2 and before[0] in self.cues.determiners and before[1] not in self._names))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(word.folded for word in self.words if word.text[0].isupper()) | self.cues.pronouns

    def scopes_of_governor(self, governor: int, first: int, end: int) -> Iterator[Scope]:
        """The effect of the governor on the words from `first` to `end`."""
        start = self.clause_start(governor)
        kind = self.kind(governor)
        word = self.folded[governor]
        if kind is None:
            return
        personal = kind == "proof" and word in lexicon.BELIEVED_BY_PERSONS and not self.has(_IMPERSONAL, start, first)
        negated = self.negated(start, first)
        modal = self.has(self.cues.modals, start, first) or self.aimed_at(governor)
        status: Status | None = None
        source = ""
        falsely = kind != "fact" and self.has(self.cues.falsely, self.segment_start(governor), first)
        noun = self.heads_noun(governor)
        if falsely or (noun and self._is_belied(end, first)):
            status = "denied"
        elif kind == "doubt" or personal:
            status = None if noun and self._borne_out(end, first) else "doubted"
        elif kind == "proof":
            status = "doubted" if negated or modal else None
        elif kind == "denial":
            if self.has(_IDLE, start, first) and self.aimed_at(governor):  # "it would be wrong to deny that"
                status = None
            else:
                status = ("doubted" if not self._by_nobody(start, first) else None) if negated else "denied"
        elif kind == "speech":
            status, source = self.speech(start, governor, negated=negated or modal)
        if status is not None:
            yield self.scope(first, end, status, source)

    def speech(self, start: int, governor: int, *, negated: bool) -> tuple[Status, str]:
        passive = governor > start and self.folded[governor - 1] in self.cues.be and self.language != "fr"
        source = self._subject(start, governor)
        vague = not source or self.has(self.cues.generic, start, governor) or passive or self._is_noun(governor)
        return ("doubted", "") if negated or vague else ("said", source)

    def _is_noun(self, at: int) -> bool:
        return self.folded[at] in lexicon.nouns(self.language) and self.heads_noun(at)

    def _subject(self, start: int, verb: int) -> str:
        """The speaker, as written: the name or the described person before the verb; "" for a pronoun."""
        last = verb - 1
        while last >= start and self.folded[last] in self.cues.be | _HAVE:
            last -= 1
        first = last
        while first >= start and self.words[first].text[0].isupper() and not self.mark(first, first + 1):
            first -= 1
        if first < last:
            first += 1
            if self.folded[first] in self.cues.pronouns | self.cues.determiners:
                first += 1
        else:
            while first > start and first > last - 4 and self.folded[first] not in self.cues.determiners:
                first -= 1
            if first < start or self.folded[first] not in self.cues.determiners:
                return ""
        return self.text[self.words[first].start : self.words[last].end] if first <= last else ""

    def negated(self, start: int, stop: int) -> bool:
        alone = self.language != "fr" or self.has(_NE, start, stop)
        return self.has(self._negations if alone else self._negations - _WITH_NE, start, stop)

    @cached_property
    def _negations(self) -> frozenset[str]:
        return self.cues.negations | self.cues.reversals

    def _by_nobody(self, start: int, stop: int) -> bool:
        """Whether nobody makes the denial: "nobody denies", "it cannot be denied", "nul doute"."""
        if self.language == "en":
            words = self.folded[start:stop]
            pairs = set(pairwise(words))
            never = {("no", "one"), ("can", "t"), ("can", "not"), ("could", "not")} & pairs
            return bool(never or {"nobody", "none", "cannot", "no"} & set(words))
        return self.has(self.cues.universal, start, stop)

    def aimed_at(self, governor: int) -> bool:
        """Whether a governor is an infinitive of an action that may not have happened: "wanted to prove that"."""
        start = self.clause_start(governor)
        before = self.folded[max(0, governor - 2) : governor]
        infinitive = self.language == "en" and (before[-1:] == ["to"] or before == ["to", "be"])
        infinitive = infinitive or self.folded[governor] in lexicon.infinitives(self.language)
        return infinitive and not self.has(self.cues.done, start, governor)

    def _borne_out(self, end: int, first: int) -> bool:
        """Whether the report proved true: "the rumour that ... was true"."""
        return self._says(_CONFIRMED, first, end) and not self._says(_UNCONFIRMED, first, end)

    def _is_belied(self, end: int, first: int) -> bool:
        """Whether the report proved false: "the confession that ... was forged"."""
        return self._says(_BELIED, first, end)

    @cached_property
    def _matches(self) -> dict[re.Pattern[str], Sequence[Span]]:
        return {}

    def _says(self, pattern: re.Pattern[str], first: int, end: int) -> bool:
        """Whether the words from `first` to `end` match a pattern. Each pattern searches the sentence once."""
        if (spans := self._matches.get(pattern)) is None:
            spans = self._matches[pattern] = [match.span() for match in pattern.finditer(self.text)]
        at = bisect_left(spans, (self.words[first].start, 0))
        return at < len(spans) and spans[at][1] <= self.end_offset(end)

    def scope(self, first: int, end: int, status: Status, source: str = "") -> Scope:
        return Scope(start=self.words[first].start, end=self.end_offset(end), status=status, source=source)


_HAVE = frozenset(("has", "have", "had", "a", "ont", "avait", "avaient", "eut", "hat", "hatte"))
_IDLE = word_set(  # denials that nobody should make: "useless to deny that"
    "wrong absurd impossible useless idle foolish futile pointless hard difficult inutile vain absurde difficile"
)
_NE, _WITH_NE = frozenset(("ne", "n")), frozenset(("personne", "plus", "point", "pas", "rien"))
_IMPERSONAL = frozenset(("it", "c", "ce", "il", "es", "cela"))
_TIME = re.compile(  # between a verb and its clause: "J'ai rêvé cette nuit que"
    r"(?:cette|ce|la|l|le|un|une|one|this|that|the other|les) (?:autre )?(?:nuit|matin|soir|jour|apres midi|night"
    r"|morning|day|evening|afternoon)(?: (?:la|derniere|dernier|passee|meme))?"
)
_CONFIRMED = re.compile(r"\b(?:true|confirmed|correct|well founded|vraie?|fondée?|confirmée?|exacte?)\b")
_BELIED = re.compile(
    r"\b(?:was|were|is|are|proved|fut|est|était) (?:later )?"
    r"(?:false|forged|invented|untrue|withdrawn|retracted|fausse?|inventée?|retirée?|démentie?)\b"
)
_UNCONFIRMED = re.compile(r"\b(?:not|never|n['’]t|false|far|un\w+|ne|pas|jamais|faux|fausse)\b")

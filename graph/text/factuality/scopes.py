"""The parts that a sentence does not assert: clauses under words that deny, doubt or attribute them.

"It was never proved that Nora stole the ring."         the clause after "that" is open
"Nora denies having met Otto."                          the text after "denies" is denied
"According to Ann, Otto sold the boat."                 Ann says so

Each cue has a scope, as in ConText (Harkema et al. 2009); the class of the governing word, and the words that negate or
weaken it, decide (`lexicon`). It needs only words, so it also works for sentences without a parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from filigraph.graph.text.factuality import lexicon
from filigraph.graph.text.factuality.clauses import HARD, Clauses
from filigraph.graph.text.factuality.cues import CUES, word_set
from filigraph.graph.text.factuality.lexicon import Kind

Status = Literal["denied", "doubted", "said"]

MAX_WORDS_TO_GOVERNOR = 9  # words between a clause and the word that governs it
MAX_WORDS_TO_INFINITIVE = 7  # words between a verb and its infinitive: "ordered the clerk to sell"
_LONGEST_INSERT = 5  # words between a verb and its clause
MAX_INSERTED_WORDS = 9  # max. words of an inserted clause


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A part of a sentence, in characters, that is not asserted."""

    start: int
    end: int
    status: Status
    source: str = ""  # who says so, as written, if somebody does

    def __contains__(self, at: int) -> bool:
        return self.start <= at < self.end


def scopes(sentence: str, language: str) -> tuple[Scope, ...]:
    """The parts of a sentence that are not asserted; none in a language without lists."""
    cues = CUES.get(language)
    if cues is None:
        return ()
    return tuple(_Reader(sentence, language, cues).scopes())


class _Reader(Clauses):
    def scopes(self) -> Iterator[Scope]:
        for at, word in enumerate(self.folded):
            if word in self.cues.complementisers:
                yield from self._that_clause(at)
            if word in _WHICH and at > 1 and self.folded[at - 1] == "selon" and self._kind(at - 2):
                yield from self._scopes_of_governor(at - 2, at, self.end(at))
            if word in self.cues.be and self.language == "en" and self._is_planned(at):
                yield self._scope(at + 1, self.end_of_infinitive(at + 1), "doubted")
            if word in self.cues.whether:
                yield from self._indirect_question(at)
            if word in self.cues.conditions:
                yield from self._condition(at)
            if word in self.cues.adverbs:
                yield self._scope(self.clause_start(at, soft=False), self.end(at), "doubted")
            if word in self.cues.nearly and at + 1 < len(self.words) and not self.mark(at, at + 1):
                yield self._scope(at, min(at + 3, len(self.words)), "doubted")
            if word in lexicon.verbs(self.language) or word in self.cues.open_verbs:
                yield from self._clause_without_that(at)
                yield from self._infinitive(at)
                yield from self._insertion(at)
            if self._heads_noun(at):
                yield from self._infinitive(at)

    def _is_planned(self, at: int) -> bool:
        """Whether this is a plan: "was to meet Ann" does not say that he did; "was to become" looks back at a fact."""
        after = self.folded[at + 1 : at + 3]
        return len(after) == 2 and after[0] == "to" and after[1] not in _CAME_ABOUT and not self.mark(at, at + 1)

    # ---- what governs a clause

    def _that_clause(self, at: int) -> Iterator[Scope]:
        """The clause that a complementiser begins."""
        if at == 0:
            yield from self._subject_clause()
            return
        governor = self._governor(at)
        if governor is not None:
            yield from self._scopes_of_governor(governor, at, self.end(at))

    def _governor(self, at: int) -> int | None:
        """The word that governs the clause beginning at `at`."""
        comma = self.language == "de"
        last = self._before_insert(at)
        for n in range(last, max(-1, at - 1 - MAX_WORDS_TO_GOVERNOR), -1):
            mark = self.mark(n, n + 1)
            if mark and not (n == last < at - 1) and not (comma and n == at - 1 and mark.strip() == ","):
                return None
            if self._kind(n) is None:
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

    def _kind(self, at: int) -> Kind | None:
        word = self.folded[at]
        noun, verb = lexicon.nouns(self.language).get(word), lexicon.verbs(self.language).get(word)
        if noun is not None and (verb is None or self._heads_noun(at)):
            return noun
        if verb is not None:
            return None if word.startswith("rul") and not self._followed_by(at, "out") else verb
        return lexicon.adjectives(self.language).get(word)

    def _followed_by(self, at: int, word: str) -> bool:
        return at + 1 < len(self.folded) and self.folded[at + 1] == word

    def _is_adjective(self, at: int) -> bool:
        return self.folded[at] in lexicon.adjectives(self.language)

    def _heads_noun(self, at: int) -> bool:
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

    def _scopes_of_governor(self, governor: int, first: int, end: int) -> Iterator[Scope]:
        """The effect of the governor on the words from `first` to `end`."""
        start = self.clause_start(governor)
        kind = self._kind(governor)
        word = self.folded[governor]
        if kind is None:
            return
        personal = kind == "proof" and word in lexicon.BELIEVED_BY_PERSONS and not self.has(_IMPERSONAL, start, first)
        negated = self._negated(start, first)
        modal = self.has(self.cues.modals, start, first) or self._aimed_at(governor)
        status: Status | None = None
        source = ""
        falsely = kind != "fact" and self.has(self.cues.falsely, self.segment_start(governor), first)
        noun = self._heads_noun(governor)
        if falsely or (noun and self._is_belied(end, first)):
            status = "denied"
        elif kind == "doubt" or personal:
            status = None if noun and self._borne_out(end, first) else "doubted"
        elif kind == "proof":
            status = "doubted" if negated or modal else None
        elif kind == "denial":
            if self.has(_IDLE, start, first) and self._aimed_at(governor):  # "it would be wrong to deny that"
                status = None
            else:
                status = ("doubted" if not self._by_nobody(start, first) else None) if negated else "denied"
        elif kind == "speech":
            status, source = self._speech(start, governor, negated=negated or modal)
        if status is not None:
            yield self._scope(first, end, status, source)

    def _speech(self, start: int, governor: int, *, negated: bool) -> tuple[Status, str]:
        passive = governor > start and self.folded[governor - 1] in self.cues.be and self.language != "fr"
        source = self._subject(start, governor)
        vague = not source or self.has(self.cues.generic, start, governor) or passive or self._is_noun(governor)
        return ("doubted", "") if negated or vague else ("said", source)

    def _is_noun(self, at: int) -> bool:
        return self.folded[at] in lexicon.nouns(self.language) and self._heads_noun(at)

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

    def _negated(self, start: int, stop: int) -> bool:
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

    def _aimed_at(self, governor: int) -> bool:
        """Whether a governor is an infinitive of an action that may not have happened: "wanted to prove that"."""
        start = self.clause_start(governor)
        before = self.folded[max(0, governor - 2) : governor]
        infinitive = self.language == "en" and (before[-1:] == ["to"] or before == ["to", "be"])
        infinitive = infinitive or self.folded[governor] in lexicon.infinitives(self.language)
        return infinitive and not self.has(self.cues.done, start, governor)

    def _borne_out(self, end: int, first: int) -> bool:
        """Whether the report proved true: "the rumour that ... was true"."""
        rest = self.text[self.words[first].start : self.end_offset(end)]
        return bool(_CONFIRMED.search(rest)) and not _UNCONFIRMED.search(rest)

    def _is_belied(self, end: int, first: int) -> bool:
        """Whether the report proved false: "the confession that ... was forged"."""
        return bool(_BELIED.search(self.text[self.words[first].start : self.end_offset(end)]))

    # ---- other clauses

    def _subject_clause(self) -> Iterator[Scope]:
        """ "That Nora stole the ring is false": the words after the clause decide."""
        if len(self.words) < 4 or not self.opens_clause(1):
            return
        for n in range(len(self.words) - 1, 2, -1):
            kind = self._kind(n)
            if kind in {"denial", "doubt"} or (kind == "proof" and (self._negated(2, n) or self._aimed_at(n))):
                yield self._scope(0, n, "denied" if kind == "denial" else "doubted")
                return
        begins = self.words[0].text[0].isupper()
        if self.language != "fr" or not begins or self._is_known(self.comma(1)):
            return
        if not _PERFECT_SUBJUNCTIVE.intersection(self.folded[1 : self.comma(1)]):
            yield self._scope(0, self.comma(1), "doubted")  # "Que Paul paie Anne, et nous partirons."

    def _is_known(self, first: int) -> bool:
        """Whether the clause at `first` says that what is before it is known: "Que Paul aime Anne, chacun le sait."."""
        end = min(self.comma(first), len(self.words))
        this = next((n for n in range(first, end) if self.folded[n] in _THIS), end)
        return any(self._kind(n) in {"fact", "proof"} for n in range(this + 1, end))

    def _indirect_question(self, at: int) -> Iterator[Scope]:
        """The clause of an indirect question: "asked whether", "on ignore si"."""
        if self.language == "fr" and not self._is_asked(at):
            return
        yield self._scope(at, self.end(at), "doubted")

    def _is_asked(self, at: int) -> bool:
        before = self.folded[max(0, at - 4) : at]
        return bool(_ASKING.intersection(before)) and not self.mark(at - 1, at)

    def _condition(self, at: int) -> Iterator[Scope]:
        """An "if" with its clause; if it comes first, also the main clause."""
        word = self.folded[at]
        if self.language == "fr":
            alone = word == "s" and not self._followed_by(at, "il") and not self._followed_by(at, "ils")
            if alone or not self._begins(at) or self.folded[at + 1 : at + 2] in (["bien"], ["tant"]):
                return
        if word in {"provided", "supposing", "assuming"} and not self._begins(at):
            return
        even = at > 0 and self.folded[at - 1] in self.cues.even
        first = at == 0 or (even and at == 1) or bool(self.mark(at - 1, at) and HARD.search(self.mark(at - 1, at)))
        if first and not even:
            yield self._scope(at, self.segment_end(at), "doubted")
        else:
            yield self._scope(at, self.comma(at), "doubted")

    def _begins(self, at: int) -> bool:
        """Whether a word begins a clause: the first word, or after punctuation or a conjunction."""
        if at == 0 or self.mark(at - 1, at):
            return True
        return self.folded[at - 1] in self.cues.parts | self.cues.complementisers | self.cues.even | {"comme", "as"}

    @cached_property
    def _quotes(self) -> bool:
        return bool(_QUOTE.search(self.text))

    @cached_property
    def _begins_with_dash(self) -> bool:
        return self.text.lstrip().startswith(_DASHES)

    def _clause_without_that(self, at: int) -> Iterator[Scope]:
        """A clause without "that": "I think Nora stole the ring", "wished she had sold it"."""
        kind = lexicon.verbs(self.language).get(self.folded[at])
        if self.language != "en" or kind not in ("doubt", "speech") or self._heads_noun(at):
            return
        if kind == "speech" and (self.folded[at] not in _SAY or self._quotes or at == 0):
            return
        after = at + 1
        if self.mark(at, after) or not self.opens_clause(after) or self.folded[after] in {"that", "who"}:
            return
        if kind == "speech" and self.mark(at - 1, at):
            return  # "..., said Nora"
        end = min(self.comma(after), self.before_and(after))
        if end > after + 1:
            yield from self._scopes_of_governor(at, after, end)

    def _infinitive(self, at: int) -> Iterator[Scope]:
        """An infinitive or gerund of something planned or reported: "hopes to meet", "denies having met", "nie avoir
        vu".
        """
        kind = self._kind(at) or ("doubt" if self.folded[at] in self.cues.open_verbs else None)
        if self.folded[at] in self.cues.open_verbs:
            kind = "denial" if self.folded[at] in self.cues.reversals else "doubt"
        if kind in (None, "fact"):
            return
        verb = self._nonfinite(at)
        if verb is None:
            return
        negated = self._negated(self.clause_start(at), verb)
        if kind == "proof":
            if negated:
                yield self._scope(verb, self.end_of_infinitive(verb), "doubted")
            return
        status: Status = "denied" if kind == "denial" and not negated else "doubted"
        yield self._scope(verb, self.end_of_infinitive(verb), status)

    def _nonfinite(self, at: int) -> int | None:
        """The infinitive or gerund that a word governs, within a few words after it."""
        for n in range(at + 1, min(len(self.words), at + 1 + MAX_WORDS_TO_INFINITIVE)):
            if self.mark(n - 1, n):
                return None
            word = self.folded[n]
            if self.language == "fr":
                if _INFINITIVE.fullmatch(word) and word not in _NO_INFINITIVES and not self.words[n].text[0].isupper():
                    before = self.folded[n - 1]
                    return n if before in self.cues.to | _OBJECTS or n == at + 1 or before in {"pas", "y"} else None
            elif self.language == "en":
                gerund = word.endswith("ing") and len(word) > 4 and word not in _NO_GERUNDS
                if gerund and (n == at + 1 or self.folded[n - 1] in _BEFORE_GERUNDS):
                    return n
                if word == "to" and n + 1 < len(self.words) and not self.opens_clause(n + 1):
                    return n
            elif word == "zu":
                return at + 1
            if word in self.cues.complementisers or word in self.cues.parts:
                return None
        return None

    def _insertion(self, at: int) -> Iterator[Scope]:
        """An inserted clause that doubts or attributes the rest: ", they say,", ", dit-on", ", or so Ann claims"."""
        kind = lexicon.verbs(self.language).get(self.folded[at])
        if (
            kind not in ("doubt", "speech")
            or self._quotes
            or self.text[: self.words[0].start].lstrip().startswith(_DASHES)
        ):
            return
        start = at
        while start > 0 and at - start < MAX_INSERTED_WORDS and not self.mark(start - 1, start):
            start -= 1
        last = at
        while last + 1 < len(self.words) and last - at < MAX_INSERTED_WORDS and not self.mark(last, last + 1):
            last += 1
        opens = start == 0 and self.folded[:1] == ["as"] and last == at  # "As Ann claims, ..."
        if not _is_insertion("," if opens else self.mark(start - 1, start), self.mark(last, last + 1)):
            return
        if not self._is_insert(start, at, last):
            return
        status, source = self._speech(start, at, negated=kind == "doubt")
        yield self._scope(self.segment_start(start), self.segment_end(last), status, source)

    def _is_insert(self, start: int, verb: int, last: int) -> bool:
        before, after = self.folded[start:verb], self.folded[verb + 1 : last + 1]
        if before[:1] == ["as"] and self.folded[verb] in _BORNE_OUT:
            return False  # "as the police had suspected": it came true
        if before[:1] == ["or"] or before[:1] == ["so"] or before[:1] == ["as"]:
            return True
        if self.language == "fr":
            return not before and bool(after) and after[-1] in {"on", "il", "elle"} and len(after) <= 2
        subject = bool(before) and before[0] in self.cues.pronouns | self.cues.generic and len(before) <= 3
        return subject and not after

    def _scope(self, first: int, end: int, status: Status, source: str = "") -> Scope:
        return Scope(start=self.words[first].start, end=self.end_offset(end), status=status, source=source)


def _is_insertion(before: str, after: str) -> bool:
    """Whether the text between two punctuation marks is an insertion."""
    return before.strip() in {",", "—", "--", "("} and after.strip()[:1] in {",", ".", "!", ";", ")", "—", ""}


_HAVE = frozenset(("has", "have", "had", "a", "ont", "avait", "avaient", "eut", "hat", "hatte"))
_IDLE = word_set(  # denials that nobody should make: "useless to deny that"
    "wrong absurd impossible useless idle foolish futile pointless hard difficult inutile vain absurde difficile"
)
_PERFECT_SUBJUNCTIVE = word_set("ait aient eût eussent soit soient fût fussent a est")
_NE, _WITH_NE = frozenset(("ne", "n")), frozenset(("personne", "plus", "point", "pas", "rien"))
_THIS = frozenset(("le", "l", "cela", "ça", "ca", "c", "en"))
_IMPERSONAL = frozenset(("it", "c", "ce", "il", "es", "cela"))
_ASKING = word_set(
    "demande demanda demandait demandent demander savoir sait sais savait ignore ignorait ignorent voir doute "
    "douta question verifier chercher dire dit sut determiner etablir"
)
_WHICH = frozenset(("laquelle", "lequel", "lesquels", "lesquelles"))
_CAME_ABOUT = frozenset(("become", "prove", "be", "remain"))
_TIME = re.compile(  # between a verb and its clause: "J'ai rêvé cette nuit que"
    r"(?:cette|ce|la|l|le|un|une|one|this|that|the other|les) (?:autre )?(?:nuit|matin|soir|jour|apres midi|night"
    r"|morning|day|evening|afternoon)(?: (?:la|derniere|dernier|passee|meme))?"
)
_SAY = frozenset(("say", "says", "said"))
_BORNE_OUT = word_set(
    "suspected feared expected predicted foresaw foreseen foretold guessed hoped wished planned intended "
    "dreamt dreamed promised threatened vowed"
)
_QUOTE = re.compile(r"[“”«»\"]")
_DASHES = ("—", "–", "-", "―")
_CONFIRMED = re.compile(r"\b(?:true|confirmed|correct|well founded|vraie?|fondée?|confirmée?|exacte?)\b")
_BELIED = re.compile(
    r"\b(?:was|were|is|are|proved|fut|est|était) (?:later )?"
    r"(?:false|forged|invented|untrue|withdrawn|retracted|fausse?|inventée?|retirée?|démentie?)\b"
)
_UNCONFIRMED = re.compile(r"\b(?:not|never|n['’]t|false|far|un\w+|ne|pas|jamais|faux|fausse)\b")
_INFINITIVE = re.compile(r"\w+(?:er|ir|re|oir)|avoir|etre")
_NO_INFINITIVES = word_set("hier premier dernier entre contre autre notre votre sur par pour mer fer")
_OBJECTS = word_set("le la les l lui leur se s me m nous vous en y")
_BEFORE_GERUNDS = word_set("of from at about herself himself")
_NO_GERUNDS = word_set("something anything nothing everything during evening morning king ring spring string")

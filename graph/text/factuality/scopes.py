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
from functools import cached_property

from filigraph.graph.text.factuality import lexicon
from filigraph.graph.text.factuality.clauses import HARD
from filigraph.graph.text.factuality.cues import CUES, word_set
from filigraph.graph.text.factuality.governors import Governors, Scope, Status

MAX_WORDS_TO_INFINITIVE = 7  # words between a verb and its infinitive: "ordered the clerk to sell"
MAX_WORDS_TO_COMMA = 4  # words between a German verb and the comma before its infinitive
MAX_INSERTED_WORDS = 9  # max. words of an inserted clause


def scopes(sentence: str, language: str) -> tuple[Scope, ...]:
    """The parts of a sentence that are not asserted; none in a language without lists."""
    cues = CUES.get(language)
    if cues is None:
        return ()
    return tuple(_Reader(sentence, language, cues).scopes())


class _Reader(Governors):
    def scopes(self) -> Iterator[Scope]:
        for at, word in enumerate(self.folded):
            if word in self.cues.complementisers:
                yield from self._that_clause(at)
            if word in _WHICH and at > 1 and self.folded[at - 1] == "selon" and self.kind(at - 2):
                yield from self.scopes_of_governor(at - 2, at, self.end(at))
            if word in self.cues.be and self.language == "en" and self._is_planned(at):
                yield self.scope(at + 1, self.end_of_infinitive(at + 1), "doubted")
            if word in self.cues.whether:
                yield from self._indirect_question(at)
            if word in self.cues.conditions:
                yield from self._condition(at)
            if word in self.cues.adverbs:
                yield self.scope(self.clause_start(at, soft=False), self.end(at), "doubted")
            if word in self.cues.nearly and at + 1 < len(self.words) and not self.mark(at, at + 1):
                yield self.scope(at, min(at + 3, len(self.words)), "doubted")
            if word in lexicon.verbs(self.language) or word in self.cues.open_verbs:
                yield from self._clause_without_that(at)
                yield from self._infinitive(at)
                yield from self._insertion(at)
            if self.heads_noun(at):
                yield from self._infinitive(at)

    def _is_planned(self, at: int) -> bool:
        """Whether this is a plan: "was to meet Ann" does not say that he did; "was to become" looks back at a fact."""
        after = self.folded[at + 1 : at + 3]
        return len(after) == 2 and after[0] == "to" and after[1] not in _CAME_ABOUT and not self.mark(at, at + 1)

    def _that_clause(self, at: int) -> Iterator[Scope]:
        """The clause that a complementiser begins."""
        if at == 0:
            yield from self._subject_clause()
            return
        governor = self.governor(at)
        if governor is not None:
            yield from self.scopes_of_governor(governor, at, self.end(at))

    def _subject_clause(self) -> Iterator[Scope]:
        """ "That Nora stole the ring is false": the words after the clause decide."""
        if len(self.words) < 4 or not self.opens_clause(1):
            return
        for n in range(len(self.words) - 1, 2, -1):
            kind = self.kind(n)
            if kind in {"denial", "doubt"} or (kind == "proof" and (self.negated(2, n) or self.aimed_at(n))):
                yield self.scope(0, n, "denied" if kind == "denial" else "doubted")
                return
        begins = self.words[0].text[0].isupper()
        if self.language != "fr" or not begins or self._is_known(self.comma(1)):
            return
        if not _PERFECT_SUBJUNCTIVE.intersection(self.folded[1 : self.comma(1)]):
            yield self.scope(0, self.comma(1), "doubted")  # "Que Paul paie Anne, et nous partirons."

    def _is_known(self, first: int) -> bool:
        """Whether the clause at `first` says that what is before it is known: "Que Paul aime Anne, chacun le sait."."""
        end = min(self.comma(first), len(self.words))
        this = next((n for n in range(first, end) if self.folded[n] in _THIS), end)
        return any(self.kind(n) in {"fact", "proof"} for n in range(this + 1, end))

    def _indirect_question(self, at: int) -> Iterator[Scope]:
        """The clause of an indirect question: "asked whether", "on ignore si"."""
        if self.language == "fr" and not self._is_asked(at):
            return
        yield self.scope(at, self.end(at), "doubted")

    def _is_asked(self, at: int) -> bool:
        before = self.folded[max(0, at - 4) : at]
        return bool(_ASKING.intersection(before)) and not self.mark(at - 1, at)

    def _condition(self, at: int) -> Iterator[Scope]:
        """An "if" with its clause; if it comes first, also the main clause."""
        word = self.folded[at]
        if self.language == "fr":
            alone = word == "s" and not self.followed_by(at, "il") and not self.followed_by(at, "ils")
            if alone or not self._begins(at) or self.folded[at + 1 : at + 2] in (["bien"], ["tant"]):
                return
        if word in {"provided", "supposing", "assuming"} and not self._begins(at):
            return
        even = at > 0 and self.folded[at - 1] in self.cues.even
        first = at == 0 or (even and at == 1) or bool(self.mark(at - 1, at) and HARD.search(self.mark(at - 1, at)))
        if first and not even:
            yield self.scope(at, self.segment_end(at), "doubted")
        else:
            yield self.scope(at, self.comma(at), "doubted")

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
        if self.language != "en" or kind not in ("doubt", "speech") or self.heads_noun(at):
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
            yield from self.scopes_of_governor(at, after, end)

    def _infinitive(self, at: int) -> Iterator[Scope]:
        """An infinitive or gerund of something planned or reported: "hopes to meet", "denies having met", "nie avoir
        vu".
        """
        kind = self.kind(at) or ("doubt" if self.folded[at] in self.cues.open_verbs else None)
        if self.folded[at] in self.cues.open_verbs:
            kind = "denial" if self.folded[at] in self.cues.reversals else "doubt"
        if kind in (None, "fact"):
            return
        verb = self._nonfinite(at)
        if verb is None:
            return
        negated = self.negated(self.clause_start(at), verb)
        if kind == "proof":
            if negated:
                yield self.scope(verb, self.end_of_infinitive(verb), "doubted")
            return
        status: Status = "denied" if kind == "denial" and not negated else "doubted"
        yield self.scope(verb, self.end_of_infinitive(verb), status)

    def _nonfinite(self, at: int) -> int | None:
        """The infinitive or gerund that a word governs, within a few words after it."""
        inserted, at = at, self._past_insert(at)
        for n in range(at + 1, min(len(self.words), at + 1 + MAX_WORDS_TO_INFINITIVE)):
            if self.mark(n - 1, n) and not inserted < at == n - 1:  # "bestreitet, Otto bestochen zu haben"
                beside = self.language == "de" and self.mark(n - 1, n).strip() == "," and n <= at + MAX_WORDS_TO_COMMA
                return n if beside and "zu" in self.folded[n : self.comma(n)] else None
            word = self.folded[n]
            if self.language == "fr":
                if _INFINITIVE.fullmatch(word) and word not in _NO_INFINITIVES and not self.words[n].text[0].isupper():
                    before = self.folded[n - 1]
                    if before in self.cues.to | _OBJECTS or n == at + 1 or before in _BEFORE_INFINITIVES:
                        return n  # and not "père" in "demanda à son père de partir"
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

    def _past_insert(self, at: int) -> int:
        """The last of a few words between commas after `at`: "denied, under oath, having met"; else `at`."""
        if self.language == "de" or self.mark(at, at + 1).strip() != ",":
            return at
        ends = range(at + 1, min(len(self.words) - 1, at + 1 + MAX_WORDS_TO_COMMA))
        last = next((n for n in ends if self.mark(n, n + 1)), at)
        return last if self.mark(last, last + 1).strip() == "," else at

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
        status, source = self.speech(start, at, negated=kind == "doubt")
        yield self.scope(self.segment_start(start), self.segment_end(last), status, source)

    def _is_insert(self, start: int, verb: int, last: int) -> bool:
        before, after = self.folded[start:verb], self.folded[verb + 1 : last + 1]
        if before[:1] == ["as"] and self.folded[verb] in _BORNE_OUT:
            return False  # "as the police had suspected": it came true
        if before[:1] == ["as"] and self.has(self.cues.modals, start, verb):
            return False  # "as Ann would tell you": the writer says so
        if before[:1] == ["or"] or before[:1] == ["so"] or before[:1] == ["as"]:
            return True
        if self.language == "fr":
            return not before and bool(after) and after[-1] in {"on", "il", "elle"} and len(after) <= 2
        subject = bool(before) and before[0] in self.cues.pronouns | self.cues.generic and len(before) <= 3
        return subject and not after


def _is_insertion(before: str, after: str) -> bool:
    """Whether the text between two punctuation marks is an insertion."""
    return before.strip() in {",", "—", "--", "("} and after.strip()[:1] in {",", ".", "!", ";", ")", "—", ""}


_PERFECT_SUBJUNCTIVE = word_set("ait aient eût eussent soit soient fût fussent a est")
_THIS = frozenset(("le", "l", "cela", "ça", "ca", "c", "en"))
_ASKING = word_set(
    "demande demanda demandait demandent demander savoir sait sais savait ignore ignorait ignorent voir doute "
    "douta question verifier chercher dire dit sut determiner etablir"
)
_WHICH = frozenset(("laquelle", "lequel", "lesquels", "lesquelles"))
_CAME_ABOUT = frozenset(("become", "prove", "be", "remain"))
_SAY = frozenset(("say", "says", "said"))
_BORNE_OUT = word_set(
    "suspected feared expected predicted foresaw foreseen foretold guessed hoped wished planned intended "
    "dreamt dreamed promised threatened vowed"
)
_QUOTE = re.compile(r"[“”«»\"]")
_DASHES = ("—", "–", "-", "―")
_INFINITIVE = re.compile(r"\w+(?:er|ir|re|oir)|avoir|etre")
_NO_INFINITIVES = word_set("hier premier dernier entre contre autre notre votre sur par pour mer fer")
_BEFORE_INFINITIVES = word_set("pas y vain toujours encore jamais bien vraiment meme aussi surtout seulement")
_OBJECTS = word_set("le la les l lui leur se s me m nous vous en y")
_BEFORE_GERUNDS = word_set("of from at about herself himself ever even once actually knowingly")
_NO_GERUNDS = word_set("something anything nothing everything during evening morning king ring spring string")

"""The words of a predicate, with their kinds in a lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from filigraph.graph.text.verbs.inflections import VerbForm
from filigraph.graph.text.verbs.relation_lists import Lexicon


@dataclass(frozen=True)
class Tail:
    """The words between a verb and the object."""

    preposition: str  # before the object, "" for none
    between: Sequence[str]  # the words before the preposition
    article: str = ""  # after the preposition


@dataclass(frozen=True)
class WordKinds:
    """Finds the kinds of the words of a text."""

    lexicon: Lexicon

    def is_abstract(self, text: str) -> bool:
        """Whether an object is neither a thing nor a place: "mortal terror", "black ink"; not a name, which has a
        capital.
        """
        words = [word for word in self._words(text) if not self.lexicon.has("determiners", word)]
        first = next((at for at, word in enumerate(words) if self.lexicon.has("prepositions", word)), len(words))
        return any(self.lexicon.has("abstract", word) for word in (*words[:1], *words[:first][-1:]))

    def begins_with_preposition(self, text: str) -> bool:
        first = self._words(text)[:1]
        return any(self.lexicon.has("prepositions", word) and not self.lexicon.has("genitive", word) for word in first)

    def _words(self, text: str) -> list[str]:
        """Tokens with compounds joined and contractions split: "out of" is one preposition."""
        words: list[str] = self.lexicon.word.findall(text)
        expanded: list[str] = []
        while words:
            length = next((n for n in (4, 3, 2, 1) if tuple(words[:n]) in self.lexicon.compounds), 0)
            if length:
                expanded += self.lexicon.compounds[tuple(words[:length])].split()
            else:
                expanded.append(words[0])
            words = words[length or 1 :]
        return expanded

    def _tail(self, rest: Sequence[str]) -> Tail:
        words, article = list(rest), ""
        while words:
            if self.lexicon.has("determiners", words[-1]) or words[-1].endswith(("'s", "s'")):
                article = words.pop()
            elif len(words) > 1 and self.lexicon.has("genitive", words[-1]) and self.lexicon.has("amounts", words[-2]):
                del words[-2:]  # "a glass of"
            else:
                break
        if not words or not self.lexicon.has("prepositions", words[-1]):
            return Tail("", words, article)
        preposition = words.pop()
        if self.lexicon.has("genitive", preposition) and words and self.lexicon.has("parts", words[-1]):
            inner = len(words) - 1
            while inner and self._is_of(("determiners", "parts"), words[inner - 1]):
                inner -= 1
            if inner and self.lexicon.has("prepositions", words[inner - 1]):
                return Tail(words[inner - 1], words[: inner - 1], article)
        return Tail(preposition, words, article)

    def _agrees(self, kind: str, word: str) -> bool:
        """Whether a kind lists a word, also without the French endings -s, -e, -es."""
        return any(self.lexicon.has(kind, word.removesuffix(ending)) for ending in ("", "s", "e", "es"))

    def _skip(self, words: Sequence[str]) -> int:
        """Index of the first word that is neither an adverb nor a pronoun."""
        return next(
            (at for at, word in enumerate(words) if not self._is_adverb_or_pronoun(word, first=at == 0)), len(words)
        )

    def _is_adverb_or_pronoun(self, word: str, *, first: bool = False) -> bool:
        return self._is_of(("adverbs", "pronouns", "reflexives"), word) or (
            self.lexicon.ends("first adverbs" if first else "adverbs", word)
            and (word, VerbForm.FINITE) not in self.lexicon.forms
        )

    def _is_tight(self, words: Sequence[str]) -> bool:
        return all(self._is_adverb_or_pronoun(word) or self.lexicon.has("particles", word) for word in words)

    def _has_preposition(self, words: Sequence[str]) -> bool:
        return any(self.lexicon.has("prepositions", word) and not self.lexicon.has("particles", word) for word in words)

    def _is_embedded(self, words: Sequence[str]) -> bool:
        """Whether the words contain another verb: "goes to fetch the"."""
        for before, word in zip(["", *words], words, strict=False):
            finite = self.lexicon.verb(word, VerbForm.FINITE) and self.lexicon.ends("finite", word)
            if finite and not any(self.lexicon.verb(word, form) for form in (VerbForm.INFINITIVE, VerbForm.PARTICIPLE)):
                return True
            if self._is_of(("subordinators", "uncertain", "be", "have"), word):
                return True
            if self.lexicon.has("infinitive", before) and self.lexicon.verb(word, VerbForm.INFINITIVE):
                return True
            if self.lexicon.has("prepositions", before) and self.lexicon.verb(word, VerbForm.PROGRESSIVE):
                return True
            if self.lexicon.ends("infinitives", word) and not self.lexicon.has("determiners", before):
                return True
        return False

    def _is_auxiliary(self, word: str) -> bool:
        return self._is_of(("have", "be"), word)

    def _is_denied(self, words: Sequence[str]) -> bool:
        return any(self.lexicon.has("negations", word) or word.endswith("n't") for word in words)

    def _is_of(self, kinds: Sequence[str], word: str) -> bool:
        return any(self.lexicon.has(kind, word) for kind in kinds)

"""Find names in a text: Aho-Corasick (Aho & Corasick, CACM 1975) over words.

Each word of a known name is encoded as one private character, any other word as NUL. A text is a short string, and
matching time does not depend on the number of names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import ahocorasick  # type: ignore[import-not-found]

from filigraph.graph.model.arrays import Span
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.names.tables import ARTICLES, ELISIONS
from filigraph.graph.text.words import Token, tokens

# Separators allowed between two words of one name. A full stop is allowed only after an abbreviation ("St. Clair");
# otherwise a name would continue in the next sentence.
_GAP = re.compile(r"[ \t\u00a0\u202f\u200b-\u200f\u2060\ufeff\-‐‑–'’ʼ.·・&/\"«»“”()]*\n?[ \t\u00a0]*")
_ABBREVIATION = 4  # max. letters
_FIRST_CODE = 0x10000  # above the surrogates, so that a million distinct words can be encoded
_UNKNOWN = "\x00"
_ELIDED = re.compile("[dD]['\u2019\u02bc]")
_OF = "d"  # of a name that begins with d'


@lru_cache(maxsize=1 << 16)
def form_features(form: str) -> tuple[bool, bool, bool]:
    """Properties of a form, other than its key, that affect matching: (a word must have a capital, a comma may occur,
    it begins with d')."""
    return parse(form).proper, "," in form, bool(_ELIDED.match(form))


def key_words(key: str) -> list[str]:
    """The words of a key, folded. The common case needs no parsing."""
    plain = key.isascii() and key.replace(" ", "").isalnum() and key == key.lower()
    return key.split() if plain else [word.folded for word in tokens(key)]


class _Words:
    """Aho-Corasick automaton whose letters are words."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._automaton = ahocorasick.Automaton()

    def pattern(self, key: str) -> str:
        return "".join([self._codes.setdefault(word, chr(_FIRST_CODE + len(self._codes))) for word in key_words(key)])

    def add(self, pattern: str, value: object) -> bool:
        """Add a pattern and return whether it is new. A pattern without words is not added."""
        if not pattern or self._automaton.exists(pattern):
            return False
        self._automaton.add_word(pattern, (value, len(pattern)))
        return True

    def complete(self) -> None:
        self._automaton.make_automaton()

    def matches(self, words: Sequence[Token]) -> list[tuple[int, int, Any]]:
        """(first word, minus the number of words, value) of each match, in order."""
        if not self._codes:
            return []
        coded = "".join([self._codes.get(word.folded, _UNKNOWN) for word in words])
        return sorted((last - length + 1, -length, value) for last, (value, length) in self._automaton.iter(coded))


class NameFinder:
    """Finds the names of a set: leftmost, longest, without overlaps."""

    def __init__(self, names: Mapping[str, str], *, as_written: bool) -> None:
        self._features: dict[str, tuple[bool, bool, bool]] = {}
        self._words = _Words()
        for key in sorted(names):
            if self._words.add(self._words.pattern(key), key):
                proper, may_have_comma, elided = form_features(names[key])
                self._features[key] = as_written and proper, may_have_comma, elided
        self._words.complete()

    def all_in(self, text: str) -> dict[str, list[Span]]:
        """Key -> the spans of its matches, in order."""
        matches: dict[str, list[Span]] = {}
        if not self._features:
            return matches
        words = tokens(text)
        free = 0  # index of the first word after the last match
        for first, negative, key in self._words.matches(words):
            after = first - negative
            if first < free:
                continue
            needs_capital, may_have_comma, elided = self._features[key]
            if needs_capital and not _has_capital(words[first:after]):
                continue
            if not _are_joined(words[first:after], text, comma=may_have_comma):
                continue
            free = after
            matches.setdefault(key, []).append(_span(first, after, words, text, elided=elided))
        return matches


class Hit(NamedTuple):
    """A place of a text where names may be, with all that determines which of them matches."""

    first: int  # word
    after: int  # word behind it
    keys: tuple[str, ...]  # keys of the names with these words, sorted
    capital: bool  # one of the words has a capital
    comma: bool  # a comma separates words
    span: Span
    elided: Span  # of a name that begins with d'


class HitFinder:
    """Finds the places of all names at once; `names_at` later selects some of these names."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._words = _Words()
        same_words: dict[str, list[str]] = defaultdict(list)
        for key in sorted(keys):
            same_words[self._words.pattern(key)].append(key)
        for pattern, names in same_words.items():
            self._words.add(pattern, tuple(names))
        self._words.complete()

    def hits(self, text: str) -> tuple[Hit, ...]:
        """The places, in order; at one place longer ones first."""
        words, hits = tokens(text), list[Hit]()
        for first, negative, keys in self._words.matches(words):
            after = first - negative
            here = words[first:after]
            joined = _are_joined(here, text, comma=False)
            if not joined and not _are_joined(here, text, comma=True):
                continue
            span = elided = _span(first, after, words, text, elided=False)
            if first and words[first - 1].folded == _OF:
                elided = _span(first, after, words, text, elided=True)
            hits.append(Hit(first, after, keys, _has_capital(here), not joined, span, elided))
        return tuple(hits)


def merged_hits(hits: Iterable[Hit], others: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits in one text of the keys of two finders."""
    at = {(hit.first, -hit.after): hit for hit in hits}
    for hit in others:
        place = hit.first, -hit.after
        keys = {*at[place].keys, *hit.keys} if place in at else hit.keys
        at[place] = hit._replace(keys=tuple(sorted(keys)))
    return tuple(at[place] for place in sorted(at))


def names_at(hits: Iterable[Hit], names: Mapping[str, str], *, as_written: bool = True) -> dict[str, list[Span]]:
    """The matches of `NameFinder(names, as_written=as_written)` in the text of these hits."""
    matches: dict[str, list[Span]] = {}
    free = 0
    for first, after, keys, capital, comma, span, elided_span in hits:
        if first < free:
            continue
        key = next((key for key in keys if key in names), None)
        if key is None:
            continue
        needs_capital, may_have_comma, elided = form_features(names[key])
        if (as_written and needs_capital and not capital) or (comma and not may_have_comma):
            continue
        free = after
        matches.setdefault(key, []).append(elided_span if elided else span)
    return matches


def _has_capital(words: Sequence[Token]) -> bool:
    return any(not word.text[0].islower() for word in words)


def _are_joined(words: Sequence[Token], text: str, *, comma: bool) -> bool:
    """Whether only allowed separators part the words."""
    if len(words) == 1:
        return True
    for before, word in pairwise(words):
        gap = text[before.end : word.start]
        if gap in (" ", ""):
            continue
        if "." in gap and len(before.text) > _ABBREVIATION:
            return False
        if not _GAP.fullmatch(gap.replace(",", "") if comma else gap):
            return False
    return True


def _span(first: int, after: int, words: Sequence[Token], text: str, *, elided: bool) -> Span:
    start = _with_article(first, words, text, elided=elided)
    return start, _with_bracket(text, start, words[after - 1].end)


def _with_bracket(text: str, start: int, end: int) -> int:
    """End of a name, including a closing bracket that belongs to it: "Marchand (Émile)"."""
    open_ = text.count("(", start, end) > text.count(")", start, end)
    return end + 1 if open_ and text.startswith(")", end) else end


def _with_article(first: int, words: Sequence[Token], text: str, *, elided: bool) -> int:
    """Start of a name. It includes a capitalized article ("La Griffe"), and the d' of a name known to have one
    ("d'Artagnan").
    """
    start = words[first].start
    before = words[first - 1] if first else None
    if before is None or before.end + 1 != start:
        return start
    article = before.folded in ARTICLES | ELISIONS and not before.text[0].islower()
    if not article and not (elided and before.folded == _OF):
        return start
    whole = name_key(text[before.start : words[first].end])
    return before.start if whole == words[first].folded else start

"""The index terms in the facts of a chunk, computed once and cached for the next question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from filigraph.graph.model.retrieval import PoolChunk, PoolFact
from filigraph.graph.text.words import terms


@dataclass(frozen=True, kw_only=True)
class FactTerms:
    """The index terms in the facts of a chunk."""

    places: Mapping[str, tuple[int, ...]]  # term -> places of the facts that say it
    stated: Mapping[str, int]  # term -> how often facts contain it, without cooccurrences
    length: int  # terms of all these facts


_TERMS: WeakKeyDictionary[PoolChunk, FactTerms] = WeakKeyDictionary()


def fact_terms(chunk: PoolChunk) -> FactTerms:
    """The terms of a chunk's facts, as the word index would hold them."""
    known = _TERMS.get(chunk)
    if known is None:
        known = _TERMS[chunk] = _fact_terms(chunk.facts, chunk.language)
    return known


@lru_cache(maxsize=1 << 12)  # after a change most chunks say what they said before
def _fact_terms(facts: tuple[PoolFact, ...], language: str) -> FactTerms:
    places: dict[str, list[int]] = defaultdict(list)
    stated: Counter[str] = Counter()
    for place, fact in enumerate(facts):
        fact_words = terms(f"{fact.subject} {fact.predicate} {fact.object} {fact.when}", language)
        for term in dict.fromkeys(fact_words):
            places[term].append(place)
        if fact.origin != "cooccurrence":
            stated.update(fact_words)
    term_places = {term: tuple(positions) for term, positions in places.items()}
    return FactTerms(places=term_places, stated=stated, length=stated.total())

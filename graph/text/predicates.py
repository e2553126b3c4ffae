"""Predicates in one form: "portait", "porta", "a porté" are "porte"; "wore", "has worn" are "wears".

A verb in a tense of narration becomes its third person of the present, in French and in English. What is not surely a
verb stays as it is written: a predicate that is not folded is two facts instead of one, one that is folded wrongly is a
false fact.
"""

from __future__ import annotations

from functools import lru_cache

from filigraph.graph.text import english_verbs, french_verbs

_LANGUAGES = {"en": english_verbs.in_present, "fr": french_verbs.in_present}


@lru_cache(maxsize=1 << 16)
def normalized(predicate: str, language: str) -> str:
    """The predicate with its verb in the present, spaces as one. `language` is that of the chunk, ISO 639-1."""
    words = " ".join(predicate.split())
    return _LANGUAGES[language](words) if words and language in _LANGUAGES else words

"""Normalize predicates: "portait", "porta", "a porté" become "porte"; "wore", "has worn" become "wears".

A verb in a narrative tense is mapped to the third person singular of the present, in French and English. A word that
is not certainly a verb is unchanged: a missed predicate gives two facts instead of one, a wrong one a false fact. A
verb is also unchanged if its sentence says that the fact has ended: "belonged to Moreau until 1921".
"""

from __future__ import annotations

import re
from functools import lru_cache

from filigraph.graph.text.verbs import english_verbs, french_verbs
from filigraph.graph.text.words import fold

_LANGUAGES = {"en": english_verbs.in_present, "fr": french_verbs.in_present}


@lru_cache(maxsize=1 << 16)
def normalized(predicate: str, language: str) -> str:
    """The predicate with its verb in the present and single spaces. `language`: of the chunk, ISO 639-1."""
    words = " ".join(predicate.split())
    return _LANGUAGES[language](words) if words and language in _LANGUAGES else words


# --------------------------------------------------------------------------------------------------------------------
# Facts that have ended

_WHEN_FR = (
    r"(?:\d|l['’]an|la fin|la mort|ce qu|(?:sa|son|leur|ses|le jour|la nuit) |janvier|fevrier|mars|avril|mai|juin|"
    r"juillet|aout|septembre|octobre|novembre|decembre)"
)
# For folded text: after the start of the predicate, and directly before it.
_ENDS_AFTER = {
    "en": re.compile(r"\b(?:until|till|up to (?:his|her|its|their|\d)|no longer|at (?:the|that) time)\b"),
    "fr": re.compile(rf"\bjusqu['’](?:en\b|(?:a|au|aux) {_WHEN_FR})|\ba l['’]epoque\b"),
}
_ENDS_BEFORE = {
    "en": re.compile(r"\b(?:once|formerly|previously|no longer|used to|until [^,.]{1,30},? ?(?:\w+ ){0,4})$"),
    "fr": re.compile(r"\b(?:autrefois|jadis|naguere|jusqu['’](?:en|a|au) [^,.]{1,30},? ?(?:\w+ ){0,4})$"),
}
_INSIDE = {"en": re.compile(r"\b(?:formerly|once|previously)\b"), "fr": re.compile(r"\b(?:autrefois|jadis|naguere)\b")}
_STOP = re.compile(r"[.;!?]")
_CHARS_BEFORE = 60  # characters


def predicate_as_stated(sentence: str, predicate: str, language: str) -> str:
    """The normalized predicate; as written, with single spaces, if its sentence says that the fact has ended."""
    written = " ".join(predicate.split())
    if language in _ENDS_AFTER and _has_ended(fold(" ".join(sentence.split())), fold(written), language):
        return written
    return normalized(predicate, language)


def _has_ended(sentence: str, predicate: str, language: str) -> bool:
    at = sentence.find(predicate)
    if at < 0:
        return False
    after = _STOP.split(sentence[at + len(predicate) :])[0]
    before = _STOP.split(sentence[max(0, at - _CHARS_BEFORE) : at])[-1].rstrip()
    return bool(
        _ENDS_AFTER[language].search(after)
        or _ENDS_BEFORE[language].search(before)
        or _INSIDE[language].match(after.lstrip())
    )

"""A verb between two names that the parser took for another kind of word: "Lena Voss sails for Cadiz"."""

from __future__ import annotations

import re
from itertools import pairwise

from filigraph.graph.ingest.extract.patterns.phrases import Phrase, SentenceReading
from filigraph.graph.text.verbs.inflections import VerbForm
from filigraph.graph.text.verbs.relation_lists import lexicon

MOST_BETWEEN = 4  # words
# The future and the conditional: "partira", "conduirait".
_NOT_YET = {"en": re.compile(r"(?!)"), "fr": re.compile(r"(?:[eidv]ra|rai|ront|rait|raient)$")}
_ARTICLES = frozenset(("the", "a", "an", "le", "la", "les", "l'", "l’"))


def read_adjacent(clause: str, reading: SentenceReading, language: str) -> None:
    """Add what a listed verb says between two names beside it, if the patterns read nothing. The first name opens the
    clause or follows a comma, so nothing else can be the subject.
    """
    if reading.facts:
        return
    listed = lexicon(language)
    for first, second in pairwise(sorted(reading.names, key=lambda name: name.at)):
        before, words = clause[: first.at].rstrip(), clause[first.at + len(first.form) : second.at].split()
        if (before and before[-1] not in ",;:") or not 1 <= len(words) <= MOST_BETWEEN:
            continue
        verb, *rest = words
        linked = [word for word in rest if word.lower() not in _ARTICLES]
        if (
            not listed.verb(verb, VerbForm.FINITE)
            or _NOT_YET[language].search(verb)
            or not all(listed.has("prepositions", word) for word in linked)
        ):
            continue
        reading.add(_name(first.form), " ".join((verb, *linked)), _name(second.form), "complement", first.at)


def _name(form: str) -> Phrase:
    return Phrase(text=form, named=True, words=len(form.split()), first=0, last=0)

"""Compared pronouns: "Compare her with Rosanna", « Comparez-la avec Rosanna », with the name that the pronoun means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.text.names.parse import parse

MAX_NAMES = 8  # for a pronoun of several
# Verb and pronoun, and the word between the last two names.
_FORMS = (
    (re.compile(r"\b(?P<verb>compare)\s+(?P<pronoun>him|her|it|them)\b", re.I), "and"),
    (re.compile(r"\b(?P<verb>compar(?:e|es|ez|ons|er))[-‐‑](?P<pronoun>l(?:a|es?))\b", re.I), "et"),
    (re.compile(r"\b(?P<pronoun>l(?:a|es?))\s+(?P<verb>comparer)\b", re.I), "et"),
    (re.compile(r"\b(?P<verb>comp[aá]r(?:a|e|ar))(?P<pronoun>l[ao]s?)\b", re.I), "y"),
    (re.compile(r"\b(?P<verb>confronta)(?P<pronoun>l[aoi])\b", re.I), "e"),
    (re.compile(r"\b(?P<verb>vergleich(?:en? Sie|e?))\s+(?P<pronoun>sie|ihn|es)\b", re.I), "und"),
)
_OF_SEVERAL = frozenset(["them", "les", "las", "los", "li"])
_GENDERS = {"him": "m", "her": "f", "ihn": "m", "la": "f", "le": "m", "lo": "m"}  # of persons


def compares_a_pronoun(question: str) -> bool:
    """Whether it asks to compare somebody whom it does not name."""
    return any(form.search(question) for form, _ in _FORMS)


def with_compared_names(question: str, names: Sequence[str]) -> str:
    """The question with names, of those that the question before named, in place of a compared pronoun; unchanged if it
    is open which one the pronoun means."""
    for form, joined_by in _FORMS:
        if match := form.search(question):
            pronoun = match["pronoun"].lower()
            meant = _meant(pronoun, [name for name in names if not re.search(rf"\b{re.escape(name)}\b", question)])
            spelled = f" {joined_by} ".join(filter(None, [", ".join(meant[:-1]), *meant[-1:]]))
            replaced = f"{question[: match.start()]}{match['verb']} {spelled}{question[match.end() :]}"
            return replaced if meant else question
    return question


def _meant(pronoun: str, names: Sequence[str]) -> Sequence[str]:
    if pronoun in _OF_SEVERAL:
        return names[:MAX_NAMES] if len(names) > 1 else ()
    gender = _GENDERS.get(pronoun, "")
    of_gender = [name for name in names if gender and parse(name).gender == gender]
    fitting = of_gender or [name for name in names if not gender or not parse(name).gender]
    return fitting if len(fitting) == 1 else ()

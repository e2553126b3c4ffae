"""Inflected forms of listed verbs: "walked" -> "walk", "regardaient" -> "regarde".

Only listed verbs are inflected, so forms that a rule overgenerates do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum

from filigraph.graph.text.verbs import english_verbs, french_verbs


class VerbForm(Enum):
    FINITE = "finite"  # present or past
    PARTICIPLE = "participle"  # taken, pris
    PROGRESSIVE = "progressive"  # taking, prenant
    INFINITIVE = "infinitive"  # in English the base, which is also finite: "they take"


Forms = dict[tuple[str, VerbForm], str]  # (form, kind) -> the first listed verb with it

_Y = re.compile("[^aeiou]y$")
_SILENT_E = re.compile("[^eoy]e$")


def english_forms(verbs: Iterable[str], irregular: Mapping[str, Sequence[str]]) -> Forms:
    """Forms of verbs given by base. `irregular`: base -> past, and participle if it differs."""
    forms: Forms = {}
    for base in verbs:
        third = _third(base)
        past, *participle = irregular.get(base) or english_verbs.IRREGULAR.get(third) or [_past(base)]
        stem = f"{base[:-2]}y" if base.endswith("ie") else base[:-1] if _SILENT_E.search(base) else base
        _add_forms(forms, base, VerbForm.INFINITIVE, [base])
        _add_forms(forms, base, VerbForm.FINITE, [base, third, past, _doubled(past, "ed")])
        for form in participle or [past]:
            _add_forms(forms, base, VerbForm.PARTICIPLE, [form, _doubled(form, "ed")])
        _add_forms(forms, base, VerbForm.PROGRESSIVE, [f"{stem}ing", _doubled(f"{stem}ing", "ing")])
    return forms


def _third(base: str) -> str:
    if _Y.search(base):
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{base}s"


def _past(base: str) -> str:
    return f"{base}d" if base.endswith("e") else f"{base[:-1]}ied" if _Y.search(base) else f"{base}ed"


def _doubled(form: str, ending: str) -> str:
    """The form with doubled consonant ("stopped" for "stoped"); unchanged for a stem that cannot double it."""
    stem = form.removesuffix(ending)
    return f"{stem}{stem[-1]}{ending}" if form.endswith(ending) and stem[-1] not in "aeiouwxy" else form


def french_forms(verbs: Iterable[str], irregular: Mapping[str, Sequence[str]]) -> Forms:
    """Forms of verbs given by third person of the present. `irregular`: present -> participle."""
    listed: dict[str, list[str]] = {}
    for form, present in french_verbs.FORMS.items():
        listed.setdefault(present, []).append(form)
    participles: dict[str, list[str]] = {}
    for form, present in french_verbs.PARTICIPLES.items():
        participles.setdefault(present, []).append(form)
    forms: Forms = {}
    for present in verbs:
        _add_forms(forms, present, VerbForm.FINITE, [present, *listed.get(present, []), *_french_finite(present)])
        participle_forms = irregular.get(present) or participles.get(present) or _french_participles(present)
        _add_forms(
            forms,
            present,
            VerbForm.PARTICIPLE,
            [form + ending for form in participle_forms for ending in ("", "e", "s", "es")],
        )
        _add_forms(forms, present, VerbForm.PROGRESSIVE, _french_progressive(present))
        _add_forms(forms, present, VerbForm.INFINITIVE, [f"{stem}er" for stem in _stems(present)])
    return forms


def _stems(present: str) -> Iterator[str]:
    """The stems of a verb in -er: of "mène" men- and mèn-, of "espère" espér-."""
    if present.endswith("e"):
        stem = present[:-1]
        yield stem
        if match := re.search("è([^aeiou]+)$", stem):
            yield from (f"{stem[: match.start()]}{vowel}{match[1]}" for vowel in "eé")
        if match := re.search("(ll|tt)$", stem):
            yield stem[:-1]
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"


def _french_finite(present: str) -> Iterator[str]:
    for stem in _stems(present):
        soft = f"{stem}e" if stem.endswith("g") else f"{stem[:-1]}ç" if stem.endswith("c") else stem
        yield from (f"{stem}ent", f"{stem}èrent", f"{soft}ait", f"{soft}aient", f"{soft}a")
    if present.endswith("it"):
        yield from (present[:-1] + ending for ending in ("ssait", "ssaient", "ssent", "rent"))


def _french_participles(present: str) -> Iterator[str]:
    yield from (f"{stem}é" for stem in _stems(present))
    if present.endswith("t"):
        yield from (present, present[:-1])  # écrit, fini


def _french_progressive(present: str) -> Iterator[str]:
    for stem in _stems(present):
        yield f"{stem}eant" if stem.endswith("g") else f"{stem[:-1]}çant" if stem.endswith("c") else f"{stem}ant"
    yield from (
        form.removesuffix("ait") + "ant"
        for form, infinitive in french_verbs.FORMS.items()
        if infinitive == present and form.endswith("ait")
    )


def _add_forms(forms: Forms, verb: str, kind: VerbForm, inflected: Iterable[str]) -> None:
    for form in inflected:
        forms.setdefault((form, kind), verb)

"""Years of birth that a text gives with a name: "Li Wei (b. 1955)", "Li Wei, born 1955", "Li Wei est né en 1982".

Different years show that two namesakes are different persons. Only a year next to its name counts, not one after "he"
or in another clause.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from filigraph.graph.text.names.parse import name_key, parse

# A point ends a sentence, except behind an initial or a title: "Alder AG. Li Wei was born ..."
_WORD = r"(?<!\w)(?:[A-ZÀ-ÖØ-ÞĀ-Ž](?:\.|[\w'’-]*)|(?:Dr|Mr|Mrs|Ms|Mme|Mlle|Capt|Col|Gen|Prof|St|Ste)\.)"
_LINK = r"(?:de|du|des|d['’]|la|le|von|van|der|den|di|da|del|al|bin)"
_NAME = rf"(?P<name>{_WORD}(?:,?[ \u00a0](?:{_LINK}[ \u00a0]?)*{_WORD}){{0,4}})"
_BORN = r"(?:born|b\.|née?|n\.|geboren|geb\.|nacid[oa]|nacque|nat[oa]|nació|naquit|\*)"
_IS = r"(?:was|is|est|était|fut|wurde|ist|è|era|fue)"
_ROLE = r"(?:(?:an? |the |une? |le |la |l['’])?[^\W\d_A-Z][^\d,;:.()\n]{2,40}, )?"  # "baker, born 1871"
_BESIDE = (  # between "born" and the year: a day, a month, a place
    r"(?:in|on|at|the|of|near|about|around|circa|ca?\.|en|le|la|les|à|a|au|aux|de|du|des|près|vers|env\.|am|im|um|bei|el|il"
    r"|nel|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril"
    r"|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio"
    r"|settembre|ottobre|dicembre|\d{1,2}(?:st|nd|rd|th|er|\.)?|[A-ZÀ-Þ][\w'’.-]*)"
)
_YEAR = r"(?P<year>1[0-9]{3}|20[0-9]{2})(?!\w)"
_STATED = re.compile(
    rf"{_NAME}(?: ?, ?|,? ?[(\[]| [-–—] | {_IS} | (?=naquit|nacque|nació)){_ROLE}{_BORN}"
    rf"(?:,? {{0,2}}{_BESIDE}){{0,8}}?,? ?{_YEAR}"
)
_LIFE = re.compile(rf"{_NAME} ?[(\[](?:c\. ?)?{_YEAR} ?[-–—] ?(?P<death>1[0-9]{{3}}|20[0-9]{{2}})?[)\]]")
MAX_LIFE_YEARS = 115  # years


def birth_years(text: str) -> Mapping[str, frozenset[int]]:
    """Key of a name -> the years in which, according to the text, persons of that name were born."""
    years_of: dict[str, set[int]] = defaultdict(set)
    for form, year in _stated_years(text):
        years_of[name_key(form)].add(year)
        years_of[" ".join(parse(form).core)].add(year)  # for "Captain Li Wei" also "Li Wei"
    return {key: frozenset(years) for key, years in years_of.items() if " " in key}


def _stated_years(text: str) -> Iterator[tuple[str, int]]:
    for match in _STATED.finditer(text):
        yield match["name"], int(match["year"])
    for match in _LIFE.finditer(text):
        if not match["death"] or 0 < int(match["death"]) - int(match["year"]) <= MAX_LIFE_YEARS:
            yield match["name"], int(match["year"])

"""Find names that the text marks as somebody else's: "another L. Marchetti", "Paul Delmas (no relation)".

Resolution must not join such a name to a similar one. Only words next to the name count: "has nothing to do with the
affair" does not mark a namesake.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from filigraph.graph.text.birth_years import birth_years
from filigraph.graph.text.names.genders import genders_by_pronouns, pronouns_after
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.names.tables import Gender

_WORD = r"(?:[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯЁΑ-Ω][\w'’.-]*)"
_LINK = r"(?:de|du|des|d['’]|la|le|von|van|der|den|di|da|del|al|bin)"
_NAME = rf"{_WORD}(?:[ \u00a0](?:{_LINK}[ \u00a0]?)*{_WORD}){{0,4}}"
# Markers before the name, by language.
_OTHER = (
    *("another", "(?:a|some|quite a|the) different", "an unrelated", "(?:a|his|her|their) namesake,?", "some other"),
    *("une? autre", "l['’]autre", "un homonyme,?", "son homonyme,?", "une? tout autre"),
    *("otr[oa]", "un homónimo,?", "(?:k)?ein(?:e|en|em|er)? andere[rns]?", "ein Namensvetter,?"),
    *("un['’]?(?:a )?altr[oa]", "un omonimo,?", "outr[oa]", "друг(?:ой|ая|ого|ую)", "однофамил(?:ец|ица)", "тёзка"),
)
# Markers after the name, after a comma, bracket or dash.
_NO_KIN = (
    *(
        "(?:of )?no relation",
        "not related",
        "unrelated",
        "(?:a|his|her|the) namesake",
        "not to be confused",
        "nothing to do",
    ),
    *("aucun (?:lien|rapport)", "aucune parenté", "sans (?:aucun )?(?:lien|rapport|parenté)", "rien à voir"),
    *("(?:un |une |son |simple )?homonyme", "à ne pas confondre", "ne pas confondre"),
    *(
        "sin (?:relación|parentesco)",
        "nada que ver",
        "homónimo",
        "nicht verwandt",
        "nicht zu verwechseln",
        "Namensvetter",
    ),
    *("nessuna (?:parentela|relazione)", "nulla a che (?:fare|vedere)", "omonimo", "однофамилец", "не родственник"),
)
# Markers between two names with the same last word: "Paul Delmas has nothing to do with Jules Delmas".
_APART_FROM = (
    *("no relation (?:to|of)", "not related to", "unrelated to", "nothing to do with", "not to be confused with"),
    *("rien à voir avec", "(?:aucun|sans|pas de|nul) (?:lien|rapport)(?: de parenté)? avec", "aucune parenté avec"),
    *("nada que ver con", "nichts zu tun mit", "nicht verwandt mit", "nulla a che (?:fare|vedere) con"),
)
_BEFORE = re.compile(rf"(?i:\b(?:{'|'.join(_OTHER)}))[ \u00a0](?P<name>{_NAME})")
_AFTER = re.compile(rf"(?P<name>{_NAME})(?:, | ?[(—–] ?)(?i:{'|'.join(_NO_KIN)})\b")
_BETWEEN = re.compile(rf" (?i:{'|'.join(_APART_FROM)}) (?:[^\W\d_A-Z]+ )?(?P<other>{_NAME})")
_NAMES = re.compile(_NAME)
_CHARS_BEFORE = 100  # characters before such a marker to search for the first name
_CLAUSE = re.compile(r"[;!?,]|\.(?= [A-Z])")


def count_namesakes(text: str) -> dict[str, int]:
    """Key -> the number of times that `text` marks the name as somebody else's."""
    forms = [match["name"] for pattern in (_BEFORE, _AFTER) for match in pattern.finditer(text)]
    forms += [form for match in _BETWEEN.finditer(text) if (form := _namesake_before(text, match))]
    return dict(Counter(key for form in forms if (key := name_key(form.rstrip(".'’-")))))


def namesake_keys(text: str, language: str) -> list[str]:
    """The evidence of namesakes, in the format stored with a chunk: the keys of `count_namesakes`, repeated by count,
    keys with years of birth ("li wei\\t1961") and with the gender of a pronoun after the name ("harker\\tm"), sorted.
    """
    births = (f"{key}\t{year}" for key, years in birth_years(text).items() for year in years)
    pronouns = (f"{key}\t{gender}" for key, gender in pronouns_after(text, language))
    return sorted([*Counter(count_namesakes(text)).elements(), *births, *pronouns])


def years_of_birth(keys: Iterable[str]) -> dict[str, int]:
    """Key of a name -> its year of birth, from the evidence stored with the chunks of a document. A name with several
    years has none here: they belong to namesakes.
    """
    years: dict[str, set[int]] = defaultdict(set)
    for stored in keys:
        key, tab, year = stored.partition("\t")
        if tab and year.isdigit():
            years[key].add(int(year))
    return {key: next(iter(each)) for key, each in years.items() if len(each) == 1}


def genders_shown(keys: Mapping[str, int]) -> dict[str, Gender]:
    """Key of a name -> its gender by the pronouns that follow it, from the evidence stored with the chunks of a
    document, with counts.
    """
    parted = ((stored.partition("\t"), count) for stored, count in keys.items())
    return genders_by_pronouns({(key, gender): count for (key, _, gender), count in parted if gender in ("m", "f")})


def _namesake_before(text: str, match: re.Match[str]) -> str:
    """The last name before a match, in the same clause, if it has the same last word as the name after it; else ""."""
    begin = max(0, match.start() - _CHARS_BEFORE)
    name = next(reversed(list(_NAMES.finditer(text, begin, match.start()))), None)
    if name is None or _CLAUSE.search(text, name.end(), match.start()):
        return ""
    return name[0] if _last_word(name[0]) == _last_word(match["other"]) != "" else ""


def _last_word(form: str) -> str:
    core = parse(form).core
    return core[-1] if core else ""

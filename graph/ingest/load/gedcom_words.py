"""What the tags of a family tree say in words, in English and French."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from filigraph.graph.ingest.load.content import one_line

_CODES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DATE = re.compile(rf"(?:(\d{{1,2}}) )?(?:({'|'.join(_CODES)})\w* )?(\d{{3,4}})(?:/\d\d)?( B\.?C\.?)?", re.IGNORECASE)
_FORM = re.compile(r"(ABT|CAL|EST|BEF|AFT|TO|FROM|BET)\.? (.+?)(?: (TO|AND) (.+))?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Words:
    """One language."""

    also: str
    spouse: str
    at: str
    region: str  # what a place is in
    place_first: bool  # before the date: as the local extractor reads both
    months: tuple[str, ...]
    day: str
    year: str
    dates: Mapping[str, str]
    child: Mapping[str, str]  # by the sex
    events: Mapping[str, tuple[str, str]]  # of a man or anybody, of a woman
    of_two: Mapping[str, str]
    labels: Mapping[str, str]


def date_words(value: str, words: Words) -> str:
    """ "on 3 May 1880" of "3 MAY 1880"; what is in no form of the standard stands in brackets."""
    value = one_line(value)
    if not value:
        return ""
    bare = value.removeprefix("@#DGREGORIAN@ ")
    if date := _DATE.fullmatch(bare):
        return f"{words.day if date[1] else words.year} {_date(date, words)}"
    if form := _FORM.fullmatch(bare):
        first, second = _DATE.fullmatch(form[2]), _DATE.fullmatch(form[4] or "")
        pattern = words.dates.get(f"{form[1]} {form[3]}".upper() if form[3] else form[1].upper())
        if pattern and first and (second or not form[3]):
            return pattern.format(_date(first, words), _date(second, words) if second else "")
    return f"({value.replace('@#D', '').replace('@', ':').strip('()')})"


def _date(date: re.Match[str], words: Words) -> str:
    month = words.months[_CODES.index(date[2].upper())] if date[2] else ""
    return " ".join(filter(None, (date[1], month, f"{date[3]}{date[4] or ''}")))


WORDS = {
    "en": Words(
        also="is also called",
        spouse="is the spouse of",
        at="in",
        region=" ({})",
        place_first=True,
        months=("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December"),
        day="on",
        year="in",
        dates={"ABT": "about {}", "CAL": "about {}", "EST": "about {}", "BEF": "before {}", "AFT": "after {}",
               "TO": "until {}", "FROM": "from {}", "FROM TO": "from {} to {}", "BET AND": "between {} and {}"},
        child={"M": "is the son of", "F": "is the daughter of", "": "is the child of"},
        events={tag: (said, said) for tag, said in {
            "BIRT": "was born", "CHR": "was baptized", "BAPM": "was baptized", "DEAT": "died", "BURI": "was buried",
            "CREM": "was cremated", "ADOP": "was adopted", "CONF": "was confirmed", "GRAD": "graduated",
            "EMIG": "emigrated", "IMMI": "immigrated", "NATU": "was naturalized", "RETI": "retired", "RESI": "lived",
        }.items()},
        of_two={"MARR": "married", "DIV": "was divorced from", "ENGA": "was engaged to"},
        labels={"OCCU": "occupation", "EDUC": "education", "RELI": "religion", "RESI": "residence", "TITL": "title",
                "AUTH": "author", "PUBL": "publication", "SOUR": "source", "PLAC": "place", "CAUS": "cause",
                "EVEN": "event", "OBJE": "media", "ADDR": "address", "TYPE": "kind", "BIRT": "birth", "DEAT": "death",
                "MARR": "marriage", "NATI": "nationality", "REPO": "archive", "CENS": "census", "PROB": "probate"},
    ),
    "fr": Words(
        also="s'appelle aussi",
        spouse="est le conjoint de",
        at="à",
        region=", {}",
        place_first=False,
        months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                "novembre", "décembre"),
        day="le",
        year="en",
        dates={"ABT": "vers {}", "CAL": "vers {}", "EST": "vers {}", "BEF": "avant {}", "AFT": "après {}",
               "TO": "jusqu'en {}", "FROM": "depuis {}", "FROM TO": "de {} à {}", "BET AND": "entre {} et {}"},
        child={"M": "est fils de", "F": "est fille de", "": "est enfant de"},
        events={"BIRT": ("est né", "est née"), "CHR": ("a été baptisé", "a été baptisée"),
                "BAPM": ("a été baptisé", "a été baptisée"), "DEAT": ("est mort", "est morte"),
                "BURI": ("a été inhumé", "a été inhumée"), "CREM": ("a été incinéré", "a été incinérée"),
                "ADOP": ("a été adopté", "a été adoptée"), "CONF": ("a été confirmé", "a été confirmée"),
                "EMIG": ("a émigré", "a émigré"), "IMMI": ("a immigré", "a immigré"),
                "NATU": ("a été naturalisé", "a été naturalisée"), "RESI": ("a habité", "a habité")},
        of_two={"MARR": "a épousé", "DIV": "a divorcé de", "ENGA": "a été promis à"},
        labels={"OCCU": "profession", "EDUC": "études", "RELI": "religion", "RESI": "domicile", "TITL": "titre",
                "AUTH": "auteur", "PUBL": "publication", "SOUR": "source", "PLAC": "lieu", "CAUS": "cause",
                "EVEN": "événement", "OBJE": "média", "ADDR": "adresse", "TYPE": "genre", "BIRT": "naissance",
                "DEAT": "décès", "MARR": "mariage", "NATI": "nationalité", "REPO": "archives",
                "CENS": "recensement", "PROB": "succession"},
    ),
}  # fmt: skip

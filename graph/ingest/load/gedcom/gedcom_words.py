"""Words for the tags of a family tree, in English and French."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from filigraph.graph.ingest.load.content import clean

_CODES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DATE = re.compile(rf"(?:(\d{{1,2}}) )?(?:({'|'.join(_CODES)})\w* )?(\d{{3,4}}(?:/\d\d)?)( B\.?C\.?)?", re.IGNORECASE)
_FORM = re.compile(r"(ABT|CAL|EST|BEF|AFT|TO|FROM|BET)\.? (.+?)(?: (TO|AND) (.+))?", re.IGNORECASE)
_READ_AS = re.compile(r"INT\.? (.+?) \((.+)\)", re.IGNORECASE)  # a date, and the words of the source for it
# In French the h of most names is silent (Henri, Hélène), but not of names like Hans.
_ELIDES = re.compile("[aeiouœæ]|h[eiouyœ]|y[^aeiouy]")
_DESCENT = ("adopt", "foster", "step")  # beginnings of the words for a child by adoption or the like
_NO_WEDDING = re.compile(
    r"\b(?:unmarried|(?:not|never|non|pas)\W+mar[ir]|single|partner|concubin|cohabit|friend|union libre|pacs"
    r"|common.law)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Words:
    """The words of one language."""

    also: str
    spouse: str
    at: str
    region: str  # form of the region behind a place: " ({})"
    place_first: bool  # whether the place is before the date: the order that the local extractor reads
    months: tuple[str, ...]
    day: str
    year: str
    dates: Mapping[str, str]
    child: Mapping[str, str]  # by sex; "the child of" would become another name of each child
    raised: Mapping[str, Mapping[str, str]]  # of a child by adoption or the like: (descent, sex) -> words
    events: Mapping[str, tuple[str, str]]  # for a man or unknown, for a woman
    of_two: Mapping[str, str]
    labels: Mapping[str, str]


def date_words(value: str, words: Words) -> str:
    """ "on 3 May 1880" for "3 MAY 1880"; a date in no standard form is in brackets."""
    value = whole_line(value)
    if not value:
        return ""
    bare = value.removeprefix("@#DGREGORIAN@ ")
    if date := _DATE.fullmatch(bare):
        return f"{words.day if date[1] else words.year} {_date(date, words)}"
    if (read_as := _READ_AS.fullmatch(bare)) and (date := _DATE.fullmatch(read_as[1])):
        return f"{words.day if date[1] else words.year} {_date(date, words)} ({_without_brackets(read_as[2])})"
    if form := _FORM.fullmatch(bare):
        first, second = _DATE.fullmatch(form[2]), _DATE.fullmatch(form[4] or "")
        pattern = words.dates.get(f"{form[1]} {form[3]}".upper() if form[3] else form[1].upper())
        if pattern and first and (second or not form[3]):
            before, _, after = pattern.partition(" {}")
            return linked(before, _date(first, words)) + after.format(_date(second, words) if second else "")
    return f"({_without_brackets(value.replace('@#D', '').replace('@', ':'))})"


def _without_brackets(value: str) -> str:
    """Text for use in brackets: without its outer brackets; inner ones become square."""
    whole = value[1:-1] if value.startswith("(") and value.endswith(")") else value
    return whole.replace("(", "[").replace(")", "]")


def whole_line(text: str) -> str:
    """Clean, on one line, in full."""
    return " ".join(clean(text).split())


def linked(words: str, name: str) -> str:
    """Words with the name after them: "est la fille d'Anne", "est la fille de Jean"."""
    return f"{words[:-1]}'{name}" if words.split()[-1:] == ["de"] and _ELIDES.match(_bare(name)) else f"{words} {name}"


def _bare(name: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", name[:8].lower()) if not unicodedata.combining(sign))


def child_words(descent: str, sex: str, words: Words) -> str:
    """The relation of a child to a parent; "" if there are no words for its descent."""
    if not descent:
        return words.child.get(sex, words.child[""])
    kinds = words.raised.get(next((kind for kind in _DESCENT if descent.startswith(kind)), ""), {})
    return kinds.get(sex, kinds.get("", ""))


def is_wedding(kind: str) -> bool:
    """Whether a marriage of this kind is a wedding: "unmarried" is not."""
    return not _NO_WEDDING.search(kind)


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
        child={"M": "is the son of", "F": "is the daughter of", "": "is a child of"},
        raised={
            "adopt": {"M": "is the adopted son of", "F": "is the adopted daughter of", "": "is an adopted child of"},
            "foster": {"M": "is the foster son of", "F": "is the foster daughter of", "": "is a foster child of"},
            "step": {"M": "is the stepson of", "F": "is the stepdaughter of", "": "is a stepchild of"},
        },
        events={tag: (said, said) for tag, said in {
            "BIRT": "was born", "CHR": "was baptized", "BAPM": "was baptized", "DEAT": "died", "BURI": "was buried",
            "CREM": "was cremated", "ADOP": "was adopted", "CONF": "was confirmed", "GRAD": "graduated",
            "EMIG": "emigrated", "IMMI": "immigrated", "NATU": "was naturalized", "RETI": "retired", "RESI": "lived",
        }.items()},
        of_two={"MARR": "married", "DIV": "was divorced from", "ENGA": "was engaged to"},
        labels={"OCCU": "occupation", "EDUC": "education", "RELI": "religion", "RESI": "residence", "TITL": "title",
                "AUTH": "author", "PUBL": "publication", "SOUR": "source", "PLAC": "place", "CAUS": "cause",
                "EVEN": "event", "OBJE": "media", "ADDR": "address", "TYPE": "kind", "BIRT": "birth", "DEAT": "death",
                "MARR": "marriage", "NATI": "nationality", "REPO": "archive", "CENS": "census", "PROB": "probate",
                "NAME": "name", "NICK": "nickname", "NPFX": "title", "GIVN": "given name", "SPFX": "prefix",
                "SURN": "surname", "NSFX": "suffix", "_MARNM": "married name", "FAMC": "family of the parents",
                "FAMS": "own family", "HUSB": "husband", "WIFE": "wife", "CHIL": "child", "PEDI": "descent",
                "STAT": "status", "_FREL": "to the father", "_MREL": "to the mother"},
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
        child={"M": "est le fils de", "F": "est la fille de", "": "est enfant de"},
        raised={
            "adopt": {"F": "a été adoptée par", "": "a été adopté par"},
            "foster": {"F": "a été placée chez", "": "a été placé chez"},
            "step": {"": "est enfant du conjoint de"},
        },
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
                "CENS": "recensement", "PROB": "succession", "NAME": "nom", "NICK": "surnom",
                "NPFX": "titre", "GIVN": "prénom", "SPFX": "particule", "SURN": "nom de famille", "NSFX": "suffixe",
                "_MARNM": "nom d'épouse", "FAMC": "famille des parents", "FAMS": "propre famille", "HUSB": "mari",
                "WIFE": "femme", "CHIL": "enfant", "PEDI": "filiation", "STAT": "état", "_FREL": "au père",
                "_MREL": "à la mère"},
    ),
}  # fmt: skip

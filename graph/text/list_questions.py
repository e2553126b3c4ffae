"""Questions that ask for a list or a number of things, in English and French: "list all payments over 100 pounds", "how
many ships", « énumère les témoins », « quels versements dépassent 500 francs ? ».

In doubt a question does not ask for a list, and is answered like any other. "How many francs", "combien de temps" ask
for an amount, "which company's" for one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import zip_longest

from filigraph.graph.model.periods import Period
from filigraph.graph.text.numbers.answer_numbers import figures, fold_in_place
from filigraph.graph.text.numbers.number_words import numbers_in_words
from filigraph.graph.text.numbers.quantities import quantities
from filigraph.graph.text.numbers.quantity_units import MONEY, UNITS
from filigraph.graph.text.time.dates import date_of, dates_in, days_of
from filigraph.graph.text.time.periods import period_in
from filigraph.graph.text.words import terms, tokens

_MIN_CODE_DIGITS = 2  # digits


@dataclass(frozen=True, kw_only=True)
class ListQuestion:
    text: str
    language: str
    counts: bool  # it asks for the number of entries
    about: str  # the wanted things, without cues and conditions
    least: Decimal | None = None
    most: Decimal | None = None
    over: bool = False  # the least itself is excluded
    under: bool = False  # the most itself is excluded
    unit: str = ""  # unit of the limits
    period: Period | None = None

    @property
    def currency(self) -> str:
        """The unit of the limits, if it is one of money."""
        return self.unit if self.unit in MONEY else ""

    def terms(self, language: str) -> dict[str, str]:
        """The terms of the wanted things in a language, each with its word."""
        words = ((term, word.folded) for word in tokens(self.about) for term in terms(word.text, language))
        return {term: word for term, word in words if term not in _EMPTY}

    def codes(self) -> Set[str]:
        """The numbers by which it names a thing ("badge 0009"), as terms."""
        words = (word.folded for word in tokens(self.about) if sum(map(str.isdigit, word.folded)) >= _MIN_CODE_DIGITS)
        return frozenset(words)

    def holds(self, value: Decimal) -> bool:
        """Whether a value is within the limits."""
        above = self.least is None or value > self.least or (value == self.least and not self.over)
        return above and (self.most is None or value < self.most or (value == self.most and not self.under))


_POLITE = (
    r"(?:(?:please|can you|could you|would you|peux[- ]tu|pouvez[- ]vous|merci de|svp),? )?(?:(?:me|us|moi|nous)[ -])?"
)
_VERB_EN = (
    r"(?:list|enumerate|tabulate|count|name (?:all|every|each|the)|"
    r"(?:give|show|find)(?: me| us)? (?:all|every|each|a list))"
)
_VERB_FR = (
    r"(?:(?:enumere|liste|recense|denombre|compte)[rz]?|"
    r"(?:dresse|fais|faites|donne|etabli[ts]?)[rz]?(?:[- ](?:moi|nous))? (?:la |une )?liste|"
    r"(?:cite|nomme|donne|indique|releve|montre)[rz]?(?:[- ](?:moi|nous))? (?:tou(?:te)?s|chacun|chaque|l['’]ensemble))"
)
_ASKS = re.compile(rf"^\W*{_POLITE}(?:{_VERB_EN}|{_VERB_FR})\b")
_IS_COUNTED = re.compile(
    r"^\W*(?:and |et |in all,? |en tout,? |au total,? )?(?:how many |combien (?:de |d['’]))(?P<what>[^\W\d_]+)"
)
_ALL_OF = re.compile(
    r"^\W*(?:which|what|who) (?:are|were) (?:all|every)\b|"
    r"^\W*(?:quels|quelles|qui) (?:sont|etaient|furent) (?:tous|toutes)\b|"
    r"^\W*(?:which|what) (?:of )?all\b|^\W*(?:a )?(?:full |complete )?lists? of\b|"
    r"^\W*(?:la )?liste (?:complete )?(?:de|des|du)\b|"
    r"^\W*(?:what (?:is|was)|give) the (?:total )?number of\b|"
    r"^\W*quel (?:est|etait|fut) le nombre (?:total )?(?:de|d['’])|"
    # "all ships named in the log", « toutes les personnes », "who is named?"
    r"^\W*(?:all|tou(?:te)?s) (?:the |les )?[^\W\d_]+"
    r"(?: (?:named|mentioned|cited|in|of|nomme\w+|cite\w+|mentionne\w+|dans|d[eu])"
    r"\b[^,;]*)?\W*$|"
    r"^\W*(?:who|qui) (?:is|are|was|were|est|sont|etait|etaient) (?:named|mentioned|cited|nomme|cite|mentionne)"
)
# Things in the plural: "which purchases does the ledger record", "in which documents does he appear", "which of his
# answers are belied", « quels témoins l'ont vu ? »; not "which two", "in which circumstances", "which of them was".
_NOT_THINGS = (
    r"(?:is|was|has|does|this|his|its|ours|theirs|hers|whereas|besides|always|series|species|means|two|three|both|deux|trois|"
    r"circumstances|conditions|terms|ways|respects|circonstances|termes|modalites|sont|etaient|furent|seraient|ont)\b"
)
_THINGS = rf"(?!{_NOT_THINGS})(?:[^\W\d_]+(?:(?<=[^\W\d_s]s)|[ae]ux)|(?:wo)?men|people|children|gens)\b(?!['’])"
_OF_A_KIND = rf"(?:(?!(?:of|de)\b|{_NOT_THINGS})[^\W\d_]+ ){{0,2}}?{_THINGS}"
_IN = r"^\W*(?:(?:and |et )?(?:in|on|at|to|from|with|under|during|a|dans|sur|de|par|chez|pour|avec|sous) )?"
_PLURAL = re.compile(
    rf"{_IN}(?:which|quels|quelles|lesquels|lesquelles) {_THINGS}|"
    rf"{_IN}(?:which|what) {_OF_A_KIND} (?:[^\W\d_]+ ){{0,4}}?(?:do|does|did|is|are|was|were|has|have|had)\b|"
    r"^\W*which of (?!(?:these|those|the) two\b|them\b)[^?,;]*?[^\W\d_]s (?:[^?,;]*? )?(?:are|were)\b"
)
# "payments over 1,000 pounds", « versements de plus de 500 francs »
_THINGS_WITHIN = re.compile(rf"^\W*(?:[^\W\d_]+ ){{0,2}}?{_THINGS} (?:of |de |d['’])?(?=(?P<limit>\S))")
_CHOICE = re.compile(r"\b(?:or|ou)\b|\b(?:first|older|oldest|larger|higher|more recently|earlier|later)\b")
_WHICH = re.compile(
    r"^\W*(?:which|what) (?:[^\W\d_]+ ){0,3}?[^\W\d_]{2,}s\b(?!['’])|^\W*(?:quels|quelles|lesquels|lesquelles)\b"
)
_UNITS_ASKED = frozenset(UNITS) | {"temps", "time", "fois", "times", "more", "plus", "moins"}
_OVER = (
    r"(?:over|above|more than|greater than|larger than|higher than|exceed(?:s|ed|ing)?|superieure?s? a|plus de|"
    r"depass\w+|au[- ]dessus de|exced\w+)"
)
_FROM = r"(?:at least|no less than|not less than|au moins|d['’]au moins|a partir de|from)"
_UNDER = (
    r"(?:under|below|less than|fewer than|smaller than|lower than|inferieure?s? a|moins de|au[- ]dessous de|"
    r"en dessous de)"
)
_UP_TO = r"(?:at most|no more than|not more than|up to|au plus|jusqu['’]a)"
_BETWEEN = re.compile(r"\b(?:between|entre) (?P<rest>.*?\b(?:and|et)\b.*)")
_FIGURE = r"[£$€]? ?\d[\d.,'’]*"
# "from £100 to £200", « de 100 à 200 francs », "payments of 100-200 francs"
_FROM_TO = re.compile(
    rf"(?P<rest>(?<![\w.,£$€]){_FIGURE}(?: [^\W\d_]+)?(?: (?:to|a|jusqu['’]a) | ?[-–] ?)"
    rf"{_FIGURE}(?: ?[^\W\d_]+){{0,3}})"
)
_LIMITS = re.compile(
    rf"\b(?:(?P<over>{_OVER})|(?P<from>{_FROM})|(?P<under>{_UNDER})|(?P<up>{_UP_TO})) "
    r"(?:the |d['’]|de )?(?=\S*\d|[£$€]|[^\W\d_])"
)
_OR_MORE = re.compile(
    r"\b(?:or|and|ou|et) (?:(?P<more>more|above|over|upwards?|plus|davantage)|less|fewer|under|below|moins)\b"
)
_MAX_LIMIT_CHARS = 60  # max. characters from "over" to the end of its amount
_MAX_AMOUNT_CHARS = 40  # max. characters before "or more"
_NAMED = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_AMOUNT = re.compile(rf"(?<!\w)(?:{_NAMED})(?![^\W_])|[\d.,'’]*\d")
_CUES = re.compile(
    rf"^\W*{_POLITE}(?:{_VERB_EN}|{_VERB_FR}|how many|combien d[e'’]|which|what|quels|quelles|lesquels|"
    r"(?:la )?liste de)\b"
)
_SAYS_NOTHING = {
    "en": "all every each list there are were was is did had have has with their his her its of the a in on at to who "
    "which that by for from and what how many whole complete full any one it them they name given together "
    "items item things thing entries everything sum sums amount amounts figures over this these those s",
    "fr": "tous toutes tout chaque liste y a t il elle ils elles avec leur leurs son sa ses de des du le la les un une "
    "dans en sur au aux qui que quels quelles par pour et ou combien ont sont furent chacun nom fut est etait somme "
    "sommes montant montants prix ensemble ce cet cette ces",
}
_EMPTY = frozenset(
    term for language, words in _SAYS_NOTHING.items() for word in words.split() for term in terms(word, language)
)


# "17 to 18 November 1958", « du 17 au 18 novembre 1958 », "between the 3rd and the 9th of May 1904"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er)?"
_DAY_TO_DAY = re.compile(
    rf"(?<![\d.,/])(?P<between>\b(?:between|entre) (?:the |le )?)?(?P<first>\d{{1,2}})(?:st|nd|rd|th|er)? ?"
    rf"(?:to|till|until|-|–|au|(?P<and>and|et)) ?(?:the |le |du )?(?P<last>{_DAY} (?:of )?[^\W\d_])"
)


def list_question(text: str, language: str, today: date | None = None) -> ListQuestion | None:
    """The list that a question asks for; None if it does not ask for a list."""
    plain = " ".join(fold_in_place(text).split())
    limited = _limits(text, language)
    counted = _IS_COUNTED.search(plain)
    if counted and counted["what"] not in _UNITS_ASKED:
        return parse_list_question(text, language, today)
    if _ASKS.search(plain) or _ALL_OF.search(plain) or (limited.unit and _WHICH.search(plain)):
        return parse_list_question(text, language, today)
    if "?" not in plain and _begins_with_limited_things(plain, limited.cues):
        return parse_list_question(text, language, today)
    if _PLURAL.search(plain) and not _CHOICE.search(plain):
        return parse_list_question(text, language, today)
    return None


def _begins_with_limited_things(plain: str, cues: Iterable[Span]) -> bool:
    """Whether the limits of a text stand beside the things with which it begins."""
    things = _THINGS_WITHIN.match(plain)
    return things is not None and any(start == things.start("limit") for start, _ in cues)


def parse_list_question(text: str, language: str, today: date | None = None) -> ListQuestion:
    """The list that a text describes: "payments over 100 pounds"."""
    limits = _limits(text, language)
    period = _period(text, language, today or date.today())
    plain = fold_in_place(text)
    cut = _CUES.match(plain)
    remaining = _blank_out(text, [cut.span() if cut else (0, 0), *_conditions(text, language, limits.cues, period)])
    return ListQuestion(
        text=text,
        language=language,
        counts=bool(_IS_COUNTED.search(plain)),
        about=" ".join(remaining.split()),
        least=limits.least,
        most=limits.most,
        over=limits.over,
        under=limits.under,
        unit=limits.unit,
        period=period,
    )


def _conditions(text: str, language: str, cues: Sequence[Span], period: Period | None) -> Iterator[Span]:
    """The places of limits and dates. Beside a date, "badge 0009" is no part of it."""
    yield from cues
    if cues:
        first = min(start for start, _ in cues)
        yield from ((start, end) for start, end, _ in numbers_in_words(text, language) if start >= first)
        yield from (match.span() for match in _AMOUNT.finditer(fold_in_place(text), first))
    if period:
        yield from (
            (figure.start, figure.end)
            for figure in figures(text, language)
            if figure.kind == "date" or not (figure.unit or text.startswith("0", figure.start))
        )


def _blank_out(text: str, spans: Iterable[Span]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)


Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class _Limits:
    """The limits of a question, in one unit, and the places of the words that say so."""

    least: Decimal | None = None
    most: Decimal | None = None
    over: bool = False  # the least itself is excluded
    under: bool = False  # the most itself is excluded
    unit: str = ""
    cues: tuple[Span, ...] = ()

    def joined(self, other: _Limits) -> _Limits:
        """With the opposite limit of the same unit; unchanged by any other, or one that leaves nothing between."""
        if not self.cues:
            return other
        lower, upper = (self, other) if self.most is None else (other, self)
        opposite = self.unit == other.unit and upper.least is None
        if not opposite or lower.least is None or upper.most is None or lower.least > upper.most:
            return self
        return replace(lower, most=upper.most, under=upper.under, cues=(*self.cues, *other.cues))


def _limits(text: str, language: str) -> _Limits:
    plain = fold_in_place(text)
    if limits := _limits_between(text, plain, language):
        return limits
    limits = _Limits()
    cues = list(_LIMITS.finditer(plain))
    for match, following in zip_longest(cues, cues[1:]):
        end = min(match.end() + _MAX_LIMIT_CHARS, following.start() if following else len(text))
        amounts = quantities(text[match.end() : end], language)
        if not amounts or amounts[0].kind == "count":
            continue
        value, unit, cue = amounts[0].value, amounts[0].unit, (match.span(),)
        if match["over"] or match["from"]:
            limits = limits.joined(_Limits(least=value, over=bool(match["over"]), unit=unit, cues=cue))
        else:
            limits = limits.joined(_Limits(most=value, under=bool(match["under"]), unit=unit, cues=cue))
    return limits if limits.cues else _limit_before(text, plain, language)


def _limits_between(text: str, plain: str, language: str) -> _Limits | None:
    """The limits of "between 50 and 200 francs", "from £100 to £200"."""
    for match in (*_BETWEEN.finditer(plain), *_FROM_TO.finditer(plain)):
        amounts = quantities(text[slice(*match.span("rest"))], language)
        if len(amounts) < 2 or amounts[0].unit != amounts[1].unit:
            continue
        if match.re is _BETWEEN or amounts[0].kind != "count":  # "pages 3 to 5"
            low, high = sorted(quantity.value for quantity in amounts[:2])
            return _Limits(least=low, most=high, unit=amounts[0].unit, cues=((match.start(), match.start("rest")),))
    return None


def _limit_before(text: str, plain: str, language: str) -> _Limits:
    """The limit of "500 francs or more"."""
    for match in _OR_MORE.finditer(plain):
        begin = max(0, match.start() - _MAX_AMOUNT_CHARS)
        for figure in _AMOUNT.finditer(plain, begin, match.start()):
            start = figure.start() - plain[: figure.start()].endswith(("£", "$", "€"))
            amounts = quantities(text[start : match.start()], language)
            if len(amounts) == 1 and amounts[0].kind != "count":
                value, cues = amounts[0].value, ((start, match.end()),)
                if match["more"]:
                    return _Limits(least=value, unit=amounts[0].unit, cues=cues)
                return _Limits(most=value, unit=amounts[0].unit, cues=cues)
    return _Limits()


def _period(text: str, language: str, today: date) -> Period | None:
    """The wanted days: a period, else the only date in the text. Two days that are not all between them ("on 3 and 14
    May 1904") are none."""
    if period := period_in(text, language, today):
        return period
    for match in _DAY_TO_DAY.finditer(fold_in_place(text)):
        days = _day_at(text[match.start("last") :], language)
        first = _earlier_day(days[0], int(match["first"])) if days else None
        if days and first and (match["between"] or not match["and"] or first + timedelta(1) == days[0]):
            return Period(first=first, last=days[1])
        if days and match["and"]:
            return None
    named = {date_named for date_named in dates_in(text, language) if not date_named.startswith("--")}
    days = days_of(max(named, key=len)) if named and all(max(named, key=len).startswith(day) for day in named) else None
    return Period(first=days[0], last=days[1]) if days else None


def _day_at(text: str, language: str) -> tuple[date, date] | None:
    """The day with its year at the start of a text: in "3 to 5 of the letter of 9 May 1904" 5 is none."""
    found = ((figure, date_of(figure, text, language)) for figure in figures(text, language))
    figure, day = next(((figure, day) for figure, day in found if day), (None, ""))
    return days_of(day) if figure and figure.start == 0 and day[:1].isdigit() else None


def _earlier_day(last: date, day: int) -> date | None:
    """That day of the same month, if it is before."""
    return last.replace(day=day) if 0 < day < last.day else None

"""Amounts and quantities of a text, each with its value and unit: "£3 10s.", "cent vingt francs", "1.200,50 €", "nine
fathoms", "48 cases".

These rules are separate from those that check the figures in answers: decision 39 has the alternatives that were tried.
Numbers without a unit ("Room 14", "in 1958") are not quantities. English and French; in other languages, digits with a
known unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import prod
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from filigraph.graph.text.numbers.answer_numbers import LONG_SCALE, MAGNITUDES, figures, fold_in_place
from filigraph.graph.text.numbers.number_words import numbers_in_words
from filigraph.graph.text.numbers.quantity_units import MONEY, PARTS, UNITS

QuantityKind = Literal["money", "measure", "count"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value and its unit."""

    value: Annotated[Decimal, PlainSerializer(float), Field(description="The value.")]
    unit: Annotated[
        str, Field(description="A currency (ISO 4217 if it has a code) or unit; otherwise the counted things.")
    ]
    kind: Annotated[QuantityKind, Field(description="The kind of unit.")]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    value: Decimal
    unit: str = ""
    kind: QuantityKind = "count"


_SPACE = " \u00a0\u202f\u2009"
_GAP = f"[{_SPACE}]?"
_DIGITS = re.compile(
    rf"(?<![\w.,])\d{{1,3}}(?:[{_SPACE}.,'’]\d{{3}})+(?!\d)(?:[.,]\d+)?|(?<![\w.,])\d+(?:[.,]\d+)?(?!\d)"
)
_SIGNS = {"£": "GBP", "$": "USD", "€": "EUR", "¥": "JPY", "₽": "RUB"}
_SIGN_BEFORE = re.compile(r"(?:[£$€¥₽]|\b(?:gbp|usd|eur|chf|jpy|fr|frs)\.?)[ \u00a0]?\Z")
_MAGNITUDE = re.compile(rf"{_GAP}({'|'.join(sorted(MAGNITUDES, key=len, reverse=True))})\b")
_NAMES = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_UNIT = re.compile(rf"{_GAP}(?:(?:d['’]|(?:de|of)\b){_GAP})?({_NAMES}|per cent|pour cent)(?![^\W_])")
_AS_WRITTEN = re.compile(r"[ \u00a0\u202f]?(M€|k€|F)(?![\w'’])")  # "f" is a page or a note
_LETTERS = {"M€": ("EUR", 6), "k€": ("EUR", 3), "F": ("FRF", 0)}

# Numbers that are neither digits nor a run of number words, spelled as one.
_GROUPS = {"dozen": 12, "score": 20, "dizaine": 10, "douzaine": 12, "quinzaine": 15, "vingtaine": 20}
_GROUPS |= {"trentaine": 30, "quarantaine": 40, "cinquantaine": 50, "soixantaine": 60, "centaine": 100}
_PENCES = {word: n for n, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"), start=2)}
_PENCES |= {"ten": 10, "eleven": 11}
_OF_ONE = "pounds?|livres?|pints?|pintes?|gallons?|tons?|tonnes?|kilos?|litres?|ounces?|onces?"
_SPELLED = (
    (re.compile(r"\bhalf (?:an? )?(?=[^\W\d_]{3})", re.I), lambda _: "0.5 "),
    (re.compile(r"\b(?:une? )?demi[ -](?=[^\W\d_]{3})", re.I), lambda _: "0.5 "),
    (re.compile(r"\b(?:an?|one) (?=(?:hundred|thousand|million|billion)\b)", re.I), lambda _: "one "),
    (re.compile(rf"\b(?:an?|une?) ({'|'.join(_GROUPS)})\b", re.I), lambda found: str(_GROUPS[found[1].lower()])),
    (re.compile(rf"\b({'|'.join(_PENCES)})pence\b", re.I), lambda found: f"{_PENCES[found[1].lower()]} pence"),
    (re.compile(rf"\b(?:an?|une?) (?=(?:{_OF_ONE}) (?:of\b|de\b|d['’]))", re.I), lambda _: "1 "),
)
_GROUP = re.compile(rf"{_GAP}({'|'.join(_GROUPS)})s?\b")
_FRACTIONS = (
    (re.compile(r" (?:and a half|et demie?)\b"), Decimal("0.5")),
    (re.compile(r" (?:and a quarter|et quart)\b"), Decimal("0.25")),
)

_SHILLINGS = re.compile(rf"{_GAP}(\d{{1,2}}){_GAP}s(?:h)?\b\.?(?:,?{_GAP}(\d{{1,2}}){_GAP}d\b\.?)?")
_CENTS = re.compile(r"[ \u00a0](\d\d)\b(?![.,]?\d|[ \u00a0]?(?:[%€£$/]|[^\W\d_]))")
_RANGE = re.compile(r" (?:and|or|to|et|ou|a|bis|und|oder|y|o|e) | ?[-–] ?")
_SCALES = {"cent": 100, "cents": 100, "hundred": 100, "mille": 1000, "thousand": 1000}
_SCALES |= {name: 10**places for name, places in MAGNITUDES.items()} | _GROUPS
_SCALES |= {f"{name}s": value for name, value in _GROUPS.items()}
_LONG_SCALES = _SCALES | {name: 10**places for name, places in LONG_SCALE.items()}
_SCALED = re.compile(rf"[^\W_]+((?:[ -](?:{'|'.join(_SCALES)})\b)+)")
_JOIN = re.compile(r",?(?: (?:and|et))? ?")
_LASTS = re.compile(r"\b(?:pendant|durant|apres|depuis|en|il y a|plus de|moins de|pres de)(?: environ)? \Z")
_LASTED = re.compile(r" (?:de |d['’]|plus tard|plus tot|durant)")
_OF_HOUR = re.compile(r" (?:past|to) ")
_OF_WEIGHT = re.compile(
    r" d['’]| (?:of|de) (?!(?:the|his|her|my|our|their|its|it|them|which|rente|tournois|la|le|les|ce|son|sa|mon)\b)"
)
_COUNTED = re.compile(r" (?:de |d['’])?(?:[^\W\d_]+ )??([^\W\d_]+)")
_SECOND = re.compile(r" [^\W\d_]+ ([^\W\d_]+)")
_NUMBERED = re.compile(
    r"\b(?:rooms?|num(?:ber|ero)s?|no|nos|n|pages?|pp?|folios?|ff?|chap(?:ter|itre)?s?|art(?:icle)?s?|lines?|vol(?:ume)?s?|"
    r"sections?|cases?|salles?|chambres?|lots?|items?|plates?|platforms?|quais?|tracks?|exhibits?|pieces?|box|boite|rue|"
    r"street|row|article)[.°º]? ?\Z"
)
_PLURAL = re.compile(r"[^\W\d_]{3,}[sx]|men|women|children|people|persons|mice|geese|oxen|gens")
_NOT_COUNTED = frozenset(
    [
        "is",
        "was",
        "has",
        "his",
        "this",
        "its",
        "plus",
        "deux",
        "trois",
        "dans",
        "vers",
        "sous",
        "mais",
        "pas",
        "les",
        "des",
        "nous",
        "vous",
        "fois",
        "times",
        "past",
        "across",
        "thus",
        "unless",
        "versus",
        "moins",
        "ses",
        "mes",
        "tes",
        "leurs",
        "puis",
        "alors",
        "sans",
        "ces",
        "ils",
        "elles",
        "francais",
        "anglais",
        "mars",
    ]
)
_NEAR_CHARS = 40  # characters before a number that may change it


def quantities(text: str, language: str) -> list[Quantity]:
    """The amounts and quantities of a text, in their order."""
    for pattern, number in _SPELLED:
        text = pattern.sub(number, text)
    plain = fold_in_place(text)
    measured = [_measured(number, text, plain) or number for number in _numbers(text, plain, language)]
    return [
        Quantity(quantity.value, quantity.unit, quantity.kind)
        for quantity in _join_parts(_ranges(measured, plain, language), plain)
        if quantity.unit
    ]


# --------------------------------------------------------------------------------------------------------------------
# Numbers


def _numbers(text: str, plain: str, language: str) -> Iterator[_Span]:
    """Numbers outside of dates and hours of the day, with their fractions and magnitudes."""
    apart = [(figure.start, figure.end) for figure in figures(text, language) if figure.kind == "date" or figure.time]
    candidates = [_Span(m.start(), m.end(), _value(m[0], language)) for m in _DIGITS.finditer(plain)]
    candidates += [_Span(start, end, Decimal(value)) for start, end, value in numbers_in_words(text, language)]
    end = at = 0
    for number in sorted(candidates, key=lambda figure: (figure.start, -figure.end)):
        while at < len(apart) and apart[at][1] <= number.start:
            at += 1
        if number.start < end or (at < len(apart) and apart[at][0] < number.end):
            continue
        number = _with_fraction(number, plain, language)
        end = number.end
        yield number


def _value(written: str, language: str) -> Decimal:
    """ "1,500" is 1500 in English, 1.5 in French; "1.200,50" and "54 000" are recognized by their form."""
    decimal = "." if language == "en" else ","
    if match := re.fullmatch(r"(\d+)([.,])(\d+)", written):
        whole, sign, rest = match.groups()
        grouped = len(rest) == 3 and len(whole) <= 3 and whole != "0" and sign != decimal
        return Decimal(whole + rest) if grouped else Decimal(f"{whole}.{rest}")
    ungrouped = re.sub(rf"[{_SPACE}.,'’](?=\d{{3}}(?!\d))", "", written)
    return Decimal(ungrouped.replace(",", "."))


def _with_fraction(number: _Span, plain: str, language: str) -> _Span:
    value, end = number.value, number.end
    for pattern, more in _FRACTIONS:
        if match := pattern.match(plain, end):
            value, end = value + more, match.end()
    if match := _GROUP.match(plain, end):
        value, end = value * _GROUPS[match[1]], match.end()
    elif match := _MAGNITUDE.match(plain, end):
        places = LONG_SCALE.get(match[1]) if language != "en" else None
        value, end = value.scaleb(places or MAGNITUDES[match[1]]), match.end()
    return _Span(number.start, end, value)


# --------------------------------------------------------------------------------------------------------------------
# Units


def _measured(number: _Span, text: str, plain: str) -> _Span | None:
    """A number with its unit, or with the things that it counts; None without either."""
    if before := _SIGN_BEFORE.search(plain, max(0, number.start - _NEAR_CHARS), number.start):
        sign = before[0].strip(" .\u00a0")
        unit = _SIGNS.get(sign) or UNITS[sign]
        return _with_parts(replace(number, start=before.start(), unit=unit, kind="money"), plain)
    if written := _AS_WRITTEN.match(text, number.end):
        unit, places = _LETTERS[written[1]]
        return replace(number, end=written.end(), value=number.value.scaleb(places), unit=unit, kind="money")
    if match := _UNIT.match(plain, number.end):
        return _with_unit(replace(number, end=match.end()), match[1], plain)
    return _counted_things(number, plain)


def _with_unit(number: _Span, name: str, plain: str) -> _Span | None:
    unit = "%" if name in ("per cent", "pour cent") else UNITS[name]
    if name.startswith("heure") and not (
        _LASTS.search(plain, max(0, number.start - _NEAR_CHARS), number.start) or _fraction_after(number, plain)
    ):
        return None  # "neuf heures" is an hour of the day
    if unit == "min" and _OF_HOUR.match(plain, number.end):
        return None
    if name in ("pound", "pounds", "livre", "livres") and _OF_WEIGHT.match(plain, number.end):
        unit = "lb"
    if name.startswith("livre") and (sterling := re.compile(" sterling").match(plain, number.end)):
        return replace(number, end=sterling.end(), unit="GBP", kind="money")
    for pattern, more in _FRACTIONS:  # "une heure et demie"
        if match := pattern.match(plain, number.end):
            number = replace(number, end=match.end(), value=number.value + more)
    kind: QuantityKind = "money" if unit in MONEY else "measure"
    return _with_parts(replace(number, unit=unit, kind=kind), plain)


def _fraction_after(number: _Span, plain: str) -> bool:
    """Whether hours in French are a duration: "une heure et demie de retard", "trois heures de marche"."""
    end = next((m.end() for pattern, _ in _FRACTIONS if (m := pattern.match(plain, number.end))), number.end)
    return _LASTED.match(plain, end) is not None or "." in str(number.value)


def _with_parts(amount: _Span, plain: str) -> _Span:
    """ "£3 10s. 6d.", "37 francs 40"."""
    if amount.unit == "GBP" and (match := _SHILLINGS.match(plain, amount.end)):
        pence = 12 * int(match[1]) + int(match[2] or 0)
        return replace(amount, end=match.end(), value=amount.value + Decimal(pence) / 240)
    if amount.kind == "money" and amount.value == int(amount.value) and (match := _CENTS.match(plain, amount.end)):
        return replace(amount, end=match.end(), value=amount.value + Decimal(match[1]) / 100)
    return amount


def _counted_things(number: _Span, plain: str) -> _Span | None:
    """The things that a number counts: a noun in the plural, after at most one other word; not "room 14"."""
    if _NUMBERED.search(plain, max(0, number.start - _NEAR_CHARS), number.start):
        return None
    for match in (_COUNTED.match(plain, number.end), _SECOND.match(plain, number.end)):
        if match and _PLURAL.fullmatch(match[1]) and match[1] not in _NOT_COUNTED and number.value > 0:
            return replace(number, end=match.end(), unit=match[1], kind="count")
    return None


def _ranges(spans: Sequence[_Span], plain: str, language: str) -> Iterator[_Span]:
    """ "between 20 and 30 pounds", "cinq ou six mille francs": the first takes the unit and thousands of the second."""
    for at, span in enumerate(spans):
        after = spans[at + 1] if at + 1 < len(spans) else None
        if after and after.unit and not span.unit and _RANGE.fullmatch(plain, span.end, after.start):
            yield replace(
                span, value=span.value * _scale(span, after, plain, language), unit=after.unit, kind=after.kind
            )
        else:
            yield span


def _scale(span: _Span, after: _Span, plain: str, language: str) -> int:
    """What the magnitude of the second number of a range multiplies the first by: 1000 in "five or six thousand"."""
    scaled = _SCALED.match(plain, after.start)
    scales = _SCALES if language == "en" else _LONG_SCALES
    scale = prod(scales[word] for word in re.split("[ -]", scaled[1].strip(" -"))) if scaled else 1
    return scale if span.value < after.value / scale < 100 else 1


def _join_parts(spans: Iterable[_Span], plain: str) -> Iterator[_Span]:
    """ "three pounds ten shillings", "five feet eleven inches" as one amount each."""
    whole: _Span | None = None
    for span in spans:
        if whole and (part := PARTS.get((whole.unit, span.unit))) and _JOIN.fullmatch(plain, whole.end, span.start):
            unit, of_whole, of_part = part
            whole = replace(whole, end=span.end, value=whole.value * of_whole + span.value * of_part, unit=unit)
            continue
        if whole:
            yield whole
        whole = span
    if whole:
        yield whole

"""The meaning of relative dates in six languages: patterns over folded text, and the day that each resolves to."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from filigraph.graph.text.numbers.answer_numbers import MONTHS
from filigraph.graph.text.time.periods import UNITS, count_of, day_units_ago, unit_around, unit_of


@dataclass(frozen=True)
class Reference:
    """The starting point of a phrase."""

    day: date | None  # the day of writing
    last: date | None  # the last day in the text so far, else the day of writing
    future: bool  # whether its sentence is about the future


Resolve = Callable[[re.Match[str], Reference], str | None]
_Rule = tuple[re.Pattern[str], Resolve]
WEEKDAYS = {
    name: number
    for names in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "lunes martes miercoles jueves viernes sabado domingo",
        "понедельник вторник среду четверг пятницу субботу воскресенье",
    )
    for number, name in enumerate(names.split())
} | {"sonnabend": 5}
_ONE = ("a", "an", "one", "un", "una", "une", "ein", "eine", "einem", "einer")
_RUSSIAN = {"одну": 1, "две": 2, "два": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "десять": 10}
_EN_DAY, _FR_DAY = "|".join(list(WEEKDAYS)[:7]), "|".join(list(WEEKDAYS)[7:14])
_DE_DAY = "|".join([*list(WEEKDAYS)[14:21], "sonnabend"])
_ES_DAY, _RU_DAY = "|".join(list(WEEKDAYS)[21:28]), "|".join(list(WEEKDAYS)[28:35])
_MONTH = "|".join(sorted(MONTHS, key=lambda name: (-len(name), name)))
_PART = r"(?:morning|afternoon|evening|night|noon)"
_FR_PART = r"(?:matin|soir|apres-midi|midi|(?:dans )?la (?:nuit|matinee|soiree))"
_DE_PART = r"(?:fruh|morgen|vormittag|mittag|nachmittag|abend|nacht)"
_UNIT = "|".join(UNITS.values())
_LAST_WEEK = "(?:letzte[rn]?|vergangene[rn]?|vorige[rn]?) woche"
_N = r"(?P<n>\d{1,4}|[^\W\d_]+(?:(?:-et-|-| et (?=une?\b|onze\b))[^\W\d_]+)?)"
_OF = r"(?!\s+(?:of|de|du|des|d['’])\b|\s+d['’])"
_DE_OF = r"(?! (?:des|der|seine[rs]?|ihre[rs]?|dieser|dieses|\d))"
# "la semaine d'avant", but "la semaine d'avant Noël"
_ALONE = (
    r"(?! (?:la|le|les|sa|son|ses|mon|ma|mes|notre|votre|leur|ce|cet|cette|que|noel|paques|guerre)\b)(?! (?:l|qu)['’])"
)
_NOT_OWN = r"(?<!\bhis )(?<!\bmy )(?<!\bour )(?<!\btheir )"  # "his last summer"
_CLAUSE = (
    r"(?!\s+(?:the|a|an|his|her|he|she|they|it|i|we|you|my|our|their|its|that|yesterday|christmas|easter|tomorrow)\b)"
)
# Every phrase contains one of these: most sentences contain none.
TELLS = re.compile(
    rf"yesterday|today|tonight|tomorrow|morrow|inst\b|ult|prox|hier\b|demain|aujourd|veille|courant|gestern|heute"
    rf"|morgen|tags|vorabend|\b(?:zuvor|davor|darauf|danach|huitaine|quinzaine)\b"
    r"|before last|christmas|noel|cette nuit|matinee|soiree|fortnight"
    r"|ayer|anoche|hoy|vispera|ieri|avantieri|domani|oggi|indomani|sta(?:mattina|sera|notte)"
    rf"|вчера|завтра|сегодня|следующ|накануне"
    rf"|\b(?:{_EN_DAY}|{_FR_DAY}|{_ES_DAY}|{_RU_DAY}|{_MONTH}|{_UNIT}|{_PART}|{_FR_PART}|manana|tarde|noche)\b"
    rf"|(?:{_DE_DAY})|\bon the \d"
    r"|(?:last|past|next|l['’]|le|au|(?:letzt|vergangen|vorig|nachst|kommend)e[nsmr]?) (?:winter|hiver|spring|printemps"
    r"|fruh|summer|sommer|autumn|fall|automne|herbst)|\bl['’](?:ete|hiver|automne) |\bau (?:debut|milieu) "
)
FUTURE = re.compile(
    r"\b(?:will|shall|going to|intends? to|plans? to|(?:is|are|am) (?:to|\w+ing)|must|hopes? to|sails?|leaves?|arrives?"
    r"|va|vont|vais|allons|doit|doivent|sera|seront|\w{2,}(?:erai|erons|eront|irai|irons|iront|drai|drons|dront|vront)"
    r"|(?!opera|camera)\w{2,}(?:era|ira|dra|vra)|wird|werde|werden|soll|sollen|kommt|reist)\b|['\u2019]ll\b"
)


def resolved(resolve: Resolve, match: re.Match[str], since: Reference) -> str | None:
    try:
        return resolve(match, since)
    except (OverflowError, ValueError):  # before the year 1, or after 9999
        return ""


def _days(by: int, *, last: bool = False) -> Resolve:
    def resolve(_: re.Match[str], since: Reference) -> str:
        start = since.last if last else since.day
        return (start + timedelta(by)).isoformat() if start else ""

    return resolve


def _count_units(language: str, sign: int, *, last: bool = False, only_future: bool = False) -> Resolve:
    """ "two days ago", "il y a huit jours", "three weeks later"."""

    def resolve(match: re.Match[str], since: Reference) -> str | None:
        start = since.last if last else since.day
        if "u" not in match.re.groupindex or match["u"] is None:
            unit, count = "day", 14  # a fortnight
        else:
            unit = unit_of(match["u"])
            count = 1 if match["n"] in _ONE else _RUSSIAN.get(match["n"]) or count_of(match["n"], language)
            if language in ("fr", "de") and unit == "day" and not match["n"].isdecimal():
                count = {8: 7, 15: 14}.get(count, count)  # "huit jours", "acht Tage" are a week
        if not count or (only_future and not since.future):
            return None  # "the days before", "crossed it in five days"
        if not start:
            return ""
        if unit in ("day", "week"):
            return (start + timedelta(sign * count * (7 if unit == "week" else 1))).isoformat()
        there = day_units_ago(start, unit, count) if sign < 0 else _day_units_ahead(start, unit, count)
        return _in_unit(there, unit) if there else ""

    return resolve


def _weekday_of(match: re.Match[str]) -> int:
    return WEEKDAYS[match["d"] or match["e"] if "e" in match.re.groupindex else match["d"]]


def _weekday_in_week(by: int) -> Resolve:
    """ "on Wednesday of last week"."""

    def resolve(match: re.Match[str], since: Reference) -> str:
        if not since.day:
            return ""
        monday = since.day - timedelta(since.day.weekday())
        return (monday + timedelta(7 * by + _weekday_of(match))).isoformat()

    return resolve


def _day_units_ahead(day: date, unit: str, count: int) -> date:
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    return date(months // 12, months % 12 + 1, 1)


def _in_unit(day: date, unit: str) -> str:
    """A day, with the precision of a unit: for a week, the month or year that contains it."""
    if unit == "day":
        return day.isoformat()
    first, last = unit_around("week", day) if unit == "week" else (day, day)
    if unit != "year" and (first.year, first.month) == (last.year, last.month):
        return f"{day.year:04}-{day.month:02}"
    return f"{day.year:04}" if first.year == last.year else ""


def _unit(by: int, *, last: bool = False) -> Resolve:
    """ "last month", "cette année", "die folgende Woche"."""

    def resolve(match: re.Match[str], since: Reference) -> str:
        start = since.last if last else since.day
        if not start:
            return ""
        unit, there = unit_of(match["u"]), start
        for _ in range(abs(by)):
            first, end = unit_around(unit, there)
            there = first - timedelta(1) if by < 0 else end + timedelta(1)
        return _in_unit(there, unit)

    return resolve


def _weekday(by: int, *, last: bool = False, more: int = 0) -> Resolve:
    """The day of the week before (-1) or after (1) a day; 0: before or after, depending on its sentence."""

    def resolve(match: re.Match[str], since: Reference) -> str:
        start = since.last if last else since.day
        if not start:
            return ""
        step = by or (1 if since.future else -1)
        distance = (step * (_weekday_of(match) - start.weekday()) - 1) % 7 + 1
        return (start + timedelta(step * (distance + more))).isoformat()

    return resolve


def _this_weekday(match: re.Match[str], since: Reference) -> str:
    if not since.day:
        return ""
    return (since.day - timedelta(since.day.weekday()) + timedelta(WEEKDAYS[match["d"]])).isoformat()


def _day_of_month(by: int | None) -> Resolve:
    """ "the 5th ult.", "le 5 courant": a day of this month, the last or the next; None: depending on its sentence."""

    def resolve(match: re.Match[str], since: Reference) -> str:
        number = int(match["day"])
        if not since.day or not 1 <= number <= 31:
            return ""
        months = by
        if months is None:
            months = (
                0
                if (number >= since.day.day if since.future else number <= since.day.day)
                else 1
                if since.future
                else -1
            )
        there = _day_units_ahead(since.day, "month", months)
        return there.replace(day=number).isoformat()

    return resolve


def _month(by: int | None) -> Resolve:
    """ "last March", "mars prochain", "in March": the month before, after, or depending on its sentence."""

    def resolve(match: re.Match[str], since: Reference) -> str:
        if not since.day:
            return ""
        month, now = MONTHS[match["m"]], since.day
        step = by or (1 if since.future else -1)
        beyond = (
            (month >= now.month if by else month > now.month)
            if step < 0
            else (month <= now.month if by else month < now.month)
        )
        return f"{now.year + step * beyond:04}-{month:02}"

    return resolve


def _season(by: int) -> Resolve:
    """The year of "last summer", "l'hiver prochain": as a winter is in two years, that of its end."""

    def resolve(match: re.Match[str], since: Reference) -> str:
        if not since.day:
            return ""
        last_month = next(month for month, names in _SEASONS.items() if match["s"] in names.split())
        this_year = last_month < since.day.month if by < 0 else last_month - 2 > since.day.month
        return f"{since.day.replace(year=since.day.year + (0 if this_year else by), day=1).year:04}"

    return resolve


def _christmas(by: int) -> Resolve:
    def resolve(match: re.Match[str], since: Reference) -> str:
        if not since.day:
            return ""
        eve = match["eve"] is not None
        day = date(since.day.year, 12, 24 if eve else 25)
        if (day >= since.day) if by < 0 else (day <= since.day):
            day = day.replace(year=day.year + by)
        return day.isoformat()

    return resolve


_SEASONS = {  # the last month of each
    2: "winter hiver", 5: "spring printemps fruhling fruhjahr", 8: "summer ete sommer",
    11: "autumn fall automne herbst",
}  # fmt: skip
_SEASON = "|".join(" ".join(_SEASONS.values()).split())


def _rules(*rows: tuple[str, Resolve]) -> list[_Rule]:
    return [(re.compile(pattern), resolve) for pattern, resolve in rows]


RULES: dict[str, list[_Rule]] = {
    "en": _rules(
        (rf"\b{_N} (?P<u>{_UNIT}) ago(?: (?:today|tonight|this day))?\b", _count_units("en", -1)),
        (
            r"\b(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? (?:inst(?:ant)?|of (?:this|the present|the current) month)\b",
            _day_of_month(0),
        ),
        (r"\bthe day before yesterday\b|\bthe (?:night|evening) before last\b", _days(-2)),
        (r"\bthe day after tomorrow\b", _days(2)),
        (rf"\b(?:on )?the (?P<d>{_EN_DAY}) before last\b", _weekday(-1, more=7)),
        (rf"\b(?:on )?(?P<d>{_EN_DAY}) of last week\b", _weekday_in_week(-1)),
        (rf"\b(?:on )?(?P<d>{_EN_DAY}) of next week\b", _weekday_in_week(1)),
        (rf"\bthe (?P<u>{_UNIT}) before last\b", _unit(-2)),
        (rf"{_NOT_OWN}\b(?:last|this past) (?P<s>{_SEASON})\b{_OF}(?! from\b)", _season(-1)),
        (rf"{_NOT_OWN}\bnext (?P<s>{_SEASON})\b{_OF}", _season(1)),
        (r"\blast christmas(?P<eve> eve)?(?: day)?\b", _christmas(-1)),
        (r"\bnext christmas(?P<eve> eve)?(?: day)?\b", _christmas(1)),
        (rf"\byesterday(?: {_PART})?\b|\blast (?:night|evening)\b", _days(-1)),
        (rf"\btomorrow(?: {_PART})?\b", _days(1)),
        (rf"(?<!from )\btoday\b|\btonight\b|\bthis (?:very )?(?:day|{_PART})\b", _days(0)),
        (r"\b(?:a|one) fortnight ago\b", _count_units("en", -1)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:hence|from (?:now|today))\b", _count_units("en", 1)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:later|afterwards?|after{_CLAUSE})\b", _count_units("en", 1, last=True)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:earlier|previously|before{_CLAUSE})\b", _count_units("en", -1, last=True)),
        (rf"\bin {_N} (?P<u>{_UNIT})\b(?!['’])", _count_units("en", 1, only_future=True)),
        (rf"\b(?P<d>{_EN_DAY}) week\b", _weekday(1, more=7)),
        (rf"\b(?:on )?(?:last|this past) (?P<d>{_EN_DAY})\b|\b(?:on )?(?P<e>{_EN_DAY}) last\b", _weekday(-1)),
        (rf"\b(?:on )?(?:next|this coming) (?P<d>{_EN_DAY})\b|\b(?:on )?(?P<e>{_EN_DAY}) next\b", _weekday(1)),
        (
            rf"\b(?:on )?the (?:following|next) (?P<d>{_EN_DAY})\b|\bthe (?P<e>{_EN_DAY}) (?:following|after)\b",
            _weekday(1, last=True),
        ),
        (
            rf"\b(?:on )?the (?:previous|preceding) (?P<d>{_EN_DAY})\b|\bthe (?P<e>{_EN_DAY}) before{_CLAUSE}\b",
            _weekday(-1, last=True),
        ),
        (rf"\b(?:on )?this (?P<d>{_EN_DAY})\b", _this_weekday),
        (rf"\bon (?P<d>{_EN_DAY})\b(?: {_PART})?|\b(?P<e>{_EN_DAY}) {_PART}\b", _weekday(0)),
        (
            rf"\bthe (?:next|following) (?:day|{_PART})\b|\b(?:on )?the morrow\b|\bthe (?:day|{_PART}) after\b{_CLAUSE}",  # noqa: E501
            _days(1, last=True),
        ),
        (
            rf"\bthe (?:previous|preceding) (?:day|{_PART})\b|\bthe (?:day|{_PART}) before\b{_CLAUSE}",
            _days(-1, last=True),
        ),
        (rf"\b(?:on )?(?:that|the) (?:same|very) (?:day|{_PART})\b|\bthat (?:day|{_PART})\b", _days(0, last=True)),
        (rf"\b(?:last|the past) (?P<u>{_UNIT})\b", _unit(-1)),
        (rf"\b(?<!the )next (?P<u>{_UNIT})\b", _unit(1)),
        (rf"\bthis (?P<u>{_UNIT})\b", _unit(0)),
        (rf"\bthe (?:following|next) (?P<u>{_UNIT})\b", _unit(1, last=True)),
        (rf"\bthe (?:previous|preceding) (?P<u>{_UNIT})\b", _unit(-1, last=True)),
        (r"\b(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? (?:ult(?:imo)?|of last month)\b", _day_of_month(-1)),
        (r"\b(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? (?:prox(?:imo)?|of next month)\b", _day_of_month(1)),
        (r"\bon the (?P<day>\d{1,2})(?:st|nd|rd|th)(?=[,.;:!?]|\s*$)", _day_of_month(None)),
        (rf"\blast (?P<m>{_MONTH})\b", _month(-1)),
        (rf"\bnext (?P<m>{_MONTH})\b", _month(1)),
        (rf"\b(?:in|since|during) (?P<m>{_MONTH})\b(?! \d)", _month(None)),
    ),
    "fr": _rules(
        (rf"\bavant-hier(?: (?:au )?{_FR_PART})?\b", _days(-2)),
        (rf"\bapres-demain(?: {_FR_PART})?\b", _days(2)),
        (
            rf"\b(?:au|vers le|des le) (?:debut|milieu) (?:du|de la|de l['’]) ?(?!jour)(?P<u>{_UNIT})\b{_OF}(?! \d)",
            _unit(0),
        ),
        (rf"\b(?:l['’]|le |au )(?P<s>{_SEASON}) (?:dernier|passe)\b", _season(-1)),
        (rf"\b(?:l['’]|le |au )(?P<s>{_SEASON}) prochain\b", _season(1)),
        (r"\b(?P<eve>la veille de )?noel (?:dernier|passe)\b", _christmas(-1)),
        (rf"\bhier(?: (?:au )?{_FR_PART})?\b|\bla nuit derniere\b", _days(-1)),
        (rf"(?<!lende)\bdemain(?: {_FR_PART})?\b", _days(1)),
        (
            r"\baujourd['’]hui\b|\bce (?:matin|soir|midi)\b(?!-la)|\bcet apres-midi\b|\bcette (?:nuit|matinee|soiree)\b(?!-la)",  # noqa: E501
            _days(0),
        ),
        (
            rf"\b(?:il y a|voila|voici) (?:deja |environ |pres d[e'’] ?|(?:tout )?juste |a peine |bientot )?"
            rf"{_N} (?P<u>{_UNIT})\b",
            _count_units("fr", -1),
        ),
        (r"\bil y a (?:environ )?une huitaine(?: de jours)?\b", _days(-7)),
        (r"\bil y a (?:environ )?une quinzaine(?: de jours)?\b", _days(-14)),
        (rf"\b(?:le )?(?P<d>{_FR_DAY}) de la semaine (?:derniere|passee)\b", _weekday_in_week(-1)),
        (rf"\b(?:le )?(?P<d>{_FR_DAY}) de la semaine prochaine\b", _weekday_in_week(1)),
        (rf"\bdans {_N} (?P<u>{_UNIT})\b(?! (?:qui|de))", _count_units("fr", 1)),
        (
            rf"\b{_N} (?P<u>{_UNIT}) (?:plus tard|apres){_OF}(?! (?:la|le|sa|son|les|que|l['’]))",
            _count_units("fr", 1, last=True),
        ),
        (
            rf"\b{_N} (?P<u>{_UNIT}) (?:plus tot|auparavant|avant){_OF}(?! (?:la|le|sa|son|les|que|l['’]))",
            _count_units("fr", -1, last=True),
        ),
        (rf"\b(?P<d>{_FR_DAY}) en huit\b", _weekday(1, more=7)),
        (rf"\b(?P<d>{_FR_DAY}) en quinze\b", _weekday(1, more=14)),
        (rf"\b(?:le )?(?P<d>{_FR_DAY}) (?:dernier|passe)\b", _weekday(-1)),
        (rf"\b(?:le )?(?P<d>{_FR_DAY}) prochain\b", _weekday(1)),
        (rf"\ble (?P<d>{_FR_DAY}) (?:suivant|d['’]apres)\b", _weekday(1, last=True)),
        (rf"\ble (?P<d>{_FR_DAY}) (?:precedent|d['’]avant)\b", _weekday(-1, last=True)),
        (rf"\bce (?P<d>{_FR_DAY})\b(?!-la)", _this_weekday),
        (
            rf"(?<!le )(?<!chaque )(?<!les )\b(?P<d>{_FR_DAY})\b(?: (?:au )?{_FR_PART})?(?! (?:\d|des|et|ou))",
            _weekday(0),
        ),
        (
            rf"\b(?:le|au|des le) lendemain\b(?: (?:au )?{_FR_PART})?{_OF}|\ble (?:jour|matin|soir) (?:suivant|d['’]apres)\b",  # noqa: E501
            _days(1, last=True),
        ),
        (rf"\ble surlendemain\b{_OF}", _days(2, last=True)),
        (rf"\bl['’]avant-veille\b(?: (?:au )?{_FR_PART})?{_OF}", _days(-2, last=True)),
        (
            rf"\bla veille\b(?: (?:au )?{_FR_PART})?{_OF}|\ble (?:jour|matin|soir) (?:precedent|d['’]avant)\b",
            _days(-1, last=True),
        ),
        (
            r"\b(?:ce jour|ce matin|ce soir|cette nuit|cet apres-midi)-la\b|\ble (?:meme jour|soir meme|jour meme|matin meme)\b",  # noqa: E501
            _days(0, last=True),
        ),
        (rf"\b(?:la |le |(?<!\d )du |de |l['’])(?P<u>{_UNIT}) (?:derni?ere?|passee?)\b", _unit(-1)),
        (rf"\b(?:la |le |(?<!\d )du |l['’])(?P<u>{_UNIT}) prochaine?\b", _unit(1)),
        (rf"\bcett?e? (?P<u>{_UNIT})(?:-ci)?\b(?!-la)", _unit(0)),
        (rf"\b(?:la |le |l['’])(?P<u>{_UNIT}) (?:suivante?|d['’]apres{_ALONE})\b", _unit(1, last=True)),
        (rf"\b(?:la |le |l['’])(?P<u>{_UNIT}) (?:precedente?|d['’]avant{_ALONE})\b", _unit(-1, last=True)),
        (r"\b(?:le |du )(?P<day>\d{1,2})(?:er)? (?:du )?(?:courant|de ce mois|du mois courant)\b", _day_of_month(0)),
        (r"\b(?:le |du )(?P<day>\d{1,2})(?:er)? (?:du mois (?:dernier|passe)|dernier)\b", _day_of_month(-1)),
        (r"\b(?:le |du )(?P<day>\d{1,2})(?:er)? (?:du mois )?prochain\b", _day_of_month(1)),
        (rf"\b(?:en )?(?P<m>{_MONTH}) dernier\b", _month(-1)),
        (rf"\b(?:en )?(?P<m>{_MONTH}) prochain\b", _month(1)),
        (rf"\b(?:en|au mois de|depuis) (?P<m>{_MONTH})\b(?! \d)", _month(None)),
    ),
    "de": _rules(
        (rf"\bvorgestern(?: {_DE_PART})?\b", _days(-2)),
        (rf"\bubermorgen(?: {_DE_PART})?\b", _days(2)),
        (rf"\b(?:am )?(?P<d>{_DE_DAY}) {_LAST_WEEK}\b|\b{_LAST_WEEK} (?P<e>{_DE_DAY})\b", _weekday_in_week(-1)),
        (rf"\b(?:am )?(?P<d>{_DE_DAY}) (?:nachster|kommender) woche\b", _weekday_in_week(1)),
        (rf"\bin der nacht (?:auf|zum) (?:den )?(?P<d>{_DE_DAY})\b", _weekday(0)),
        (rf"\bvorletzte[nrsm]? (?!tag)(?P<u>{_UNIT})\b{_DE_OF}", _unit(-2)),
        (rf"\bubernachste[nrsm]? (?!tag)(?P<u>{_UNIT})\b{_DE_OF}", _unit(2)),
        (rf"\b(?:anfang|mitte|ende) diese[sr] (?P<u>{_UNIT})\b{_DE_OF}", _unit(0)),
        (rf"\b(?:anfang|mitte|ende) (?:des|der) (?!tag)(?P<u>{_UNIT})\b{_DE_OF}", _unit(0, last=True)),
        (rf"\b(?:letzte[nsmr]?|vergangene[nsmr]?|vorige[nsmr]?) (?P<s>{_SEASON})\b", _season(-1)),
        (rf"\b(?:nachste[nsmr]?|kommende[nsmr]?) (?P<s>{_SEASON})\b", _season(1)),
        (rf"\bgestern(?: {_DE_PART})?\b|\b(?:letzte|vergangene) nacht\b", _days(-1)),
        (rf"\bheute(?: {_DE_PART})?\b(?! (?:vor|in) {_N} (?:{_UNIT}))", _days(0)),
        (
            r"(?<!am )(?<!guten )(?<!jeden )(?<!einen )(?<!diesem )(?<!nachsten )(?<!folgenden )(?<!der )\bmorgen\b(?: (?:fruh|vormittag|mittag|nachmittag|abend))?",  # noqa: E501
            _days(1),
        ),
        (rf"\bvor {_N} (?P<u>{_UNIT})\b", _count_units("de", -1)),
        (rf"\bin {_N} (?P<u>{_UNIT})\b", _count_units("de", 1, only_future=True)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:spater|darauf|danach)\b", _count_units("de", 1, last=True)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:fruher|zuvor|vorher|davor)\b", _count_units("de", -1, last=True)),
        (rf"\b(?:am )?(?:letzte[nr]?|vergangene[nr]?|vorige[nr]?) (?P<d>{_DE_DAY})\b", _weekday(-1)),
        (rf"\b(?:am )?(?:nachste[nr]?|kommende[nr]?) (?P<d>{_DE_DAY})\b", _weekday(1)),
        (
            rf"\bam (?P<d>{_DE_DAY}) (?:darauf|danach)\b|\bam (?:darauf )?folgenden (?P<e>{_DE_DAY})\b",
            _weekday(1, last=True),
        ),
        (rf"\b(?:an )?diese[nm] (?P<d>{_DE_DAY})\b", _this_weekday),
        (
            rf"\bam (?P<d>{_DE_DAY})(?:{_DE_PART})?\b"
            rf"|(?:^\W*|(?<=[.!?;] ))(?P<e>{_DE_DAY})(?:{_DE_PART})?\b(?!s| und| bis|,? (?:den|der|\d))",
            _weekday(0),
        ),
        (
            r"\bam (?:nachsten|folgenden) (?:tage?|morgen|abend|mittag|nachmittag)\b|\btags darauf\b|\bam tage? (?:darauf|danach)\b",  # noqa: E501
            _days(1, last=True),
        ),
        (
            r"\bam (?:vortage?|vorabend|vorigen tage?)\b|\btags zuvor\b|\bam (?:tage?|abend|morgen) (?:zuvor|davor|vorher)\b",  # noqa: E501
            _days(-1, last=True),
        ),
        (r"\b(?:an diesem|am selben|am gleichen|an jenem) (?:tage?|abend|morgen)\b", _days(0, last=True)),
        (rf"\b(?:letzte[nsrm]?|vergangene[nsrm]?|vorige[nsrm]?) (?P<u>{_UNIT})\b{_DE_OF}", _unit(-1)),
        (rf"\b(?:nachste[nsrm]?|kommende[nsrm]?) (?P<u>{_UNIT})\b", _unit(1)),
        (rf"\bdiese[nsrm]? (?P<u>{_UNIT})\b", _unit(0)),
        (rf"\bletzten (?P<m>{_MONTH})\b", _month(-1)),
        (rf"\b(?:nachsten|kommenden) (?P<m>{_MONTH})\b", _month(1)),
        (rf"\bim (?P<m>{_MONTH})\b(?! \d)", _month(None)),
    ),
    "es": _rules(
        (r"\b(?:anteayer|antes de ayer)\b", _days(-2)),
        (r"\bpasado manana\b", _days(2)),
        (r"\bayer\b|\banoche\b", _days(-1)),
        (rf"\bhace {_N} (?P<u>{_UNIT})\b", _count_units("es", -1)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:despues|mas tarde)\b(?! de)", _count_units("es", 1, last=True)),
        (rf"\b(?:el )?(?:(?P<d>{_ES_DAY}) pasado|pasado (?P<e>{_ES_DAY}))\b", _weekday(-1)),
        (rf"\b(?:el )?(?:(?P<d>{_ES_DAY}) proximo|proximo (?P<e>{_ES_DAY}))\b", _weekday(1)),
        (rf"\bel (?P<d>{_ES_DAY})\b(?! (?:\d|de|siguiente|anterior))", _weekday(0)),
        (rf"\b(?:la |el )(?P<u>{_UNIT}) pasad[oa]\b", _unit(-1)),
        (rf"\b(?:la |el )(?P<u>{_UNIT}) (?:proxim[oa]|que viene)\b", _unit(1)),
        (rf"\best[ea] (?P<u>{_UNIT})\b", _unit(0)),
        (r"\bhoy\b|\besta (?:manana|tarde|noche)\b", _days(0)),
        (r"\bal dia siguiente\b", _days(1, last=True)),
        (r"\bla vispera\b(?! de)|\bel dia anterior\b", _days(-1, last=True)),
    ),
    "ru": _rules(
        (r"\bпозавчера\b", _days(-2)),
        (r"\bпослезавтра\b", _days(2)),
        (r"\bвчера\b", _days(-1)),
        (r"\bзавтра\b", _days(1)),
        (r"\bсегодня\b", _days(0)),
        (rf"\b{_N} (?P<u>{_UNIT}) (?:тому )?назад\b", _count_units("ru", -1)),
        (rf"\bв прошл(?:ый|ую|ое) (?P<d>{_RU_DAY})\b", _weekday(-1)),
        (rf"\bв следующ(?:ий|ую|ее) (?P<d>{_RU_DAY})\b", _weekday(1)),
        (rf"\bво? (?P<d>{_RU_DAY})\b", _weekday(0)),
        (r"\bна следующий день\b", _days(1, last=True)),
        (r"\bнакануне\b(?! \w)", _days(-1, last=True)),
        (rf"\b(?:на|в) прошл(?:ой|ом) (?P<u>{_UNIT})\b", _unit(-1)),
    ),
    "it": _rules(
        (r"\b(?:l['’]altro ieri|avantieri)\b", _days(-2)),
        (r"\bdopodomani\b", _days(2)),
        (r"\bieri\b(?: (?:sera|mattina))?", _days(-1)),
        (r"\bdomani\b", _days(1)),
        (r"\boggi\b|\bstamattina\b|\bstasera\b|\bstanotte\b", _days(0)),
        (r"\bil giorno (?:dopo|seguente)\b|\bl['’]indomani\b", _days(1, last=True)),
        (r"\bla vigilia\b(?! d)|\bil giorno prima\b", _days(-1, last=True)),
    ),
}

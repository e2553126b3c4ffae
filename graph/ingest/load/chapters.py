"""Where chapters begin. Conservative: a missing chapter does no harm, a wrong one cuts a text apart.

Plain text: a line between blank lines such as "Chapitre 3", "CHAPTER IV. The Ring", "ADVENTURE I. A SCANDAL", or "VII.
THE ADVENTURE OF ..."; bare numbers ("IV.", "-- IV --", "4", "FOUR") only if the text has no other headings than parts,
and they count from one, in the text or in each part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.ingest.load.markup.markdown import markdown_blocks
from filigraph.graph.model.documents import Place
from filigraph.graph.text.numbers.number_words import DAYS, ROMAN, numbers_in_words, value_of_digits
from filigraph.graph.text.words import fold

_MAX_CHARS = 100  # characters of a heading
_TITLE_LENGTH = 60  # characters of a title below a number
_BESIDE = 3  # characters between the number of a chapter and its title
_BODY = 200  # characters: numerals closer than this count something other than chapters

# Words that open a heading before a number. Those of the first group only mean chapters.
_CHAPTER = (
    "chapter|chapitre|kapitel|hoofdstuk|cap[ií]tulo|capitolo|cap[ií]tol|capitolul|rozdzia[lł]|kapitola|fejezet|luku|"
    "глава|розділ|κεφάλαιο|bölüm|فصل|الفصل|פרק"
)
_CONTAINER = (  # units that contain chapters or scenes
    "book|livre|libro|buch|part|partie|parte|teil|часть|частина|tome|period|période|narrative|récit|volume|band|phase|"
    "act|acte|akt|acto|atto|aufzug|jornada"
)
_DIVISION = (
    f"{_CONTAINER}|adventure|aventure|letter|lettre|brief|carta|lettera|письмо|stave|section|tale|conte|scene|scène|"
    "szene|auftritt|escena|scena|cuadro|tableau|episode|épisode|story|canto|chant"
)
DIVISION = re.compile(
    rf"{_CHAPTER}|{_DIVISION}|song|chanson|gesang|lied|poem|poème|gedicht|sonnet|psalm|psaume|day|jour|tag",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    "(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)|"
    "un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|premi[eè]re?|deuxi[eè]me|second[e]?|troisi[eè]me|"
    "quatri[eè]me|cinqui[eè]me|sixi[eè]me|septi[eè]me|huiti[eè]me|neuvi[eè]me|dixi[eè]me|derni[eè]re?|"
    "erste[rs]?|zweite[rs]?|dritte[rs]?|vierte[rs]?|fünfte[rs]?|sechste[rs]?|sieb(?:en)?te[rs]?|achte[rs]?|neunte[rs]?|"
    "zehnte[rs]?|elfte[rs]?|zwölfte[rs]?|letzte[rs]?|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|"
    "primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|séptim[oa]|octav[oa]|noven[oa]|décim[oa]|últim[oa]|"
    "prim[oa]|second[oa]|terz[oa]|quart[oa]|sest[oa]|settim[oa]|ottav[oa]|non[oa]|decim[oa]|ultim[oa]|"
    "onzième|douzième|treizième|eleventh|twelfth|thirteenth|"
    "первая|вторая|третья|четвертая|четвёртая|пятая|шестая|седьмая|восьмая|девятая|десятая"
)
_TITLE = r"(?P<title>\s*[.:)\]\-–—]*\s*(?:[-–—:.]|\s)\s*\S.*)?"
_HEADING = re.compile(
    rf"(?:(?P<word>{_CHAPTER}|{_DIVISION})\s+(?:n[o°º]\.?\s*)?"
    rf"(?P<number>{ROMAN}|\d{{1,3}}|{_NUMBER_WORDS})\b[.:)\]]*{_TITLE}"
    rf"|(?:prologue|épilogue|epilogue|epilog|prolog|prólogo|epílogo|prologo|пролог|эпилог)[.:]?"
    rf"|第\s*[0-9一二三四五六七八九十百千〇零两兩]+\s*[章回話话節节幕](?:\s*\S.*)?)$",
    re.IGNORECASE,
)
_ORDINAL_FIRST = re.compile(rf"(?:the\s+)?(?:{_NUMBER_WORDS})\s+(?:{_CHAPTER}|{_DIVISION})[.:]?$", re.IGNORECASE)
_NUMERAL = re.compile(rf"(?P<number>{ROMAN.replace('ivxlc', 'IVXLC').upper()})[.:)]?(?:\s+(?P<title>\S.*))?$")
_NUMBER_ALONE = re.compile(r"(?P<number>\d{1,3})[.:)]?$")
_DECORATED = re.compile(
    rf"[-–—*~·•=\[(<«\s]{{1,9}}(?P<number>{ROMAN.replace('ivxlc', 'IVXLC').upper()})[-–—*~·•=\])>»\s]{{1,9}}"
)
_IN_WORDS = re.compile(rf"(?:{_NUMBER_WORDS})[.:]?$", re.IGNORECASE)
_ONLY_CHAPTER = re.compile(rf"(?:{_CHAPTER})\s+(?=\S)", re.IGNORECASE)
_ALONE = re.compile(  # a line between blank lines, or two of them: the second may be the title
    rf"(?:\A\n*|\n[^\S\n]*\n)[^\S\n]*(?P<line>\S[^\n]{{0,{_MAX_CHARS + 20}}})"
    rf"(?P<next>\n[^\S\n]*\S[^\n]{{0,{_MAX_CHARS}}})?"
    r"(?=\n[^\S\n]*\n|\n?\Z)"
)
_TITLE_BELOW = re.compile(r"\s{2,9}(\S[^\n]{0,79})\n[^\S\n]*\n")
_MARKDOWN = re.compile(r"^ {0,3}(?P<signs>#{1,6})[ \t](?P<label>[^\n]+)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading that the file itself marks as one: HTML's h1 to h6, Markdown's # to ######."""

    level: int  # 1 to 6
    label: str
    start: int


def chapters_of_headings(headings: Iterable[Heading]) -> tuple[str, tuple[Place, ...]]:
    """The title ("" if none) and the chapters. A single heading of the highest level at the top is the title, unless it
    counts a part. The chapters are the highest remaining level with several headings, the level below it (below levels
    with only parts, "Second Period" and "First Narrative", that of the chapters; also the first that counts chapters),
    and the levels above it.
    """
    left = _with_titles([heading for heading in headings if heading.label])
    title = ""
    if left and sum(heading.level <= left[0].level for heading in left) == 1 and not _is_counted(left[0].label):
        title = left.pop(0).label
    levels = Counter(heading.level for heading in left)
    highest = min((level for level, times in levels.items() if times > 1), default=min(levels, default=0))
    chapters = Counter(one.level for one in left if _is_counted(one.label) and not _kind_of_part(one.label))
    counted = min((level for level, times in chapters.items() if times > 1), default=0)
    lowest = max(highest + 1, _level_below_parts(left, highest), counted)
    rows: list[tuple[int, tuple[str, ...]]] = []
    parts: dict[int, str] = {}  # by level
    for heading in left:
        if heading.level <= lowest:
            parts = {level: label for level, label in parts.items() if level < heading.level}
            rows.append((heading.start, (*parts.values(), heading.label)))
            parts[heading.level] = heading.label if _kind_of_part(heading.label) else ""
    return title, under_parts(rows)


def _with_titles(headings: Sequence[Heading]) -> list[Heading]:
    """The headings; the number of a chapter and its title, one below the other, are one: "CHAPTER I. THE RING"."""
    joined: list[Heading] = []
    for heading in headings:
        above = joined[-1] if joined else heading
        beside = heading.level >= above.level and 0 < heading.start - above.start - len(above.label) <= _BESIDE
        numbered = _BARE.fullmatch(above.label) and not _kind_of_part(above.label)
        if beside and numbered and not _BARE.fullmatch(heading.label) and not _is_counted(heading.label):
            joined[-1] = replace(above, label=f"{above.label.rstrip('.:')}. {heading.label}")
        else:
            joined.append(heading)
    return joined


def _level_below_parts(headings: Sequence[Heading], level: int) -> int:
    """The first level from `level` on that not only parts have."""
    levels = sorted({heading.level for heading in headings if heading.level >= level})
    return next((one for one in levels if not all(_kind_of_part(h.label) for h in headings if h.level == one)), level)


def _is_counted(label: str) -> bool:
    """Whether a heading is one of several, even if the others are missing: "Part I", "First Book", "Chapter 1"."""
    return bool(_HEADING.match(label) or _ORDINAL_FIRST.match(label))


def markdown_headings(text: str) -> list[Heading]:
    """Markdown's # headings, except in fenced code."""
    headings: list[Heading] = []
    start = 0
    for is_code, block in markdown_blocks(text):
        headings += [
            Heading(
                level=len(match["signs"]), label=one_line(match["label"].strip("#*_ \t")), start=start + match.start()
            )
            for match in (() if is_code else _MARKDOWN.finditer(block))
        ]
        start += len(block) + 1
    return headings


def chapters_of_plain_text(text: str) -> tuple[Place, ...]:
    """The chapters of a text without markup; () if it shows none."""
    headings: list[tuple[int, str]] = []
    bare: list[_NumberLine] = []
    expected = 1
    for match in _ALONE.finditer(text):
        line, title = _undecorated(match["line"].rstrip()), (match["next"] or "").strip()
        if heading := _HEADING.match(line):
            if title and (heading.groupdict().get("title") or not _could_be_title(title)):
                continue  # the first line of a paragraph
            title_here = heading.groupdict().get("title")
            if title_here and not _could_be_title(
                title_here.strip().capitalize() if line[: heading.start("title")].endswith(":") else title_here
            ):
                continue
            number = heading.groupdict().get("number") or ""
            expected = value_of_digits(number.lower()) + 1
            if not title and not title_here:
                title = _title_below(text, match.end())
            headings.append((match.start("line"), f"{line.rstrip('.:')}. {title}" if title else line))
        elif _ORDINAL_FIRST.match(line) and not title:
            headings.append((match.start("line"), line))
        elif (value := _value_alone(line)) and (not title or _is_short_title(title)):
            title = title or _title_below(text, match.end())
            label = f"{line.rstrip('.:)')}. {title}" if title else line
            bare.append(_NumberLine(start=match.start("line"), end=match.end(), label=label, value=value))
        elif (numeral := _NUMERAL.match(line)) and numeral["title"] and not title:
            value = value_of_digits(numeral["number"].lower())
            if value in (1, expected) and _could_be_title(numeral["title"]):
                expected = value + 1
                headings.append((match.start("line"), line))
    return _below_parts(text, sorted([*headings, *_numbered_chapters(text, headings, bare)]))


def _undecorated(line: str) -> str:
    """A Roman number without the signs on both sides of it: "-- IV --", "[IV]", "* IV *"."""
    decorated = _DECORATED.fullmatch(line)
    return decorated["number"] if decorated else line


@dataclass(frozen=True, kw_only=True)
class _NumberLine:
    """A line with only a number."""

    start: int
    end: int
    label: str
    value: int


def _numbered_chapters(
    text: str, headings: Sequence[tuple[int, str]], bare: Sequence[_NumberLine]
) -> list[tuple[int, str]]:
    """The numbers of chapters: they count from one, in the text or in each of its parts, and have text below."""
    parts = [start for start, label in headings if _kind_of_part(label) or _OUTSIDE.match(label)]
    if len(bare) < 2 or (len(headings) > 1 and len(parts) < len(headings)):
        return []
    apart = 1 if parts else _BODY
    ends = [one.start for one in bare[1:]]
    if not all(len(text[one.end : end].strip()) > apart for one, end in zip(bare, ends, strict=False)):
        return []
    for first, second in pairwise(bare):
        anew = second.value == 1 and any(first.start < part < second.start for part in parts)
        if second.value != first.value + 1 and not anew:
            return []
    return [(one.start, one.label) for one in bare] if bare[0].value == 1 else []


def _value_alone(line: str) -> int:
    """The value of a line with only a number: "IV.", "4", "FOUR"; 0 for any other line."""
    if (numeral := _NUMERAL.match(line)) and numeral["title"] is None:
        return value_of_digits(numeral["number"].lower())
    if number := _NUMBER_ALONE.match(line):
        return int(number["number"])
    if _IN_WORDS.match(line):
        return next((value for language in ("en", "fr") for value in _number_values(line, language)), 0)
    return 0


def _number_values(line: str, language: str) -> list[int]:
    word = fold(line).strip(" .:")
    return [DAYS[language][word]] if word in DAYS[language] else [v for _, _, v in numbers_in_words(line, language)]


def _title_below(text: str, end: int) -> str:
    """A title in capitals below a number; "" if there is none."""
    below = _TITLE_BELOW.match(text, end)
    return below[1] if below and _is_title(below[1]) else ""


def _is_short_title(line: str) -> bool:
    return _could_be_title(line) and len(line) <= _TITLE_LENGTH and line[-1] not in '.:\u201d"\u00bb'


def _is_title(line: str) -> bool:
    return line.isupper() and not _value_alone(line) and not _HEADING.match(line) and not _ORDINAL_FIRST.match(line)


def _below_parts(text: str, headings: list[tuple[int, str]]) -> tuple[Place, ...]:
    """The chapters, each with the parts that contain it. A part ends where the next of its kind begins."""
    with_body = {start for start, _ in _with_body(text, headings)}
    parts: dict[str, str] = {}
    rows: list[tuple[int, tuple[str, ...]]] = []
    for start, label in headings:
        if outside := _OUTSIDE.match(label):  # text after an epilogue belongs to it
            parts = {} if outside["before"] else {_EPILOGUE: label}
            above: tuple[str, ...] = ()
        elif kind := _kind_of_part(label):
            parts.pop(_EPILOGUE, None)
            parts = _parts_around(parts, kind)
            above = tuple(parts.values())
            parts[kind] = label
        else:
            above = tuple(parts.values())
        if start in with_body:
            rows.append((start, (*above, label)))
    return _distinct_places(
        (start, _with_parts(labels), True)
        if len(labels) > 1 or _ORDINAL_FIRST.match(labels[-1])  # "FIRST PERIOD"
        else (start, labels[-1], False)
        for start, labels in rows
    )


def _kind_of_part(label: str) -> str:
    """ "period" for "SECOND PERIOD", "act" for "ACT II"; "" for a chapter."""
    match = _PART.match(label)
    return (match["first"] or match["last"]).casefold() if match else ""


def _with_parts(labels: Sequence[str]) -> str:
    *above, label = (_in_small(label.rstrip(".:")) for label in labels)
    is_complete = _IS_DIVISION.match(label) or _ORDINAL_FIRST.match(label) or _OUTSIDE.match(label)
    last = label if is_complete else f"chapter {_ONLY_CHAPTER.sub('', label, count=1)}"
    return ", ".join((*above, last))


def _in_small(label: str) -> str:
    """A label in capitals in normal spelling; numbers remain: "ACT II" is "Act II"."""
    if not label.isupper():
        return label
    return " ".join(word if _NUMERAL.fullmatch(word) else word.capitalize() for word in label.split())


def _could_be_title(line: str) -> bool:
    """Whether a line can be the title of a chapter rather than the beginning of its text."""
    letters = [letter for letter in line if letter.isalpha()]
    return bool(letters) and not letters[0].islower() and len(line) <= 80 and line.rstrip()[-1] not in ",;"


def _with_body(text: str, headings: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Without headings that another heading follows directly: a table of contents, a part above its first chapter."""
    starts = [start for start, _ in headings] + [len(text)]
    return [
        (start, label)
        for (start, label), end in zip(headings, starts[1:], strict=True)
        if len(text[start : min(end, start + 2 * _MAX_CHARS)].split("\n", 1)[-1].replace(label, "").strip()) > 0
    ]


def numbered_apart(lines: Iterable[tuple[int, str]]) -> tuple[Place, ...]:
    """Distinct labels: if a second part counts again, "3" becomes "3 (2)"."""
    return _distinct_places((start, line, False) for start, line in lines)


def _distinct_places(lines: Iterable[tuple[int, str, bool]]) -> tuple[Place, ...]:
    """(start, label, whether the label is already distinct)."""
    places: list[Place] = []
    seen: Counter[str] = Counter()
    for start, line, whole in lines:
        bare = line if whole else _ONLY_CHAPTER.sub("", line, count=1)
        label = one_line(bare.rstrip(".:"), _MAX_CHARS)
        seen[label] += 1
        numbered = label if seen[label] == 1 else f"{label} ({seen[label]})"
        places.append(Place(kind="section" if whole else "chapter", label=numbered, start=start))
    return tuple(places)


_BARE = re.compile(rf"(?:(?:{_CHAPTER}|{_DIVISION})\s+)?(?:{ROMAN}|\d{{1,3}}|{_NUMBER_WORDS})[.:)]*", re.IGNORECASE)
_IS_DIVISION = re.compile(rf"(?:(?:{_DIVISION})\b|(?:the\s+)?(?:{_NUMBER_WORDS})\s+(?:{_DIVISION})\b)", re.IGNORECASE)


_EPILOGUE = "epilogue"
_OUTSIDE = re.compile(
    r"(?:(?P<before>prologue|prolog|prólogo|prologo|пролог)|épilogue|epilogue|epilog|epílogo|эпилог)\b", re.IGNORECASE
)
_PART = re.compile(
    rf"(?:(?P<first>{_CONTAINER})\b|(?:the\s+)?(?:{_NUMBER_WORDS})\s+(?P<last>{_CONTAINER})\b)", re.IGNORECASE
)


def under_parts(entries: Sequence[tuple[int, tuple[str, ...]]]) -> tuple[Place, ...]:
    """Chapters with the labels of the parts above them. If a chapter's own label is a number, or not unique, the parts
    are added: "Second Period, First Narrative, chapter III".
    """
    entries = _nested(entries)
    own = Counter(labels[-1].casefold() for _, labels in entries)
    places: list[tuple[int, str, bool]] = []
    for start, labels in entries:
        label, above = labels[-1], [part for part in labels[:-1] if part]
        in_part = any(map(_kind_of_part, above)) and not _OUTSIDE.match(label)
        if above and (in_part or _BARE.fullmatch(label) or own[label.casefold()] > 1):
            places.append((start, _with_parts((*above, label)), True))
        else:
            places.append((start, label, bool(_IS_DIVISION.match(label))))
    return _distinct_places(places)


def _nested(entries: Sequence[tuple[int, tuple[str, ...]]]) -> list[tuple[int, tuple[str, ...]]]:
    """Entries of one level below the parts among them: "Part I", "I", "II", "Part II", "I"."""
    nested: list[tuple[int, tuple[str, ...]]] = []
    parts: dict[str, str] = {}
    for start, labels in entries:
        label, above = labels[-1], labels[:-1]
        if any(above) or _OUTSIDE.match(label):
            parts = {}
        elif kind := _kind_of_part(label):
            parts = _parts_around(parts, kind)
            above = tuple(parts.values())
            parts[kind] = label
        elif _BARE.fullmatch(label) or _is_counted(label):
            above = tuple(parts.values())
        nested.append((start, (*above, label)))
    return nested


def _parts_around(parts: Mapping[str, str], kind: str) -> dict[str, str]:
    """The parts, by kind, that contain the next one of a kind."""
    kinds = list(parts)
    return {one: parts[one] for one in (kinds[: kinds.index(kind)] if kind in parts else kinds)}

"""Where chapters begin. Conservative: a chapter too few misplaces nothing, a chapter too many cuts a text apart.

Plain text: a line that stands alone and reads "Chapitre 3", "CHAPTER IV. The Ring", "ADVENTURE I. A SCANDAL", or
"VII. THE ADVENTURE OF ..."; bare numerals ("IV.") only where nothing else divides the text and they count from one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.model import Place
from filigraph.graph.text.number_words import ROMAN, value_of_digits

_LONGEST = 100  # characters of a heading
_BODY = 200  # characters: numerals closer than this count something else than chapters

# Words that open a heading when a number follows. Those of the first group say no more than that it is a chapter.
_CHAPTER = (
    "chapter|chapitre|kapitel|hoofdstuk|cap[ií]tulo|capitolo|cap[ií]tol|capitolul|rozdzia[lł]|kapitola|fejezet|luku|"
    "глава|розділ|κεφάλαιο|bölüm|فصل|الفصل|פרק"
)
_DIVISION = (
    "adventure|aventure|book|livre|libro|buch|part|partie|parte|teil|часть|частина|tome|letter|lettre|brief|carta|"
    "lettera|письмо|period|période|narrative|récit|volume|band|phase|stave|section|tale|conte|act|acte|akt|acto|atto|scene|scène|szene|episode|épisode|story|canto|chant"
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
_ONLY_CHAPTER = re.compile(rf"(?:{_CHAPTER})\s+(?=\S)", re.IGNORECASE)
_ALONE = re.compile(  # a line between blank lines, or two of them: the second may be the title
    rf"(?:\A\n*|\n[^\S\n]*\n)[^\S\n]*(?P<line>\S[^\n]{{0,{_LONGEST + 20}}})(?P<next>\n[^\S\n]*\S[^\n]{{0,{_LONGEST}}})?"
    r"(?=\n[^\S\n]*\n|\n?\Z)"
)
_TITLE_BELOW = re.compile(r"\s{2,9}(\S[^\n]{0,79})\n[^\S\n]*\n")
_MARKDOWN = re.compile(  # fenced code, or a heading
    r"^ {0,3}(?P<fence>```|~~~).*?(?:^ {0,3}(?P=fence)|\Z)|^ {0,3}(?P<signs>#{1,6})[ \t](?P<label>[^\n]+)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading that the file itself marks as one: HTML's h1 to h6, Markdown's # to ######."""

    level: int  # 1 to 6
    label: str
    start: int


def chapters_of_headings(headings: Iterable[Heading]) -> tuple[str, tuple[Place, ...]]:
    """The title ("" if none) and the chapters. A single heading of the highest level at the top is the title; the
    highest level that remains and the one below it are the chapters."""
    left = [heading for heading in headings if heading.label]
    title = ""
    if left and sum(heading.level <= left[0].level for heading in left) == 1:
        title = left.pop(0).label
    highest = min((heading.level for heading in left), default=0)
    return title, numbered_apart((heading.start, heading.label) for heading in left if heading.level <= highest + 1)


def markdown_headings(text: str) -> list[Heading]:
    """Markdown's # headings, but those in fenced code."""
    return [
        Heading(level=len(found["signs"]), label=one_line(found["label"].strip("#*_ \t")), start=found.start())
        for found in _MARKDOWN.finditer(text)
        if found["signs"]
    ]


def chapters_of_plain_text(text: str) -> tuple[Place, ...]:
    """The chapters of a text without any markup, () where it shows none."""
    found: list[tuple[int, str]] = []
    bare: list[tuple[int, str, int]] = []
    expected = 1
    for match in _ALONE.finditer(text):
        line, title = match["line"].rstrip(), (match["next"] or "").strip()
        if heading := _HEADING.match(line):
            if title and (heading.groupdict().get("title") or not _could_be_title(title)):
                continue  # the first line of a paragraph
            if (title_here := heading.groupdict().get("title")) and not _could_be_title(title_here):
                continue
            number = heading.groupdict().get("number") or ""
            expected = value_of_digits(number.lower()) + 1
            if (
                not title
                and not title_here
                and (below := _TITLE_BELOW.match(text, match.end()))
                and _is_title(below[1])
            ):
                title = below[1]
            found.append((match.start("line"), f"{line.rstrip('.:')}. {title}" if title else line))
        elif _ORDINAL_FIRST.match(line) and not title:
            found.append((match.start("line"), line))
        elif (numeral := _NUMERAL.match(line)) and not title:
            value = value_of_digits(numeral["number"].lower())
            if numeral["title"] is None:
                bare.append((match.start("line"), line, value))
            elif value in (1, expected) and _could_be_title(numeral["title"]):
                expected = value + 1
                found.append((match.start("line"), line))
    if len(found) < 2 and len(bare) >= 2 and [value for _, _, value in bare] == list(range(1, len(bare) + 1)):
        apart = all(second[0] - first[0] > _BODY for first, second in pairwise(bare))
        found = [(start, line) for start, line, _ in bare] if apart else found
    return _below_parts(text, found)


def _is_title(line: str) -> bool:
    return line.isupper() and not _HEADING.match(line) and not _ORDINAL_FIRST.match(line)


def _below_parts(text: str, found: list[tuple[int, str]]) -> tuple[Place, ...]:
    """The chapters, each with the parts that it stands in where its own label is a number or is borne by others. A part
    ends where the next of its kind begins."""
    with_body = {start for start, _ in _with_body(text, found)}
    parts: dict[str, str] = {}
    rows: list[tuple[int, tuple[str, ...]]] = []
    for start, label in found:
        above = tuple(parts.values())
        if kind := _kind_of_part(label):
            if kind in parts:
                kept = list(parts)[: list(parts).index(kind)]
                parts = {one: parts[one] for one in kept}
            above = tuple(parts.values())
            parts[kind] = label
        if start in with_body:
            rows.append((start, (*above, label)))
    own = Counter(labels[-1].casefold() for _, labels in rows)
    places: list[tuple[int, str, bool]] = []
    for start, labels in rows:
        bare = bool(_BARE.fullmatch(labels[-1])) or own[labels[-1].casefold()] > 1
        named = bool(_ORDINAL_FIRST.match(labels[-1]) and _kind_of_part(labels[-1]))  # "FIRST PERIOD"
        whole = named or (bare and len(labels) > 1)
        places.append((start, _with_parts(labels) if whole else labels[-1], whole))
    return _apart(places)


def _kind_of_part(label: str) -> str:
    """ "period" of "SECOND PERIOD", "act" of "ACT II"; "" of a chapter."""
    found = _PART.match(label)
    return (found["first"] or found["last"]).casefold() if found else ""


def _with_parts(labels: Sequence[str]) -> str:
    *above, label = (_in_small(label.rstrip(".:")) for label in labels)
    last = label if _IS_DIVISION.match(label) else f"chapter {_ONLY_CHAPTER.sub('', label, count=1)}"
    return ", ".join((*above, last))


def _in_small(label: str) -> str:
    """A label in capitals as words; numbers stay: "ACT II" is "Act II"."""
    if not label.isupper():
        return label
    return " ".join(word if _NUMERAL.fullmatch(word) else word.capitalize() for word in label.split())


def _could_be_title(line: str) -> bool:
    """Whether a line can be the title of a chapter rather than the beginning of its text."""
    letters = [letter for letter in line if letter.isalpha()]
    return bool(letters) and not letters[0].islower() and len(line) <= 80 and line.rstrip()[-1] not in ",;"


def _with_body(text: str, found: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Without headings that another heading follows at once: a table of contents, a part above its first chapter."""
    starts = [start for start, _ in found] + [len(text)]
    return [
        (start, label)
        for (start, label), end in zip(found, starts[1:], strict=True)
        if len(text[start : min(end, start + 2 * _LONGEST)].split("\n", 1)[-1].replace(label, "").strip()) > 0
    ]


def numbered_apart(found: Iterable[tuple[int, str]]) -> tuple[Place, ...]:
    """Distinct labels: where a second part counts anew, "3" becomes "3 (2)"."""
    return _apart((start, line, False) for start, line in found)


def _apart(found: Iterable[tuple[int, str, bool]]) -> tuple[Place, ...]:
    """(start, label, whether it is said as it is)."""
    places: list[Place] = []
    seen: Counter[str] = Counter()
    for start, line, whole in found:
        bare = line if whole else _ONLY_CHAPTER.sub("", line, count=1)
        label = one_line(bare.rstrip(".:"), _LONGEST)
        seen[label] += 1
        numbered = label if seen[label] == 1 else f"{label} ({seen[label]})"
        places.append(Place(kind="section" if whole else "chapter", label=numbered, start=start))
    return tuple(places)


_BARE = re.compile(rf"(?:(?:{_CHAPTER}|{_DIVISION})\s+)?(?:{ROMAN}|\d{{1,3}}|{_NUMBER_WORDS})[.:)]*", re.IGNORECASE)
_IS_DIVISION = re.compile(rf"(?:(?:{_DIVISION})\b|(?:the\s+)?(?:{_NUMBER_WORDS})\s+(?:{_DIVISION})\b)", re.IGNORECASE)


_PART = re.compile(
    rf"(?:(?P<first>{_DIVISION})\b|(?:the\s+)?(?:{_NUMBER_WORDS})\s+(?P<last>{_DIVISION})\b)", re.IGNORECASE
)


def under_parts(found: Sequence[tuple[int, tuple[str, ...]]]) -> tuple[Place, ...]:
    """Chapters by their labels, each after those of the parts above it. One whose own label is a number, or is borne by
    others, is said with its parts: "Second Period, First Narrative, chapter III"."""
    own = Counter(labels[-1].casefold() for _, labels in found)
    places: list[tuple[int, str, bool]] = []
    for start, labels in found:
        label, above = labels[-1], [part for part in labels[:-1] if part]
        if above and (_BARE.fullmatch(label) or own[label.casefold()] > 1):
            last = label if _IS_DIVISION.match(label) else f"chapter {_ONLY_CHAPTER.sub('', label, count=1)}"
            places.append((start, ", ".join([*(part.rstrip(".:") for part in above), last.rstrip(".:")]), True))
        else:
            places.append((start, label, bool(_IS_DIVISION.match(label))))
    return _apart(places)

"""Where a place of a document ends: a chapter, a part, a page, a share of the text, a passage.

"chapter 12" is read to its end: what is behind it is hidden. Places are named as the document names them ("chapter
XII", "The Boat", "page 3"), by number where they have one, or counted where none of them has.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model import Place
from filigraph.graph.read_part import ReadChunk
from filigraph.graph.text.words import fold

SHOWN = 12  # places that an error lists
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d+)?)\s*(?:%|percent|pour ?cent)")
_PAGE = re.compile(r"(?:pages?|p\.|p)\s*(\S.*)")
_PASSAGE = re.compile(r"(?:passages?|chunks?)\s+(\d+)")
_ID = re.compile(r"[0-9a-f]{48}")
_CHAPTER = re.compile(r"(?:chapters?|chap\.?|ch\.|chapitres?|kapitel|cap[ií]tulo|capitolo|hoofdstuk)\s+(?=\S)")
_NUMBER = re.compile(r"\b(?:(?P<arabic>\d{1,4})|(?P<roman>(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})))\b")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def end_of_place(place: str, source: str, places: Sequence[Place], chunks: Sequence[ReadChunk]) -> int:
    """The offset in a document's text at which `place` ends. `chunks` are those of the document, in order. Raises
    InputError, NotFound: with the places that there are."""
    wanted = " ".join(fold(place).split())
    length = chunks[-1].chunk.end if chunks else 0
    if match := _PERCENT.fullmatch(wanted):
        share = float(match[1].replace(",", "."))
        if share > 100:
            raise InputError(f"{place!r} is more than the whole text.", cure="Give 0 % to 100 %.")
        return int(length * share / 100)
    if match := _PASSAGE.fullmatch(wanted):
        if not 1 <= int(match[1]) <= len(chunks):
            raise NotFound(f"{source} has no passage {match[1]}.", cure=f"It has passages 1 to {len(chunks):,}.")
        return chunks[int(match[1]) - 1].chunk.end
    if _ID.fullmatch(wanted):
        found = next((row.chunk.end for row in chunks if row.chunk.id == wanted), None)
        if found is None:
            raise NotFound(f"{source} has no passage of this id.", cure="Take the id of one of its passages.")
        return found
    pages = [one for one in places if one.kind == "page"]
    if pages and (match := _PAGE.fullmatch(wanted)):
        return _end_of(place, [one for one in pages if fold(one.label) == match[1]], pages, source, length)
    chapters = [one for one in places if one.kind != "page"]
    return _end_of(place, _named(wanted, chapters), chapters, source, length)


def names_of_places(places: Sequence[Place], length: int) -> list[str]:
    """How each place is named so that `end_of_place` finds it alone: by its label, and where another one has the same
    by the share of the text that it ends at. `length`: of the text."""
    called = Counter(_bare(place) for place in places)
    names = []
    for place in places:
        name = place.label if place.kind == "section" else f"{place.kind} {place.label}"
        if called[_bare(place)] > 1:
            after = [one.start for one in places if one.kind == place.kind and one.start > place.start]
            end = min(after, default=length)
            name = f"{math.ceil(1e6 * end / max(length, 1)) / 1e4:.4f} %"
        names.append(name)
    return names


def _bare(place: Place) -> tuple[bool, str]:
    return place.kind == "page", _CHAPTER.sub("", " ".join(fold(place.label).split()), count=1)


def _end_of(place: str, found: Sequence[Place], among: Sequence[Place], source: str, length: int) -> int:
    """Where the last of `found` ends: where the next one `among` them begins."""
    if not among:
        raise NotFound(
            f"{source} has neither chapters nor pages of its own, so there is no {place!r}.",
            cure='Give a share of the text ("40 %") or a passage ("passage 7").',
        )
    if not found:
        raise NotFound(f"{source} has no {place!r}.", cure=f"It has {_listed(among)}.")
    numbers = [among.index(one) for one in found]
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise InputError(f"{len(found)} places of {source} are called {place!r}.", cure=f"Say which: {_listed(found)}.")
    after = numbers[-1] + 1
    return among[after].start if after < len(among) else length


def _named(wanted: str, chapters: Sequence[Place]) -> list[Place]:
    """The chapters that are meant, by the surest sign that fits any: the whole label; the part that they are in; the
    last of its names; its number; words of it; where no chapter has a number, how manieth it is."""
    bare = _CHAPTER.sub("", wanted, count=1)
    labels = [fold(chapter.label) for chapter in chapters]
    number = _number(bare) if bare != wanted else 0
    signs: tuple[Callable[[str], bool], ...] = (
        lambda label: label in (wanted, bare),
        lambda label: wanted in _parts(label)[:-1] or label.startswith(f"{wanted}, "),
        lambda label: _CHAPTER.sub("", _parts(label)[-1], count=1) in (wanted, bare),
        lambda label: (
            bare != wanted and bool(number := _number(bare)) and number == _number(_parts(label)[-1], first=True)
        ),
        lambda label: len(bare) > 2 and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", label) is not None,
    )
    for sign in signs:
        if found := [chapter for chapter, label in zip(chapters, labels, strict=True) if sign(label)]:
            return found
    counted = number if not any(_number(label, first=True) for label in labels) else 0
    return [chapters[counted - 1]] if 1 <= counted <= len(chapters) else []


def _parts(label: str) -> list[str]:
    return label.split(", ")


def _number(text: str, *, first: bool = False) -> int:
    """The number that a text is, or with `first` the one that it begins with, "chapter" left out; 0 for none."""
    text = _CHAPTER.sub("", text, count=1)
    match = _NUMBER.match(text)
    if match is None or not match[0] or (not first and match.end() < len(text.rstrip(" .:)"))):
        return 0
    if match["arabic"]:
        return int(match["arabic"])
    values = [_ROMAN[letter] for letter in match["roman"]]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _listed(places: Sequence[Place]) -> str:
    names = [place.label if place.kind == "section" else f"{place.kind} {place.label}" for place in places]
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return f"{'; '.join(names[:SHOWN])}{more}"

"""Start and end of a place in a document: a chapter, a part, a page, a share of the text, a passage, or a range of
them.

"chapter 12" is visible to its end; the text after it is hidden. Names of places are those of the document ("chapter
XII", "The Boat", "page 3"), their numbers, or, if none has a number, their positions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from filigraph.graph.errors import FiligraphError, InputError, NotFound
from filigraph.graph.model.documents import Place
from filigraph.graph.tables.read_part import ReadChunk
from filigraph.graph.text.numbers.number_words import ROMAN, value_of_digits
from filigraph.graph.text.words import fold
from filigraph.graph.views.headings import CHAPTER, heading_of

ROUNDING_CHARS = 1e-6  # characters: rounding of an offset's share of the text
MAX_PLACES_LISTED = 12  # places in an error message
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d+)?)\s*(?:%|percent|pour ?cent)")
_PAGE = re.compile(r"(?:pages?|pp?\.?)\s*(\S.*)")
_PASSAGE = re.compile(r"(?:passages?|chunks?)\s+(\d+)")
_ID = re.compile(r"[0-9a-f]{48}")
_NUMBER = re.compile(rf"\b(?:\d{{1,4}}|{ROMAN})\b")
_BETWEEN = re.compile(
    r"\s*(?:\.\.+|[-\u2010-\u2015])\s*|\s+(?:to|through|until|a|au|aux|jusqu'a|jusqu'au|bis|hasta|al|fino a|fino al)\s+"
)
_LAST_NUMBER = re.compile(r"(?:\d[\d.,]*\s*%?|(?<!\w)[ivxlc]+)$")
_FROM = re.compile(r"(?:from|du|de|von|desde|dal)\s+(?=\S)")

Range = tuple[int, int]  # offsets in the text


@dataclass(frozen=True, kw_only=True)
class DocumentParts:
    """The data by which places of a document are found."""

    source: str
    places: Sequence[Place]
    chunks: Sequence[ReadChunk]  # in order

    @property
    def length(self) -> int:
        return self.chunks[-1].chunk.end if self.chunks else 0


def end_of_place(place: str, parts: DocumentParts) -> int:
    """The offset in a document's text at which `place` ends. Raises InputError or NotFound, with the existing
    places.
    """
    return _single(place, parts)[1]


def range_of_place(place: str, parts: DocumentParts) -> Range:
    """Start and end of `place`: "First Period", "chapter 1-10", "page 3 to 7", "20-40 %", "chapter 5 -". A single share
    means the text up to it. Raises InputError, NotFound.
    """
    try:
        begin, end = _single(place, parts)
        return (0, end) if _PERCENT.fullmatch(_normalized(place)) else (begin, end)
    except NotFound as error:
        unknown = error
    for first, last in _splits(_normalized(place)):
        begins = _first_of(first, last, parts) if first else (0, 0)
        ends = _last_of(last, first, parts) if last else (parts.length, parts.length)
        if begins is None or ends is None:
            continue
        if begins[0] >= ends[1]:
            raise InputError(f"{place!r} ends before it begins.", cure='Write the earlier one first: "chapter 1-10".')
        return begins[0], ends[1]
    raise unknown


def _normalized(place: str) -> str:
    return " ".join(fold(place).split())


# --------------------------------------------------------------------------------------------------------------------
# Ranges


def _splits(wanted: str) -> Iterator[tuple[str, str]]:
    """The possible divisions of a place into first and last; "" is the beginning, or the end."""
    for between in _BETWEEN.finditer(wanted):
        first, last = _FROM.sub("", wanted[: between.start()], count=1), wanted[between.end() :]
        if first or last:
            yield first, last
    if begins := _FROM.match(wanted):
        yield wanted[begins.end() :], ""


def _first_of(first: str, last: str, parts: DocumentParts) -> Range | None:
    """The first place of a range: "20-40 %" are shares, "1-10" are chapters."""
    if _LAST_NUMBER.fullmatch(first) and _PERCENT.fullmatch(last):
        return _first_range([f"{first.rstrip(' %')} %"], parts)
    return _first_range([first, *_counted(first)], parts)


def _last_of(last: str, first: str, parts: DocumentParts) -> Range | None:
    """The last place of a range, which may be abbreviated after the first: "chapter 1-10", "Part I, chapter 1 to
    chapter 3".
    """
    readings = list[str]()
    if _LAST_NUMBER.fullmatch(last):
        readings += [_LAST_NUMBER.sub("", first) + last] if _LAST_NUMBER.search(first) else []
    above, comma, _ = first.rpartition(", ")
    readings += [f"{above}, {last}"] if comma and ", " not in last else []
    return _first_range([*readings, last, *_counted(last)], parts)


def _counted(place: str) -> list[str]:
    return [f"chapter {place}"] if _LAST_NUMBER.fullmatch(place) and "%" not in place else []


def _first_range(readings: Sequence[str], parts: DocumentParts) -> Range | None:
    """Start and end of the first of these that exists. Raises InputError if one is ambiguous and no other exists."""
    several: FiligraphError | None = None
    for reading in readings:
        try:
            return _single(reading, parts)
        except NotFound:
            continue
        except InputError as error:
            several = several or error
    if several:
        raise several
    return None


# --------------------------------------------------------------------------------------------------------------------
# One place


def _single(place: str, parts: DocumentParts) -> Range:
    """Start and end of a single place; a share of the text is a point."""
    wanted, chunks, source = _normalized(place), parts.chunks, parts.source
    if match := _PERCENT.fullmatch(wanted):
        share = float(match[1].replace(",", "."))
        if share > 100:
            raise InputError(f"{place!r} is more than the whole text.", cure="Give 0 % to 100 %.")
        return (int(parts.length * share / 100 + ROUNDING_CHARS),) * 2
    if match := _PASSAGE.fullmatch(wanted):
        if not 1 <= int(match[1]) <= len(chunks):
            raise NotFound(f"{source} has no passage {match[1]}.", cure=f"It has passages 1 to {len(chunks):,}.")
        chunk = chunks[int(match[1]) - 1].chunk
        return chunk.start, chunk.end
    if _ID.fullmatch(wanted):
        span = next(((row.chunk.start, row.chunk.end) for row in chunks if row.chunk.id == wanted), None)
        if span is None:
            raise NotFound(f"{source} has no passage of this id.", cure="Use the id of one of its passages.")
        return span
    pages = [part for part in parts.places if part.kind == "page"]
    if pages and (match := _PAGE.fullmatch(wanted)):
        return _range_of(place, _matching_pages(match[1], pages), pages, parts)
    chapters = [part for part in parts.places if part.kind != "page"]
    return _range_of(place, _matching_chapters(wanted, chapters), chapters, parts)


def _range_of(place: str, matches: Sequence[Place], among: Sequence[Place], parts: DocumentParts) -> Range:
    """From the start of the first of `matches` to the end of the last, which is the start of the next one in
    `among`.
    """
    source = parts.source
    if not among:
        raise NotFound(
            f"{source} has neither chapters nor pages, so there is no {place!r}.",
            cure='Give a share of the text ("40 %") or a passage ("passage 7").',
        )
    if not matches:
        raise NotFound(f"{source} has no {place!r}.", cure=f"It has {_listed(among)}.")
    numbers = [among.index(match) for match in matches]
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise InputError(
            f"{len(matches)} places of {source} are called {place!r}.", cure=f"Say which: {_listed(matches)}."
        )
    after = numbers[-1] + 1
    return matches[0].start, among[after].start if after < len(among) else parts.length


def _matching_pages(wanted: str, pages: Sequence[Place]) -> list[Place]:
    """The pages with this label: the whole, the printed number, or the number in the file ("18 (PDF 6)")."""
    labels = [fold(page.label) for page in pages]
    signs: tuple[Callable[[str], bool], ...] = (
        lambda label: label == wanted,
        lambda label: label.partition(" (pdf ")[0] == wanted,
        lambda label: label.endswith((f"({wanted})", f"(pdf {wanted})")),
    )
    for sign in signs:
        if matches := [page for page, label in zip(pages, labels, strict=True) if sign(label)]:
            return matches
    return []


def _matching_chapters(wanted: str, chapters: Sequence[Place]) -> list[Place]:
    """The chapters with this name, by the most reliable criterion that fits any: the whole label; the part that
    contains them; the last of its names; numbered parts and chapters; its number; words of it; if no chapter has a
    number, the position.
    """
    bare = CHAPTER.sub("", wanted, count=1)
    labels = [fold(chapter.label) for chapter in chapters]
    number = _number_of_label(bare) if bare != wanted else 0
    signs: tuple[Callable[[str], bool], ...] = (
        lambda label: label in (wanted, bare),
        lambda label: wanted in _parts(label)[:-1] or label.startswith(f"{wanted}, "),
        lambda label: CHAPTER.sub("", _parts(label)[-1], count=1) in (wanted, bare),
        lambda label: _counts_as(wanted, label),
        lambda label: (
            bare != wanted
            and bool(number := _number_of_label(bare))
            and number == _number_of_label(_parts(label)[-1], prefix=True)
        ),
        lambda label: len(bare) > 2 and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", label) is not None,
        lambda label: number > 0 and (head := heading_of(_parts(label)[-1])) is not None and head.number == number,
    )
    for sign in signs:
        if matches := [chapter for chapter, label in zip(chapters, labels, strict=True) if sign(label)]:
            return matches
    counted = number if not any(_number_of_label(label, prefix=True) for label in labels) else 0
    return [chapters[counted - 1]] if 1 <= counted <= len(chapters) else []


def _counts_as(wanted: str, label: str) -> bool:
    """Whether a label contains all named numbers, in this order: "Second Part, chapter I" contains "Part 2, chapter 1",
    and also "Part 2".
    """
    remaining = iter(_parts(label))
    return all(any(_same(name, part) for part in remaining) for name in _parts(wanted))


def _same(wanted: str, part: str) -> bool:
    one, two = heading_of(wanted, whole=True), heading_of(part)
    return wanted == part or (one is not None and two is not None and one.counts_as(two))


def _parts(label: str) -> list[str]:
    return label.split(", ")


def _number_of_label(text: str, *, prefix: bool = False) -> int:
    """The number in a text, or with `prefix` at its beginning, ignoring "chapter"; 0 if there is none."""
    text = CHAPTER.sub("", text, count=1)
    match = _NUMBER.match(text)
    if match is None or not match[0] or (not prefix and match.end() < len(text.rstrip(" .:)"))):
        return 0
    return value_of_digits(match[0])


def _listed(places: Sequence[Place]) -> str:
    names = [place.label if place.kind == "section" else f"{place.kind} {place.label}" for place in places]
    more = f" and {len(names) - MAX_PLACES_LISTED:,} more" if len(names) > MAX_PLACES_LISTED else ""
    return f"{'; '.join(names[:MAX_PLACES_LISTED])}{more}"

"""Where places of a document end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from filigraph.graph.errors import FiligraphError
from filigraph.graph.model.documents import Chunk, Place, PlaceKind
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.tables.read_part import ReadChunk
from filigraph.graph.views.outline import named_places, names_of_places
from filigraph.graph.views.places import DocumentParts, end_of_place, range_of_place

NUMBERED = ("I", "II", "III. The Boat", "4", "4 (2)")
NAMED = ("The Ring", "La Traversée", "The Boat")
PARTS = ("Part I, chapter I", "Part I, chapter II", "Part II, chapter I", "Part II, chapter II")


def chunks(count: int = 10) -> list[ReadChunk]:
    """Each of 100 characters."""
    return [
        ReadChunk(
            chunk=Chunk(
                id=f"{n:048x}",
                document_id="d",
                index=n,
                start=100 * n,
                end=100 * n + 100,
                text="",
                title="",
                place="",
                language="en",
            ),
            extraction=Extraction(key="k", extractor="local"),
            terms="",
            packed=b"",
            strangers=(),
            version=(),
        )
        for n in range(count)
    ]


def places(labels: Sequence[str], kind: PlaceKind = "chapter") -> list[Place]:
    return [Place(kind=kind, label=label, start=100 * n) for n, label in enumerate(labels)]


def parts(labels: Sequence[str], kind: PlaceKind = "chapter", length: int = 10) -> DocumentParts:
    return DocumentParts(source="book.txt", places=places(labels, kind), chunks=chunks(length))


def end(place: str, labels: Sequence[str], kind: PlaceKind = "chapter") -> int:
    return end_of_place(place, parts(labels, kind))


@pytest.mark.parametrize(
    ("place", "labels", "expected"),
    [
        ("chapter 2", NUMBERED, 200),
        ("chapitre II", NUMBERED, 200),
        ("Chapter III", NUMBERED, 300),
        ("chapter 3", NUMBERED, 300),
        ("the boat", NUMBERED, 300),
        ("chapter 4", NUMBERED, 400),
        ("4 (2)", NUMBERED, 1000),  # the last one ends with the text
        ("la traversee", NAMED, 200),
        ("chapter 3", NAMED, 1000),  # none has a number: the third
    ],
)
def test_a_chapter_ends_where_the_next_begins(place: str, labels: Sequence[str], expected: int) -> None:
    assert end(place, labels) == expected


def test_chapters_of_parts_are_named_with_them() -> None:
    assert end("Part II, chapter I", PARTS, "section") == 300
    assert end("Part I", PARTS, "section") == 200
    with pytest.raises(FiligraphError, match="2 places") as error:
        end("chapter I", PARTS, "section")
    assert "Part I, chapter I; Part II, chapter I" in error.value.cure


@pytest.mark.parametrize(
    ("place", "expected"),
    [("40 %", 400), ("12.5%", 125), ("passage 3", 300), (f"{6:048x}", 700), ("0%", 0), ("100 %", 1000)],
)
def test_shares_and_passages(place: str, expected: int) -> None:
    assert end(place, ()) == expected


def test_pages() -> None:
    assert end("page 2", ("1", "2", "3"), "page") == 200
    assert end("p. 3", ("1", "2", "3"), "page") == 1000


@pytest.mark.parametrize(
    ("place", "expected"), [("page ii", 200), ("page 2", 400), ("page 2 (PDF 4)", 400), ("page 3", 300)]
)
def test_a_page_has_its_printed_number_before_that_of_the_file(place: str, expected: int) -> None:
    labels = ("i (PDF 1)", "ii (PDF 2)", "1 (PDF 3)", "2 (PDF 4)", "A-1 (PDF 5)")
    assert end(place, labels, "page") == expected


@pytest.mark.parametrize(
    ("place", "labels", "said"),
    [
        ("chapter 9", NUMBERED, "chapter I; chapter II"),
        ("chapter 9", (), "40 %"),
        ("passage 11", (), "1 to 10"),
        ("140 %", (), "0 % to 100 %"),
        ("nowhere", NAMED, "The Ring"),
    ],
)
def test_an_unknown_place_says_what_there_is(place: str, labels: Sequence[str], said: str) -> None:
    with pytest.raises(FiligraphError) as error:
        end(place, labels)
    assert said in error.value.cure


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (NUMBERED, "chapter"),
        (NAMED, "section"),
        (PARTS, "section"),
        (("I", "II", "I", "II"), "chapter"),  # of two volumes
        (("Chapitre I", "L'Étranger", "I"), "section"),
        (("i", "1", "2", "2"), "page"),
    ],
)
def test_each_place_is_named_so_that_it_alone_is_meant(labels: Sequence[str], kind: PlaceKind) -> None:
    ends = [*(place.start for place in places(labels, kind)[1:]), 1000]
    found = [end(name, labels, kind) for name in names_of_places(places(labels, kind), 1000)]
    assert found == ends


ADVENTURES = ("ADVENTURE I. A SCANDAL", "ADVENTURE II. THE LEAGUE", "III. THE ADVENTURE OF THE BAND", "IV. THE COPPER")
PERIODS = ("Prologue", *(f"First Period, chapter {n}" for n in ("I", "II", "III")), "Second Period, chapter I")
LIVRES = ("Première partie, Livre premier, chapter I", "Première partie, Livre deuxième, chapter I", "2e partie, 1")


@pytest.mark.parametrize(
    ("place", "labels", "expected"),
    [
        ("chapter 1-3", NUMBERED, (0, 300)),
        ("chapters 2 to 4", NUMBERED, (100, 400)),
        ("chapitres II à III", NUMBERED, (100, 300)),
        ("Chapitre 2 – chapitre 4", NUMBERED, (100, 400)),
        ("2-4", NUMBERED, (100, 400)),
        ("chapter 2", NUMBERED, (100, 200)),
        ("chapter 3 -", NUMBERED, (200, 1000)),
        ("from chapter 3", NUMBERED, (200, 1000)),
        ("- chapter 2", NUMBERED, (0, 200)),
        ("The Ring - The Boat", NAMED, (0, 1000)),
        ("La Traversée à The Boat", NAMED, (100, 1000)),
        ("chapter 1-2", NAMED, (0, 200)),
        ("Part I", PARTS, (0, 200)),
        ("part 2", PARTS, (200, 1000)),
        ("Part 1-2", PARTS, (0, 1000)),
        ("Part I, chapter II - Part II, chapter I", PARTS, (100, 300)),
        ("Part II, chapter 1-2", PARTS, (200, 1000)),
        ("Part I, chapter 1 to chapter 2", PARTS, (0, 200)),
        ("First Period", PERIODS, (100, 400)),
        ("period 1", PERIODS, (100, 400)),
        ("the First Period, chapter 2-3", PERIODS, (200, 400)),
        ("First Period - Second Period", PERIODS, (100, 1000)),
        ("prologue to First Period", PERIODS, (0, 400)),
        ("première partie", LIVRES, (0, 200)),
        ("partie 1, livre 2", LIVRES, (100, 200)),
        ("deuxième partie", LIVRES, (200, 1000)),
        ("chapter 1-3", ADVENTURES, (0, 300)),
        ("adventure 2", ADVENTURES, (100, 200)),
        ("20-40 %", (), (200, 400)),
        ("1-2 %", NUMBERED, (10, 20)),
        ("20 % à 40 %", (), (200, 400)),
        ("40 %", (), (0, 400)),
        ("40 % -", (), (400, 1000)),
        ("passage 3-5", (), (200, 500)),
        ("passages 3 to 5", (), (200, 500)),
        ("passage 3", (), (200, 300)),
    ],
)
def test_a_range_of_places(place: str, labels: Sequence[str], expected: tuple[int, int]) -> None:
    kind: PlaceKind = "section" if labels in (PARTS, PERIODS, LIVRES) else "chapter"
    assert range_of_place(place, parts(labels, kind)) == expected


def test_a_range_of_pages() -> None:
    for place in ("page 2-3", "pages 2 to 3", "pp. 2–3", "p. 2 à 3"):
        assert range_of_place(place, parts(("1", "2", "3", "4"), "page")) == (100, 300)


@pytest.mark.parametrize(
    ("place", "labels", "said"),
    [
        ("chapter 4-2", NUMBERED, "earlier one first"),
        ("chapter 2-9", NUMBERED, "chapter I; chapter II"),
        ("chapter I-II", PARTS, "Part I, chapter I; chapter Part II, chapter I"),
        ("nowhere to nobody", NAMED, "The Ring"),
        ("passage 3-30", (), "40 %"),
    ],
)
def test_a_range_that_is_not_there(place: str, labels: Sequence[str], said: str) -> None:
    with pytest.raises(FiligraphError) as error:
        range_of_place(place, parts(labels))
    assert said in error.value.cure


def test_the_outline_of_a_book() -> None:
    named = named_places(places(PERIODS, "section"), 700)
    assert [one.parts for one in named] == [(), *[("First Period",)] * 3, ("Second Period",)]
    deep = named_places(places(LIVRES, "section"), 700)
    assert deep[1].parts == ("Première partie", "Livre deuxième")
    commas = named_places(places(("The Boat, the Ring", "Of Men, of Mice")), 700)
    assert [one.parts for one in commas] == [(), ()]
    for length in (700, 777, 99_991):  # a share finds exactly its place again
        parts = DocumentParts(source="b", places=places(PERIODS, "section"), chunks=chunks(7)[:-1] + long_chunk(length))
        for one, start in zip(named_places(parts.places, length), range(0, 500, 100), strict=True):
            begin, end = range_of_place(f"{one.begin}-{one.end} %", parts)
            assert start <= begin <= start + 1 and end <= (start + 100 if start < 400 else length)
            assert begin >= start


def long_chunk(end: int) -> list[ReadChunk]:
    last = chunks(7)[-1]
    return [replace(last, chunk=replace(last.chunk, end=end))]

"""Where places of a document end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from filigraph.graph.errors import FiligraphError
from filigraph.graph.model import Chunk, Extraction, Place, PlaceKind
from filigraph.graph.read_part import ReadChunk
from filigraph.graph.views.places import end_of_place, names_of_places

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


def end(place: str, labels: Sequence[str], kind: PlaceKind = "chapter") -> int:
    return end_of_place(place, "book.txt", places(labels, kind), chunks())


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
    places = [Place(kind=kind, label=label, start=100 * n) for n, label in enumerate(labels)]
    ends = [*(place.start for place in places[1:]), 1000]
    found = [end_of_place(name, "novel.txt", places, chunks()) for name in names_of_places(places, 1000)]
    assert found == ends

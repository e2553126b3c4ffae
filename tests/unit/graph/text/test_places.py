"""A quote's place is where the quote is, not where its chunk begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import LinePlace, LoadedDocument, Place
from filigraph.graph.text.places import DocumentPlaces, marks_of, marks_text, place_of


def document(text: str, *places: Place) -> LoadedDocument:
    return LoadedDocument(
        source="a", title="A", text=text, sha256="0", media_type="text/plain", language="en", places=places
    )


def places_of_sentences(text: str, *places: Place, size: int = 64) -> list[tuple[str, str]]:
    """Each sentence that ends with a full stop with its place, as its chunk gives it."""
    found = {}
    for chunk in split(document(text, *places), "d", size=size):
        at = 0
        for sentence in chunk.text.split("."):
            start = at + len(sentence) - len(sentence.lstrip())
            if sentence.strip():
                found[" ".join(sentence.split())] = place_of(chunk.places, start, at + len(sentence))
            at += len(sentence) + 1
    return list(found.items())


def test_every_sentence_of_every_page_is_on_its_page() -> None:
    pages = [f"Sentence {n} of page {page}." for page in range(1, 8) for n in range(1, 6)]
    text = ""
    places = []
    for page in range(7):
        places.append(Place(kind="page", label=str(page + 1), start=len(text)))
        text += " ".join(pages[5 * page : 5 * page + 5]) + "\n"
    for size in (16, 64, 512):
        found = places_of_sentences(text, *places, size=size)
        assert len(found) == 35
        assert all(place == "page " + sentence.rpartition(" ")[2] for sentence, place in found)


def test_a_sentence_that_goes_on_over_the_page() -> None:
    text = "Quill took the\nkey. Sayer left."
    places = (Place(kind="page", label="2", start=0), Place(kind="page", label="3", start=15))
    assert places_of_sentences(text, *places) == [("Quill took the key", "page 2-3"), ("Sayer left", "page 3")]


def test_chapters_and_their_paragraphs_without_their_headings() -> None:
    first = "CHAPTER I\n\nThe Ferry\n\nLena came.\n\nShe left.\n\n"
    text = first + "II\n\nOtto saw it. He ran.\n\nNobody spoke."
    places = (
        Place(kind="chapter", label="I. The Ferry", start=0),
        Place(kind="chapter", label="II", start=len(first)),
    )
    found = dict(places_of_sentences(text, *places, size=16))
    assert found["She left"] == "chapter I. The Ferry, paragraph 2"
    assert found["He ran"] == "chapter II, paragraph 1"
    assert found["Nobody spoke"] == "chapter II, paragraph 2"


def test_page_and_chapter_of_one_text() -> None:
    text = "Ann came. Bo left. Cy slept."
    places = (
        Place(kind="page", label="1", start=0),
        Place(kind="chapter", label="I", start=0),
        Place(kind="page", label="2", start=10),
        Place(kind="chapter", label="II", start=19),
    )
    assert places_of_sentences(text, *places) == [
        ("Ann came", "page 1, chapter I"),
        ("Bo left", "page 2, chapter I"),
        ("Cy slept", "page 2, chapter II"),
    ]


def test_a_text_without_blank_lines_has_its_long_lines_as_paragraphs() -> None:
    long = "word " * 60
    text = f"{long}one.\n{long}two.\n{long}three."
    assert [place for _, place in places_of_sentences(text, size=512)] == [
        "paragraph 1",
        "paragraph 2",
        "paragraph 3",
    ]


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (0, 5, "page 1"),
        (5, 25, "page 1-2"),
        (25, 40, "page 2 – page 3, chapter II"),
        (30, 31, "page 3, chapter II"),
        (99, 120, "page 3, chapter II"),
    ],
)
def test_a_range(start: int, end: int, place: str) -> None:
    marks = ((0, "page 1"), (20, "page 2"), (30, "page 3, chapter II"))
    assert place_of(marks, start, end) == place
    assert marks_of(marks_text(marks)) == marks


def test_without_places_it_is_the_chunks_own() -> None:
    assert place_of((), 3, 9, otherwise="method send, lines 1-4") == "method send, lines 1-4"


def test_the_rows_of_a_table_are_gone_through_once_not_for_each_chunk() -> None:
    class Rows(tuple[LinePlace, ...]):
        times = 0

        def __iter__(self) -> Iterator[LinePlace]:
            Rows.times += 1
            return super().__iter__()

    rows = Rows(LinePlace(kind="row", label=str(n + 1), start=10 * n) for n in range(100))
    table = LoadedDocument(
        source="a", title="A", text="| a row |\n" * 100, sha256="0", media_type="text/csv", language="en", lines=rows
    )
    found = DocumentPlaces(table)
    assert [found.marks(20 * n, 20 * n + 20)[1] for n in range(50)] == [(10, f"row {2 * n + 2}") for n in range(50)]
    assert Rows.times == 1

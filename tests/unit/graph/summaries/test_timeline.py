"""Time lines: dates with their year, in order; and the tags beside them."""

from __future__ import annotations

from collections import Counter

import pytest

from filigraph.graph.model.summaries import Quote
from filigraph.graph.summaries.tags import count_words, tags
from filigraph.graph.summaries.timeline import MAX_EVENTS, dated_quotes, in_order


def quote(text: str, chunk: str = "c") -> Quote:
    return Quote(chunk_id=chunk, start=0, end=len(text), text=text)


@pytest.mark.parametrize(
    ("text", "language", "date"),
    [
        ("He left on March 4th, 1888.", "en", "1888-03-04"),
        ("Le 3 mars 1911, il fuit.", "fr", "1911-03-03"),
        ("Он уехал 5 мая 1870.", "ru", "1870-05-05"),
        ("In October 1890 the League was dissolved.", "en", "1890-10"),
        ("The year 1878 was hard.", "en", "1878"),
        ("Signed 1911-03-04.", "en", "1911-03-04"),
    ],
)
def test_a_sentence_with_a_date(text: str, language: str, date: str) -> None:
    assert [found.date for found in dated_quotes([quote(text)], language)] == [date]


@pytest.mark.parametrize(
    "text", ["He left in March.", "He paid 1500 francs.", "On 03/04/1911 or so.", "1,888 men came.", ""]
)
def test_a_sentence_without_one(text: str) -> None:
    assert not list(dated_quotes([quote(text)], "en"))


def test_the_first_are_shown_by_date() -> None:
    found = [Quote(chunk_id="c", start=n, end=n + 1, text="x", date=str(1900 - n)) for n in range(30)]
    shown = in_order(found)
    assert [one.date for one in shown] == [str(1900 - n) for n in reversed(range(MAX_EVENTS))]


def test_tags_set_a_window_apart() -> None:
    counts = count_words("The goose swallowed the stone. The goose was white; the stone was blue. Holmes saw Holmes.")
    common = Counter({"goose": 1, "stone": 8, "swallowed": 1, "white": 1, "blue": 1})
    assert tags(counts, common, 10) == ("goose", "stone")


def test_tags_of_other_scripts() -> None:
    assert set(count_words("камень камень Холмс")) == {"камень"}
    assert count_words("宝石宝石")["宝"] == 2

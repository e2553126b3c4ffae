"""Years of two digits, by the century of the other dates."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.extract.patterns.lines import dates_of_sentences
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.relative_dates import dates_in


@pytest.mark.parametrize(
    ("text", "language", "known", "date"),
    [
        ("Received 03 Apr 98.", "en", "1998-01-01", "1998-04-03"),
        ("Received 3 April ’98, at noon.", "en", "1891", "1898-04-03"),
        ("Reçu le 3.4.98.", "fr", "1995-06-01", "1998-04-03"),
        ("Reçu le 3/4/03 à Lyon.", "fr", "1998", "2003-04-03"),
        ("Received 4/13/98 by post.", "en", "1998", "1998-04-13"),
        ("Received 13/4/98 by post.", "en", "1998", "1998-04-13"),
        ("Erhalten am 3.4.98 in Bonn.", "de", "1998", "1998-04-03"),
    ],
)
def test_a_short_year_is_near_the_known_one(text: str, language: str, known: str, date: str) -> None:
    assert [one.date for one in dates_in(text, language, "", known)] == [date]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Received 3/4/98 by post.", "1998"),
        ("Received 03 Apr 98.", ""),
        ("On 3 April 98 men left.", "1998"),
        ("At 3.4.98.7 and 12/40/98.", "1998"),
    ],
)
def test_in_doubt_there_is_no_year(text: str, known: str) -> None:
    assert not [one for one in dates_in(text, "en", "", known) if not one.date.startswith("--") and one.date]


def test_the_other_dates_of_a_text_give_the_century() -> None:
    text = "The firm failed in May 1897.\n\n03 Apr 98\n\nAnn sold the boat yesterday."
    spans = sentences(text, "en")
    (date,) = dates_of_sentences(text, spans, "en")[text.index("Ann")]
    assert date.date == "1898-04-02"

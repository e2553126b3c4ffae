"""A question is checked, and its words give its profile and its time."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.question.parse import MAX_QUESTION_WORDS, ParsedQuestion, parse_question
from filigraph.graph.errors import InputError


def parse(text: str, *, today: str = "1912-05-04") -> ParsedQuestion:
    return parse_question(text, profile=None, today=today)


def test_a_detail_of_a_period_is_looked_for_in_all_documents() -> None:
    question = parse("Who has lived in the mill since 1890?")
    assert question.profile == "detail" and question.period and question.document_period is None


def test_what_happened_in_a_period_is_looked_for_in_its_documents() -> None:
    question = parse("What has happened since yesterday?")
    assert question.profile == "recent" and question.document_period == question.period is not None


@pytest.mark.parametrize("text", ["", "  ", "word " * (MAX_QUESTION_WORDS + 1), "x" * (20 * MAX_QUESTION_WORDS + 1)])
def test_an_empty_question_and_a_book_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize("today", ["yesterday", "1912", "1912-05"])
def test_today_is_a_day(today: str) -> None:
    with pytest.raises(InputError, match="is not a day"):
        parse("Who?", today=today)


def test_a_day_a_month_and_a_span_are_a_period() -> None:
    texts = ("Compare Ann and Bob in May 1912", "Compare Ann and Bob since March 1912", "Compare Ann and Bob")
    assert [parse(text).has_period for text in texts] == [True, True, False]

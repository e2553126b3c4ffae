"""Suggested questions: between names first, between dates and numbers last."""

from __future__ import annotations

from filigraph.graph.ask.question.suggestions import suggest
from filigraph.graph.records.facts import ChainEnds


def chain(first: str, last: str) -> ChainEnds:
    return ChainEnds(first_id=first, first=first, last_id=last, last=last, language="en")


def test_names_come_before_dates_and_things() -> None:
    chains = [chain("Clara Voss", "1923-05-01"), chain("Victor Lang", "box"), chain("Thomas Harding", "Ship Inn")]
    assert [question for _, question in suggest(chains)] == [
        "What connects Thomas Harding and Ship Inn?",
        "What connects Clara Voss and 1923-05-01?",
        "What connects Victor Lang and box?",
    ]


def test_each_is_asked_about_once() -> None:
    assert len(list(suggest([chain("Ada", "Bo"), chain("Bo", "Cy")]))) == 1

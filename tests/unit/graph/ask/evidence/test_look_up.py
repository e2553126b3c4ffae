"""What the graph says of two names: how they are connected, or that they are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph.ask.evidence.look_up import look_up
from filigraph.graph.ask.generation.reply import Request
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.entities import NamedEntity
from filigraph.graph.records.facts import Connection, DetailFact
from filigraph.graph.text.names.parse import name_key
from tests.unit.graph.analysis.making import detail_fact


class OneConnection:
    """A graph in which nothing joins two names but, where there are any, hubs."""

    def __init__(self, *hubs: str, fact: DetailFact | None = None) -> None:
        self.hubs, self.fact = hubs, fact

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        named = {name_key(name): name for name in ("Ann", "Bob")}
        return [NamedEntity(key=key, entity_id=key, name=named[key], chunks=1) for key in keys if key in named]

    def connections(self, firsts: Sequence[str], others: Sequence[str], *, hops: int, count: int) -> list[Connection]:
        facts = (self.fact,) if self.fact else ()
        return [Connection(facts=facts, hubs=self.hubs, alike=())] if self.hubs or facts else []

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        """Only chunk b0 is of a document that is asked."""
        fields = ("document_id", "title", "source", "place", "language", "text", "date")
        return {id_: Passage(id=id_, **dict.fromkeys(fields, "")) for id_ in chunk_ids if id_ == "b0"}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hubs", "line"),
    [
        ((), "Ann and Bob are not connected: no chain of 3 facts joins them."),
        (("Paris",), "Ann and Bob are not connected but by Paris:"),
    ],
)
def test_names_that_nothing_joins(hubs: Sequence[str], line: str) -> None:
    graph = OneConnection(*hubs)
    told = look_up(
        Request(kind="between", text="Ann | Bob"),
        vector=np.zeros(2, dtype=np.float32),
        graph=graph,  # type: ignore[arg-type]
        reader=graph,  # type: ignore[arg-type]
    )
    assert told.lines[0].text == line and not told.evidence


def test_a_fact_is_shown_by_a_sentence_of_a_document_that_is_asked() -> None:
    fact = detail_fact("f", "Ann", "knows", "Bob")
    (hidden,) = fact.sentences
    graph = OneConnection(
        fact=replace(fact, sentences=(hidden, replace(hidden, chunk_id="b0", sentence="Bob? Ann's.")))
    )
    told = look_up(
        Request(kind="between", text="Ann | Bob"),
        vector=np.zeros(2, dtype=np.float32),
        graph=graph,  # type: ignore[arg-type]
        reader=graph,  # type: ignore[arg-type]
    )
    assert [(row.id, quote) for row, quote in zip(told.evidence, told.quotes, strict=True)] == [("b0", "Bob? Ann's.")]

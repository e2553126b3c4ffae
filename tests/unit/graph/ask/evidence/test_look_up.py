"""What the graph says about two names: how they are connected, or that they are not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from filigraph.graph.ask.evidence.look_up import look_up
from filigraph.graph.ask.generation.reply import Request
from filigraph.graph.records.entities import NamedEntity
from filigraph.graph.records.facts import Connection
from filigraph.graph.text.names.parse import name_key


class OneConnection:
    """A graph in which nothing joins two names but, where there are any, hubs."""

    def __init__(self, *hubs: str) -> None:
        self.hubs = hubs

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        named = {name_key(name): name for name in ("Ann", "Bob")}
        return [NamedEntity(key=key, entity_id=key, name=named[key], chunks=1) for key in keys if key in named]

    def connections(
        self, firsts: Sequence[str], others: Sequence[str], *, hops: int, count: int, in_text: bool = False
    ) -> list[Connection]:
        return [Connection(facts=(), hubs=self.hubs, alike=())] if self.hubs else []

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, object]:
        return {}


@pytest.mark.parametrize(
    ("hubs", "line"),
    [
        ((), "No chain of at most 3 facts of the graph joins Ann and Bob; the extracts may join them."),
        (("Paris",), "Ann and Bob are not connected but by Paris:"),
    ],
)
def test_names_that_nothing_joins(hubs: Sequence[str], line: str) -> None:
    graph = OneConnection(*hubs)
    told = look_up(
        Request(kind="between", text="Ann | Bob"),
        vector=np.zeros(2, dtype=np.float32),
        reader=graph,  # type: ignore[arg-type]
    )
    assert told.lines[0].text == line and not told.evidence


def test_the_names_that_the_graph_knows_decide_where_they_end() -> None:
    told = look_up(
        Request(kind="between", text="Smith | Son and Bob", otherwise=("Smith and Son | Bob", "Ann | Bob")),
        vector=np.zeros(2, dtype=np.float32),
        reader=OneConnection(),  # type: ignore[arg-type]
    )
    assert (
        told.lines[0].text == "No chain of at most 3 facts of the graph joins Ann and Bob; the extracts may join them."
    )

"""The edges after many changes of decisions are those of the final decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.model.names import Decision
from filigraph.graph.store.cache.decision_edges import NO_EDGES, edge_of

PAIRS = [("a1", "a2"), ("a1", "b1"), ("a2", "b1"), ("b1", "c1"), ("c1", "c2")]
ALL = [
    Decision(first=first, second=second, same=same, rule="exact", score=score)
    for first, second in PAIRS
    for same in (True, False)
    for score in (0.5, 1)
]
# An index, and whether an equal decision comes in place of the one that was there.
STEPS = st.lists(st.lists(st.tuples(st.integers(0, len(ALL) - 1), st.booleans()), max_size=8), max_size=6)


@settings(max_examples=500)
@given(STEPS)
def test_edges_after_changes_are_those_of_the_decisions(steps: Sequence[Sequence[tuple[int, bool]]]) -> None:
    edges = NO_EDGES
    for step in steps:
        decisions = [replace(ALL[number]) if anew else ALL[number] for number, anew in step]
        wanted = {edge_of(decision) for decision in decisions}
        before = {*edges}
        edges, other = edges.after(decisions)
        assert other == before ^ wanted
        assert ({*edges}, len(edges)) == (wanted, len(wanted))
        assert all((edge_of(decision) in edges) == (edge_of(decision) in wanted) for decision in ALL)
        for mention in ("a1", "a2", "b1", "c1", "c2"):
            assert edges.of([mention]) == {edge for edge in wanted if mention in (edge.first, edge.second)}

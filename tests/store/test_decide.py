"""Decisions: those of persons are kept, those of rules are replaced."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.names import AliasGroup, Decision
from filigraph.graph.names.corrections import stored_correction
from filigraph.graph.store import Graph
from tests.store.world import LETTERS, ingest


@pytest.fixture
def pairs(graph: Graph) -> list[Decision]:
    """Decisions by rule on mentions that are there."""
    ingest(graph, LETTERS)
    ids = sorted(row.id for row in graph.mentions())
    return [
        Decision(
            first=first, second=second, same=number % 2 == 0, rule=("vector", "guard:gender")[number % 2], score=0.9
        )
        for number, (first, second) in enumerate(itertools.pairwise(ids))
    ]


def test_what_rules_decided_is_exactly_what_was_written_last(graph: Graph, pairs: list[Decision]) -> None:
    graph.write_rule_decisions(pairs)
    dumped = list(graph.dump())
    assert graph.stats().decisions == {"vector": (len(pairs) + 1) // 2, "guard:gender": len(pairs) // 2}
    graph.write_rule_decisions(list(reversed(pairs)))
    assert list(graph.dump()) == dumped
    graph.write_rule_decisions([replace(pairs[0], score=0.95), pairs[2]])
    assert graph.stats().decisions == {"vector": 2}
    assert "0.95" in "\n".join(graph.dump())
    graph.write_rule_decisions([])
    assert graph.stats().decisions == {}


def test_a_veto_that_goes_leaves_the_one_of_another_score(graph: Graph, pairs: list[Decision]) -> None:
    low, high = (replace(pairs[1], rule="guard:type", score=score) for score in (0.9, 1.0))
    graph.write_rule_decisions([low, high])
    graph.write_rule_decisions([high])
    assert graph.stats().decisions == {"guard:type": 1}
    assert {edge.score for edge in graph.current_edges("rule", False)} == {1.0}


def test_near_misses_are_kept_apart(graph: Graph, pairs: list[Decision]) -> None:
    misses = [replace(pair, same=False, rule="vector", score=0.5 + number / 100) for number, pair in enumerate(pairs)]
    graph.write_near_misses(misses)
    graph.write_rule_decisions(pairs)
    assert graph.near_misses(count=2) == list(reversed(misses))[:2]
    assert graph.near_misses(first=1, count=1000) == list(reversed(misses))[1:]
    stats = graph.stats()
    assert (stats.near_misses, sum(stats.decisions.values())) == (len(misses), len(pairs))
    graph.write_near_misses([])
    assert graph.near_misses(count=10) == []
    assert sum(graph.stats().decisions.values()) == len(pairs)


def test_a_person_decides_once(graph: Graph, pairs: list[Decision]) -> None:
    first, second = graph.mentions()[:2]
    made = stored_correction(graph.workspace.name, "same", [first], [second], note="Ça se voit.")
    again = stored_correction(graph.workspace.name, "same", [second], [first], note="Encore.")
    assert again.id == made.id
    graph.add_corrections([made])
    graph.add_corrections([again])
    graph.write_rule_decisions(pairs)
    graph.write_rule_decisions([])
    (kept,) = graph.corrections()
    assert replace(kept, at="") == made and kept.at.endswith("Z")
    before = list(graph.dump())
    graph.undo(made.id)
    assert graph.corrections() == []
    graph.add_corrections([made])
    assert list(graph.dump()) == before


def test_decisions_that_are_undone_while_they_are_read_are_left_out(graph: Graph, pairs: list[Decision]) -> None:
    mentions = graph.mentions()
    made = [
        stored_correction(graph.workspace.name, "distinct", [first], [second])
        for first, second in itertools.combinations(mentions, 2)
    ]
    ended = threading.Event()

    def come_and_go() -> None:
        while not ended.is_set():
            graph.add_corrections(made)
            for decision in made:
                graph.undo(decision.id)

    with ThreadPoolExecutor() as pool:
        writer = pool.submit(come_and_go)
        try:
            for _ in range(300):
                assert {decision.id for decision in graph.corrections()} <= {decision.id for decision in made}
        finally:
            ended.set()
        writer.result()


def test_what_is_drawn_of_persons_decisions_is_apart_from_the_rules(graph: Graph, pairs: list[Decision]) -> None:
    drawn = [replace(pairs[0], rule="person", by="person", id="decision 1")]
    graph.write_rule_decisions(pairs)
    graph.write_pairs(drawn)
    assert graph.stats().decisions["person"] == 1
    assert [row for row, _ in graph.joined_pairs(by="person", count=9)] == drawn
    graph.write_pairs([])
    assert "person" not in graph.stats().decisions
    assert graph.count_pairs(review=False) == sum(pair.same for pair in pairs)


def test_decisions_on_what_is_not_there(graph: Graph, pairs: list[Decision]) -> None:
    nobody = replace(pairs[0], first="nobody")
    with pytest.raises(InputError, match="nobody"):
        graph.write_rule_decisions([nobody])
    with pytest.raises(NotFound, match="undone"):
        graph.undo("nothing")


def test_an_alias_group_is_undone_by_its_id(graph: Graph) -> None:
    graph.add_alias_groups([AliasGroup(names=("The Claw", "La Griffe"))])
    (group,) = graph.alias_groups()
    graph.undo(group.id)
    assert graph.alias_groups() == []


def test_alias_groups_are_written_once(graph: Graph) -> None:
    everywhere = AliasGroup(names=("The Claw", "La Griffe"))
    here = AliasGroup(names=("The Claw", "La Griffe"), document_id="d")
    for _ in range(2):
        graph.add_alias_groups([everywhere, here, AliasGroup(names=("La Griffe", "The Claw", "La Griffe"))])
    assert sorted(graph.alias_groups(), key=lambda group: group.document_id) == [everywhere, here]

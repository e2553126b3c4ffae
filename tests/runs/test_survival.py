"""A sample of `bench/durability/survival.py`: killing a server or its Neo4j in mid-job loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.durability.survival import WORKSPACE, Outcome, Rig, own_home, verdict
from bench.durability.survival_changes import Change, ChangingRig
from bench.durability.survival_server import IN_FLIGHT, INDEX, Failpoint
from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.store import Store
from tests.conftest import NEO4J_VERSION
from tests.index_pool import IndexPool
from tests.making import DIMENSIONS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rig(store: Store, index_pool: IndexPool, test_home: Path) -> Iterator[Rig]:
    index_pool.keep_own(WORKSPACE, DIMENSIONS)
    with Rig(test_home, version=NEO4J_VERSION) as made:
        yield made


@pytest.fixture(scope="module")
def undisturbed(rig: Rig) -> Outcome:
    outcome = rig.run()
    assert (outcome.state, outcome.killed) == ("done", False)
    assert outcome.calls > 2 * IN_FLIGHT
    return outcome


@pytest.fixture(scope="module")
def undisturbed_batch(rig: Rig) -> Outcome:
    """Batches ask nobody who is who."""
    outcome = rig.run(task="batch")
    assert (outcome.state, outcome.killed) == ("done", False)
    return outcome


@pytest.mark.parametrize("name", ["keep_reading", "entities_swept"])
def test_a_server_that_is_killed_goes_on_when_it_starts_again(name: str, rig: Rig, undisturbed: Outcome) -> None:
    found = verdict(rig.at(Failpoint(name=name, number=1), "server"), undisturbed)
    assert found["killed"]
    assert found["same_hash"]
    assert 0 <= found["calls_repeated"] <= IN_FLIGHT


@pytest.mark.parametrize("name", ["plan_batches", "batch_submitted", "batch_collected"])
def test_a_server_that_is_killed_sends_nothing_twice_to_a_provider(
    name: str, rig: Rig, undisturbed_batch: Outcome
) -> None:
    found = verdict(rig.at(Failpoint(name=name, number=1), "server", "batch"), undisturbed_batch)
    assert found == {"killed": True, "same_hash": True, "calls_repeated": 0}


def test_an_interrupted_deletion_is_finished_after_a_restart(rig: Rig) -> None:
    undisturbed = rig.run(task="delete")
    assert (undisturbed.state, undisturbed.calls) == ("done", 0)
    found = verdict(rig.at(Failpoint(name="chunks_derived", number=1), "server", "delete"), undisturbed)
    assert found == {"killed": True, "same_hash": True, "calls_repeated": 0}


@pytest.mark.parametrize("number", [1, 3])
def test_interrupted_summaries_are_finished_after_a_restart(number: int, rig: Rig) -> None:
    undisturbed = rig.run(task="summarize")
    assert undisturbed.state == "done" and undisturbed.calls > IN_FLIGHT
    found = verdict(rig.at(Failpoint(name="cover_chunks", number=number), "server", "summarize"), undisturbed)
    assert found["killed"]
    assert found["same_hash"]
    assert 0 <= found["calls_repeated"] <= IN_FLIGHT


def test_a_server_whose_neo4j_is_killed_starts_it_and_goes_on(undisturbed: Outcome) -> None:
    with own_home(NEO4J_VERSION) as home, Rig(home, version=NEO4J_VERSION) as rig:
        rig.place.neo4j()
        found = verdict(rig.at(Failpoint(name="keep_extractions", number=1), "neo4j"), undisturbed)
    assert found["killed"]
    assert found["same_hash"]
    assert 0 <= found["calls_repeated"] <= IN_FLIGHT


@pytest.mark.parametrize(
    ("change", "name", "number"),
    [("import", "forget_readings", 1), ("reembed", "swap_entities", 1), ("workspace", INDEX, 3)],
)
def test_a_change_that_is_cut_short_is_whole_when_it_is_asked_for_again(
    change: Change, name: str, number: int, neo4j_address: Neo4jAddress, test_home: Path, real_indexes: None
) -> None:
    with ChangingRig(test_home, version=NEO4J_VERSION) as rig:
        expected = rig.change(change)
        found = rig.change(change, Failpoint(name=name, number=number))
    assert (found.killed, found.left) == (True, expected.left)
    assert not expected.killed

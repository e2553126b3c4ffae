"""A view equals a workspace that read nothing else: line by line, after random histories, on a real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from bench.durability.history_player import LOCAL, QUICK, Player, Step, drawn
from bench.durability.view_histories import differences, play
from filigraph.graph.store import Store
from tests.runs.conftest import World
from tests.slow import quick
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def worlds(store: Store, workspace_pool: WorkspacePool) -> Iterator[tuple[World, World]]:
    with workspace_pool.one() as first, workspace_pool.one() as second:
        yield World(store, first), World(store, second)


@pytest.mark.parametrize("number", quick(range(40), 5))
def test_a_view_is_a_workspace_that_read_nothing_else(worlds: tuple[World, World], number: int) -> None:
    history: Sequence[Step] = [*drawn(38, *QUICK), *drawn(2, *LOCAL)][number]
    player, random = Player(worlds[0].fresh()), Random(number)
    play(player, history, random)
    assert differences(player, worlds[1].fresh, random) == [], history

"""A server that starts again reads what the last one kept of a workspace; a change removes it from the disk first."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest

from bench.durability.history_player import Delete, Player, Put, kept_otherwise
from filigraph.graph.derive import derive, prepare
from filigraph.graph.model.names import AliasGroup
from filigraph.graph.names.candidates import Candidates
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.snapshots import Snapshots
from filigraph.graph.store import Graph
from filigraph.graph.store.cache.derivation_cache import DerivationCache
from tests.runs.conftest import World

SAID = ("Jules Delmas saw The Claw in the street at noon.", "The Claw knows Delmas and never says so.")


def never() -> bool:
    return False


def start(graph: Graph, folder: Path) -> None:
    """As a server that starts."""
    graph.memory, graph.derivation_cache = CacheMemory(snapshots=Snapshots(folder)), DerivationCache()


def settle(player: Player) -> None:
    """As a server that nobody needs."""
    prepare(player.graph, embedder=player.embedder)
    player.graph.keep_snapshot(never)


@pytest.fixture
def player(world: World, tmp_path: Path) -> Player:
    """A workspace whose snapshot is in the folder."""
    player = Player(world.fresh())
    start(player.graph, tmp_path)
    for source, said in zip(("a.md", "b.md"), SAID, strict=True):
        player.play(Put(source=source, title="", said=(said,), reader="patterns", parted=False))
    settle(player)
    return player


def another(player: Player) -> Player:
    """Another process that changes the workspace; it has no snapshots."""
    graph = copy(player.graph)
    graph.memory, graph.derivation_cache = CacheMemory(), DerivationCache()
    other = Player(graph)
    other.documents = dict(player.documents)
    return other


def files(folder: Path) -> list[Path]:
    return [*folder.glob("*.snapshot"), *folder.glob("*.part")]


def test_a_server_that_starts_reads_it(player: Player, tmp_path: Path) -> None:
    graph = player.graph
    before, rows, entities = graph.derivation_state.last(Candidates), graph.stored_mentions(), graph.entity_rows()
    start(graph, tmp_path)
    graph.read_snapshot()
    after = graph.derivation_state.last(Candidates)
    assert before and after and after is not before
    assert (after.mentions, after.names.of, after.pairs) == (before.mentions, before.names.of, before.pairs)
    kept = graph.derivation_cache.all_at(graph.workspace.name, graph.derivation_cache.states()[graph.workspace.name])
    assert (kept["mentions"], kept["entities"]) == (rows, entities)
    assert files(tmp_path), "the workspace has not changed"


def test_a_change_reads_it_and_removes_it_with_the_names_that_it_deletes(player: Player, tmp_path: Path) -> None:
    graph = player.graph
    (file,) = files(tmp_path)
    assert b"Jules Delmas" in file.read_bytes()
    assert b"in the street" not in file.read_bytes(), "names, no texts"
    start(graph, tmp_path)
    graph.delete_documents([row.id for row in graph.document_rows() if row.source == "a.md"])
    assert files(tmp_path) == []
    assert graph.derivation_state.last(Candidates), "it was read before"
    graph.keep_snapshot(never)
    assert files(tmp_path) == [], "the change is not complete"
    player.play(Put(source="a.md", title="", said=SAID[1:], reader="patterns", parted=False))
    settle(player)
    (file,) = files(tmp_path)
    assert b"Jules Delmas" not in file.read_bytes()


def test_a_decision_reads_it_and_removes_it_with_the_names_that_it_holds(player: Player, tmp_path: Path) -> None:
    graph = player.graph
    start(graph, tmp_path)
    graph.add_alias_groups([AliasGroup(names=("Delmas", "Quorn"))])
    assert graph.derivation_state.last(Candidates) and files(tmp_path) == []
    derive(graph, embedder=player.embedder)
    settle(player)
    start(graph, tmp_path)
    (group,) = graph.alias_groups()
    graph.undo(group.id)
    assert graph.derivation_state.last(Candidates) and files(tmp_path) == []
    derive(graph, embedder=player.embedder)
    settle(player)
    (file,) = files(tmp_path)
    assert b"Quorn" not in file.read_bytes()


def test_while_a_derivation_is_due_none_is_written(player: Player, tmp_path: Path) -> None:
    graph = player.graph
    graph.add_alias_groups([AliasGroup(names=("Delmas", "Quorn"))])
    settle(player)
    assert files(tmp_path) == []


def test_one_of_a_workspace_that_another_process_changed_is_removed(player: Player, tmp_path: Path) -> None:
    graph, other = player.graph, another(player)
    start(graph, tmp_path)
    other.play(Delete(source="a.md"))
    graph.read_snapshot()
    assert (files(tmp_path), graph.derivation_state.all_kept()) == ([], [])
    settle(player)
    (file,) = files(tmp_path)
    assert b"Jules Delmas" not in file.read_bytes()


def test_two_processes_change_a_workspace_in_turn(player: Player, world: World, tmp_path: Path) -> None:
    """Each with its own snapshots: both begin at any time with those that they have, or with what is in memory."""
    other, names = another(player), ("Ann Quorn", "Jules Quorn", "Ben Delmas", "Ann Delmas")
    folders = {id(player): tmp_path, id(other): tmp_path / "other"}
    start(other.graph, folders[id(other)])
    for number, name in enumerate(names * 2):
        writer = (player, other)[number % 2]
        writer.documents = player.documents
        if number % 3 == 0:
            start(writer.graph, folders[id(writer)])
        writer.play(Put(source=f"{name}.md", title="", said=(f"{name} saw Delmas.",), reader="patterns", parted=False))
        settle(writer)
        assert kept_otherwise(writer.graph) == []
    lines = list(player.graph.dump())
    derive(player.graph, embedder=player.embedder)
    assert list(player.graph.dump()) == lines


def test_a_change_by_another_process_while_it_is_written_leaves_none(player: Player, tmp_path: Path) -> None:
    graph, other = player.graph, another(player)
    player.play(Put(source="c.md", title="", said=("Jules Delmas slept.",), reader="patterns", parted=False))
    prepare(graph, embedder=player.embedder)

    def stop() -> bool:
        if "a.md" in other.documents:
            other.play(Delete(source="a.md"))
        return False

    other.documents = dict(player.documents)
    graph.keep_snapshot(stop)
    assert files(tmp_path) == []


def test_an_imported_workspace_has_one_after_it_was_settled(player: Player, world: World, tmp_path: Path) -> None:
    with world.copy(player.graph) as imported:
        start(imported, tmp_path)
        prepare(imported, embedder=player.embedder)
        imported.keep_snapshot(never)
        assert {file.stem for file in files(tmp_path)} == {imported.workspace.id, player.graph.workspace.id}


def test_a_deleted_workspace_leaves_none(world: World, player: Player, tmp_path: Path) -> None:
    world.store.memory, memory = player.graph.memory, world.store.memory
    try:
        player.graph.delete_documents([])
        assert files(tmp_path)
        world.store.delete_workspace(world.name)
    finally:
        world.store.memory = memory
    assert files(tmp_path) == []

"""After any history of documents and decisions, the graph is that of the final state, on the real Neo4j."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from bench.durability.histories import difference
from bench.durability.history_player import LOCAL, QUICK, Delete, Edit, Player, Put, Reader, Split, Step, Undo, drawn
from filigraph.graph.store import Graph, Store
from tests.runs.conftest import World
from tests.slow import quick
from tests.workspace_pool import WorkspacePool

Compare = Callable[[Sequence[Step]], list[str]]


@pytest.fixture(scope="module")
def worlds(store: Store, workspace_pool: WorkspacePool) -> Iterator[tuple[World, World]]:
    with workspace_pool.one() as first, workspace_pool.one() as second:
        yield World(store, first), World(store, second)


@pytest.fixture
def compare(worlds: tuple[World, World]) -> Compare:
    """In what the export of a history differs from that of a workspace with its end alone."""
    return lambda history: difference(history, *[world.fresh() for world in worlds])


def put(source: str, *said: str, reader: Reader = "patterns", parted: bool = False) -> Put:
    return Put(source=source, title="", said=said, reader=reader, parted=parted)


def names(graph: Graph) -> dict[str, set[str]]:
    return {entity.name: set(entity.aliases) for entity in graph.entity_rows().values()}


def test_a_common_noun_that_becomes_vague_takes_what_was_said_of_it_along(
    worlds: tuple[World, World], compare: Compare
) -> None:
    player = Player(worlds[0].fresh())
    said = "the woman saw Jules in the street at noon.", "Nobody spoke of the woman by the sea."
    near = put("a.md", *said)
    far = put("a.md", said[0], "the woman knows Paul Delmas and never says so.", parted=True)
    player.play(near)
    assert "woman" in names(player.graph)
    player.play(far)
    assert "woman" not in names(player.graph)
    assert player.graph.stats().facts == 0, "nothing is said but of her"
    assert compare([near, far]) == []
    assert compare([far, near]) == []


def test_a_name_that_is_not_read_is_written_as_the_text_has_it_now(
    worlds: tuple[World, World], compare: Compare
) -> None:
    read = put("a.md", "The Claw saw Jules in the street at noon.")
    loud, low = "Nobody at the station met THE CLAW that night.", "Personne à la gare ne rencontra The Claw cette nuit."
    player = Player(worlds[0].fresh())
    for step in (read, put("b.md", loud, low, reader="nobody")):
        player.play(step)
    assert {"The Claw", "THE CLAW"} in names(player.graph).values()
    player.play(Edit(source="b.md", number=0, said=""))
    assert {"The Claw"} in names(player.graph).values()
    both = put("b.md", loud, low, reader="nobody")
    assert compare([read, both, Edit(source="b.md", number=0, said="")]) == []
    assert compare([both, read, Edit(source="b.md", number=1, said="It rained.")]) == []
    assert compare([put("b.md", low, reader="nobody"), read, both, Delete(source="a.md"), read]) == []


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("said", ["saw", "joined"])
def test_a_name_of_which_what_was_read_is_split_off_stays_what_it_is(
    worlds: tuple[World, World], compare: Compare, said: str, place: int
) -> None:
    """Of a name, with a type or without, that is read at one place and only found at another, in capitals there."""
    loud = f"Jules {said} The Claw in the year of the flood.", "Nobody at the station met THE CLAW that night."
    first, other = put("a.md", *loud, parted=True), put("b.md", "Tours knows Jules and never says so.")
    player = Player(worlds[0].fresh())
    player.play(first)
    claw = next(n for n, row in enumerate(player.graph.mentions()) if row.key == "claw")
    split = Split(name=claw, place=place)
    assert compare([first, split, other]) == []
    assert compare([first, split, other, Undo(decision=0)]) == []


@pytest.mark.parametrize("number", quick(range(20), 4))
def test_only_the_end_of_a_history_counts(compare: Compare, number: int) -> None:
    history = drawn(20, *QUICK)[number]
    assert compare(history) == [], history


@pytest.mark.parametrize("number", quick(range(2), 1))
def test_only_the_end_counts_where_the_local_extractor_reads(compare: Compare, number: int) -> None:
    history = drawn(2, *LOCAL)[number]
    assert compare(history) == [], history

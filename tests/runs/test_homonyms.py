"""Places of a form that names two people of a document belong to the one they mean, on the real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from bench.durability.histories import difference
from bench.durability.history_player import RAIN, Delete, Edit, Player, Put, Split, Step, Undo
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.store import Graph, Store
from tests.runs.conftest import World
from tests.workspace_pool import WorkspacePool

BOTH = "Jules Delmas saw Paul Delmas in the street at noon."
SOMEBODY = "Delmas knows Tours and never says so."
TO_JULES = 'Jules joined Tours in the year of the flood. "Good evening, Delmas," said the keeper.'
TO_PAUL = 'Paul Delmas joined Tours in the year of the flood. "Good evening, Delmas," said the keeper.'


FAR = " ".join(RAIN.format(day) for day in range(9))  # from those whom the first sentence names


def put(*said: str, source: str = "a.md") -> Put:
    return Put(source=source, title="", said=said, reader="patterns", parted=False)


DIARY = put(BOTH, FAR, SOMEBODY, TO_JULES)
TWICE = put(BOTH, FAR, SOMEBODY, TO_JULES, FAR, TO_PAUL)
OTHER = put("Jules Delmas saw Tours in the street at noon.", source="b.md")


@pytest.fixture(scope="module")
def worlds(store: Store, workspace_pool: WorkspacePool) -> Iterator[tuple[World, World]]:
    with workspace_pool.one() as first, workspace_pool.one() as second:
        yield World(store, first), World(store, second)


@pytest.fixture
def player(worlds: tuple[World, World]) -> Player:
    played = Player(worlds[0].fresh())
    played.play(DIARY)
    return played


def forms(graph: Graph) -> list[list[str]]:
    """The names of each person, the parts of names marked."""
    rows: dict[str, list[str]] = {}
    for row in graph.mentions():
        if row.key != "tours":
            rows.setdefault(row.entity_id, []).append(row.form + ("'" if row.part_of else ""))
    return sorted(sorted(names) for names in rows.values())


SPLIT = [["Delmas"], ["Delmas'", "Jules", "Jules Delmas"], ["Paul Delmas"]]


def part_of(graph: Graph) -> str:
    (part,) = (row.id for row in graph.mentions() if row.part_of)
    return part


def test_who_is_spoken_to_has_the_place_and_the_rest_is_nobodys(player: Player) -> None:
    graph = player.graph
    assert forms(graph) == SPLIT
    part = part_of(graph)
    rules = {(edge.rule, edge.type) for edge in graph.current_edges("rule", False) if part in (edge.first, edge.second)}
    assert rules == {("addressed", "SAME_AS")}
    (delmas,) = (row.id for row in graph.mentions() if row.form == "Delmas" and not row.part_of)
    asked = {
        id_ for edge in graph.current_edges("rule", True) for id_ in (edge.first, edge.second) if delmas in edge[:2]
    }
    assert len(asked) == 3, "a person is asked whether the rest is Jules or Paul"


def test_a_person_who_splits_stands_above_the_text(player: Player) -> None:
    graph, part = player.graph, part_of(player.graph)
    (mention,) = (row for row in graph.mentions() if row.id == part)
    paul = next(row.id for row in graph.mentions() if row.form == "Paul Delmas")
    (apart,) = correct(
        [Correction(kind="split", about=mention.entity_id, names=[part])], graph=graph, embedder=player.embedder
    ).corrections
    assert ["Delmas'"] in forms(graph)
    merge = Correction(kind="same", about=part, other=paul)
    (same,) = correct([merge], graph=graph, embedder=player.embedder).corrections
    assert ["Delmas'", "Paul Delmas"] in forms(graph)
    undo([same.id, apart.id], graph=graph, embedder=player.embedder)
    assert forms(graph) == SPLIT


@pytest.mark.parametrize(
    "history",
    [
        [OTHER, DIARY],
        [DIARY, OTHER, Delete(source="b.md")],
        [DIARY, Edit(source="a.md", number=3, said=TO_PAUL)],
        [DIARY, Edit(source="a.md", number=1, said="")],
        [DIARY, Edit(source="a.md", number=2, said="")],
        [DIARY, TWICE, Edit(source="a.md", number=3, said=""), OTHER],
        *([DIARY, Split(name=name, place=0), OTHER] for name in (0, 2)),
        *([DIARY, Split(name=name, place=1), OTHER, Undo(decision=0)] for name in (1, 3)),
    ],
)
def test_only_the_end_counts(worlds: tuple[World, World], history: Sequence[Step]) -> None:
    assert difference(history, *[world.fresh() for world in worlds]) == []

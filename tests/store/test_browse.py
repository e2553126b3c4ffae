"""What people look at beside an answer: a document piece by piece."""

from __future__ import annotations

import pytest

from filigraph.graph import ids
from filigraph.graph.errors import NotFound
from filigraph.graph.store import Graph
from tests.store.world import read

PASSAGES = [f"Jules | porte | bague {number}." for number in range(6)]


@pytest.fixture
def novel(graph: Graph) -> str:
    """A document of six pieces."""
    return read(graph, "novel.txt", PASSAGES)


def chunk(document_id: str, number: int) -> str:
    return ids.chunk_id(document_id, PASSAGES[number], 0)


def test_a_document_is_read_piece_by_piece(graph: Graph, novel: str) -> None:
    pieces = graph.pieces(novel, first=1, count=2)
    assert [(piece.index, piece.text) for piece in pieces] == [(1, PASSAGES[1]), (2, PASSAGES[2])]
    assert [piece.start for piece in pieces] == [len(PASSAGES[0]) + 1, 2 * len(PASSAGES[0]) + 2]
    assert pieces[0].id == chunk(novel, 1)
    assert [piece.index for piece in graph.pieces(novel, first=4, count=10)] == [4, 5]
    assert graph.pieces(novel, first=6, count=10) == []


@pytest.mark.parametrize(("number", "shown"), [(0, [0, 1, 2]), (1, [0, 1, 2]), (4, [2, 3, 4]), (5, [3, 4, 5])])
def test_it_opens_a_little_before_a_chunk(graph: Graph, novel: str, number: int, shown: list[int]) -> None:
    pieces = graph.pieces(novel, chunk_id=chunk(novel, number), count=3)
    assert [piece.index for piece in pieces] == shown


def test_a_chunk_of_another_document_or_workspace_is_not_there(graph: Graph, other: Graph, novel: str) -> None:
    letter = read(graph, "letter.txt", ["Sophie | aime | Jules."])
    for where, document_id in ((graph, letter), (other, novel)):
        with pytest.raises(NotFound, match="changed since, or deleted"):
            where.pieces(document_id, chunk_id=chunk(novel, 1), count=3)
    assert other.pieces(novel, count=3) == []

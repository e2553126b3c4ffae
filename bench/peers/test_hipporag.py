"""HippoRAG's algorithm on a graph of four chunks. Needs the extra `bench`, so `make test` leaves it out:

.venv/bin/python -m pytest bench/peers
"""

from __future__ import annotations

import igraph
import networkx
import numpy as np
import pytest

from bench.peers.hipporag import DAMPING, Memory, lay_out, seeds, spread

JULES, RING, GANG, RAIN, LYON = range(5)


def unit(*numbers: float) -> list[float]:
    row = np.array(numbers) / np.linalg.norm(numbers)
    return [float(number) for number in row]


# Jules wears the ring (chunk 0); the ring is the gang's sign (1); it rains in Lyon (2, 3). The question is about Jules.
QUESTION = np.array([1, 0, 0], dtype=np.float32)
MEMORY = Memory(
    chunk_ids=["jules", "gang", "rain", "lyon"],
    chunks=np.array([unit(1, 0, 0.2), unit(0.1, 1, 0), unit(0.2, 0, 1), unit(0.15, 0.1, 1)], dtype=np.float32),
    names=["Jules", "ring", "gang", "rain", "Lyon"],
    entities=np.array(
        [unit(1, 0, 0), unit(0, 1, 0), unit(0, 1, 1), unit(0, 0.1, 1), unit(0, 0.2, 1)], dtype=np.float32
    ),
    facts=np.array([unit(1, 0.1, 0), unit(0.5, 1, 0), unit(0, 0, 1)], dtype=np.float32),
    ends=[(JULES, RING), (RING, GANG), (RAIN, LYON)],
    said_in=[[0], [1], [2, 3]],
)


def test_entities_of_near_facts_and_all_chunks_are_seeds() -> None:
    net = lay_out(MEMORY, synonyms=False)
    weights = seeds(MEMORY, net, QUESTION, most=10)
    cosines = MEMORY.facts @ QUESTION
    second = float(cosines[1] / cosines[0])  # the third fact's is 0, so scaling only divides by the best
    expected = [1.0, (1 / 2 + second / 2) / 2, second, 0.0, 0.0]  # the ring: mean of two facts, each over two chunks
    assert weights[4:] == pytest.approx(expected, abs=1e-6)
    assert weights[:4].max() == pytest.approx(0.05)
    assert weights[:4].min() == 0.0
    assert list(np.flatnonzero(seeds(MEMORY, net, QUESTION, most=1)[4:])) == [JULES]


def test_edges_are_those_of_the_published_code() -> None:
    facts_only, published = (lay_out(MEMORY, synonyms=synonyms).graph for synonyms in (False, True))

    def between(graph: igraph.Graph, one: int, other: int) -> list[float]:
        return [edge["weight"] for edge in graph.es if set(edge.tuple) == {one, other}]

    assert between(facts_only, 4 + JULES, 4 + RING) == [1.0, 1.0]  # one each way
    assert between(facts_only, 4 + RAIN, 4 + LYON) == [2.0, 2.0]  # said twice
    assert between(facts_only, 0, 4 + JULES) == [1.0]
    assert between(facts_only, 1, 4 + JULES) == []
    assert between(published, 4 + RAIN, 4 + LYON) == pytest.approx([0.995, 0.995], abs=0.001)  # of their names
    assert not any(edge.source == edge.target for edge in published.es)
    assert lay_out(MEMORY).chunks_of == [1, 2, 1, 2, 2]


def test_the_rank_is_pagerank_and_reaches_the_second_hop() -> None:
    net = lay_out(MEMORY, synonyms=False)
    weights = seeds(MEMORY, net, QUESTION)
    ranks = spread(net, weights)
    again = networkx.MultiGraph()
    again.add_nodes_from(range(net.graph.vcount()))
    again.add_weighted_edges_from((*edge.tuple, edge["weight"]) for edge in net.graph.es)
    reset = dict(enumerate(weights / weights.sum()))
    expected = networkx.pagerank(again, alpha=DAMPING, personalization=reset, tol=1e-12)
    assert ranks == pytest.approx([expected[n] for n in range(len(ranks))], abs=1e-6)
    order = [MEMORY.chunk_ids[n] for n in np.argsort(-ranks[:4])]
    assert order[:2] == ["jules", "gang"]  # with only vectors the rain would come before the gang
    assert list(np.argsort(-(MEMORY.chunks @ QUESTION)))[:2] == [0, 2]

"""Where two documents disagree about one entity."""

from __future__ import annotations

import numpy as np

from filigraph.graph.ask.explore.pool import build_pool
from filigraph.graph.ask.generation.disagreements import disagreements
from filigraph.graph.model.retrieval import PoolChunk, PoolFact, Question

VECTOR = np.array([1.0, 0.0], dtype=np.float32)
QUESTION = Question(
    text="Where is Jules mentioned?",
    terms=("jules",),
    vector=VECTOR,
    segments=VECTOR[None],
    entities={"j": 3},
    titles=frozenset(),
    words={},
    chunks_in_workspace=3,
)


def chunk(id_: str, *facts: tuple[str, str, str]) -> PoolChunk:
    return PoolChunk(
        id=id_,
        document_id=id_[0],
        index=int(id_[1]),
        title="",
        language="en",
        terms=frozenset(),
        vectors=VECTOR[None],
        entities=(),
        facts=tuple(PoolFact(f"{id_}{n}", s, s, p, o, o, 0, 1, "explicit") for n, (s, p, o) in enumerate(facts)),
        fact_vectors=np.repeat(VECTOR[None], len(facts), axis=0),
        titles=frozenset(),
    )


def test_two_documents_that_say_different_things() -> None:
    pool = build_pool(
        [
            chunk("a0", ("j", "was born in", "Lyon"), ("j", "met", "Ida"), ("p", "was born in", "Metz")),
            chunk("a1", ("j", "met", "Paul")),
            chunk("b0", ("j", "was born in", "Nantes"), ("j", "met", "Clara"), ("j", "wears", "ring")),
            chunk("c0", ("j", "was born in", "Lyon"), ("j", "wears", "ring")),
        ],
        QUESTION,
    )
    (found,) = disagreements({"j"}, pool)
    assert found.text in ("j was born in: Lyon / Nantes", "j was born in: Nantes / Lyon")
    assert len(found.chunk_ids) == 2 and "b0" in found.chunk_ids
    assert disagreements({"p"}, pool) == []

"""Small worlds for the tests of walking and ranking: chunks with vectors, entities and facts, no store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from filigraph.graph.model import PoolChunk, PoolEntity, PoolFact, Question, Vector


def unit(*numbers: float) -> Vector:
    """A vector of length 1."""
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def chunk(
    id_: str,
    text: str,
    *,
    vector: Vector,
    question: Vector,
    facts: Sequence[tuple[str, str, str, float]] = (),
    mentions: Sequence[str] = (),
    title: str = "",
    common: Mapping[str, int] | None = None,
) -> PoolChunk:
    """A chunk whose facts are (subject, predicate, object, cosine); an entity's id is its name."""
    names = sorted({*mentions, *(s for s, _, _, _ in facts), *(o for _, _, o, _ in facts)})
    return PoolChunk(
        id=id_,
        document_id=f"document of {id_}",
        index=0,
        title=title,
        source=f"{id_}.txt",
        place="",
        language="en",
        text=text,
        terms=tuple(text.casefold().replace(".", "").split()),
        cosine=float(vector @ question),
        embedding=vector,
        entities=tuple(PoolEntity(entity_id=name, name=name, chunks=(common or {}).get(name, 2)) for name in names),
        facts=tuple(
            PoolFact(
                fact_id=f"{s}|{p}|{o}",
                subject_id=s,
                subject=s,
                predicate=p,
                object_id=o,
                object=o,
                text=f"{s} {p} {o}",
                cosine=cosine,
                start=0,
                end=len(text),
                origin="explicit",
            )
            for s, p, o, cosine in facts
        ),
    )


def asking(
    text: str, vector: Vector, *, entities: Mapping[str, int] | None = None, terms: Sequence[str] = ()
) -> Question:
    """A question without segments, words or fact seeds."""
    return Question(
        text=text,
        terms=tuple(terms),
        vector=vector,
        segments=vector[None, :],
        entities=entities or {},
        words={},
        facts={},
        chunks_in_workspace=50,
    )

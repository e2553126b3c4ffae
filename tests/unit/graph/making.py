"""Small worlds for the tests of walking and ranking: chunks with vectors, entities and facts, no store."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from filigraph.graph.ask.explore import search as explore
from filigraph.graph.ask.explore.pool import Pool, Walked
from filigraph.graph.ask.explore.search import WHOLE_POOL_CHUNKS, SearchHits
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.arrays import Matrix, Vector
from filigraph.graph.model.retrieval import Passage, PoolChunk, PoolEntity, PoolFact, Question
from filigraph.graph.records.facts import FactHit

LARGE = WHOLE_POOL_CHUNKS + 1  # chunks: a workspace of so many is walked, a smaller one is its own pool
Q = np.array([1.0, 0.0, 0.0, 0.0], dtype=np.float32)  # every question points this way


def unit(*numbers: float) -> Vector:
    """A vector of length 1."""
    vector = np.array([*numbers, *[0.0] * (4 - len(numbers))], dtype=np.float32)
    return vector / np.linalg.norm(vector)


def near(cosine: float, axis: int = 1) -> Vector:
    """A vector with this cosine to the question; what it says beside that lies along `axis`."""
    vector = np.zeros(4, dtype=np.float32)
    vector[0], vector[axis] = cosine, np.sqrt(1 - cosine**2)
    return vector


def chunk(
    id_: str,
    text: str = "",
    *,
    vector: Vector | None = None,
    sentences: Sequence[Vector] = (),
    facts: Sequence[tuple[str, str, str, float]] = (),
    mentions: Sequence[str] = (),
    title: str = "",
    index: int = 0,
    names: Sequence[str] = (),
    common: Mapping[str, int] | None = None,
) -> PoolChunk:
    """A chunk whose facts are (subject, predicate, object, cosine); an entity's id is its name, a document's that of
    its first chunk. `names` are the documents whose titles it names; of an entity two chunks know, or as many as
    `common` says."""
    known = sorted({*mentions, *(s for s, _, _, _ in facts), *(o for _, _, o, _ in facts)})
    return PoolChunk(
        id=id_,
        document_id=id_,
        index=index,
        title=title or id_,
        language="en",
        terms=frozenset(text.casefold().replace(".", "").split()),
        vectors=np.array([near(0.3) if vector is None else vector, *sentences]),
        entities=tuple(PoolEntity(name, name, (common or {}).get(name, 2)) for name in known),
        facts=tuple(PoolFact(f"{s}|{p}|{o}", s, s, p, o, o, 0, len(text), "explicit") for s, p, o, _ in facts),
        fact_vectors=np.array([near(cosine) for *_, cosine in facts], dtype=np.float32).reshape(-1, len(Q)),
        titles=frozenset(names),
    )


def asking(
    text: str = "",
    *,
    entities: Mapping[str, int] | None = None,
    titles: Iterable[str] = (),
    words: Mapping[str, float] | None = None,
    segments: Matrix | None = None,
) -> Question:
    """A question; its terms are its words."""
    return Question(
        text=text,
        terms=tuple(text.casefold().replace("?", "").split()),
        vector=Q,
        segments=Q[None, :] if segments is None else segments,
        entities=entities or {},
        titles=frozenset(titles),
        words=words or {},
        chunks_in_workspace=LARGE,
    )


class Shelf:
    """As much of a store as the walk asks for: it says that all its chunks are neighbours."""

    def __init__(self, chunks: Iterable[PoolChunk]) -> None:
        self.chunks = {chunk.id: chunk for chunk in chunks}
        self.asked = 0  # for neighbours

    def chunk_ids(self, revision: str | None = None) -> list[str]:
        return list(self.chunks)

    def pool(self, ids: Sequence[str], revision: str | None) -> list[PoolChunk]:
        return [self.chunks[id_] for id_ in ids if id_ in self.chunks]

    def neighbours(
        self, ids: Sequence[str], vector: Vector, *, hub: int, per_chunk: int, revision: str | None
    ) -> list[str]:
        self.asked += 1
        return list(self.chunks)

    def facts_about(self, ids: Sequence[str], vector: Vector, *, limit: int) -> list[FactHit]:
        return []


def found(start: Sequence[str]) -> SearchHits:
    """Searches that bring these chunks, best first."""
    vectors = [(id_, 1 - n / 100) for n, id_ in enumerate(start)]
    return SearchHits(vectors=vectors, words=[], facts=[], linked=[], titled=[], first_chunks={})


def walk(chunks: Iterable[PoolChunk], question: Question, start: Sequence[str], depth: int) -> tuple[Pool, Walked]:
    """Set out from `start` and go on through `chunks`."""
    pool, walked = explore.gather_pool(question, found(start), cast(GraphReader, Shelf(chunks)), depth)
    assert pool is not None
    assert walked is not None
    return pool, walked


def ways(pool: Pool, walked: Walked) -> dict[str, tuple[str, ...]]:
    """Chunk id -> the chunks of the chain that leads there."""
    return {pool.chunks[row].id: trail.chunk_ids for row, trail in walked.trails.items()}


def random_chunks(seed: int, *, chunks: int = 6, names: int = 5, facts: int = 7) -> list[PoolChunk]:
    """A small world in which `facts` statements join names at random: some twice, some to themselves, some that state
    nothing. No two chunks have the same content."""
    dice = random.Random(seed)
    known = [f"Name{n}" for n in range(names)]
    numbers = np.random.default_rng(seed)
    said: list[list[PoolFact]] = [[] for _ in range(chunks)]
    for _ in range(facts):
        subject, object_ = dice.choice(known), dice.choice(known)
        predicate = dice.choice(["wears a ring", "fears the thief", "left"])
        origin = "cooccurrence" if dice.random() < 0.15 else "explicit"
        id_ = f"{subject}|{predicate}|{object_}"
        row = dice.choice(said)
        if id_ not in {fact.fact_id for fact in row}:
            row.append(PoolFact(id_, subject, subject, predicate, object_, object_, 0, 1, origin))
    made = []
    for n, own in enumerate(said):
        mentions = {dice.choice(known), *(fact.subject for fact in own), *(fact.object for fact in own)}
        text = " ".join(dice.sample(["ring", "thief", "left", "lamp", "river"], 2))
        bare = chunk(f"c{n}", text, vector=_random_unit(numbers), mentions=sorted(mentions))
        vectors = np.array([_random_unit(numbers) for _ in own], dtype=np.float32).reshape(-1, len(Q))
        made.append(replace(bare, facts=tuple(own), fact_vectors=vectors))
    return made


def _random_unit(numbers: np.random.Generator) -> Vector:
    return unit(*numbers.normal(size=4))


def renamed(chunks: Iterable[PoolChunk], question: Question, salt: str) -> tuple[list[PoolChunk], Question]:
    """The same world as read from other files: every id of a document, chunk, entity and fact is another one."""

    def new(id_: str) -> str:
        return hashlib.sha256(f"{salt}{id_}".encode()).hexdigest()

    moved = [
        replace(
            chunk,
            id=new(chunk.id),
            document_id=new(chunk.document_id),
            entities=tuple(entity._replace(entity_id=new(entity.entity_id)) for entity in chunk.entities),
            facts=tuple(
                fact._replace(fact_id=new(fact.fact_id), subject_id=new(fact.subject_id), object_id=new(fact.object_id))
                for fact in chunk.facts
            ),
            titles=frozenset(map(new, chunk.titles)),
        )
        for chunk in chunks
    ]
    asked = replace(
        question,
        entities={new(id_): count for id_, count in question.entities.items()},
        titles=frozenset(map(new, question.titles)),
        words={new(id_): score for id_, score in question.words.items()},
    )
    return moved, asked


def turned(chunks: Sequence[PoolChunk]) -> Iterable[list[PoolChunk]]:
    """The same chunks in some other orders."""
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(chunks))
        yield [chunks[n] for n in order]


def passages(texts: Mapping[str, str], *, titles: Mapping[str, str] | None = None) -> dict[str, Passage]:
    """Chunks as they are shown: chunk id -> its text."""
    return {
        id_: Passage(
            id=id_,
            document_id=id_,
            title=(titles or {}).get(id_, id_),
            source=f"{id_}.txt",
            place="",
            language="en",
            text=text,
        )
        for id_, text in texts.items()
    }


# The case of the ring: three chunks that lead from Jules to the thieves, and one that does not.
JULES = asking("Why be wary of Jules?", entities={"Jules": 2})
TEXTS = {
    "letter": "Jules wears a signet ring.",
    "inventory": "Lot 3. The signet ring is the emblem of The Claw.",
    "cutting": "The Claw is a society of thieves.",
    "diary": "Sophie loves Jules.",
}
CASE = [
    chunk("letter", TEXTS["letter"], vector=unit(0.9, 0.4), facts=[("Jules", "wears", "signet ring", 0.6)]),
    chunk(
        "inventory",
        TEXTS["inventory"],
        vector=unit(0.3, 0.9),
        facts=[("signet ring", "is the emblem of", "The Claw", 0.3)],
    ),
    chunk(
        "cutting", TEXTS["cutting"], vector=unit(0.2, 0.3, 0.9), facts=[("The Claw", "is", "society of thieves", 0.35)]
    ),
    chunk("diary", TEXTS["diary"], vector=unit(0.95, 0.1, 0.1), facts=[("Sophie", "loves", "Jules", 0.7)]),
]

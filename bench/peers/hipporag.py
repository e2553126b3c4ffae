"""HippoRAG 2's retrieval without its LLM: seeds from facts, spread by personalised PageRank, passages ranked.

Gutiérrez et al., "From RAG to Memory" (2025), arXiv:2502.14802. As the published code does, with its settings: the five
facts nearest to the question give their entities their scores, each divided by the number of chunks of the entity, and
the best five entities are kept; every chunk gets 0.05 of its own score; both scaled to 0..1 over all facts or chunks.
The graph: an edge each way for every time that a fact is said, one from a chunk to each entity of its facts, and one
between two entities whose names have a cosine of 0.8 or more. PageRank by igraph, damping 0.5, as they call it.

Left out is the LLM that drops facts among the five. The rest is this project's: its entities and facts (names resolved,
where HippoRAG has them as written), its embedder, its chunks. All of it is held in memory, as HippoRAG does.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import igraph
import numpy as np
from neo4j import Driver

from bench.peers import Ask
from filigraph.graph.measure.evaluate import EVIDENCE_CHUNKS
from filigraph.graph.model.arrays import Floats, Matrix, Vector
from filigraph.graph.models.embed import Embedder, embed_questions

FACTS = 5
ENTITIES = 5
CHUNK_WEIGHT = 0.05
DAMPING = 0.5
SYNONYM = 0.8  # cosine
MOST_SYNONYMS = 100  # of one entity
BLOCK = 1000  # entities compared with all others at once

CHUNKS = """
MATCH (c:Chunk {workspace: $workspace})
RETURN c.id AS id, c.embedding AS vector
ORDER BY id
"""
ENTITY_NAMES = """
MATCH (e:__Entity__ {workspace: $workspace})
RETURN e.id AS id, e.name AS name, e.embedding AS vector
ORDER BY id
"""
SAID = """
MATCH (f:Fact {workspace: $workspace})
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.embedding AS vector, s.id AS subject, o.id AS object,
  COLLECT { MATCH (f)-[:FROM_CHUNK]->(c:Chunk) RETURN c.id } AS chunks
ORDER BY f.id
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Memory:
    """A workspace in memory. Vectors have length 1."""

    chunk_ids: list[str]
    chunks: Matrix  # a vector each
    names: list[str]  # of the entities
    entities: Matrix
    facts: Matrix
    ends: list[tuple[int, int]]  # of each fact: its subject and object, as rows of `entities`
    said_in: list[list[int]]  # of each fact: rows of `chunks`, one for each time that it is said


@dataclass(frozen=True, kw_only=True, eq=False)
class Net:
    """The graph of PageRank: first the chunks, then the entities."""

    graph: igraph.Graph
    chunks_of: list[int]  # of each entity, at least 1: how many chunks say a fact of it


def read(driver: Driver, workspace: str) -> Memory:
    """All of a workspace. Some 100,000 vectors take a minute."""
    chunk_ids, chunks, entity_ids, names, entities, facts = [], [], [], [], [], []
    ends, said_in = [], []
    with driver.session() as session:
        for row in session.run(CHUNKS, workspace=workspace):
            chunk_ids.append(row["id"])
            chunks.append(np.array(row["vector"], dtype=np.float32))
        for row in session.run(ENTITY_NAMES, workspace=workspace):
            entity_ids.append(row["id"])
            names.append(row["name"])
            entities.append(np.array(row["vector"], dtype=np.float32))
        chunk_row = {id_: n for n, id_ in enumerate(chunk_ids)}
        entity_row = {id_: n for n, id_ in enumerate(entity_ids)}
        for row in session.run(SAID, workspace=workspace):
            facts.append(np.array(row["vector"], dtype=np.float32))
            ends.append((entity_row[row["subject"]], entity_row[row["object"]]))
            said_in.append([chunk_row[id_] for id_ in row["chunks"]])
    return Memory(
        chunk_ids=chunk_ids,
        chunks=np.array(chunks),
        names=names,
        entities=np.array(entities),
        facts=np.array(facts),
        ends=ends,
        said_in=said_in,
    )


def lay_out(memory: Memory, *, synonyms: bool = True) -> Net:
    """The graph of chunks and entities. Two edges between two nodes count twice."""
    first = len(memory.chunk_ids)
    weights: dict[tuple[int, int], float] = defaultdict(float)
    chunks_of: list[set[int]] = [set() for _ in memory.names]
    for (subject, object_), chunks in zip(memory.ends, memory.said_in, strict=True):
        weights[first + subject, first + object_] += len(chunks)
        weights[first + object_, first + subject] += len(chunks)
        chunks_of[subject].update(chunks)
        chunks_of[object_].update(chunks)
    weights |= {
        (chunk, first + entity): 1.0 for entity, entity_chunks in enumerate(chunks_of) for chunk in entity_chunks
    }
    if synonyms:
        weights |= {(first + one, first + other): cosine for one, other, cosine in _synonyms(memory)}
    edges = {ends: weight for ends, weight in weights.items() if ends[0] != ends[1]}
    graph = igraph.Graph(n=first + len(memory.names), edges=list(edges), edge_attrs={"weight": list(edges.values())})
    return Net(graph=graph, chunks_of=[max(len(entity_chunks), 1) for entity_chunks in chunks_of])


def seeds(memory: Memory, net: Net, question: Vector, *, most: int = ENTITIES) -> Floats:
    """The start of PageRank: a weight for each node."""
    scores = _scaled(memory.facts @ question)
    fact_scores: dict[int, list[float]] = defaultdict(list)
    for fact in np.argsort(-scores, kind="stable")[:FACTS].tolist():
        for entity in memory.ends[fact]:
            fact_scores[entity].append(float(scores[fact]) / net.chunks_of[entity])
    means = sorted(((float(np.mean(values)), entity) for entity, values in fact_scores.items()), reverse=True)
    weights = np.zeros(net.graph.vcount())
    weights[: len(memory.chunk_ids)] = CHUNK_WEIGHT * _scaled(memory.chunks @ question)
    for weight, entity in means[:most]:
        weights[len(memory.chunk_ids) + entity] = weight
    return weights


def spread(net: Net, weights: Floats) -> Floats:
    """The personalised PageRank of every node."""
    ranks = net.graph.personalized_pagerank(
        damping=DAMPING, directed=False, weights="weight", reset=weights.tolist(), implementation="prpack"
    )
    return np.array(ranks)


def methods(driver: Driver, workspace: str, embedder: Embedder) -> dict[str, Ask]:
    """As published; without the edges between similar names; with every entity of the five facts; with both changes."""
    memory = read(driver, workspace)
    published, plain = lay_out(memory), lay_out(memory, synonyms=False)

    def on(net: Net, most: int) -> Ask:
        def ask(question: str) -> list[str]:
            weights = seeds(memory, net, embed_questions(embedder, [question])[0], most=most)
            ranks = spread(net, weights)[: len(memory.chunk_ids)]
            return [memory.chunk_ids[n] for n in np.argsort(-ranks, kind="stable")[:EVIDENCE_CHUNKS]]

        return ask

    return {
        "HippoRAG 2": on(published, ENTITIES),
        "HippoRAG 2, no synonyms": on(plain, ENTITIES),
        "HippoRAG 2, all entities": on(published, 2 * FACTS),
        "HippoRAG 2, no synonyms, all entities": on(plain, 2 * FACTS),
    }


def _synonyms(memory: Memory) -> list[tuple[int, int, float]]:
    """Pairs of entities whose names are alike, with their cosine; none for names of one or two letters."""
    pairs = []
    for start in range(0, len(memory.names), BLOCK):
        for row, cosines in enumerate(memory.entities[start : start + BLOCK] @ memory.entities.T, start=start):
            if sum(map(str.isalnum, memory.names[row])) <= 2:
                continue
            near = np.flatnonzero(cosines >= SYNONYM)
            best = [int(n) for n in near[np.argsort(-cosines[near], kind="stable")] if n != row][:MOST_SYNONYMS]
            pairs += [(row, other, float(cosines[other])) for other in best]
    return pairs


def _scaled(scores: Vector) -> Vector:
    """To 0..1."""
    low, high = scores.min(), scores.max()
    scaled: Vector = (scores - low) / (high - low) if high > low else np.ones_like(scores)
    return scaled

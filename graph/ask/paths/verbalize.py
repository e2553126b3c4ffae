"""Verbalize: a chosen chain of facts as a path in words, each fact a hop with the sentence that says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.paths.select import ChosenPath
from filigraph.graph.ids import content_id
from filigraph.graph.model.retrieval import Evidence, Hop, Passage, Path, PoolFact
from filigraph.graph.text.places import place_of
from filigraph.graph.text.wording import hop_in_words, wording


def to_path(path: ChosenPath, pool: Pool, passages: Mapping[str, Passage]) -> Path:
    """A chain in words: each fact a hop with its sentence. `passages` hold the chunks behind it, by id."""
    facts = [pool.facts[fact] for fact in path.facts]
    behind = [passages[id_] for id_ in chunk_ids(path, pool)]
    cosines = pool.fact_cosine[list(path.facts)].tolist()
    hops = tuple(to_hop(fact, chunk, cosine) for fact, chunk, cosine in zip(facts, behind, cosines, strict=True))
    key = [part for hop in hops for part in (hop.fact_id, hop.subject_id, hop.object_id, hop.chunk_id)]
    return Path(
        id=content_id("path", *key),
        hops=hops,
        score=path.probability,
        text="; ".join(_hop_phrase(hop, passages[hop.chunk_id].language) for hop in hops),
        cypher=to_cypher(hops),
        lead=path.lead,
    )


def chunk_ids(path: ChosenPath, pool: Pool) -> list[str]:
    """The chunk behind each hop."""
    rows = np.searchsorted(pool.layout.fact_starts, np.array(path.facts), side="right") - 1
    return [pool.chunks[row].id for row in rows]


def _hop_phrase(hop: Hop, language: str) -> str:
    words = wording(language)
    phrase = hop_in_words(hop, words)
    by = words.according_to.format(who=hop.according_to)
    return f"{phrase} ({by})" if hop.according_to else phrase


def to_hop(fact: PoolFact, chunk: Passage | Evidence, score: float) -> Hop:
    """A fact of a chunk as a hop, with the sentence that says it."""
    return Hop(
        kind="fact",
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        subject_id=fact.subject_id,
        object_id=fact.object_id,
        chunk_id=chunk.id,
        sentence=chunk.text[fact.start : fact.end],
        start=fact.start,
        end=fact.end,
        score=score,
        fact_id=fact.fact_id,
        implied=fact.origin == "implied",
        own=fact.origin == "own",
        premises=tuple(chunk.text[start:end] for start, end in fact.premises),
        according_to=fact.according_to,
        date=chunk.date,
        when=fact.when,
        when_date=fact.when_date,
        denied=fact.denied,
        place=place_of(chunk.places, fact.start, fact.end, otherwise=chunk.place),
    )


def to_cypher(hops: Sequence[Hop]) -> str:
    """A Cypher statement that draws the path in Neo4j Browser: its facts, and for other hops the entities with the
    chunks that mention them. It contains only our own hex ids."""
    facts = _cypher_list(hop.fact_id for hop in hops)
    others = [hop for hop in hops if hop.found and not hop.fact_id]
    ends = _cypher_list(id_ for hop in others for id_ in (hop.subject_id, hop.object_id))
    chunks = _cypher_list(id_ for hop in others for id_ in (hop.chunk_id, *hop.premise_chunk_ids))
    parts = []
    if facts:
        parts.append(
            f"MATCH (f:Fact)-[:SUBJECT]->(a) WHERE f.id IN [{facts}] MATCH (f)-[:OBJECT]->(b) "
            "MATCH p = (a)-[r]-(b) WHERE r.fact_id = f.id RETURN p"
        )
    if ends and chunks:
        parts.append(
            f"MATCH p = (e:__Entity__)-[:FROM_CHUNK]->(c:Chunk) WHERE e.id IN [{ends}] AND c.id IN [{chunks}] RETURN p"
        )
    elif chunks:
        parts.append(f"MATCH p = (c:Chunk)-[:FROM_DOCUMENT]->() WHERE c.id IN [{chunks}] RETURN p")
    return " UNION ".join(parts)


def _cypher_list(ids: Iterable[str]) -> str:
    return ", ".join(f"'{id_}'" for id_ in dict.fromkeys(ids) if id_)

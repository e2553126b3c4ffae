"""Walk: follow shared entities from chunk to chunk, scoring each hop against the question, and say the way in words.

A `Chain` is a way through chunks: each next chunk is reached over an entity that both mention. For every chunk only the
best chain that ends there is kept, and that chain *is* the path that is shown: `to_path` turns it into hops, each with
the fact or the mention that carries it. Nothing is explained that was not walked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from filigraph.graph.ids import content_id
from filigraph.graph.model import Chain, Hop, Path, PoolChunk, PoolFact, Question, Signals
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import fold

FIRST_HOPS = 8  # chunks from which the walk sets out, and from which it goes on at each further hop
NO_FACT = 0.5  # what a hop loses against the question's best fact when no fact carries it
JOINED = 0.15  # what a fact gains that joins the entity the walk came over with the one it leaves by
FURTHER = 0.05  # what each hop after the first adds to a path that facts alone carry
GOES_ON = 0.4  # how much worse a longer path may score than the one it goes on from, and still be shown instead
LONGER = 0.3  # what each hop after the second costs: a long way must be worth it


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """The pool, indexed for walking."""

    pool: Mapping[str, PoolChunk]
    names: dict[str, str] = field(default_factory=dict)  # entity id -> name

    @cached_property
    def chunks_of(self) -> dict[str, list[str]]:
        """Entity id -> chunks of the pool that mention it, sorted."""
        chunks: dict[str, list[str]] = defaultdict(list)
        for id_ in sorted(self.pool):
            for entity in self.pool[id_].entities:
                chunks[entity.entity_id].append(id_)
        return chunks

    @cached_property
    def mentioned(self) -> dict[str, dict[str, int]]:
        """Chunk id -> {entity id -> number of chunks of the workspace that mention it}."""
        return {id_: {e.entity_id: e.chunks for e in chunk.entities} for id_, chunk in self.pool.items()}

    @cached_property
    def facts_at(self) -> dict[tuple[str, str], list[PoolFact]]:
        """(chunk id, entity id) -> facts of that chunk that touch that entity, best first."""
        facts: dict[tuple[str, str], list[PoolFact]] = defaultdict(list)
        for id_, chunk in self.pool.items():
            for fact in sorted(chunk.facts, key=lambda fact: (-fact.cosine, fact.fact_id, fact.start)):
                facts[id_, fact.subject_id].append(fact)
                if fact.object_id != fact.subject_id:
                    facts[id_, fact.object_id].append(fact)
        return facts

    @cached_property
    def best_fact(self) -> float:
        """The best cosine of any fact of the pool with the question."""
        return max((fact.cosine for chunk in self.pool.values() for fact in chunk.facts), default=0.0)

    def best_cosine(self, chunk_id: str, entity: str) -> float:
        """How much worse the chunk's best fact of that entity is than the best of all; a fixed loss without one."""
        facts = self.facts_at.get((chunk_id, entity))
        return facts[0].cosine - self.best_fact if facts else -NO_FACT

    def name(self, entity_id: str) -> str:
        """The entity's canonical name."""
        if not self.names:
            for chunk in self.pool.values():
                self.names.update({entity.entity_id: entity.name for entity in chunk.entities})
        return self.names[entity_id]


def first_hops(found: Signals) -> list[Chain]:
    """The chunks from which the walk sets out: the best by first-hop score."""
    order = np.argsort(-found.first, kind="stable")[:FIRST_HOPS]
    best = found.first.max()
    return [Chain(chunk_ids=(found.ids[i],), start=float(found.first[i] - best)) for i in order]


def extend(
    frontier: Iterable[Chain], terrain: Terrain, question: Question, kept: Mapping[str, Chain]
) -> dict[str, Chain]:
    """Walk one hop on from every chain of `frontier`; for each chunk keep the best chain that ends there.

    An entity that the question names is no way forward: whatever mentions it is already a first hop. Returns `kept`
    with the new chains.
    """
    best = dict(kept)
    for chain in frontier:
        here = chain.end
        came = chain.links[-1:] or tuple(question.entities)
        for entity, mentioned in terrain.mentioned[here].items():
            if entity in question.entities or entity in chain.links:
                continue
            leaving = _leaving(terrain, here, entity, came)
            for there in terrain.chunks_of[entity]:
                if there in chain.chunk_ids:
                    continue
                arriving = terrain.best_cosine(there, entity)
                hop = leaving + 0.3 * arriving + 0.1 * question.idf(mentioned) / 10
                longer = Chain(
                    chunk_ids=(*chain.chunk_ids, there),
                    links=(*chain.links, entity),
                    score=(chain.score * len(chain.links) + hop + 0.3 * chain.start) / (len(chain.links) + 1),
                    start=chain.start - (LONGER if chain.links else 0.0),
                )
                if there not in best or _better(longer, best[there]):
                    best[there] = longer
    return best


def _leaving(terrain: Terrain, chunk_id: str, entity: str, came: Collection[str]) -> float:
    """How well a chunk leads to `entity`: by the fact that does, best if that fact begins where the walk came from."""
    joining = [
        fact.cosine
        for fact in terrain.facts_at.get((chunk_id, entity), ())
        if fact.subject_id in came or fact.object_id in came
    ]
    return JOINED + 0.8 * (joining[0] - terrain.best_fact) if joining else 0.8 * terrain.best_cosine(chunk_id, entity)


def _better(one: Chain, other: Chain) -> bool:
    return (-one.score, len(one.chunk_ids), one.chunk_ids) < (-other.score, len(other.chunk_ids), other.chunk_ids)


def to_path(chain: Chain, terrain: Terrain, question: Question, scores: Mapping[str, float]) -> Path | None:
    """The chain in words: one hop a chunk, the fact that leads to the next, or the mention where no fact does.

    A fact that joins the entity we came over with the one we leave by is preferred to one that only touches it, so that
    the hops connect. None where the chain's last chunk says nothing of the entity over which it was reached.
    """
    hops: list[Hop] = []
    came: Collection[str] = question.entities.keys()  # entities at which the next hop may begin
    for position, chunk_id in enumerate(chain.chunk_ids):
        leave = chain.links[position] if position < len(chain.links) else ""
        chunk = terrain.pool[chunk_id]
        fact = _carrying(terrain, chunk_id, came, leave, {hop.fact_id for hop in hops})
        if fact is not None:
            hops.append(_fact_hop(fact, chunk))
        elif hops:
            hops.append(_mention_hop(next(iter(came)), leave, chunk, terrain))
        elif leave:
            start = next((e for e in sorted(terrain.mentioned[chunk_id]) if e in came), "")
            hops.append(_mention_hop(start or leave, leave if start else "", chunk, terrain))
        else:
            return None
        came = (leave,)
    text = "; ".join(f"{hop.subject} {hop.predicate} {hop.object}" for hop in hops)
    key = [part for hop in hops for part in (hop.fact_id, hop.subject_id, hop.object_id, hop.chunk_id)]
    return Path(
        id=content_id("path", *key),
        hops=tuple(hops),
        score=_path_score(hops, [scores[id_] for id_ in chain.chunk_ids]),
        text=text,
        cypher=_cypher(hops),
    )


def _path_score(hops: Sequence[Hop], chunk_scores: Sequence[float]) -> float:
    """0..1: how near its hops are to the question. A mention counts half a fact; a path that facts alone carry gains
    with every hop after the first: it is shown for what no single passage says."""
    near = np.mean([max(hop.score, 0.0) * (1.0 if hop.kind == "fact" else 0.5) for hop in hops])
    further = FURTHER * (len(hops) - 1) * all(hop.kind == "fact" for hop in hops)
    return min(float(0.9 * near + 0.1 * np.mean(chunk_scores)) + further, 1.0)


def _carrying(
    terrain: Terrain, chunk_id: str, came: Collection[str], leave: str, used: Collection[str]
) -> PoolFact | None:
    """The fact of this chunk that carries the walk from `came` to `leave`; `leave` is "" at the end."""
    joining = [
        fact
        for entity in sorted(came)
        for fact in terrain.facts_at.get((chunk_id, entity), ())
        if fact.fact_id not in used and (not leave or leave in (fact.subject_id, fact.object_id))
    ]
    if joining:
        return max(joining, key=lambda fact: (fact.cosine, fact.fact_id))
    return None


def _fact_hop(fact: PoolFact, chunk: PoolChunk) -> Hop:
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
        score=fact.cosine,
        fact_id=fact.fact_id,
        implied=fact.origin == "implied",
    )


def _mention_hop(start: str, end: str, chunk: PoolChunk, terrain: Terrain) -> Hop:
    """Two entities named in one chunk, or one entity named there, with no fact that joins them."""
    names = [terrain.name(entity) for entity in (start, end) if entity]
    sentence = _sentence_naming(chunk, names)
    return Hop(
        kind="mention",
        subject=names[0],
        predicate="named together with" if end else "named in",
        object=names[1] if end else chunk.title,
        subject_id=start,
        object_id=end,
        chunk_id=chunk.id,
        sentence=chunk.text[sentence[0] : sentence[1]],
        start=sentence[0],
        end=sentence[1],
        score=chunk.cosine,
    )


def _sentence_naming(chunk: PoolChunk, names: Sequence[str]) -> tuple[int, int]:
    """The sentence that holds most of `names`; the first at a tie."""
    wanted = [fold(name) for name in names]
    cut = sentences(chunk.text, chunk.language) or [(0, len(chunk.text))]
    return max(cut, key=lambda span: (sum(n in fold(chunk.text[span[0] : span[1]]) for n in wanted), -span[0]))


def _cypher(hops: Sequence[Hop]) -> str:
    """A statement that draws the path in Neo4j Browser. Only our own hex ids are written into it."""
    facts = [hop.fact_id for hop in hops if hop.fact_id]
    entities = sorted({id_ for hop in hops for id_ in (hop.subject_id, hop.object_id) if id_})
    if facts:
        listed = ", ".join(f"'{id_}'" for id_ in facts)
        return (
            f"MATCH (f:Fact)-[:SUBJECT]->(a) WHERE f.id IN [{listed}] MATCH (f)-[:OBJECT]->(b) "
            "MATCH p = (a)-[r]->(b) WHERE r.fact_id = f.id RETURN p"
        )
    listed = ", ".join(f"'{id_}'" for id_ in entities)
    return f"MATCH p = (e:__Entity__)-[:FROM_CHUNK]->(:Chunk) WHERE e.id IN [{listed}] RETURN p LIMIT 50"


def choose_paths(paths: Iterable[Path], *, limit: int) -> list[Path]:
    """The best paths, best first. A path that another one holds whole is left out; a path that goes on from it takes
    its place if it scores hardly less: it says the same and more."""
    ordered = sorted(paths, key=lambda path: (-path.score, -len(path.hops), path.id))
    chosen: list[Path] = []
    for path in ordered:
        if len(chosen) == limit:
            break
        longer = [other for other in ordered if _holds(other, path) and other.score >= path.score - GOES_ON]
        best = longer[0] if longer else path
        if not any(_holds(other, best) or other.hops == best.hops for other in chosen):
            chosen.append(best)
    return sorted(chosen, key=lambda path: (-path.score, -len(path.hops), path.id))


def _holds(longer: Path, shorter: Path) -> bool:
    return len(longer.hops) > len(shorter.hops) and set(shorter.hops) <= set(longer.hops)

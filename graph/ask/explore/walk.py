"""Walk: go from chunk to chunk over shared entities and named titles, scoring each hop against the question.

For every chunk the ranking reads one trail to it, the best of those with the fewest hops (`Walked.trails` and `hops`).
The best trail of every greater length is kept beside it (`Walked.rounds`).

Each hop is scored by the fact that leads out of the first chunk: how near that fact is to the question, and how near
the second chunk and its best sentence are to the question *and* that fact. This is what carries the measured gain over
plain search (docs/decisions/0007-hop-ranker.md); PageRank spreads over all neighbours alike.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from filigraph.graph.ask.explore.pool import (
    HOP,
    NO_FACT_PENALTY,
    NOT_REACHED,
    TITLE,
    Pool,
    Walked,
    folded,
    max_of_each,
)
from filigraph.graph.model.arrays import Floats, Matrix
from filigraph.graph.model.retrieval import PoolChunk, Question, Trail
from filigraph.graph.tables.adjacency import Ints, Rows

MAX_FRONTIER_CHUNKS = 8  # chunks from which the walk sets out, and from which it goes on at each further hop
HUB_MIN_CHUNKS = 40  # an entity that more chunks mention is not a link by itself, unless both chunks have facts of it
LEADING_FACTS_PER_CHUNK = 3  # best facts of a chunk, whose ends the walk follows even where they are hubs
UNRELATED_FACT_PENALTY = (
    0.15  # subtracted from the cosine of a leading fact that shares no end or title with the next chunk
)
LEADING_FACT_WEIGHT = 0.7  # of the leading fact in the joint question, against the question's own 1.0
EXTRA_HOP_COST = 0.3  # what each hop after the second costs: a long trail must be worth it


class _Step(NamedTuple):
    """A hop that could be made: over `link`, led by the fact with the index `fact` (-1: none). A tuple: a question has
    hundreds."""

    trail: int  # in the frontier
    row: int  # of the chunk it leads to
    link: str
    fact: int
    related: bool  # the fact has to do with the next chunk
    title: bool
    title_back: bool
    entity: float


def not_walked(pool: Pool) -> Walked:
    """Before the first hop."""
    return Walked(hops=np.tile(NOT_REACHED, (len(pool.chunks), 1)))


def first_hops(pool: Pool, ids: Iterable[str]) -> list[Trail]:
    """The trails with which the walk begins, one for each of these chunks."""
    return [Trail(chunk_ids=(id_,), start=float(pool.first[pool.row[id_]])) for id_ in ids if id_ in pool.row]


def extend(frontier: Sequence[Trail], pool: Pool, question: Question, walked: Walked) -> Walked:
    """One hop on from every trail of `frontier`; keeps the best trail of this round to each chunk."""
    steps = [step for index, trail in enumerate(frontier) for step in _possible_steps(index, trail, pool, question)]
    if not steps:
        return dataclasses.replace(walked, rounds=(*walked.rounds, {}))
    scored = _score_steps(steps, frontier, pool, question)
    hops, trails = walked.hops.copy(), dict(walked.trails)
    reached: dict[int, tuple[float, Trail]] = {}
    first: dict[int, int] = {}  # row -> the step that reaches it, if no earlier round did
    hop = scored[:, HOP].tolist()
    for n in sorted(range(len(steps)), key=lambda n: (-hop[n], frontier[steps[n].trail].chunk_ids)):
        step = steps[n]
        if step.row in reached:
            continue
        before = frontier[step.trail]
        trail = Trail(
            chunk_ids=(*before.chunk_ids, pool.chunks[step.row].id),
            links=(*before.links, step.link),
            start=before.start - (EXTRA_HOP_COST if before.links else 0.0),
        )
        reached[step.row] = (hop[n], trail)
        if step.row not in walked.trails:
            first[step.row] = n
            trails[step.row] = trail
    hops[list(first)] = scored[list(first.values())]
    return Walked(hops=hops, trails=trails, rounds=(*walked.rounds, reached))


def best_trails(walked: Walked, pool: Pool) -> list[Trail]:
    """The trails of the last round that are worth another hop."""
    last = walked.rounds[-1] if walked.rounds else {}
    order = sorted(last, key=lambda row: (-last[row][0], pool.chunks[row].id))
    return [last[row][1] for row in order[:MAX_FRONTIER_CHUNKS]]


def hubs_ahead(frontier: Sequence[Trail], pool: Pool, question: Question) -> list[str]:
    """Entities in more than HUB_MIN_CHUNKS chunks whose facts are the way on: named by the question, or ends of leading
    facts."""
    hubs: set[str] = set()
    for trail in frontier:
        here = _Position(pool=pool, row=pool.row[trail.end], question=question)
        hubs.update(
            id_ for id_, entity in here.chunk.entity.items() if entity.chunks > HUB_MIN_CHUNKS and id_ in here.leading
        )
    return sorted(hubs)


# --------------------------------------------------------------------------------------------------------------------
# Which hops there are


@dataclass(frozen=True, kw_only=True, eq=False)
class _Position:
    """A chunk from which hops set out."""

    pool: Pool
    row: int
    question: Question

    @cached_property
    def chunk(self) -> PoolChunk:
        return self.pool.chunks[self.row]

    @cached_property
    def facts(self) -> list[int]:
        """Its facts, those nearest to the question first."""
        cosine, facts = self.pool.fact_cosine, self.pool.facts
        return sorted(self.pool.facts_at(self.row), key=lambda n: (-cosine[n], facts[n].fact_id))

    @cached_property
    def fact_of(self) -> dict[str, int]:
        """The best fact of each entity."""
        best: dict[str, int] = {}
        for n in self.facts:
            best.setdefault(self.pool.facts[n].subject_id, n)
            best.setdefault(self.pool.facts[n].object_id, n)
        return best

    @cached_property
    def leading(self) -> set[str]:
        """Entities worth following even where many chunks mention them."""
        facts = [self.pool.facts[n] for n in self.facts[:LEADING_FACTS_PER_CHUNK]]
        ends = {end for fact in facts for end in (fact.subject_id, fact.object_id)}
        return ends | (self.question.entities.keys() & self.fact_of.keys())


def _possible_steps(index: int, trail: Trail, pool: Pool, question: Question) -> Iterator[_Step]:
    here = _Position(pool=pool, row=pool.row[trail.end], question=question)
    walked = {pool.row[id_] for id_ in trail.chunk_ids}
    shared = _linked_by_entity(here, walked)
    for row in sorted(shared.keys() | _linked_by_title(here, walked)):
        entities = shared.get(row, [])
        target = pool.chunks[row]
        title = target.index == 0 and target.document_id in here.chunk.titles
        back = here.chunk.index == 0 and here.chunk.document_id in target.titles
        link, fact = _leading_fact(here, target, entities, title=title)
        yield _Step(
            trail=index,
            row=row,
            link=link,
            fact=fact if fact >= 0 else (here.facts[0] if here.facts else -1),
            related=fact >= 0,
            title=title,
            title_back=back,
            entity=question.idf(min(here.chunk.entity[e].chunks for e in entities)) / 10 if entities else 0.0,
        )


def _linked_by_entity(here: _Position, walked: set[int]) -> dict[int, list[str]]:
    """Row -> the entities that link it with this chunk, sorted."""
    shared: dict[int, list[str]] = {}
    for id_, entity in sorted(here.chunk.entity.items()):
        hub = entity.chunks > HUB_MIN_CHUNKS
        if hub and id_ not in here.leading:
            continue
        for row in here.pool.layout.rows_of[id_]:
            if row in walked or (hub and id_ not in here.pool.chunks[row].facts_of):
                continue
            shared.setdefault(row, []).append(id_)
    return shared


def _linked_by_title(here: _Position, walked: set[int]) -> set[int]:
    """Rows whose title this chunk names, or that name its title."""
    named = {
        here.pool.layout.first_row[document] for document in here.chunk.titles if document in here.pool.layout.first_row
    }
    naming = here.pool.layout.naming.get(here.chunk.document_id, ()) if here.chunk.index == 0 else ()
    return named.union(naming) - walked


def _leading_fact(here: _Position, target: PoolChunk, entities: Sequence[str], *, title: bool) -> tuple[str, int]:
    """The link to the next chunk and the fact that leads there; TITLE if they share no entity, -1 if no fact leads
    there.

    A fact of the entity that the next document is titled after comes first, then one whose words hold that title, then
    the best one of any shared entity.
    """
    facts = here.pool.facts
    title_key = folded(target.title)
    titled = [e for e in entities if folded(here.chunk.entity[e].name) == title_key]
    for among in (titled, entities):
        led = [(here.fact_of[e], e) for e in among if e in here.fact_of]
        if led:
            fact, link = min(led, key=lambda pair: (-here.pool.fact_cosine[pair[0]], pair[1]))
            return link, fact
        if among is titled and title:
            for n in here.facts:
                if facts[n].ends_contain(target.title):
                    return (entities[0] if entities else TITLE), n
    rarest = min(entities, key=lambda e: (here.chunk.entity[e].chunks, e), default=TITLE)
    return rarest, -1


# --------------------------------------------------------------------------------------------------------------------
# How good they are


def _score_steps(steps: Sequence[_Step], frontier: Sequence[Trail], pool: Pool, question: Question) -> Floats:
    """(steps, 12): HOP_FEATURES of each."""
    column = dict(zip(_Step._fields, zip(*steps, strict=True), strict=True))
    trail, targets, led = (np.array(column[name]) for name in ("trail", "row", "fact"))
    here = np.array([pool.row[before.end] for before in frontier])[trail]
    none = led < 0
    leading = np.zeros((len(steps), len(question.vector)), dtype=np.float32)
    leading[~none] = pool.layout.fact_vectors[led[~none]]
    cosine = np.full(len(steps), pool.best_fact - NO_FACT_PENALTY)
    cosine[~none] = pool.fact_cosine[led[~none]]
    queries = question.vector + LEADING_FACT_WEIGHT * leading
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    sentence_cosine = _max_cosine_per_target(queries, pool.layout.sentences, pool.layout.sentences_of, targets)
    fact_cosine = _best_joint_fact(leading, cosine, pool, targets)

    related = np.array(column["related"])
    fact = cosine - pool.best_fact - UNRELATED_FACT_PENALTY * (~none & ~related)
    title, back, entity = (np.array(column[name], dtype=float) for name in ("title", "title_back", "entity"))
    start = np.array([before.start for before in frontier])[trail]
    both = (pool.terms[here] | pool.terms[targets]) @ pool.term_weight
    new = both - pool.term_coverage[here]
    joint = _cosines(queries, pool.layout.vectors[targets]) - 0.1 * none
    joint_sentence = sentence_cosine - 0.1 * none
    joint_fact = np.where(none, -NO_FACT_PENALTY, fact_cosine - pool.best_fact)
    hops = np.array([float(len(before.chunk_ids)) for before in frontier])[trail]
    hop = joint + 0.8 * fact + 0.3 * start + 0.1 * title + 0.05 * back + 0.1 * entity + 0.3 * joint_fact
    return np.column_stack([fact, title, back, entity, start, both, new, joint, joint_sentence, joint_fact, hops, hop])


def _cosines(these: Matrix, those: Matrix) -> Floats:
    """(k,) the cosine of each row of `these` with the same row of `those`."""
    result: Floats = np.einsum("kd,kd->k", these, those).astype(float)
    return result


def _max_cosine_per_target(wanted: Matrix, vectors: Matrix, of: Rows, targets: Ints) -> Floats:
    """(k,) the best cosine of each row of `wanted` (k, d) with the vectors `of` the chunk in the row `targets` (k,)."""
    step, row = of.pairs(targets)
    return _max_of_each(_cosines(wanted[step], vectors[row]), step, len(targets), -np.inf)


def _best_joint_fact(leading: Matrix, cosine: Floats, pool: Pool, targets: Ints) -> Floats:
    """(k,) the best cosine of the question with the sum of a leading fact (k, d) and a fact of the next chunk; for a
    chunk without facts, the pool's best cosine of a fact minus NO_FACT_PENALTY."""
    step, row = pool.layout.facts_at.pairs(targets)
    together = np.sqrt(2 + 2 * np.clip(_cosines(leading[step], pool.layout.fact_vectors[row]), -0.99, 1.0))
    joint = (cosine[step] + pool.fact_cosine[row]) / together
    return _max_of_each(joint, step, len(targets), pool.best_fact - NO_FACT_PENALTY)


def _max_of_each(values: Floats, step: Ints, count: int, default: float) -> Floats:
    """(count,) the maximum of the values of each step. The values are grouped, in the order of the steps."""
    most: Floats = max_of_each(values[None], np.searchsorted(step, np.arange(count + 1)), default)[0]
    return most

"""Paths: the chains that were walked, chosen and said in words.

A chain's hops are the facts that carry it, each with the sentence that says it; where no fact joins two steps, the hop
is a `mention` (two entities named together) or a `title` (the text names the next document), and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise, product

import numpy as np

from filigraph.graph.ask.pool import TITLE, Pool, Walked
from filigraph.graph.ids import content_id
from filigraph.graph.model import Chain, Hop, Passage, Path, PoolChunk, PoolFact, Question
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.wording import wording
from filigraph.graph.text.words import fold, query_terms

WORTHLESS = 10  # rank from which on a chunk adds nothing to a path
COST = 0.15  # of each hop: a longer path must be worth it
MENTION = 0.25  # of a chunk's worth, where no fact carries the way through it
BACKWARD = 0.6  # where the fact that carries it is told from its other end
TRIED = 60  # chains looked at closely
JOINS_FIRST = 0.5  # what facts of several chunks say together comes first if it adds this share of the best way
ONWARD = 0.2  # what a fact gains that is told from where the way came
NAMED = 0.2  # what a path's first fact gains that begins at what the question names
PLAIN = 0.3  # of the question's words that one fact must say more than the best way, to be the answer by itself
COVER = 0.5  # what a way gains whose facts say all of the question's words, beside the worth of its chunks
ABOUT = 0.5  # what the first way gains if one of its facts is about what the question names
SAME_WORDS = 0.5  # what a fact gains that says all of the question's words, beside its cosine
MOST_LINKS = 6  # entities that two chunks share, tried for the one that facts join best
TOGETHER = "named together with"  # said of two names where no fact joins them; the page has it in its languages
MOST_WAYS = 100  # combinations of them along a chain


def choose_paths(
    walked: Walked, pool: Pool, question: Question, scores: Mapping[str, float], *, limit: int
) -> list[Way]:
    """The ways to show, best first: each is the one whose chunks add most to those shown before.

    `scores` are those of the pool, best first. A chunk is worth the more the better its rank, nothing from WORTHLESS
    on, and of that MENTION where no fact carries the way through it. So a way goes on as long as the next chunk is
    among the best, and a second one goes where the first did not: a comparison has two. An entity that the question
    itself names is no way on: what mentions it is a beginning already. A chunk that says no fact is shown as a passage,
    not as a path. Where one fact says more of the question than any way, it is a plain question: that fact comes first.
    """
    fitness = Fitness(pool, question)
    worth = {id_: 1 - rank / WORTHLESS for rank, id_ in enumerate(scores)}
    chains = {Chain(chunk_ids=(id_,)) for id_ in list(scores)[:WORTHLESS] if id_ in pool.row}
    for _, chain in (reached for walked_to in walked.rounds for reached in walked_to.values()):
        chains.update(tail for tail in _tails(chain) if not question.entities.keys() & set(tail.links))
    best = sorted(chains, key=lambda chain: (-sum(worth[id_] for id_ in chain.chunk_ids), chain.chunk_ids))[:TRIED]
    tried = (_best_way(chain, fitness) for chain in best)
    ways = [way for way in tried if way and (len(way.steps) > 1 or way.steps[0].states)]
    chosen: dict[Way, float] = {}
    shown: set[str] = set()
    answer: Way | None = None
    while len(chosen) < limit:
        gain = {
            way: way.worth(worth, shown) + COVER * fitness.covered(way) + (0 if shown else ABOUT * fitness.about(way))
            for way in ways
            if way.chain.end not in shown
        }
        if not gain:
            break
        first = min(gain, key=lambda way: (-gain[way], len(way.steps), way.chain.chunk_ids))
        if gain[first] <= 0:
            break
        if not shown and len(question.segments) == 1:
            plain = max((way for way in gain if len(way.steps) == 1), key=fitness.covered, default=None)
            joined = max((way for way in gain if len(way.steps) > 1), key=lambda way: gain[way], default=None)
            if plain and fitness.covered(plain) >= PLAIN + (fitness.covered(joined) if joined else 0.0):
                first, answer = plain, plain
        chosen[first] = gain[first]
        shown.update(first.chain.chunk_ids)
    least = JOINS_FIRST * max(chosen.values(), default=0.0)
    return sorted(chosen, key=lambda way: way is not answer and not (way.joins and chosen[way] >= least))  # stable


def _tails(chain: Chain) -> Iterator[Chain]:
    """The chain, and what is left of it if it begins later: the way may have begun before it came to the point."""
    for first in range(len(chain.chunk_ids)):
        yield Chain(chunk_ids=chain.chunk_ids[first:], links=chain.links[first:])


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """A hop on its way: from `start` to `end` in a chunk, by a fact if there is one. "" stands for no entity."""

    chunk: PoolChunk
    start: str
    end: str
    fact: PoolFact | None
    cosine: float  # of the question with the fact
    place: int | None  # of the fact in the pool

    @property
    def states(self) -> bool:
        """Whether a fact carries it that says more than that two names share a sentence."""
        return self.fact is not None and self.fact.origin != "cooccurrence"


@dataclass(frozen=True, kw_only=True, eq=False)
class Way:
    """A chain with the entities it goes over and the facts that carry it, one step a chunk."""

    chain: Chain
    links: tuple[str, ...]  # those shown, of the entities that two chunks share
    steps: tuple[Step, ...]

    @property
    def joins(self) -> bool:
        """Whether it says, by facts alone, what no single passage says."""
        return len(self.steps) > 1 and all(step.states for step in self.steps)

    def tells_of(self, entity_id: str) -> bool:
        """Whether it is a single fact about this entity."""
        fact = self.steps[0].fact
        return len(self.steps) == 1 and fact is not None and entity_id in (fact.subject_id, fact.object_id)

    def worth(self, worth: Mapping[str, float], shown: AbstractSet[str]) -> float:
        """What it adds to what is shown already."""
        return sum(
            worth[step.chunk.id] * self.carries(n) - COST
            for n, step in enumerate(self.steps)
            if step.chunk.id not in shown
        )

    def carries(self, n: int) -> float:
        """How well the n-th step reads on from the one before: by a fact told onward, told backward, or by none."""
        step = self.steps[n]
        if step.fact is None or not step.states:
            return MENTION
        came = self.links[n - 1] if n else ""
        return BACKWARD if came and step.fact.subject_id != came else 1.0


class Fitness:
    """How well the facts of a pool fit the question: by meaning, and by those of its words that they say, rare ones
    first, the names left out that the question links (every fact of Jules says "Jules").

    Vectors alone take "Sophie loves Jules" for as good an answer to where she works as "Sophie works at the library",
    the more so in a language that the embedder does not know.
    """

    def __init__(self, pool: Pool, question: Question) -> None:
        self.pool = pool
        self.question = question
        self._weight: dict[str, float] = dict(zip(sorted(set(question.terms)), pool.term_weight.tolist(), strict=True))
        among = {id_: pool.chunks[pool.rows_of[id_][0]] for id_ in question.entities if id_ in pool.rows_of}
        names = {chunk.entity[id_].name for id_, chunk in among.items()}
        for term in {term for name in names for term in query_terms(name, *question.languages)}:
            self._weight.pop(term, None)
        total = sum(self._weight.values())
        self._weight = {term: weight / total for term, weight in self._weight.items()}
        self._said: dict[int, frozenset[str]] = {}
        self._of: dict[int, float] = {}  # a chunk's facts are compared for every way through it

    def of(self, n: int) -> float:
        """Of the fact in this place of the pool."""
        if n not in self._of:
            self._of[n] = self._fitness(float(self.pool.fact_cosine[n]), self._words(n))
        return self._of[n]

    def of_both(self, n: int, before: int) -> float:
        """Of two facts together."""
        joint = self.pool.fact_vectors[n] + self.pool.fact_vectors[before]
        cosine = float(joint @ self.question.vector) / max(float(np.linalg.norm(joint)), 1e-6)
        return self._fitness(cosine, self._words(n) | self._words(before))

    def covered(self, way: Way) -> float:
        """Share of the question's words, weighted, that the facts of a way say."""
        words = frozenset[str]().union(*(self._words(step.place) for step in way.steps if step.place is not None))
        return self._share(words)

    def about(self, way: Way) -> bool:
        """Whether one of its facts is about what the question names."""
        named = self.question.entities.keys()
        return any(step.fact and (step.fact.subject_id in named or step.fact.object_id in named) for step in way.steps)

    def _fitness(self, cosine: float, words: AbstractSet[str]) -> float:
        return self.question.trust * cosine + SAME_WORDS * self._share(words)

    def _share(self, words: AbstractSet[str]) -> float:
        return sum(self._weight[word] for word in sorted(words))  # sorted: a float sum depends on the order

    def _words(self, n: int) -> frozenset[str]:
        """The question's words that a fact says."""
        if n not in self._said:
            fact = self.pool.facts[n]
            told = _terms_of(f"{fact.subject} {fact.predicate} {fact.object}", self.question.languages)
            self._said[n] = told & self._weight.keys()
        return self._said[n]


@lru_cache(maxsize=1 << 15)
def _terms_of(fact: str, languages: tuple[str, ...]) -> frozenset[str]:
    """Of a fact in words: one question after the other looks at the same ones."""
    return frozenset(query_terms(fact, *languages))


def _best_way(chain: Chain, fitness: Fitness) -> Way | None:
    """Over those of the shared entities that facts join best; None where it would only come back to one."""
    pool = fitness.pool
    chunks = [pool.chunks[pool.row[id_]] for id_ in chain.chunk_ids]
    combinations = product(*(_links(*pair, link) for pair, link in zip(pairwise(chunks), chain.links, strict=True)))
    # Over one entity twice is a detour: the chunks before and after share it anyway.
    ways = (links for links in islice(combinations, MOST_WAYS) if len(set(links)) == len(links))
    tried = [(links, _along(chunks, links, fitness)) for links in ways]
    if not tried:
        return None
    links, steps = max(tried, key=lambda pair: _quality(pair[1], fitness))
    return Way(chain=chain, links=tuple(links), steps=tuple(steps))


def to_path(way: Way, scores: Mapping[str, float], passages: Mapping[str, Passage]) -> Path:
    """A way in words: one hop a chunk, each with its sentence."""
    texts = [passages[id_] for id_ in way.chain.chunk_ids]
    hops = tuple(map(_hop, way.steps, texts, [*texts[1:], None]))
    key = [part for hop in hops for part in (hop.fact_id, hop.subject_id, hop.object_id, hop.chunk_id)]
    return Path(
        id=content_id("path", *key),
        hops=hops,
        score=sum(scores[id_] for id_ in way.chain.chunk_ids) / len(hops),
        text="; ".join(_worded(hop, passages[hop.chunk_id].language) for hop in hops),
        cypher=_cypher(hops),
    )


def _worded(hop: Hop, language: str) -> str:
    said = f"{hop.subject} {hop.predicate} {hop.object}"
    by = wording(language).according_to.format(who=hop.according_to)
    return f"{said} ({by})" if hop.according_to else said


def _links(here: PoolChunk, there: PoolChunk, walked: str) -> list[str]:
    """The entities that two chunks share, the one over which the walk came first; TITLE where they share none."""
    both = here.entity.keys() & there.entity.keys()
    ordered = sorted(both, key=lambda id_: (id_ != walked, here.entity[id_].chunks, id_))
    return ordered[:MOST_LINKS] or [TITLE]


def _along(chunks: Sequence[PoolChunk], links: Sequence[str], fitness: Fitness) -> list[Step]:
    """The steps of one way through the chunks."""
    pool, question = fitness.pool, fitness.question
    steps: list[Step] = []
    carrying: int | None = None
    for n, chunk in enumerate(chunks):
        came = links[n - 1] if n else ""
        leave = links[n] if n < len(links) else ""
        carrying = _carrying(chunk, came, leave, carrying, fitness)
        fact = pool.facts[carrying] if carrying is not None else None
        if n < len(links) and leave == TITLE and fact and not fact.says(chunks[n + 1].title):
            fact = carrying = None  # it does not lead to the next text: its title does
        start, end = came, leave
        if fact is not None:
            start, end = fact.subject_id, fact.object_id
        elif not came:
            start = min((e.entity_id for e in chunk.entities if e.entity_id in question.entities), default="")
        cosine = float(pool.fact_cosine[carrying]) if carrying is not None else 0.0
        steps.append(Step(chunk=chunk, start=start, end=end, fact=fact, cosine=cosine, place=carrying))
    return steps


def _carrying(chunk: PoolChunk, came: str, leave: str, before: int | None, fitness: Fitness) -> int | None:
    """The fact of a chunk, by its place in the pool, that carries the way from `came` to `leave` (either may be "").

    At the beginning one that starts from what the question names is preferred, then one told onward. At the end it is
    the one that fits the question best together with the fact before it.
    """
    pool, question = fitness.pool, fitness.question
    best: tuple[float, str, int] | None = None
    first = pool.facts_at(pool.row[chunk.id]).start
    touching = chunk.facts_of.get(came or leave, ()) if came or leave else range(len(chunk.facts))
    for n in (first + place for place in touching):
        fact = pool.facts[n]
        if came and leave and not fact.touches(leave):
            continue
        if before is not None and fact.fact_id == pool.facts[before].fact_id:
            continue
        fits = fitness.of(n) if before is None or leave else fitness.of_both(n, before)
        if came and fact.subject_id == came:
            fits += ONWARD
        if not came and (fact.subject_id in question.entities or fact.object_id in question.entities):
            fits += NAMED
        if best is None or (fits, fact.fact_id) > best[:2]:
            best = (fits, fact.fact_id, n)
    return best[2] if best else None


def _quality(steps: Sequence[Step], fitness: Fitness) -> tuple[int, float]:
    """More facts first, then better fitting ones."""
    fits = sum(fitness.of(step.place) for step in steps if step.place is not None)
    return sum(step.states for step in steps), fits


# --------------------------------------------------------------------------------------------------------------------
# In words


def _hop(step: Step, passage: Passage, following: Passage | None) -> Hop:
    if step.fact is not None:
        return _fact_hop(step.fact, step.cosine, passage)
    known = step.chunk.entity.get(step.start or step.end)
    subject = known.name if known else passage.title
    if step.start and step.end:
        predicate, object_ = TOGETHER, step.chunk.entity[step.end].name
    elif following is not None and not step.end:
        named = following.document_id in step.chunk.titles
        predicate, object_ = "named in the text that names" if named else "is named in", following.title
        subject = subject if named else passage.title
    elif subject != passage.title:
        predicate, object_ = "named in", passage.title
    else:
        predicate, object_ = "is the title of", "this text"
    start, end = _sentence_naming(passage, [subject, object_])
    return Hop(
        kind="title" if following is not None and not step.end else "mention",
        subject=subject,
        predicate=predicate,
        object=object_,
        subject_id=step.start or step.end,
        object_id=step.end if step.start else "",
        chunk_id=passage.id,
        sentence=passage.text[start:end],
        start=start,
        end=end,
        score=0.0,
    )


def _fact_hop(fact: PoolFact, cosine: float, passage: Passage) -> Hop:
    return Hop(
        kind="mention" if fact.origin == "cooccurrence" else "fact",
        subject=fact.subject,
        predicate=TOGETHER if fact.origin == "cooccurrence" else fact.predicate,
        object=fact.object,
        subject_id=fact.subject_id,
        object_id=fact.object_id,
        chunk_id=passage.id,
        sentence=passage.text[fact.start : fact.end],
        start=fact.start,
        end=fact.end,
        score=cosine,
        fact_id=fact.fact_id,
        implied=fact.origin == "implied",
        premises=tuple(passage.text[start:end] for start, end in fact.premises),
        according_to=fact.according_to,
        date=passage.date,
    )


def _sentence_naming(passage: Passage, names: Sequence[str]) -> tuple[int, int]:
    """The sentence that holds most of `names`; the first at a tie."""
    wanted = [fold(name) for name in names if name]
    cut = sentences(passage.text, passage.language) or [(0, len(passage.text))]
    return max(cut, key=lambda span: (sum(n in fold(passage.text[span[0] : span[1]]) for n in wanted), -span[0]))


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

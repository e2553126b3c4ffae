"""Ask, top to bottom: embed -> [vector | keyword | facts | link] -> walk -> rank -> rerank -> compose -> generate.

`retrieve` finds the evidence, `ask` also answers. Every step leaves its inputs, outputs, scores and milliseconds in the
Trace. The same question on the same graph gives the same evidence.
"""

from __future__ import annotations

import dataclasses
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from filigraph.graph.compose import compose, plain_answer
from filigraph.graph.embed import Embedder, embed_questions
from filigraph.graph.errors import Cancelled, InputError, LLMResponseError, LLMUnavailable
from filigraph.graph.generate import generate
from filigraph.graph.link import Linked, link, spans
from filigraph.graph.llm import LLM
from filigraph.graph.model import (
    Answer,
    Chain,
    Evidence,
    Method,
    Path,
    PoolChunk,
    Question,
    Retrieved,
    Signals,
    Trace,
    TraceStep,
    Vector,
)
from filigraph.graph.rank import reciprocal_rank_fusion, score_pool, signals
from filigraph.graph.rerank import Scorer, rerank
from filigraph.graph.segment import segments
from filigraph.graph.store import FactHit, Graph
from filigraph.graph.text.language import detect
from filigraph.graph.text.words import lucene_query, query_terms
from filigraph.graph.walk import Terrain, choose_paths, extend, first_hops, to_path

LONGEST_QUESTION = 10_000  # words
SEARCHED = 100  # chunks that vector and keyword search bring, each
TAKEN = 20  # of which the best so many enter the pool
FACT_SEEDS = 5  # more facts as seeds were measured to hurt
HUB = 40  # a mention shared by more chunks than this is no link by itself; facts of such an entity are still walked


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How to look for an answer. Every value is visible in the trace."""

    depth: Literal[2, 3, 4] = 4  # hops of the longest path
    keep: int = 10  # pieces of evidence for the answer
    shown_paths: int = 3  # paths that keep a reserved place, whatever a reranker says
    vector_weight: float = 0.7  # in the fusion of vector and keyword search
    budget_tokens: int = 3000  # of evidence in the prompt
    method: Method = "filigraph"  # the others are what the walk is measured against
    compare: bool = False  # also answer from vector search alone


class Tracer:
    """Collects the steps of one answer."""

    def __init__(self, workspace: str, question: str, settings: AskSettings) -> None:
        self._steps: list[TraceStep] = []
        self._about = (uuid.uuid4().hex, workspace, question, dataclasses.asdict(settings))

    @contextmanager
    def step(self, name: str, **inputs: Any) -> Iterator[dict[str, Any]]:
        """Time a step; the caller fills the yielded dict with its outputs."""
        outputs: dict[str, Any] = {}
        begin = time.perf_counter()
        yield outputs
        taken = round((time.perf_counter() - begin) * 1000, 1)
        self._steps.append(TraceStep(name=name, milliseconds=taken, inputs=inputs, outputs=outputs))

    def trace(self) -> Trace:
        id_, workspace, question, settings = self._about
        return Trace(id=id_, workspace=workspace, question=question, steps=tuple(self._steps), settings=settings)


def ask(
    question: str,
    *,
    graph: Graph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    llm: LLM | None = None,
    settings: AskSettings | None = None,
    on_retrieved: Callable[[Retrieved], None] = lambda _: None,
    on_token: Callable[[str], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Answer:
    """Answer `question` with citations and the paths that were walked.

    `on_retrieved` is called with the evidence before the first token. Without an LLM the answer is the passages.
    """
    settings = settings or AskSettings()
    tracer = Tracer(graph.workspace.name, question, settings)
    retrieved = _retrieve(question, graph, embedder, reranker, settings, tracer)
    on_retrieved(retrieved)
    if cancelled():
        raise Cancelled("The question was withdrawn.")
    answer = _answer(retrieved, llm, settings, tracer, on_token, cancelled)
    if settings.compare and settings.method == "filigraph":
        alone = dataclasses.replace(settings, method="dense", compare=False)
        plain = ask(question, graph=graph, embedder=embedder, llm=llm, settings=alone, cancelled=cancelled)
        answer = dataclasses.replace(answer, vector_only=plain)
    return answer


def _answer(
    retrieved: Retrieved,
    llm: LLM | None,
    settings: AskSettings,
    tracer: Tracer,
    on_token: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> Answer:
    with tracer.step("compose", budget_tokens=settings.budget_tokens) as out:
        composed = compose(retrieved, budget_tokens=settings.budget_tokens)
        out.update(tokens=composed.tokens, cited=[e.id for e in composed.cited], left_out=list(composed.left_out))
    with tracer.step("generate", model=llm.model if llm else "") as out:
        generated = plain_answer(retrieved, composed)
        if llm is not None:
            try:
                generated = generate(composed, llm, on_token=on_token, cancelled=cancelled)
            except (LLMUnavailable, LLMResponseError) as error:  # the evidence is worth having without it
                generated = dataclasses.replace(generated, missing=str(error))
                out.update(failed=str(error))
        out.update(characters=len(generated.text), unsupported_names=list(generated.unsupported_names))
    return Answer(
        question=retrieved.question,
        text=generated.text,
        generated=generated.generated,
        model=llm.model if llm and generated.generated else "",
        citations=composed.cited,
        paths=retrieved.paths,
        unsupported_names=generated.unsupported_names,
        missing=generated.missing,
        trace=tracer.trace(),
    )


def retrieve(
    question: str,
    *,
    graph: Graph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    settings: AskSettings | None = None,
) -> Retrieved:
    """The evidence for `question`, best first, and the paths that lead to it."""
    settings = settings or AskSettings()
    tracer = Tracer(graph.workspace.name, question, settings)
    return _retrieve(question, graph, embedder, reranker, settings, tracer)


def _retrieve(
    text: str, graph: Graph, embedder: Embedder, reranker: Scorer | None, settings: AskSettings, tracer: Tracer
) -> Retrieved:
    text = text.strip()
    if not text:
        raise InputError("The question is empty.", cure="Ask in a sentence.")
    if len(text.split()) > LONGEST_QUESTION or len(text) > 20 * LONGEST_QUESTION:
        raise InputError(f"The question is longer than {LONGEST_QUESTION:,} words.", cure="Ask a shorter question.")
    language = detect(text)

    with tracer.step("embed", language=language) as out:
        pieces = segments(text, language)
        vectors = embed_questions(embedder, [text, *pieces])
        out.update(segments=pieces)
    terms = query_terms(text, language, *graph.languages())
    if settings.method != "filigraph":
        return _without_walking(text, language, terms, vectors[0], graph, settings, tracer)

    with tracer.step("search") as out:
        found = _search(text, terms, vectors[0], graph)
        out.update(found.summary())
    question = Question(
        text=text,
        terms=tuple(terms),
        vector=vectors[0],
        segments=vectors[1:] if len(vectors) > 1 else vectors[:1],
        entities={entity.entity_id: entity.chunks for entity in found.linked},
        words=dict(found.words),
        facts={hit.fact_id: hit.cosine for hit in found.facts[:FACT_SEEDS]},
        chunks_in_workspace=graph.count_chunks(),
    )
    with tracer.step("walk", depth=settings.depth) as out:
        pool, chains = _walk(question, found, graph, settings.depth)
        out.update(pool=len(pool), chains=sum(bool(chain.links) for chain in chains.values()))
    with tracer.step("rank") as out:
        scores = _rank(question, pool, chains, found, settings)
        terrain = Terrain(pool=pool)
        paths = _paths(question, terrain, chains, scores, settings)
        out.update(best=_top(scores, 10), paths=[{"text": p.text, "score": round(p.score, 4)} for p in paths])
    with tracer.step("rerank", reranker=reranker.name if reranker else "none: the hop ranker's order is final") as out:
        branches = found.branches(chains)
        ordered = [_evidence(pool[id_], score, branches) for id_, score in scores.items()]
        kept = rerank(
            text,
            ordered,
            paths,
            reranker,
            keep=settings.keep,
            reserved_paths=settings.shown_paths,
            neighbours=_neighbours(ordered[: settings.keep], question, graph) if reranker else None,
        )
        out.update(
            kept=[
                {"id": e.id, "kind": e.kind, "score": round(e.score, 4), "rerank": e.rerank_score, "kept_by": e.kept_by}
                for e in kept
            ],
            tally=_tally(kept),
        )
    return Retrieved(question=text, language=language, evidence=tuple(kept), paths=tuple(paths), trace=tracer.trace())


# --------------------------------------------------------------------------------------------------------------------
# The four searches, side by side


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What the four branches brought."""

    vectors: Sequence[tuple[str, float]]  # chunk id, cosine
    words: Sequence[tuple[str, float]]  # chunk id, BM25
    facts: Sequence[FactHit]
    linked: Sequence[Linked]

    def summary(self) -> dict[str, Any]:
        return {
            "vector": [[id_, round(score, 4)] for id_, score in self.vectors[:10]],
            "keyword": [[id_, round(score, 3)] for id_, score in self.words[:10]],
            "facts": [[hit.text, round(hit.cosine, 4)] for hit in self.facts[:10]],
            "link": [[entity.span, entity.name, entity.entity_id] for entity in self.linked],
        }

    def branches(self, chains: Mapping[str, Chain]) -> dict[str, tuple[str, ...]]:
        """Chunk id -> the branches that brought it."""
        brought: dict[str, list[str]] = defaultdict(list)
        for name, ids in (
            ("vector", [id_ for id_, _ in self.vectors[:TAKEN]]),
            ("keyword", [id_ for id_, _ in self.words[:TAKEN]]),
            ("facts", [id_ for hit in self.facts[:FACT_SEEDS] for id_ in hit.chunk_ids]),
            ("walk", [id_ for id_, chain in chains.items() if chain.links]),
        ):
            for id_ in dict.fromkeys(ids):
                brought[id_].append(name)
        return {id_: tuple(names) for id_, names in brought.items()}


def _search(text: str, terms: Sequence[str], vector: Vector, graph: Graph) -> _Found:
    candidates = spans(text)
    query = lucene_query(terms)
    with ThreadPoolExecutor(max_workers=4) as side_by_side:
        vectors = side_by_side.submit(graph.search_chunks, vector, SEARCHED)
        words = side_by_side.submit(graph.search_words, query, SEARCHED)
        facts = side_by_side.submit(graph.search_facts, vector, TAKEN)
        named = side_by_side.submit(graph.entities_named, sorted({span.key for span in candidates}))
        return _Found(
            vectors=vectors.result(),
            words=words.result(),
            facts=facts.result(),
            linked=link(text, candidates, named.result()),
        )


# --------------------------------------------------------------------------------------------------------------------
# The walk


def _walk(question: Question, found: _Found, graph: Graph, depth: int) -> tuple[dict[str, PoolChunk], dict[str, Chain]]:
    """Set out from the best chunks and go on hop by hop; the pool grows by what each hop can reach."""
    about = graph.facts_about(sorted(question.entities), question.vector, limit=40) if question.entities else []
    pool = _fetch(
        [
            *(id_ for id_, _ in found.vectors[:TAKEN]),
            *(id_ for id_, _ in found.words[:TAKEN]),
            *(id_ for hit in found.facts[:FACT_SEEDS] for id_ in hit.chunk_ids),
            *(id_ for hit in about for id_ in hit.chunk_ids[:3]),
        ],
        {},
        question,
        graph,
    )
    if not pool:
        return {}, {}
    frontier = first_hops(signals(question, pool))
    chains: dict[str, Chain] = {}
    for _ in range(depth - 1):
        pool = _fetch(_reachable(frontier, pool, question, graph), pool, question, graph)
        terrain = Terrain(pool=pool)
        walked = extend(frontier, terrain, question, chains)
        new = [chain for id_, chain in walked.items() if chains.get(id_) != chain]
        chains = walked
        frontier = _go_on(new, question, pool, chains)
        if not frontier:
            break
    return pool, chains


def _reachable(frontier: Sequence[Chain], pool: Mapping[str, PoolChunk], question: Question, graph: Graph) -> list[str]:
    """Chunks one hop away: over a rare shared entity, or over a fact of an entity that the walk has reached."""
    ends = [chain.end for chain in frontier]
    near = graph.neighbours(ends, question.vector, hub=HUB, per_chunk=25, limit=120)
    hubs = {
        end
        for id_ in ends
        for fact in sorted(pool[id_].facts, key=lambda fact: (-fact.cosine, fact.fact_id))[:3]
        for end in (fact.subject_id, fact.object_id)
    } - question.entities.keys()
    facts = graph.facts_about(sorted(hubs), question.vector, limit=40) if hubs else []
    return [*near, *(id_ for hit in facts for id_ in hit.chunk_ids[:3])]


def _fetch(
    ids: Collection[str], pool: Mapping[str, PoolChunk], question: Question, graph: Graph
) -> dict[str, PoolChunk]:
    new = sorted(set(ids) - pool.keys())
    return {**pool, **{chunk.id: chunk for chunk in graph.pool(new, question.vector)}} if new else dict(pool)


def _go_on(
    new: Sequence[Chain], question: Question, pool: Mapping[str, PoolChunk], chains: Mapping[str, Chain]
) -> list[Chain]:
    """The chains worth another hop: those whose last chunk ranks best."""
    found = signals(question, pool)
    score = dict(zip(found.ids, score_pool(question, pool, found, chains), strict=True))
    return sorted(new, key=lambda chain: (-score[chain.end], chain.chunk_ids))[:8]


# --------------------------------------------------------------------------------------------------------------------
# The order


def _rank(
    question: Question,
    pool: Mapping[str, PoolChunk],
    chains: Mapping[str, Chain],
    found: _Found,
    settings: AskSettings,
) -> dict[str, float]:
    """Chunk id -> score 0..1, best first. Where no hop links two chunks, the order of plain hybrid search."""
    hybrid = _hybrid(found.vectors, found.words, settings)
    if not any(chain.links for chain in chains.values()):
        best = hybrid[0][1] if hybrid else 1.0
        return {id_: score / best for id_, score in hybrid if id_ in pool}
    ranked: Signals = signals(question, pool)
    scored = zip(ranked.ids, score_pool(question, pool, ranked, chains).tolist(), strict=True)
    return dict(sorted(scored, key=lambda item: (-item[1], item[0])))


def _hybrid(
    vectors: Sequence[tuple[str, float]], words: Sequence[tuple[str, float]], settings: AskSettings
) -> list[tuple[str, float]]:
    """Vector and keyword search in one order: the floor below which the walk must never fall."""
    ranked = [(settings.vector_weight, vectors), (1 - settings.vector_weight, words)]
    return reciprocal_rank_fusion([(weight, [id_ for id_, _ in found]) for weight, found in ranked])


def _paths(
    question: Question,
    terrain: Terrain,
    chains: Mapping[str, Chain],
    scores: Mapping[str, float],
    settings: AskSettings,
) -> list[Path]:
    """The chains that were walked, and what a chunk says of the question's own entities without any walking."""
    alone = [Chain(chunk_ids=(id_,)) for id_ in scores]
    walked = (to_path(chain, terrain, question, scores) for chain in [*chains.values(), *alone])
    return choose_paths([path for path in walked if path], limit=settings.shown_paths)


def _evidence(chunk: PoolChunk, score: float, branches: Mapping[str, tuple[str, ...]]) -> Evidence:
    return Evidence(
        id=chunk.id,
        kind="chunk",
        text=chunk.text,
        document_id=chunk.document_id,
        title=chunk.title,
        source=chunk.source,
        place=chunk.place,
        score=score,
        branches=branches.get(chunk.id, ()),
    )


def _neighbours(best: Sequence[Evidence], question: Question, graph: Graph) -> dict[str, Evidence]:
    """For each chunk the one that follows it in its document, or precedes it if it is the last."""
    beside = {id_: after or before for id_, (before, after) in graph.next_chunks([e.id for e in best]).items()}
    wanted = [id_ for id_ in beside.values() if id_]
    pool = {chunk.id: chunk for chunk in graph.pool(wanted, question.vector)}
    return {id_: _evidence(pool[next_], 0.0, {}) for id_, next_ in beside.items() if next_ in pool}


def _top(scores: Mapping[str, float], count: int) -> list[list[Any]]:
    return [[id_, round(score, 4)] for id_, score in list(scores.items())[:count]]


def _tally(kept: Sequence[Evidence]) -> dict[str, int]:
    """How many kept pieces of evidence each branch brought."""
    tally: dict[str, int] = defaultdict(int)
    for evidence in kept:
        for branch in evidence.branches:
            tally[branch] += 1
    return dict(tally)


def _without_walking(
    text: str,
    language: str,
    terms: Sequence[str],
    vector: Vector,
    graph: Graph,
    settings: AskSettings,
    tracer: Tracer,
) -> Retrieved:
    """What plain search finds by words, by vectors or by both: the yardsticks that the walk is shown beside."""
    wanted = max(SEARCHED, settings.keep)
    with tracer.step("search", method=settings.method) as out:
        vectors = graph.search_chunks(vector, wanted) if settings.method != "bm25" else []
        words = graph.search_words(lucene_query(terms), wanted) if settings.method != "dense" else []
        found = _hybrid(vectors, words, settings) if settings.method == "hybrid" else vectors or words
        best = dict(found[: settings.keep])
        pool = {chunk.id: chunk for chunk in graph.pool(list(best), vector)}
        out.update(vector=_top(dict(vectors), 10), keyword=_top(dict(words), 10))
    branches = {
        id_: tuple(name for name, ids in (("vector", dict(vectors)), ("keyword", dict(words))) if id_ in ids)
        for id_ in best
    }
    evidence = tuple(_evidence(pool[id_], max(score, 0.0), branches) for id_, score in best.items() if id_ in pool)
    return Retrieved(question=text, language=language, evidence=evidence, paths=(), trace=tracer.trace())

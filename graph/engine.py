"""Ask, top to bottom: embed -> [vector | keyword | facts | link] -> walk -> rank -> choose -> rerank -> compose ->
generate.

`retrieve` finds the evidence, `ask` also answers. Every step leaves its inputs, outputs, scores and milliseconds in the
Trace. The same question on the same graph gives the same evidence.
"""

from __future__ import annotations

import dataclasses
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from filigraph.graph.ask.compose import compose, plain_answer
from filigraph.graph.ask.documents import matching_documents
from filigraph.graph.ask.explore import SEARCHED, Found, ReadQuestion, gather, read_question, search, search_words
from filigraph.graph.ask.fusion import understood, vector_weight
from filigraph.graph.ask.generate import generate
from filigraph.graph.ask.intent import read_intent
from filigraph.graph.ask.order import RECENT_OF, SPREAD_OVER, newest_first, spread
from filigraph.graph.ask.rank import reciprocal_rank_fusion
from filigraph.graph.ask.ranking import Ranked, let_choose, rank_pool
from filigraph.graph.ask.reader import AskGraph, GraphReader
from filigraph.graph.ask.rerank import RERANKED, Scorer, rerank
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, LLMResponseError, LLMUnavailable, NotFound
from filigraph.graph.model import (
    Answer,
    Evidence,
    Intent,
    Method,
    Passage,
    Path,
    Retrieved,
    Trace,
    TraceStep,
)
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLM
from filigraph.graph.rows import WordHit
from filigraph.graph.text.language import detect
from filigraph.graph.text.question_words import is_look_up, weighs

LONGEST_QUESTION = 10_000  # words
MENTIONS = 50  # places shown of what a question asks every mention of
FOREIGN = 0.1  # trust in the vectors of a language that the embedder does not know


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How to look for an answer. Every value is visible in the trace."""

    depth: Literal[2, 3, 4] = 4  # hops of the longest path
    keep: int = 10  # pieces of evidence for the answer
    shown_paths: int = 3  # paths that keep a reserved place, whatever a reranker says
    vector_weight: float | None = None  # in the fusion of vector and keyword search; None: by language and embedder
    budget_tokens: int = 3000  # of evidence in the prompt
    method: Method = "filigraph"  # the others are what the walk is measured against
    intent: Intent | None = None  # in which order evidence is shown; None: as the question's words tell
    rerank: bool | None = None  # by a cross-encoder; None: where one is there and the question is no plain look-up
    choose: bool | None = None  # let the LLM choose among the best paths; None: where none is far ahead
    compare: bool = False  # also answer from vector search alone
    sources: tuple[str, ...] = ()  # only these documents are asked, see `documents.py`; all where there are none
    where: Mapping[str, str] = field(default_factory=dict)  # only those whose metadata say so


class Tracer:
    """Collects the steps of one answer, and begins none that nobody waits for any more."""

    def __init__(
        self,
        workspace: str,
        question: str,
        settings: AskSettings,
        trace_id: str,
        cancelled: Callable[[], bool],
        before: Sequence[TraceStep] = (),
    ) -> None:
        self.cancelled = cancelled
        self._steps = list(before)
        self._about = (trace_id or uuid.uuid4().hex, workspace, question, dataclasses.asdict(settings))

    @contextmanager
    def step(self, name: str, **inputs: Any) -> Iterator[dict[str, Any]]:
        """Time a step; the caller fills the yielded dict with its outputs. Raises Cancelled."""
        if self.cancelled():
            raise Cancelled("The question was withdrawn.")
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
    graph: AskGraph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    llm: LLM | None = None,
    settings: AskSettings | None = None,
    on_searched: Callable[[], None] = lambda: None,
    on_retrieved: Callable[[Retrieved], None] = lambda _: None,
    on_failure: Callable[[FiligraphError], None] = lambda _: None,
    on_token: Callable[[str], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
    trace_id: str = "",
    before: Sequence[TraceStep] = (),
) -> Answer:
    """Answer `question` with citations and the paths that were walked.

    `on_searched` is called before the LLM is asked to choose, `on_retrieved` with the evidence before the first token.
    Without an LLM the answer is the passages; where one fails, `on_failure` is told why. Raises Cancelled, between two
    steps at the latest.
    `trace_id` is unique; without one the trace gets an id of its own. `before` are the steps that led to `question`.
    """
    settings = settings or AskSettings()
    tracer = Tracer(graph.workspace.name, question, settings, trace_id, cancelled, before)
    retrieved = _retrieve(question, graph, embedder, reranker, settings, tracer, llm, on_searched)
    on_retrieved(retrieved)
    answer = _answer(retrieved, llm, settings, tracer, on_token, on_failure)
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
    on_failure: Callable[[FiligraphError], None],
) -> Answer:
    with tracer.step("compose", budget_tokens=settings.budget_tokens) as out:
        composed = compose(retrieved, budget_tokens=settings.budget_tokens)
        out.update(tokens=composed.tokens, cited=[e.id for e in composed.cited], left_out=list(composed.left_out))
    with tracer.step("generate", model=llm.model if llm else "") as out:
        generated = plain_answer(retrieved, composed, add_model=llm is None)  # one that fails is there
        broken: list[FiligraphError] = []
        if llm is not None:
            try:
                generated = generate(
                    composed, llm, on_token=on_token, on_failure=broken.append, cancelled=tracer.cancelled
                )
            except (LLMUnavailable, LLMResponseError) as error:  # the evidence is worth having without it
                on_failure(error)
                generated = dataclasses.replace(generated, missing=str(error))
                out.update(failed=str(error))
        for failure in broken:
            on_failure(failure)
            out.update(failed=str(failure))
        out.update(characters=len(generated.text), unsupported=[part.text for part in generated.unsupported])
        out.update(answered=generated.answered)
    return Answer(
        question=retrieved.question,
        text=generated.text,
        generated=generated.generated,
        model=llm.model if llm and generated.generated else "",
        citations=composed.cited,
        paths=retrieved.paths if generated.answered else (),
        unsupported=generated.unsupported,
        missing=generated.missing,
        trace=tracer.trace(),
        cut_short="".join(map(str, broken)),
        rests_on=tuple(retrieved.paths[number - 1].id for number in generated.rests_on),
        answered=generated.answered,
    )


def retrieve(
    question: str,
    *,
    graph: AskGraph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    settings: AskSettings | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    trace_id: str = "",
) -> Retrieved:
    """The evidence for `question`, best first, and the paths that lead to it. Raises Cancelled between two steps."""
    settings = settings or AskSettings()
    tracer = Tracer(graph.workspace.name, question, settings, trace_id, cancelled)
    return _retrieve(question, graph, embedder, reranker, settings, tracer)


def _retrieve(
    text: str,
    graph: AskGraph,
    embedder: Embedder,
    reranker: Scorer | None,
    settings: AskSettings,
    tracer: Tracer,
    llm: LLM | None = None,
    on_searched: Callable[[], None] = lambda: None,
) -> Retrieved:
    text = text.strip()
    if not text:
        raise InputError("The question is empty.", cure="Ask in a sentence.")
    if len(text.split()) > LONGEST_QUESTION or len(text) > 20 * LONGEST_QUESTION:
        raise InputError(f"The question is longer than {LONGEST_QUESTION:,} words.", cure="Ask a shorter question.")
    reader = _filtered(graph, settings)
    language = detect(text)

    with tracer.step("embed", language=language) as out:
        read = read_question(text, language, reader, embedder)
        out.update(segments=read.segments)
    knows = understood(language, read.workspace.languages, embedder)
    weight = settings.vector_weight
    if weight is None:
        weight = vector_weight(language, read.workspace.languages, embedder)
    if settings.method != "filigraph":
        return _without_walking(text, language, read, reader, settings, weight, tracer)

    with tracer.step("search", vector_weight=weight) as out:
        found = search(read, reader, embedder, alike=knows)
        out.update(found.summary())
    question = found.question(read, trust=1.0 if knows else FOREIGN)
    with tracer.step("walk", depth=settings.depth) as out:
        pool, walked = gather(question, found, reader, settings.depth)
        out.update(pool=len(pool.chunks) if pool else 0, reached=len(walked.chains) if walked else 0)
    intent = settings.intent or read_intent(text)
    with tracer.step("rank", intent=intent) as out:
        hybrid = _hybrid(found.vectors, _words(found.words[:SEARCHED]), weight)
        ranked = rank_pool(
            pool,
            walked,
            question,
            hybrid,
            embedder.fingerprint,
            knows=knows,
            depth=settings.depth,
            limit=settings.shown_paths,
            may_choose=llm is not None and settings.choose is not False,
        )
        reranker, why_not = _reranker(reranker, settings, intent, text, found, ranked)
        order, keep = _order(intent, ranked, found, reader, settings.keep, out)
        out.update(by=ranked.by, chains=ranked.chains, best=_top(ranked.scores, 10))
    if llm is not None and ranked.is_open(settings.choose):
        on_searched()
        with tracer.step("choose", model=llm.model) as out:
            limit = settings.shown_paths
            ranked = let_choose(ranked, text, llm, limit=limit, out=out, cancelled=tracer.cancelled)
        order = list(dict.fromkeys([*ranked.behind(), *order])) if ranked.chosen else order
    with tracer.step("rerank", reranker=reranker.name if reranker else f"none: {why_not}") as out:
        evidence, neighbours, paths = _show(ranked, order, found, reader, keep, reranker)
        kept = rerank(
            text,
            evidence,
            paths,
            reranker,
            keep=keep,
            reserved_paths=settings.shown_paths,
            neighbours=neighbours,
            cancelled=tracer.cancelled,
        )
        out.update(
            paths=[{"text": path.text, "score": round(path.score, 4)} for path in paths],
            kept=[
                {"id": e.id, "kind": e.kind, "score": round(e.score, 4), "rerank": e.rerank_score, "kept_by": e.kept_by}
                for e in kept
            ],
            tally=_tally(kept),
        )
    return Retrieved(question=text, language=language, evidence=tuple(kept), paths=tuple(paths), trace=tracer.trace())


# --------------------------------------------------------------------------------------------------------------------
# The order


def _filtered(graph: AskGraph, settings: AskSettings) -> GraphReader:
    """What is asked: the workspace, or some of its documents."""
    if not settings.sources and not settings.where:
        return graph
    documents = matching_documents(graph.document_names(), sources=settings.sources, where=settings.where)
    if not documents:
        raise NotFound("No document is meant by these sources and conditions.", cure="Look at `documents`.")
    return graph.filtered([document.id for document in documents])


def _order(
    intent: Intent, ranked: Ranked, found: Found, reader: GraphReader, keep: int, out: dict[str, Any]
) -> tuple[list[str], int]:
    """Chunk ids in the order that the intent asks for, and how many are kept: at least `keep`."""
    scores = ranked.scores
    if intent == "entity" and found.linked:
        mentions, count = reader.mentioning([entity.entity_id for entity in found.linked], MENTIONS)
        out.update(mentioned_in=count)
        return list(dict.fromkeys([*mentions, *scores])), max(keep, len(mentions))
    if intent == "synthesis" and ranked.pool:
        return spread(scores, ranked.pool, reader.passages(list(scores)[:SPREAD_OVER])), keep
    if intent == "recent":
        return newest_first(scores, reader.passages(list(scores)[:RECENT_OF])), keep
    return list(scores), keep


def _reranker(
    reranker: Scorer | None, settings: AskSettings, intent: Intent, text: str, found: Found, ranked: Ranked
) -> tuple[Scorer | None, str]:
    """The reranker if it is to have a say, else why not."""
    if settings.rerank is False:
        return None, "not wanted"
    if reranker is None:
        return None, "no reranker is loaded: the hop ranker's order is final"
    ordered = bool(settings.intent) or intent == "synthesis" or not weighs(text)
    if settings.rerank is None and intent != "detail" and ordered:
        return None, f"the order is that of the intent {intent!r}"
    told = found.about_one and ranked.tells_only_of(found.linked[0].entity_id)
    if settings.rerank is None and told and is_look_up(text):
        return None, "a plain look-up: one fact about the one thing that it names"
    return reranker, ""


def _show(
    ranked: Ranked, order: Sequence[str], found: Found, reader: GraphReader, keep: int, reranker: Scorer | None
) -> tuple[list[Evidence], dict[str, Evidence], list[Path]]:
    """The evidence in order, for a reranker the neighbour of each piece too, and the paths in words."""
    shown = order[: max(RERANKED if reranker else 0, keep)]
    adjoining = reader.next_chunks(shown[:keep]) if reranker else {}
    follows = {id_: after or before or "" for id_, (before, after) in adjoining.items()}
    behind = ranked.behind()
    passages = reader.passages([*shown, *behind, *filter(None, follows.values())])
    paths = ranked.in_words(passages)
    branches = found.branches(behind)
    wanted = {*shown, *(id_ for path in paths for id_ in path.chunk_ids)}
    evidence = [
        _evidence(passages[id_], ranked.scores.get(id_, 0.0), branches)
        for id_ in dict.fromkeys([*order, *ranked.scores])
        if id_ in wanted and id_ in passages
    ]
    neighbours = {id_: _evidence(passages[n], 0.0, {}) for id_, n in follows.items() if n in passages}
    return evidence, neighbours, paths


def _words(hits: Sequence[WordHit]) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in hits]


def _hybrid(
    vectors: Sequence[tuple[str, float]], words: Sequence[tuple[str, float]], vector_weight: float
) -> list[tuple[str, float]]:
    """Vector and keyword search in one order: the floor below which the walk must never fall."""
    ranked = [(vector_weight, vectors), (1 - vector_weight, words)]
    return reciprocal_rank_fusion([(weight, [id_ for id_, _ in found]) for weight, found in ranked])


def _evidence(chunk: Passage, score: float, branches: Mapping[str, tuple[str, ...]]) -> Evidence:
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
    read: ReadQuestion,
    reader: GraphReader,
    settings: AskSettings,
    weight: float,
    tracer: Tracer,
) -> Retrieved:
    """What plain search finds by words, by vectors or by both: the yardsticks that the walk is shown beside."""
    vector, wanted = read.vector, max(SEARCHED, settings.keep)
    with tracer.step("search", method=settings.method, vector_weight=weight) as out:
        vectors = reader.search_chunks(vector, wanted) if settings.method != "bm25" else []
        words = _words(search_words(read, reader)[:wanted]) if settings.method != "dense" else []
        found = _hybrid(vectors, words, weight) if settings.method == "hybrid" else vectors or words
        best = dict(found[: settings.keep])
        passages = reader.passages(list(best))
        out.update(vector=_top(dict(vectors), 10), keyword=_top(dict(words), 10))
    branches = {
        id_: tuple(name for name, ids in (("vector", dict(vectors)), ("keyword", dict(words))) if id_ in ids)
        for id_ in best
    }
    evidence = tuple(
        _evidence(passages[id_], max(score, 0.0), branches) for id_, score in best.items() if id_ in passages
    )
    return Retrieved(question=text, language=language, evidence=evidence, paths=(), trace=tracer.trace())

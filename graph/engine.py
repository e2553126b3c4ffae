"""Ask, top to bottom: embed -> [vector | keyword | facts | link] -> walk -> rank -> choose -> rerank -> compose ->
generate.

`retrieve` finds the evidence, `ask` also answers. Every step leaves its inputs, outputs, scores and milliseconds in the
Trace. The same question on the same graph gives the same evidence.
"""

from __future__ import annotations

import dataclasses
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from filigraph.graph.ask.compose import compose, plain_answer, within
from filigraph.graph.ask.documents import matching_documents
from filigraph.graph.ask.evidence import cosines, held_by_graph, near_enough, show, tally
from filigraph.graph.ask.explore import SEARCHED, Found, gather, read_question, search
from filigraph.graph.ask.fusion import understood, vector_weight
from filigraph.graph.ask.generate import generate
from filigraph.graph.ask.intent import read_intent
from filigraph.graph.ask.order import RECENT_OF, SPREAD_OVER, newest_first, spread
from filigraph.graph.ask.path_filter import PathFilter, read_filter
from filigraph.graph.ask.plain_search import by_words, hybrid, plain_search, top
from filigraph.graph.ask.ranking import Ranked, let_choose, rank_pool
from filigraph.graph.ask.reader import AskGraph, GraphReader
from filigraph.graph.ask.rerank import Scorer, rerank
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, LLMResponseError, LLMUnavailable, NotFound
from filigraph.graph.model import (
    Answer,
    Intent,
    Method,
    Retrieved,
    Trace,
    TraceStep,
)
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLM
from filigraph.graph.text.language import detect
from filigraph.graph.text.question_words import is_look_up, weighs

LONGEST_QUESTION = 10_000  # words
BUDGET = 3000  # tokens of evidence in a prompt
MENTIONS = 50  # places shown of what a question asks every mention of
FOREIGN = 0.1  # trust in the vectors of a language that the embedder does not know


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How to look for an answer. Every value is visible in the trace."""

    depth: Literal[2, 3, 4] = 4  # hops of the longest path
    keep: int = 10  # pieces of evidence for the answer
    shown_paths: int = 3  # paths that keep a reserved place, whatever a reranker says
    vector_weight: float | None = None  # in the fusion of vector and keyword search; None: by language and embedder
    budget_tokens: int | None = None  # of evidence; None: BUDGET in a prompt, any number where nothing is generated
    min_score: float | None = None  # cosine with the question below which a passage goes that is behind no path
    entity_types: tuple[str, ...] = ()  # of an end of each path that the question does not name; none: any
    path_types: tuple[str, ...] = ()  # predicates of which paths are made; none: any
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
        alone = dataclasses.replace(settings, method="dense", compare=False, entity_types=(), path_types=())
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
    budget = settings.budget_tokens or BUDGET
    with tracer.step("compose", budget_tokens=budget) as out:
        composed = compose(retrieved, budget_tokens=budget)
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
    found = _retrieve(question, graph, embedder, reranker, settings, tracer)
    if settings.budget_tokens is None:
        return found
    with tracer.step("compose", budget_tokens=settings.budget_tokens) as out:
        found, composed = within(found, budget_tokens=settings.budget_tokens)
        out.update(tokens=composed.tokens, cited=[e.id for e in composed.cited], left_out=list(composed.left_out))
    return dataclasses.replace(found, trace=tracer.trace())


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
    reader, wanted = _filtered(graph, settings), _path_filter(graph, settings)
    language = detect(text)

    with tracer.step("embed", language=language) as out:
        read = read_question(text, language, reader, embedder)
        out.update(segments=read.segments)
    knows = understood(language, read.workspace.languages, embedder)
    weight = settings.vector_weight
    if weight is None:
        weight = vector_weight(language, read.workspace.languages, embedder)
    if settings.method != "filigraph":
        with tracer.step("search", method=settings.method, vector_weight=weight) as out:
            least = _least(settings, out, knows=knows)
            found_plainly = plain_search(
                read, reader, settings.method, keep=settings.keep, vector_weight=weight, least=least, out=out
            )
        return Retrieved(question=text, language=language, evidence=found_plainly, paths=(), trace=tracer.trace())

    with tracer.step("search", vector_weight=weight) as out:
        found = search(read, reader, embedder, alike=knows)
        out.update(found.summary())
    question = found.question(read, trust=1.0 if knows else FOREIGN)
    with tracer.step("walk", depth=settings.depth) as out:
        pool, walked = gather(question, found, reader, settings.depth)
        out.update(pool=len(pool.chunks) if pool else 0, reached=len(walked.chains) if walked else 0)
    intent = settings.intent or read_intent(text)
    with tracer.step("rank", intent=intent) as out:
        floor = hybrid(found.vectors, by_words(found.words[:SEARCHED]), weight)
        ranked = rank_pool(
            pool,
            walked,
            question,
            floor,
            embedder.fingerprint,
            reader,
            wanted=wanted,
            knows=knows,
            depth=settings.depth,
            limit=settings.shown_paths,
            may_choose=llm is not None and settings.choose is not False,
        )
        reranker, why_not = _reranker(reranker, settings, intent, text, found, ranked)
        order, keep = _order(intent, ranked, found, reader, settings.keep, out)
        out.update(by=ranked.by, chains=ranked.chains, best=top(ranked.scores, 10))
        if wanted:
            out.update(only={"entity_types": sorted(wanted.types), "path_types": sorted(wanted.predicates)})
    if llm is not None and ranked.is_open(settings.choose):
        on_searched()
        with tracer.step("choose", model=llm.model) as out:
            limit = settings.shown_paths
            ranked = let_choose(ranked, text, llm, limit=limit, out=out, cancelled=tracer.cancelled)
        order = list(dict.fromkeys([*ranked.behind(), *order])) if ranked.chosen else order
    with tracer.step("rerank", reranker=reranker.name if reranker else f"none: {why_not}") as out:
        cosine = cosines([*order, *ranked.behind()], ranked, found, read.vector, reader)
        least = _least(settings, out, knows=knows)
        order = near_enough(order, cosine, ranked.behind(), least)
        evidence, neighbours, paths = show(ranked, order, cosine, found, reader, keep, reranked=bool(reranker))
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
        kept = held_by_graph(kept, least)
        out.update(
            paths=[{"text": path.text, "score": round(path.score, 4)} for path in paths],
            kept=[
                {
                    "id": e.id,
                    "kind": e.kind,
                    "score": round(e.score, 4),
                    "cosine": e.cosine and round(e.cosine, 4),
                    "rerank": e.rerank_score,
                    "kept_by": e.kept_by,
                }
                for e in kept
            ],
            tally=tally(kept),
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


def _path_filter(graph: AskGraph, settings: AskSettings) -> PathFilter:
    """Which paths may be shown. Raises InputError for types that are nowhere, and where no paths are looked for."""
    named = {"entity_types": settings.entity_types, "path_types": settings.path_types}
    if settings.method != "filigraph" and any(named.values()):
        given = " and ".join(name for name, kinds in named.items() if kinds)
        cause = f"{given}: these are about paths, and the method {settings.method!r} has none."
        raise InputError(cause, cure="Leave them out, or ask by the method 'filigraph'.")
    return read_filter(settings.entity_types, settings.path_types, graph)


def _least(settings: AskSettings, out: dict[str, Any], *, knows: bool) -> float:
    """The cosine that a passage must have: any where the embedder does not know the language."""
    if settings.min_score is None:
        return -1.0
    why_not = "not applied: the embedder does not know the language, so its cosines say nothing"
    out.update(min_score=settings.min_score if knows else why_not)
    return settings.min_score if knows else -1.0


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

"""Search, top to bottom: embed -> [vector | keyword | facts | link] -> levels -> walk -> rank -> rerank ->
summaries. `levels` and `summaries` only where documents are summarized. `answer.py` goes on.

Every step leaves its inputs, outputs, scores and milliseconds in the Trace. The same question on the same graph gives
the same evidence.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from filigraph.graph.ask.evidence.build import quotations
from filigraph.graph.ask.evidence.code import dependencies
from filigraph.graph.ask.evidence.min_cosine import MinCosine
from filigraph.graph.ask.evidence.plain_search import PlainResult, plain_search, rank_by_words
from filigraph.graph.ask.evidence.selection import ChosenEvidence, choose_evidence
from filigraph.graph.ask.explore.fusion import VectorWeights, fuse_vectors_and_words, vector_trust
from filigraph.graph.ask.explore.prepared import PreparedQuestion, prepare_question
from filigraph.graph.ask.explore.search import (
    MAX_SEARCH_RESULTS,
    EmbeddedQuestion,
    SearchHits,
    WalkedPool,
    gather_pool,
    search,
)
from filigraph.graph.ask.generation.compose import within_budget
from filigraph.graph.ask.levels.context_budget import EvidenceBudget, shares_of
from filigraph.graph.ask.levels.profile_order import ChunkOrder, Ranking, order_chunks
from filigraph.graph.ask.levels.summary_evidence import Levels, find_levels
from filigraph.graph.ask.levels.summary_retrieval import SummaryScope, find_summary_scope
from filigraph.graph.ask.paths.path_filter import PathFilter, read_filter
from filigraph.graph.ask.question.documents import filtered_reader
from filigraph.graph.ask.question.parse import ParsedQuestion, parse_question
from filigraph.graph.ask.ranking.choice import RerankerChoice, choose_reranker
from filigraph.graph.ask.ranking.rank import Ranked, rank_pool
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import AskGraph, GraphReader
from filigraph.graph.ask.settings import BUDGET, AskSettings
from filigraph.graph.ask.tracer import Tracer, tracer_after
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Evidence, Path, Profile, Question, Retrieved
from filigraph.graph.model.traces import TraceStep
from filigraph.graph.models.embed import Embedder
from filigraph.graph.process.cancel import ShouldStop

BESIDE_SUMMARIES = 0.15  # least probability of a path that is shown beside summaries of a whole text


def retrieve(
    question: str,
    *,
    graph: AskGraph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    settings: AskSettings | None = None,
    cancelled: ShouldStop = lambda: False,
    trace_id: str = "",
) -> Retrieved:
    """The evidence for `question`, best first, and the paths that lead to it. Raises Cancelled between two steps."""
    settings = settings or AskSettings()
    retrieved = find_evidence(
        question,
        graph=graph,
        embedder=embedder,
        reranker=reranker,
        settings=settings,
        cancelled=cancelled,
        trace_id=trace_id,
    )
    return cut_to_budget(retrieved, settings, cancelled)


def cut_to_budget(retrieved: Retrieved, settings: AskSettings, cancelled: ShouldStop) -> Retrieved:
    """The part of `retrieved` that fits into the tokens of `settings`; all of it without a limit."""
    budget = settings.budget_tokens
    if budget is None:
        return retrieved
    tracer = tracer_after(retrieved.trace, cancelled)
    fitted = tracer.step("compose", lambda: within_budget(retrieved, budget_tokens=budget), budget_tokens=budget)
    return dataclasses.replace(fitted.retrieved, trace=tracer.trace())


def find_evidence(
    question: str,
    *,
    graph: AskGraph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    settings: AskSettings,
    cancelled: ShouldStop = lambda: False,
    trace_id: str = "",
    before: Sequence[TraceStep] = (),
) -> Retrieved:
    """The evidence for `question`, as much as `settings` keep. Raises Cancelled between two steps."""
    tracer = Tracer(graph.workspace.name, question, dataclasses.asdict(settings), trace_id, cancelled, before)
    parsed = parse_question(question, profile=settings.profile, today=settings.today)
    path_filter = read_filter(settings.entity_types, settings.path_types, graph, method=settings.method)
    budget = _evidence_budget(parsed.profile, graph, settings)
    reader, of_period = filtered_reader(
        graph, sources=settings.sources, where=settings.where, period=settings.period or parsed.document_period
    )
    prepared = tracer.step(
        "embed", lambda: prepare_question(parsed, of_period, reader, embedder), language=parsed.language
    )
    embedded = prepared.embedded
    trust = vector_trust(parsed.language, embedded.workspace.languages, embedder, settings.vector_weight)
    min_cosine = MinCosine(asked=settings.min_score, comparable=trust.comparable)
    if settings.method != "filigraph":
        plain = _search_plainly(embedded, trust, min_cosine, reader, settings, tracer)
        return _retrieved(prepared, _with_dependencies(plain, embedded.vector, reader, settings, tracer), tracer)
    hits = tracer.step(
        "search",
        lambda: search(embedded, reader, embedder, match_unknown=trust.comparable),
        vector_weight=trust.weight,
    )
    searched = hits.question(embedded, trust=trust.share)
    covers = _find_covers(parsed, embedded, hits, reader, tracer)
    gathered = tracer.step(
        "walk", lambda: gather_pool(searched, hits, reader, settings.depth, covers.chunk_ids), depth=settings.depth
    )
    ranked, order = _rank(
        parsed,
        searched,
        hits,
        covers,
        gathered,
        path_filter,
        trust,
        budget,
        embedder.fingerprint,
        reader,
        settings,
        tracer,
    )
    choice = choose_reranker(
        parsed,
        ranked,
        hits,
        reranker,
        rerank=settings.rerank,
        blend=settings.blend,
        profile_is_set=bool(settings.profile),
    )
    chosen = _choose_evidence(parsed.text, searched, order, ranked, hits, min_cosine, choice, reader, settings, tracer)
    evidence = _with_dependencies(chosen.evidence, embedded.vector, reader, settings, tracer)
    scorer = reranker if settings.rerank is not False else None
    evidence = _with_summaries(
        evidence, chosen.paths, covers, ranked.scores, parsed.profile, embedded, budget, reader, scorer, tracer
    )
    paths = _beside_summaries(chosen.paths, covers, parsed.profile)
    limited = settings.sources or settings.where  # no names are compared then
    remark = "" if limited else hits.comparison_remark(embedded, parsed.language, has_period=parsed.has_period)
    return _retrieved(prepared, evidence, tracer, paths, hits.nowhere, remark)


def _evidence_budget(profile: Profile, graph: AskGraph, settings: AskSettings) -> EvidenceBudget:
    """The tokens of the evidence, and the shares of summaries: the request's, else the workspace's, else the
    profile's."""
    of_workspace = graph.workspace.settings.get("shares", {}).get(profile, {})
    return EvidenceBudget(
        tokens=settings.budget_tokens or BUDGET, shares=shares_of(profile, of_workspace, settings.shares)
    )


def _retrieved(
    prepared: PreparedQuestion,
    evidence: Sequence[Evidence],
    tracer: Tracer,
    paths: Sequence[Path] = (),
    nowhere: tuple[str, ...] = (),
    remark: str = "",
) -> Retrieved:
    return Retrieved(
        question=prepared.parsed.text,
        language=prepared.parsed.language,
        evidence=tuple(evidence),
        paths=tuple(paths),
        trace=tracer.trace(),
        nowhere=nowhere,
        remark=" ".join(filter(None, (prepared.remark, remark))),
        period=prepared.of_period.period if prepared.of_period else None,
    )


# --------------------------------------------------------------------------------------------------------------------
# The steps, in their order


def _search_plainly(
    embedded: EmbeddedQuestion,
    trust: VectorWeights,
    min_cosine: MinCosine,
    reader: GraphReader,
    settings: AskSettings,
    tracer: Tracer,
) -> Sequence[Evidence]:
    def work() -> PlainResult:
        return plain_search(
            embedded,
            reader,
            settings.method,
            keep=settings.keep,
            vector_weight=trust.weight,
            min_cosine=min_cosine,
            kinds=settings.kinds,
        )

    return tracer.step("search", work, method=settings.method, vector_weight=trust.weight).evidence


def _find_covers(
    parsed: ParsedQuestion, embedded: EmbeddedQuestion, hits: SearchHits, reader: GraphReader, tracer: Tracer
) -> SummaryScope:
    """The chunks that summaries point to; empty without summaries."""
    if not embedded.workspace.summarized:
        return SummaryScope()
    entities = [entity.entity_id for entity in hits.linked]
    return tracer.step(
        "levels", lambda: find_summary_scope(parsed.profile, embedded.vector, entities, parsed.period, reader)
    )


def _rank(
    parsed: ParsedQuestion,
    searched: Question,
    hits: SearchHits,
    covers: SummaryScope,
    gathered: WalkedPool,
    path_filter: PathFilter,
    trust: VectorWeights,
    budget: EvidenceBudget,
    fingerprint: str,
    reader: GraphReader,
    settings: AskSettings,
    tracer: Tracer,
) -> tuple[Ranked, ChunkOrder]:
    """The scores and paths, then the order that the profile asks for."""

    def work() -> Ranking:
        ranked = rank_pool(
            gathered,
            searched,
            fuse_vectors_and_words(hits.vectors, rank_by_words(hits.words[:MAX_SEARCH_RESULTS]), trust.weight),
            fingerprint,
            reader,
            path_filter=path_filter,
            comparable=trust.comparable,
            depth=settings.depth,
            limit=settings.shown_paths,
            without_own=settings.without_own,
        )
        linked = [entity.entity_id for entity in hits.linked]
        quotations = budget.limits.quotations
        order = order_chunks(parsed, ranked, linked, covers, reader, keep=settings.keep, quotations=quotations)
        return Ranking(ranked=ranked, order=order)

    ranking = tracer.step("rank", work, profile=parsed.profile)
    return ranking.ranked, ranking.order


def _choose_evidence(
    original_question: str,
    searched: Question,
    order: ChunkOrder,
    ranked: Ranked,
    hits: SearchHits,
    min_cosine: MinCosine,
    choice: RerankerChoice,
    reader: GraphReader,
    settings: AskSettings,
    tracer: Tracer,
) -> ChosenEvidence:
    def work() -> ChosenEvidence:
        return choose_evidence(
            original_question,
            searched,
            order.ids,
            ranked,
            hits,
            reader,
            choice.scorer,
            keep=order.keep,
            shown_paths=settings.shown_paths,
            min_cosine=min_cosine,
            kinds=settings.kinds,
            blend_by=settings.blend,
            cancelled=tracer.cancelled,
        )

    return tracer.step("rerank", work, reranker=str(choice))


def _with_dependencies(
    evidence: Sequence[Evidence], vector: Vector, reader: GraphReader, settings: AskSettings, tracer: Tracer
) -> list[Evidence]:
    """The evidence and, if `expand_dependencies` is set, the source code that it calls."""
    if not settings.expand_dependencies:
        return list(evidence)
    return [*evidence, *tracer.step("dependencies", lambda: dependencies(evidence, vector, reader)).evidence]


def _with_summaries(
    evidence: list[Evidence],
    paths: Sequence[Path],
    covers: SummaryScope,
    scores: Mapping[str, float],
    profile: Profile,
    embedded: EmbeddedQuestion,
    budget: EvidenceBudget,
    reader: GraphReader,
    reranker: Scorer | None,
    tracer: Tracer,
) -> list[Evidence]:
    """The evidence with summaries, where there are any."""
    if not covers.hits:
        return evidence

    def work() -> Levels:
        return find_levels(
            profile,
            embedded,
            evidence,
            covers,
            scores,
            reader,
            reranker,
            budget=budget,
            cancelled=tracer.cancelled,
        )

    levels = tracer.step("summaries", work, shares=budget.shares, budget_tokens=budget.tokens).evidence
    if profile == "detail":
        return [*evidence, *levels]
    if profile != "synthesis":
        return [*levels, *evidence]
    return [*levels, *quotations(evidence, paths, embedded.vector, reader)]


def _beside_summaries(paths: Sequence[Path], covers: SummaryScope, profile: Profile) -> list[Path]:
    """The paths that are shown. Summaries answer a question about a whole text: beside them only a path that likely
    answers by itself is shown."""
    if profile != "synthesis" or not covers.hits:
        return list(paths)
    return [path for path in paths if path.score >= BESIDE_SUMMARIES]

"""Search, top to bottom: embed -> [vector | keyword | facts | link] -> levels -> walk -> rank -> rerank ->
summaries. `levels` and `summaries` only where documents are summarized. `answer.py` goes on.

Every step leaves its inputs, outputs, scores and milliseconds in the Trace. The same question on the same graph gives
the same evidence.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.ask.evidence.build import (
    COPIES,
    above_min_score,
    build_evidence,
    cosines,
    mark_kept_by_graph,
    quotations,
    summary,
    without_copies,
)
from filigraph.graph.ask.evidence.code import dependencies, of_kinds, only_kinds
from filigraph.graph.ask.evidence.plain_search import by_words, plain_search, top
from filigraph.graph.ask.explore.fusion import hybrid
from filigraph.graph.ask.explore.pool import Pool, Walked
from filigraph.graph.ask.explore.search import SEARCHED, Found, gather, search
from filigraph.graph.ask.generation.compose import within_budget
from filigraph.graph.ask.generation.disagreements import disagreements
from filigraph.graph.ask.levels.context_budget import limits_for
from filigraph.graph.ask.levels.find import find_levels
from filigraph.graph.ask.levels.summary_retrieval import SummaryScope, find_covers
from filigraph.graph.ask.ranking.blend import blend
from filigraph.graph.ask.ranking.order import (
    RECENT_OF,
    SPREAD_OVER,
    diversified,
    newest_first,
    newest_of_period,
    timely_first,
)
from filigraph.graph.ask.ranking.rank import Ranked, rank_pool
from filigraph.graph.ask.ranking.rerank import RERANKED, Scorer, rerank
from filigraph.graph.ask.reader import AskGraph
from filigraph.graph.ask.run import AskSettings, Run, prepare_run
from filigraph.graph.ask.tracer import Tracer, tracer_after
from filigraph.graph.errors import NotSetUp
from filigraph.graph.model.retrieval import Evidence, Path, Profile, Question, Retrieved
from filigraph.graph.model.traces import TraceStep
from filigraph.graph.models.embed import Embedder
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.question_words import is_factoid, needs_reasoning

MENTIONS = 50  # passages shown when a question asks for every mention
BESIDE_SUMMARIES = 0.15  # the probability from which on a path stands beside summaries of a whole text
FOREIGN = 0.1  # trust in the vectors of a language that the embedder does not know


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
    found = find_evidence(
        question,
        graph=graph,
        embedder=embedder,
        reranker=reranker,
        settings=settings,
        cancelled=cancelled,
        trace_id=trace_id,
    )
    return cut_to_budget(found, settings, cancelled)


def cut_to_budget(found: Retrieved, settings: AskSettings, cancelled: ShouldStop) -> Retrieved:
    """What of `found` fits into the tokens that `settings` give; all of it where they give none."""
    if settings.budget_tokens is None:
        return found
    tracer = tracer_after(found.trace, cancelled)
    with tracer.step("compose", budget_tokens=settings.budget_tokens) as out:
        found, composed = within_budget(found, budget_tokens=settings.budget_tokens)
        out.update(tokens=composed.tokens, cited=[e.id for e in composed.cited], left_out=list(composed.left_out))
    return dataclasses.replace(found, trace=tracer.trace())


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
    return _retrieve(prepare_run(question, graph, embedder, reranker, settings, tracer))


def _retrieve(run: Run) -> Retrieved:
    if run.settings.method != "filigraph":
        return _to_retrieved(run, _with_dependencies(_search_plainly(run), run), (), ())
    found, question = _search(run)
    covers = _find_covers(found, run)
    pool, walked = _walk(question, found, covers, run)
    with run.tracer.step("rank", profile=run.profile) as out:
        ranked = _rank(pool, walked, question, found, run, out)
        order = _order(covers, ranked, found, run, out)
    reranker, why_not = _reranker(run.profile, ranked, found, run)
    with run.tracer.step("rerank", reranker=reranker.name if reranker else f"none: {why_not}") as out:
        evidence, paths = _build_evidence(ranked, order, found, question, reranker, run, out)
    evidence = _with_dependencies(evidence, run)
    shown = _beside_summaries(paths, covers, run)
    return _to_retrieved(run, _add_summaries(evidence, paths, covers, ranked, run), shown, found.nowhere)


def _beside_summaries(paths: Sequence[Path], covers: SummaryScope, run: Run) -> list[Path]:
    """The paths that are shown. Summaries answer a question about a whole text: beside them stands only a path that
    likely answers by itself."""
    if run.profile != "synthesis" or not covers.hits:
        return list(paths)
    return [path for path in paths if path.score >= BESIDE_SUMMARIES]


def _with_dependencies(evidence: Sequence[Evidence], run: Run) -> list[Evidence]:
    """The evidence and, if `expand_dependencies` is set, the source code that it calls."""
    if not run.settings.expand_dependencies:
        return list(evidence)
    with run.tracer.step("dependencies") as out:
        found = dependencies(evidence, run.embedded.vector, run.reader)
        out.update(added=[item.id for item in found])
    return [*evidence, *found]


def _to_retrieved(run: Run, evidence: Sequence[Evidence], paths: Sequence[Path], nowhere: tuple[str, ...]) -> Retrieved:
    return Retrieved(
        question=run.text,
        language=run.language,
        evidence=tuple(evidence),
        paths=tuple(paths),
        trace=run.tracer.trace(),
        nowhere=nowhere,
        remark=run.remark,
    )


# --------------------------------------------------------------------------------------------------------------------
# Search


def _search_plainly(run: Run) -> Sequence[Evidence]:
    method, weight, keep = run.settings.method, run.vector_weight, run.settings.keep
    with run.tracer.step("search", method=method, vector_weight=weight) as out:
        min_cosine = _min_cosine(run, out)
        return plain_search(
            run.embedded,
            run.reader,
            method,
            keep=keep,
            vector_weight=weight,
            least=min_cosine,
            kinds=run.settings.kinds,
            out=out,
        )


def _search(run: Run) -> tuple[Found, Question]:
    with run.tracer.step("search", vector_weight=run.vector_weight) as out:
        found = search(run.embedded, run.reader, run.embedder, match_unknown=run.comparable)
        out.update(found.summary())
    return found, found.question(run.embedded, trust=1.0 if run.comparable else FOREIGN)


def _find_covers(found: Found, run: Run) -> SummaryScope:
    """The chunks that summaries point to; empty without summaries."""
    if not run.embedded.workspace.summarized:
        return SummaryScope()
    with run.tracer.step("levels") as out:
        entities = [entity.entity_id for entity in found.linked]
        return find_covers(run.profile, run.embedded.vector, entities, run.period, run.reader, out=out)


def _walk(question: Question, found: Found, covers: SummaryScope, run: Run) -> tuple[Pool | None, Walked | None]:
    with run.tracer.step("walk", depth=run.settings.depth) as out:
        pool, walked = gather(question, found, run.reader, run.settings.depth, covers.chunk_ids)
        out.update(pool=len(pool.chunks) if pool else 0, reached=len(walked.trails) if walked else 0)
    return pool, walked


# --------------------------------------------------------------------------------------------------------------------
# Rank


def _rank(
    pool: Pool | None, walked: Walked | None, question: Question, found: Found, run: Run, out: dict[str, Any]
) -> Ranked:
    path_filter = run.path_filter
    ranked = rank_pool(
        pool,
        walked,
        question,
        hybrid(found.vectors, by_words(found.words[:SEARCHED]), run.vector_weight),
        run.embedder.fingerprint,
        run.reader,
        path_filter=path_filter,
        comparable=run.comparable,
        depth=run.settings.depth,
        limit=run.settings.shown_paths,
        without_own=run.settings.without_own,
    )
    out.update(by=ranked.by, chains=ranked.chain_count, best=top(ranked.scores, 10))
    if path_filter:
        out.update(only={"entity_types": sorted(path_filter.types), "path_types": sorted(path_filter.predicates)})
    return ranked


# --------------------------------------------------------------------------------------------------------------------
# Order


@dataclass(frozen=True)
class _Order:
    """Chunk ids in the order in which they are shown, and how many are kept."""

    ids: Sequence[str]
    keep: int


def _order(covers: SummaryScope, ranked: Ranked, found: Found, run: Run, out: dict[str, Any]) -> _Order:
    """The order that the profile asks for, of at least `settings.keep` chunks."""
    scores, reader, keep = ranked.scores, run.reader, run.settings.keep
    if run.profile == "entity" and found.linked:
        mentions, count = reader.mentioning([entity.entity_id for entity in found.linked], MENTIONS)
        named = {entity.entity_id for entity in found.linked}
        differing = disagreements(named, ranked.pool) if ranked.pool else []
        out.update(mentioned_in=count, disagreements=[one.text for one in differing])
        first = [id_ for one in differing for id_ in one.chunk_ids]
        ids = list(dict.fromkeys([*first, *mentions, *scores]))
        return _Order(ids, max(keep, len({*first, *mentions})))
    if run.profile == "synthesis" and ranked.pool:
        covered = {id_: score for id_, score in scores.items() if id_ in covers.chunk_ids} or scores
        spread = diversified(covered, ranked.pool, reader.passages(list(covered)[:SPREAD_OVER]))
        return _Order(spread, limits_for(run.budget).quotations if covers.hits else keep)
    if run.profile == "recent" and run.period:
        about = ranked.pool.chunks_with({entity.entity_id for entity in found.linked}) if ranked.pool else ()
        best = reader.passages(list(scores)[:RECENT_OF])
        return _Order(newest_of_period(scores, best, run.period, about), keep)
    if run.profile == "recent":
        return _Order(newest_first(scores, reader.passages(list(scores)[:RECENT_OF])), keep)
    if run.profile == "detail" and (told := run.period or run.day):
        timely, count = timely_first(scores, reader.passages(list(scores)[:RECENT_OF]), told)
        out.update(period=str(told), of_period=count)
        return _Order(timely, keep)
    return _Order(list(scores), keep)


def _reranker(profile: Profile, ranked: Ranked, found: Found, run: Run) -> tuple[Scorer | None, str]:
    """The reranker if the question goes to it, else why not."""
    settings = run.settings
    if settings.blend and run.reranker is None:
        raise NotSetUp(
            "blend weighs what a cross-encoder says, and none is loaded.",
            cure="Set FILIGRAPH_RERANKER to a cross-encoder's folder, or ask without blend.",
        )
    if settings.blend:
        return run.reranker, ""
    if settings.rerank is False:
        return None, "not wanted"
    if run.reranker is None:
        return None, "no reranker is loaded: the graph's ranking is final"
    ordered = bool(settings.profile) or profile == "synthesis" or not needs_reasoning(run.text)
    if settings.rerank is None and profile != "detail" and ordered:
        return None, f"the order is that of the profile {profile!r}"
    single_fact = found.about_one and ranked.is_single_fact_about(found.linked[0].entity_id)
    if settings.rerank is None and single_fact and is_factoid(run.text):
        return None, "a plain look-up: one fact about the one thing that it names"
    return run.reranker, ""


# --------------------------------------------------------------------------------------------------------------------
# Levels


def _add_summaries(
    evidence: Sequence[Evidence], paths: Sequence[Path], covers: SummaryScope, ranked: Ranked, run: Run
) -> list[Evidence]:
    """The evidence with summaries, where there are any."""
    if not covers.hits:
        return list(evidence)
    with run.tracer.step("summaries", shares=run.shares, budget_tokens=run.budget) as out:
        scorer = run.reranker if run.settings.rerank is not False else None
        levels = find_levels(
            run.profile,
            run.embedded,
            evidence,
            covers,
            ranked.scores,
            run.reader,
            scorer,
            shares=run.shares,
            budget=run.budget,
            out=out,
            cancelled=run.tracer.cancelled,
        )
    if run.profile == "detail":
        return [*evidence, *levels]
    if run.profile != "synthesis":
        return [*levels, *evidence]
    return [*levels, *quotations(evidence, paths, run.embedded.vector, run.reader)]


# --------------------------------------------------------------------------------------------------------------------
# Evidence


def _build_evidence(
    ranked: Ranked,
    order: _Order,
    found: Found,
    question: Question,
    reranker: Scorer | None,
    run: Run,
    out: dict[str, Any],
) -> tuple[list[Evidence], list[Path]]:
    """The evidence as it is shown, reranked where there is a reranker, and the paths in words."""
    path_chunks = ranked.path_chunk_ids()
    cosine = cosines([*order.ids, *path_chunks], ranked, found, run.embedded.vector, run.reader)
    min_cosine = _min_cosine(run, out)
    candidate_ids = of_kinds(
        above_min_score(order.ids, cosine, path_chunks, min_cosine), run.settings.kinds, run.reader
    )
    blend_settings = run.settings.blend if reranker else None
    candidates = blend_settings.candidates if blend_settings else RERANKED if reranker else 0
    looked_at = COPIES * max(candidates, order.keep)
    candidate_ids, copies = without_copies(candidate_ids, path_chunks, run.reader, looked_at)
    evidence, neighbours, paths = build_evidence(
        ranked,
        candidate_ids,
        cosine,
        found,
        question,
        run.reader,
        order.keep,
        copies=copies,
        candidates=candidates,
        neighboured=candidates if blend_settings else order.keep if reranker else 0,
    )
    evidence, neighbours = only_kinds(evidence, neighbours, run.settings.kinds)
    if reranker and blend_settings:
        out.update(blend=dataclasses.asdict(blend_settings))
        kept = blend(
            run.text,
            evidence,
            reranker,
            blend_settings,
            keep=order.keep,
            neighbours=neighbours,
            cancelled=run.tracer.cancelled,
        )
        out.update(summary(kept, paths))
        return kept, paths
    kept = rerank(
        run.text,
        evidence,
        paths,
        reranker,
        keep=order.keep,
        reserved_paths=run.settings.shown_paths,
        neighbours=neighbours,
        cancelled=run.tracer.cancelled,
    )
    kept = mark_kept_by_graph(kept, min_cosine)
    out.update(summary(kept, paths))
    return kept, paths


def _min_cosine(run: Run, out: dict[str, Any]) -> float:
    """Minimum cosine of a passage; -1 (no limit) where none is set or the embedder does not know the language."""
    least = run.settings.min_score
    if least is None:
        return -1.0
    why_not = "not applied: the embedder does not know the language, so its cosines say nothing"
    out.update(min_score=least if run.comparable else why_not)
    return least if run.comparable else -1.0

"""Evaluate the retrieval of all methods on the same questions with known answers, without an LLM.

    evaluate(questions, graph=..., embedder=...) -> Evaluation        shares 0..1, milliseconds per retrieval

The ranking is that of the chunks in the evidence as returned to users, including chunks that are force-kept for a path.
Recall, precision, R-precision and reciprocal rank are computed by ir-measures (trec_eval).
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import ir_measures
import numpy as np
from ir_measures import RR, P, R, Rprec

from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import AskGraph
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.errors import InputError
from filigraph.graph.ingest.report import Progress
from filigraph.graph.measure.gold import MAX_PROBLEMS, Gold, GoldQuestion, GoldReader, QuestionsFile, find_gold
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Method, Path, Retrieved
from filigraph.graph.models.embed import Embedder
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.records.workspaces import GraphStats
from filigraph.graph.text.language import detect
from filigraph.graph.text.words import terms

METHODS: tuple[Method, ...] = ("bm25", "dense", "hybrid", "filigraph")
EVIDENCE_CHUNKS = 10  # chunks of evidence per question
WARM_UP_QUESTIONS = 3  # questions that each method answers before times are measured
FIRST_PATHS = (1, 3)
MEASURES = {
    **{f"recall@{k}": R @ k for k in (2, 5, 10)},
    **{f"precision@{k}": P @ k for k in (2, 5, 10)},
    "r_precision": Rprec,
    "mrr": RR,
}
TARGETS = {"recall@5": 0.8, "precision@5": 0.6, "mrr": 0.7}  # exclusive minimum
TARGET_MS = 100.0  # exclusive maximum of the mean
COMPARISONS = frozenset({"comparison", "bridge_comparison"})
MIN_ANSWER_TERM_SHARE = 0.5  # min. share of the terms of an answer in a path that states it
MAX_IGNORED_TERM_LETTERS = 3  # max. letters of a term that is ignored
UNTYPED = "untyped"

BOOTSTRAP_SAMPLES = 10_000  # bootstrap samples
Figures = Mapping[str, float]  # MEASURES, all_gold@5, mean_ms, p50_ms, p95_ms


class EvaluationGraph(AskGraph, GoldReader, Protocol):
    """Store of a workspace for evaluations."""

    def stats(self) -> GraphStats: ...


@dataclass(frozen=True, kw_only=True)
class TypeFigures:
    questions: int
    methods: Mapping[str, Figures]


@dataclass(frozen=True, kw_only=True)
class Gain:
    """Mean difference of two methods on the same questions, with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Results of one run. Shares are 0..1."""

    workspace: str
    embedder: str  # its name
    reranker: str  # "" without one
    question_set: str  # hash of the questions; runs with the same hash are comparable
    passages: int  # documents; in an evaluated folder one per passage
    chunks: int
    entities: int
    facts: int
    questions: int  # evaluated
    skipped: int  # not evaluated because of a problem
    problems: tuple[str, ...]
    methods: Mapping[str, Figures]  # "hybrid 0.7": hybrid search with this weight of vectors
    by_type: Mapping[str, TypeFigures]
    targets: Mapping[str, Mapping[str, bool]]  # method -> measure -> reached
    highest_precision: float  # upper bound of precision@5: most questions have less than five pieces of gold
    path_coverage: Mapping[int, Mapping[str, float | None]]  # n -> bridge, comparison -> share; None: no questions
    answer_said: Mapping[int, float | None]  # n -> share of the answers that the first n paths state; None: no answers
    fact_connected: float | None  # share of the shown paths with facts as hops only; None: no paths
    gains: Mapping[str, Gain]  # recall@5 of filigraph minus that of each other method; {} if filigraph was not run
    without_path: float | None  # share of questions without a path; None: filigraph was not run
    unanswerable: int  # questions without an answer in the texts; not in the figures above
    refused: float | None  # share of these without a path; None: no such questions, or filigraph was not run


@dataclass(kw_only=True)
class _Asked:
    """Results of one method by question id."""

    ranking: dict[str, list[str]] = field(default_factory=dict)
    milliseconds: dict[str, float] = field(default_factory=dict)
    paths: dict[str, tuple[Path, ...]] = field(default_factory=dict)


def evaluate(
    file: QuestionsFile,
    *,
    graph: EvaluationGraph,
    embedder: Embedder,
    reranker: Scorer | None = None,
    methods: Sequence[Method] = METHODS,
    weights: Sequence[float] = (),
    limit: int | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> Evaluation:
    """Run all questions of `file`, or the first `limit`, sequentially with each method, and with hybrid search for each
    of `weights` (of vectors).

    A question whose gold is not in the workspace is skipped and reported. Raises InputError if no question is left,
    Cancelled if `cancelled` returns true.
    """

    def reading(done: int, total: int) -> None:
        stop_if(cancelled)
        progress(Progress(stage="gold", done=done, total=total))

    gold, missing = find_gold(file.questions[:limit], graph, progress=reading)
    stored = [question for question in file.questions[:limit] if question.id in gold]
    questions = [question for question in stored if question.gold]
    without_answer = [question for question in stored if not question.gold]
    problems = [*file.problems, *missing]
    if not questions:
        raise InputError(
            f"No question can be asked ({problems[0]}).",
            cure="Gold must name documents or chunks of this workspace, or quote it word for word.",
        )
    results: dict[str, _Asked] = {}
    ways: dict[str, AskSettings] = {method: AskSettings(method=method, keep=EVIDENCE_CHUNKS) for method in methods}
    ways |= {f"hybrid {w:g}": AskSettings(method="hybrid", vector_weight=w, keep=EVIDENCE_CHUNKS) for w in weights}
    for method, settings in ways.items():
        result = results[method] = _Asked()
        for done, question in enumerate(
            [*questions[:WARM_UP_QUESTIONS], *questions], start=1 - min(WARM_UP_QUESTIONS, len(questions))
        ):
            stop_if(cancelled)
            begin = time.perf_counter()
            answer = retrieve(question.text, graph=graph, embedder=embedder, reranker=reranker, settings=settings)
            result.milliseconds[question.id] = (time.perf_counter() - begin) * 1000
            result.ranking[question.id] = ranking(answer, gold[question.id])
            result.paths[question.id] = answer.paths
            progress(Progress(stage=method, done=max(done, 0), total=len(questions)))
    refused: list[bool] = []
    for question in without_answer if "filigraph" in methods else []:
        stop_if(cancelled)
        answer = retrieve(question.text, graph=graph, embedder=embedder, reranker=reranker, settings=ways["filigraph"])
        refused.append(not answer.paths)
    stats = graph.stats()
    walked = results["filigraph"].paths if "filigraph" in results else {}
    of_type: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        of_type[question.type or UNTYPED].append(question.id)
    figures = _figures(results, gold, [question.id for question in questions])
    return Evaluation(
        workspace=graph.workspace.name,
        embedder=embedder.name,
        reranker=reranker.name if reranker else "",
        question_set=_digest(questions),
        passages=stats.documents,
        chunks=stats.chunks,
        entities=stats.entities,
        facts=stats.facts,
        questions=len(questions),
        skipped=len(problems),
        problems=_shortened(problems),
        methods=figures,
        targets={method: reached_targets(own) for method, own in figures.items()},
        highest_precision=rounded_mean([min(len(gold[question.id].pieces), 5) / 5 for question in questions]),
        by_type={
            kind: TypeFigures(questions=len(ids), methods=_figures(results, gold, ids))
            for kind, ids in sorted(of_type.items())
        },
        path_coverage={n: path_coverage(questions, gold, walked, n) for n in FIRST_PATHS},
        answer_said={n: answer_said(questions, walked, n) for n in FIRST_PATHS},
        fact_connected=fact_connected(walked.values()),
        gains=_gains(results, gold),
        without_path=rounded_mean([not paths for paths in walked.values()]) if walked else None,
        unanswerable=len(without_answer),
        refused=rounded_mean(refused) if refused else None,
    )


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as stored and sent: `path_coverage` and `answer_said` become a key per n, `path_coverage@1`."""
    keyed = ("path_coverage", "answer_said", "by_type")
    flat = {name: value for name, value in vars(evaluation).items() if name not in keyed}
    return {
        **flat,
        "problems": list(evaluation.problems),
        "targets": {method: dict(own) for method, own in evaluation.targets.items()},
        "by_type": {kind: dict(vars(figures)) for kind, figures in evaluation.by_type.items()},
        "gains": {method: dict(vars(gain)) for method, gain in evaluation.gains.items()},
        **{f"path_coverage@{n}": shares for n, shares in evaluation.path_coverage.items()},
        **{f"answer_said@{n}": figure for n, figure in evaluation.answer_said.items()},
    }


# --------------------------------------------------------------------------------------------------------------------
# Figures


def ranking(retrieved: Retrieved, gold: Gold) -> list[str]:
    """The ranking without duplicates, best first: `gold 0`, `gold 1`, ..., and the ids of other chunks or documents.

    A gold document has the rank of its first chunk.
    """
    chunks = [evidence for evidence in retrieved.evidence if evidence.kind == "chunk"][:EVIDENCE_CHUNKS]
    pieces = {id_: f"gold {n}" for n, piece in enumerate(gold.pieces) for id_ in piece}
    named = [pieces.get(chunk.id) or (chunk.document_id if gold.by_document else chunk.id) for chunk in chunks]
    return list(dict.fromkeys(named))


def _figures(results: Mapping[str, _Asked], gold: Mapping[str, Gold], ids: Sequence[str]) -> dict[str, Figures]:
    """Method -> its figures on the questions `ids`."""
    return {
        method: {
            **mean_measures({id_: result.ranking[id_] for id_ in ids}, {id_: len(gold[id_].pieces) for id_ in ids}),
            **_times([result.milliseconds[id_] for id_ in ids]),
        }
        for method, result in results.items()
    }


def mean_measures(rankings: Mapping[str, Sequence[str]], pieces: Mapping[str, int]) -> dict[str, float]:
    """The mean of each measure over questions. `rankings`: id -> ranking; `pieces`: id -> number of pieces of gold."""
    qrels = {id_: {f"gold {n}": 1 for n in range(count)} for id_, count in pieces.items()}
    run = {id_: {name: -float(rank) for rank, name in enumerate(names)} for id_, names in rankings.items()}
    values: dict[str, list[float]] = defaultdict(list)
    for value in ir_measures.iter_calc(list(MEASURES.values()), qrels, run):
        values[str(value.measure)].append(value.value)
    means = {name: rounded_mean(values[str(measure)]) for name, measure in MEASURES.items()}
    return {**means, "all_gold@5": rounded_mean([recall == 1.0 for recall in values[str(R @ 5)]])}


def reached_targets(figures: Figures) -> dict[str, bool]:
    """Target -> whether a method reaches it."""
    return {name: figures[name] > least for name, least in TARGETS.items()} | {
        "mean_ms": figures["mean_ms"] < TARGET_MS
    }


def _gains(results: Mapping[str, _Asked], gold: Mapping[str, Gold]) -> dict[str, Gain]:
    if "filigraph" not in results:
        return {}
    recalls = {
        method: np.array([recall_at_5(result.ranking[id_], gold[id_]) for id_ in sorted(result.ranking)])
        for method, result in results.items()
        if method in METHODS
    }
    return {method: gain(recalls["filigraph"] - own) for method, own in recalls.items() if method != "filigraph"}


def recall_at_5(names: Sequence[str], gold: Gold) -> float:
    return sum(name.startswith("gold ") for name in names[:5]) / len(gold.pieces)


def gain(differences: Floats) -> Gain:
    """Mean of the differences per question, with a 95 % percentile interval of the paired bootstrap (Efron 1979)."""
    random = np.random.default_rng(7)  # reproducible intervals
    samples = differences[random.integers(0, len(differences), (BOOTSTRAP_SAMPLES, len(differences)))].mean(axis=1)
    low, high = np.percentile(samples, [2.5, 97.5])
    return Gain(mean=rounded_mean(differences), low=round(float(low), 4), high=round(float(high), 4))


def rounded_mean(values: Sequence[float] | Floats) -> float:
    """Mean, rounded to 4 decimals."""
    return round(float(np.mean(values)), 4)


def _times(milliseconds: Sequence[float]) -> dict[str, float]:
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {
        "mean_ms": round(float(np.mean(milliseconds)), 1),
        "p50_ms": round(float(p50), 1),
        "p95_ms": round(float(p95), 1),
    }


def path_coverage(
    questions: Sequence[GoldQuestion], gold: Mapping[str, Gold], paths: Mapping[str, Sequence[Path]], first: int
) -> dict[str, float | None]:
    """The share of questions whose gold is in the chunks of their first paths, for comparisons and bridges.

    A bridge is any question with two or more pieces of gold that is not a comparison. Of a path with n hops, at most n
    + 1 chunks count.
    """
    covered: dict[str, list[float]] = {"bridge": [], "comparison": []}
    for question in questions:
        if question.id not in paths:
            continue
        chunks = [id_ for path in paths[question.id][:first] for id_ in path.chunk_ids[: len(path.hops) + 1]]
        if question.type in COMPARISONS:
            covered["comparison"].append(gold[question.id].in_chunks(chunks))
        elif len(gold[question.id].pieces) > 1:
            covered["bridge"].append(gold[question.id].in_chunks(chunks))
    return {kind: rounded_mean(values) if values else None for kind, values in covered.items()}


def answer_said(questions: Sequence[GoldQuestion], paths: Mapping[str, Sequence[Path]], first: int) -> float | None:
    """The share of questions with a known answer that one of their first paths states; None without such questions."""
    values = [
        says_answer(question, paths[question.id][:first])
        for question in questions
        if question.answer and question.id in paths
    ]
    return rounded_mean(values) if values else None


def says_answer(question: GoldQuestion, paths: Sequence[Path]) -> bool:
    """Whether a path contains the share MIN_ANSWER_TERM_SHARE of the answer's terms, without those of the question."""
    language = detect(f"{question.text} {question.answer}")
    question_words, wanted = _content_terms(question.text, language), _content_terms(question.answer, language)
    wanted = wanted - question_words or wanted  # "Which was earlier, A or B?": "A"
    path_words = [
        _content_terms("; ".join(f"{h.subject} {h.predicate} {h.object}" for h in p.hops), language) for p in paths
    ]
    return bool(wanted) and any(len(wanted & own) >= MIN_ANSWER_TERM_SHARE * len(wanted) for own in path_words)


def _content_terms(text: str, language: str) -> set[str]:
    """The terms of a text without short ASCII words (MAX_IGNORED_TERM_LETTERS); numbers count."""
    return {
        term
        for term in terms(text, language)
        if len(term) > MAX_IGNORED_TERM_LETTERS or term.isdecimal() or not term.isascii()
    }


def fact_connected(shown: Iterable[Sequence[Path]]) -> float | None:
    """The share of paths whose hops are all facts; None without paths."""
    values = [all(hop.kind == "fact" for hop in path.hops) for paths in shown for path in paths]
    return rounded_mean(values) if values else None


# --------------------------------------------------------------------------------------------------------------------
# Helpers


def _digest(questions: Sequence[GoldQuestion]) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for question in questions:
        digest.update(repr((question.text, question.type, question.gold)).encode())
    return digest.hexdigest()


def _shortened(problems: Sequence[str]) -> tuple[str, ...]:
    more = [f"and {len(problems) - MAX_PROBLEMS} more"] if len(problems) > MAX_PROBLEMS else []
    return (*problems[:MAX_PROBLEMS], *more)

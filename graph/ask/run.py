"""Run: a question, checked and embedded, with all that the steps of its retrieval share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Literal

import numpy as np

from filigraph.graph.ask.explore.fusion import is_comparable, vector_weight
from filigraph.graph.ask.explore.search import EmbeddedQuestion, embed_question
from filigraph.graph.ask.levels.context_budget import BUDGETS, Group, shares_of
from filigraph.graph.ask.paths.path_filter import PathFilter, read_filter
from filigraph.graph.ask.question.documents import filtered_reader
from filigraph.graph.ask.question.profile import read_profile
from filigraph.graph.ask.question.spelling import Spelling, spelled
from filigraph.graph.ask.ranking.blend import Blend
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import AskGraph, GraphReader
from filigraph.graph.ask.tracer import Tracer
from filigraph.graph.errors import InputError
from filigraph.graph.model.retrieval import Method, Profile
from filigraph.graph.models.embed import Embedder
from filigraph.graph.records.entities import FoundEntity
from filigraph.graph.text.dates import days_of
from filigraph.graph.text.language import detect
from filigraph.graph.text.periods import Period, day_in, period_in
from filigraph.graph.text.wording import wording
from filigraph.graph.text.words import lucene_query, query_terms

LONGEST_QUESTION = 10_000  # words
BUDGET = BUDGETS["medium"]  # tokens of evidence in a prompt


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How to look for an answer. Every value is visible in the trace."""

    depth: Literal[2, 3, 4] = 4  # hops of the longest path
    keep: int = 10  # pieces of evidence for the answer; an LLM reads more at first where it is left at that
    shown_paths: int = 3  # paths that keep a reserved place, whatever a reranker says
    vector_weight: float | None = None  # in the fusion of vector and keyword search; None: by language and embedder
    budget_tokens: int | None = None  # of evidence; None: as much as a prompt holds, any number where none is made
    min_score: float | None = None  # cosine with the question below which a passage goes that is behind no path
    entity_types: tuple[str, ...] = ()  # of an end of each path that the question does not name; none: any
    path_types: tuple[str, ...] = ()  # predicates of which paths are made; none: any
    method: Method = "filigraph"  # the others are what the walk is measured against
    profile: Profile | None = None  # which evidence is shown, in which order; None: as the question's words tell
    rerank: bool | None = None  # by a cross-encoder; None: where one is there and the question is no plain look-up
    blend: Blend | None = None  # rerank by cosine and cross-encoder alone, whatever `rerank` says
    llm: bool = True  # where there is one, it answers
    rounds: int = 4  # how often an LLM may read, the last time to answer; 1: it cannot look for more
    total_tokens: int = 30_000  # of an LLM's prompts and replies; once it has spent them it must answer
    seconds: int = 300  # after which it must answer
    without_own: bool = False  # leave out facts that persons state
    compare: bool = False  # also answer from vector search alone
    sources: tuple[str, ...] = ()  # only these documents are asked, see `documents.py`; all where there are none
    kinds: tuple[str, ...] = ()  # of source code: function, method, class, type, module; none: all texts
    expand_dependencies: bool = False  # what source code among the evidence calls comes along
    where: Mapping[str, str] = field(default_factory=dict)  # only those whose metadata say so
    shares: Mapping[Group, float] = field(default_factory=dict)  # of the budget, over those of the profile
    today: str = ""  # the day "yesterday" counts from, an ISO date; "": the current day


@dataclass(frozen=True, kw_only=True)
class Run:
    """What every step of a retrieval works with."""

    text: str
    language: str
    profile: Profile
    period: Period | None  # that the question names
    day: Period | None  # where it names none: the day or month that it names
    remark: str  # which documents that leaves
    shares: Mapping[Group, float]  # of the budget, for the summaries
    budget: int  # tokens of evidence
    embedded: EmbeddedQuestion
    reader: GraphReader
    embedder: Embedder
    reranker: Scorer | None
    settings: AskSettings
    path_filter: PathFilter
    comparable: bool  # the embedder knows the question's language and one of the documents'
    vector_weight: float
    tracer: Tracer


def prepare_run(
    text: str,
    graph: AskGraph,
    embedder: Embedder,
    reranker: Scorer | None,
    settings: AskSettings,
    tracer: Tracer,
) -> Run:
    """A run with its question checked and embedded."""
    text = text.strip()
    if not text:
        raise InputError("The question is empty.", cure="Ask in a sentence.")
    if len(text.split()) > LONGEST_QUESTION or len(text) > 20 * LONGEST_QUESTION:
        raise InputError(f"The question is longer than {LONGEST_QUESTION:,} words.", cure="Ask a shorter question.")
    path_filter = _path_filter(graph, settings)
    language = detect(text)
    period = period_in(text, language, _today(settings))
    profile = settings.profile or read_profile(text, period)
    limit = None if profile == "detail" else period  # documents of any time may tell a detail: those of it come first
    reader, of_period = filtered_reader(graph, sources=settings.sources, where=settings.where, period=limit)
    with tracer.step("embed", language=language) as out:
        meant = spelled(text, *_word_searches(language, reader, embedder.dimensions))
        embedded = embed_question(meant.text, language, reader, embedder)
        if meant.taken:
            out.update(taken_as=dict(meant.taken))
        out.update(segments=embedded.segment_texts)
        if of_period:
            out.update(period=str(period), documents_of_period=of_period.inside, undated=of_period.undated)
    weight = settings.vector_weight
    return Run(
        text=text,
        language=language,
        profile=profile,
        period=period,
        day=None if period else day_in(text, language),
        remark=" ".join(filter(None, (*_taken(meant, language), of_period.remark(language) if of_period else ""))),
        shares=shares_of(profile, graph.workspace.settings.get("shares", {}).get(profile, {}), settings.shares),
        budget=settings.budget_tokens or BUDGET,
        embedded=embedded,
        reader=reader,
        embedder=embedder,
        reranker=reranker,
        settings=settings,
        path_filter=path_filter,
        comparable=is_comparable(language, embedded.workspace.languages, embedder),
        vector_weight=vector_weight(language, embedded.workspace.languages, embedder) if weight is None else weight,
        tracer=tracer,
    )


def _today(settings: AskSettings) -> date:
    if not settings.today:
        return datetime.now(UTC).date()
    days = days_of(settings.today)
    if not days or days[0] != days[1]:
        raise InputError(f"{settings.today[:40]!r} is no day.", cure="Write it like 1912-03-04.")
    return days[0]


def _word_searches(
    language: str, reader: GraphReader, dimensions: int
) -> tuple[Callable[[str], bool], Callable[[str, int], Sequence[FoundEntity]]]:
    """Whether a text has a word, and the entities with a name near to one."""
    languages = (language, *reader.overview().languages)
    anywhere = np.full(dimensions, dimensions**-0.5, dtype=np.float32)  # words are looked for, whatever their vectors

    def holds(word: str) -> bool:
        sought = lucene_query(query_terms(word, *languages))
        return not sought or bool(reader.search_words(sought, anywhere, 1))

    return holds, reader.names_near


def _taken(meant: Spelling, language: str) -> list[str]:
    return [wording(language).taken_as.format(word=word, name=name) for word, name in meant.taken.items()]


def _path_filter(graph: AskGraph, settings: AskSettings) -> PathFilter:
    """Which paths may be shown. Raises InputError for types that are nowhere, and where no paths are looked for."""
    named = {"entity_types": settings.entity_types, "path_types": settings.path_types}
    if settings.method != "filigraph" and any(named.values()):
        given = " and ".join(name for name, kinds in named.items() if kinds)
        cause = f"{given}: these are about paths, and the method {settings.method!r} has none."
        raise InputError(cause, cure="Leave them out, or ask by the method 'filigraph'.")
    return read_filter(settings.entity_types, settings.path_types, graph)

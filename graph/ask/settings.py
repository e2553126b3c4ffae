"""How a question is asked: what a request may set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from filigraph.graph.ask.levels.context_budget import BUDGETS, Group
from filigraph.graph.ask.ranking.cosine_blend import Blend
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Method, Profile

BUDGET = BUDGETS["medium"]  # tokens of evidence in a prompt


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How to look for an answer. Every value is visible in the trace."""

    depth: Literal[2, 3, 4] = 4  # hops of the longest path
    keep: int = 10  # pieces of evidence for the answer; at this default an LLM first reads more
    shown_paths: int = 3  # paths that keep a reserved place, whatever a reranker says
    vector_weight: float | None = None  # in the fusion of vector and keyword search; None: by language and embedder
    budget_tokens: int | None = None  # of evidence; None: as much as a prompt holds, or no limit without a prompt
    min_score: float | None = None  # least cosine with the question of a passage that is behind no path
    entity_types: tuple[str, ...] = ()  # of an end of each path that the question does not name; none: any
    path_types: tuple[str, ...] = ()  # predicates of the facts of paths; none: any
    method: Method = "filigraph"  # the others are baselines
    profile: Profile | None = None  # selects and orders the evidence; None: from the question's words
    rerank: bool | None = None  # by a cross-encoder; None: if there is one and the question is not a plain look-up
    blend: Blend | None = None  # rerank by cosine and cross-encoder alone, whatever `rerank` says
    llm: bool = True  # an LLM answers, if there is one
    rounds: int = 4  # how often an LLM may read, the last time to answer; 1: it cannot look for more
    total_tokens: int = 30_000  # of an LLM's prompts and replies; once it has spent them it must answer
    seconds: int = 300  # after which it must answer
    without_own: bool = False  # leave out facts that persons state
    compare: bool = False  # also answer from vector search alone
    sources: tuple[str, ...] = ()  # only these documents are searched, see `documents.py`; empty: all
    kinds: tuple[str, ...] = ()  # of source code: function, method, class, type, module; none: all texts
    expand_dependencies: bool = False  # add the definitions that source code in the evidence calls
    where: Mapping[str, str] = field(default_factory=dict)  # only documents with these metadata
    shares: Mapping[Group, float] = field(default_factory=dict)  # of the budget, in place of the profile's
    period: Period | None = None  # only documents of it; None: of the period that the question names
    today: str = ""  # the day "yesterday" counts from, an ISO date; "": the current day

"""Keyword arguments that are fields of the REST API; documented in `docs/reference.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from filigraph.graph.model.documents import CutPreset, CutUnit, Strategy
from filigraph.graph.model.retrieval import Method, Profile

Extractor = Literal["auto", "local", "llm"]
Budget = Literal["small", "medium", "large"]
Group = Literal["overview", "windows"]


class CutOptions(TypedDict, total=False):
    """Options of chunking: size and overlap in a unit, or a preset; `late` embeds chunks in their document."""

    strategy: Strategy
    size: int
    overlap: int
    unit: CutUnit
    preset: CutPreset
    late: bool


class BlendOptions(TypedDict, total=False):
    """How to rerank by cosine and cross-encoder alone."""

    ann_weight: float
    min_rerank: float
    min_ann: float
    candidates: int
    neighbours: bool


class ViewOptions(TypedDict, total=False):
    """Which part of the workspace is visible, as if nothing else had been read."""

    sources: Sequence[str]
    where: Mapping[str, str]
    without: Sequence[str]
    without_decisions: Sequence[str]
    without_facts: Sequence[str]
    until: Sequence[str]
    within: Sequence[str]
    as_of: str
    dated_by: str
    undated: Literal["in", "out"]


class AskedViewOptions(ViewOptions, total=False):
    """A view, or the name of one that the workspace keeps."""

    named: str


class SearchOptions(TypedDict, total=False):
    """Options of retrieval. The server chooses those that are omitted."""

    depth: Literal[2, 3, 4]
    keep: int
    method: Method
    profile: Profile
    today: str
    rerank: bool
    blend: BlendOptions
    vector_weight: float
    budget_tokens: int | Budget
    shares: Mapping[Group, float]
    min_score: float
    entity_types: Sequence[str]
    path_types: Sequence[str]
    kinds: Sequence[Literal["function", "method", "class", "type", "module"]]
    expand_dependencies: bool
    without_own: bool
    sources: Sequence[str]
    where: Mapping[str, str]
    view: AskedViewOptions


class AnswerOptions(SearchOptions, total=False):
    """Options of answers."""

    rounds: int
    total_tokens: int
    seconds: int
    llm: bool


class AskOptions(AnswerOptions, total=False):
    """Options of a single question."""

    compare: bool

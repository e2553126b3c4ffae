"""How a question may be asked: the fields of the REST API, as keyword arguments. `docs/reference.md` describes each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from filigraph.graph.model import CutPreset, CutUnit, Method, Profile, Strategy

Extractor = Literal["auto", "local", "llm"]
Budget = Literal["small", "medium", "large"]
Group = Literal["overview", "windows"]


class CutOptions(TypedDict, total=False):
    """How texts are cut: by size and overlap in a unit, or by a preset."""

    strategy: Strategy
    size: int
    overlap: int
    unit: CutUnit
    preset: CutPreset


class SearchOptions(TypedDict, total=False):
    """How to look. What is left out is the server's to choose."""

    depth: Literal[2, 3, 4]
    keep: int
    method: Method
    profile: Profile
    today: str
    rerank: bool
    vector_weight: float
    budget_tokens: int | Budget
    shares: Mapping[Group, float]
    min_score: float
    entity_types: Sequence[str]
    path_types: Sequence[str]
    sources: Sequence[str]
    where: Mapping[str, str]


class AnswerOptions(SearchOptions, total=False):
    """How to answer."""

    choose: bool


class AskOptions(AnswerOptions, total=False):
    """How to answer one question."""

    compare: bool

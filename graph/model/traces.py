"""Traces: every step of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field


@dataclass(frozen=True, kw_only=True)
class TraceStep:
    """One step of an answer."""

    name: Annotated[str, Field(description="The stage.")]
    milliseconds: Annotated[float, Field(description="How long it took.")]
    inputs: Annotated[Mapping[str, Any], Field(description="Its inputs.")]
    outputs: Annotated[Mapping[str, Any], Field(description="Its results, with scores.")]


@dataclass(frozen=True, kw_only=True)
class Trace:
    """Every step of an answer."""

    id: Annotated[str, Field(description="The trace's id, for `GET /v1/workspaces/{workspace}/traces/{trace_id}`.")]
    workspace: Annotated[str, Field(description="The workspace that was asked.")]
    question: Annotated[str, Field(description="The question.")]
    steps: Annotated[tuple[TraceStep, ...], Field(description="In the order in which they ran.")]
    settings: Annotated[Mapping[str, Any], Field(description="The settings of the question.")]

"""Traces: every step of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class TraceStep:
    """One step of an answer."""

    name: str
    milliseconds: float
    inputs: Mapping[str, Any]  # JSON
    outputs: Mapping[str, Any]  # JSON


@dataclass(frozen=True, kw_only=True)
class Trace:
    """Every step of an answer: the explain view is drawn from it."""

    id: str
    workspace: str
    question: str
    steps: tuple[TraceStep, ...]
    settings: Mapping[str, Any]

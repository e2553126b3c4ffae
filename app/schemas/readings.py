"""Responses about what an LLM reads on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from filigraph.graph.model.llm_readings import ReadingEstimate


@dataclass(frozen=True, kw_only=True)
class PricedReading(ReadingEstimate):
    """The estimated cost of reading, and its LLM."""

    model: Annotated[str, Field(description="The LLM that would read.", examples=["mistral"])]
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")]

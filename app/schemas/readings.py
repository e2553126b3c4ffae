"""Responses about what an LLM reads on request."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from filigraph.graph.model.usage import Usage


class ReadingEstimateOut(BaseModel):
    """The cost of reading."""

    model: Annotated[str, Field(description="The LLM that would read.", examples=["mistral"])]
    passages: Annotated[int, Field(description="Passages that would be looked at.")]
    of_passages: Annotated[int, Field(description="Number of passages in total.")]
    kept: Annotated[int, Field(description="Stored replies: their passages are not read again.")]
    left: Annotated[int, Field(description="Calls beyond the budget.")]
    usage: Annotated[Usage, Field(description="Expected LLM usage, if no call has to be repeated.")]
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")]

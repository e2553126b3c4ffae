"""The usage of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, kw_only=True)
class Usage:
    """The usage of a model. Tokens as its server counts them, with thinking; estimated if it does not count."""

    calls: Annotated[int, Field(description="Number of calls.")] = 0
    tokens_in: Annotated[int, Field(description="Tokens sent.")] = 0
    tokens_out: Annotated[int, Field(description="Tokens written, including thinking.")] = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(
            calls=self.calls - earlier.calls,
            tokens_in=self.tokens_in - earlier.tokens_in,
            tokens_out=self.tokens_out - earlier.tokens_out,
        )

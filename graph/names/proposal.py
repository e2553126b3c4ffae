"""A rule's statement about two mentions: they may be one, or a person should decide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two mentions that a rule would join, or show to a person."""

    rule: str
    score: float
    first: str
    second: str

    @property
    def pair(self) -> tuple[str, str]:
        """The two mentions, the smaller id first."""
        return (self.first, self.second) if self.first < self.second else (self.second, self.first)

"""What rules say of mentions: that two may be one, or that a person should look at them."""

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
        """The two, the smaller first."""
        return (self.first, self.second) if self.first < self.second else (self.second, self.first)

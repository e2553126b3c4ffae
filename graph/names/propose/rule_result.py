"""The result of a rule that looks at names only."""

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


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What a rule says about one name, pair of names or document: which mentions to join, and which to show to a
    person.
    """

    join: tuple[Proposal, ...] = ()
    review: tuple[Proposal, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.join or self.review)


NOTHING = RuleResult()

"""What a rule on names alone says."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.names.proposal import Proposal


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What is said of one name, pair of names or document: whom to join, and whom to show to a person."""

    join: tuple[Proposal, ...] = ()
    review: tuple[Proposal, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.join or self.review)


NOTHING = RuleResult()

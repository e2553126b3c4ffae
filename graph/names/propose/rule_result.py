"""The result of a rule that looks at names only."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.names.proposal import Proposal


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

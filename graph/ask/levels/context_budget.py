"""Shares: how much of the evidence's budget each group of levels may take, by profile; and the sizes of a budget."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from filigraph.graph.errors import InputError
from filigraph.graph.model.retrieval import Profile

Group = Literal["overview", "windows"]  # summaries of level 2 and more; those of windows. Passages have the rest
Budget = Literal["small", "medium", "large"]

BUDGETS: Mapping[Budget, int] = {"small": 1200, "medium": 3000, "large": 8000}  # tokens
SHARES: Mapping[Profile, Mapping[Group, float]] = {
    "synthesis": {"overview": 0.8, "windows": 0.15},
    "detail": {"overview": 0.3, "windows": 0.0},
    "recent": {"overview": 0.0, "windows": 0.3},
    "entity": {"overview": 0.1, "windows": 0.3},
}


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How many pieces of a group there are at most."""

    overview: int  # of a profile that does not cover the whole
    windows: int
    quotations: int


@dataclass(frozen=True, kw_only=True)
class EvidenceBudget:
    """How many tokens the evidence may take, and the shares of the summaries in it."""

    tokens: int
    shares: Mapping[Group, float]

    @property
    def limits(self) -> Limits:
        return limits_for(self.tokens)

    def tokens_of(self, group: Group) -> int:
        """Tokens for a group."""
        return int(self.shares[group] * self.tokens)


def shares_of(profile: Profile, *chosen: Mapping[Group, float]) -> dict[Group, float]:
    """The shares of a profile; those of `chosen` replace them, later ones earlier ones, and the others shrink to make
    room. Raises InputError for more than the budget."""
    shares: dict[Group, float] = {}
    for more in chosen:
        shares |= more
    wrong = any(not math.isfinite(share) or not 0 <= share <= 1 for share in shares.values())
    if shares.keys() - set(get_args(Group)) or wrong or (left := 1 - sum(shares.values())) < 0:
        raise InputError(
            f"These are not valid shares of a budget: {shares}.",
            cure="Give overview and windows a share of 0 to 1, together at most 1.",
        )
    return {group: shares.get(group, min(share, left)) for group, share in SHARES[profile].items()}


def limits_for(budget_tokens: int) -> Limits:
    """The limits for a budget: a larger budget allows more pieces of each group."""
    if budget_tokens <= BUDGETS["small"]:
        return Limits(overview=2, windows=3, quotations=1)
    if budget_tokens <= BUDGETS["medium"]:
        return Limits(overview=3, windows=5, quotations=2)
    return Limits(overview=4, windows=8, quotations=3)

"""Shares of a budget, by level."""

from __future__ import annotations

import pytest

from filigraph.graph.ask.levels.context_budget import SHARES, limits_for, shares_of
from filigraph.graph.errors import InputError


def test_what_is_chosen_last_counts_and_the_rest_gives_way() -> None:
    assert shares_of("synthesis") == SHARES["synthesis"]
    assert shares_of("synthesis", {"overview": 0.5}, {"overview": 0.9}) == {"overview": 0.9, "windows": 1 - 0.9}
    assert shares_of("detail", {"overview": 0, "windows": 1}) == {"overview": 0, "windows": 1}


@pytest.mark.parametrize("wrong", [{"overview": 1.1}, {"windows": -1}, {"chunks": 0.1}, {"windows": float("nan")}])
def test_shares_that_are_none(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="not valid shares"):
        shares_of("detail", wrong)  # type: ignore[arg-type]


def test_a_larger_budget_holds_more_of_each() -> None:
    small, large = limits_for(1000), limits_for(9000)
    assert (small.overview, small.windows, small.quotations) == (2, 3, 1)
    assert (large.overview, large.windows, large.quotations) == (4, 8, 3)

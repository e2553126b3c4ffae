"""The limit on requests for a minute."""

from __future__ import annotations

import pytest

from filigraph.app.http.limits import CALLERS, RateLimit
from filigraph.graph.errors import LimitReached


def test_a_bucket_is_emptied_and_filled_again() -> None:
    now = 0.0
    limit = RateLimit(60, clock=lambda: now)
    for _ in range(60):
        limit.take("anna")
    with pytest.raises(LimitReached) as caught:
        limit.take("anna")
    assert caught.value.retry_after == 1.0 and "FILIGRAPH_REQUESTS_A_MINUTE" in caught.value.cure
    limit.take("bert")
    now = 1.0
    limit.take("anna")
    with pytest.raises(LimitReached):
        limit.take("anna")
    now = 1000.0
    for _ in range(60):
        limit.take("anna")
    with pytest.raises(LimitReached):
        limit.take("anna")


def test_however_many_callers_come_the_memory_is_bounded() -> None:
    limit = RateLimit(1, clock=lambda: 0.0)
    for n in range(CALLERS + 100):
        limit.take(str(n))
    limit.take("0")  # forgotten: others came since
    with pytest.raises(LimitReached):
        limit.take(str(CALLERS + 99))

"""Fixtures of the REST tests."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.api.serving import HandMade, serving


@pytest.fixture
def service() -> HandMade:
    return HandMade()


@pytest.fixture
def http(service: HandMade) -> Iterator[httpx.Client]:
    """A client of a real server around the hand-made service."""
    with serving(service) as url, httpx.Client(base_url=url, trust_env=False, timeout=20) as client:
        yield client

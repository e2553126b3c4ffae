"""Fixtures of the REST tests."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.api.serving import HandMade, client_of


@pytest.fixture
def service() -> HandMade:
    return HandMade()


@pytest.fixture
def http(service: HandMade) -> Iterator[httpx.Client]:
    """A client of a real server around the hand-made service."""
    with client_of(service) as client:
        yield client

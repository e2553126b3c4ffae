"""Stopping long work on request."""

from __future__ import annotations

from collections.abc import Callable

from filigraph.graph.errors import Cancelled

ShouldStop = Callable[[], bool]  # called several times a second; True: stop


def stop_if(cancelled: ShouldStop) -> None:
    """Raises Cancelled when asked to stop."""
    if cancelled():
        raise Cancelled("Stopped on request; what was done is kept.", cure="Run the same command again to continue.")

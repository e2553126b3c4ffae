"""A Neo4j that runs for a few minutes at most."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filigraph.app.neo4j import launch


@contextmanager
def short_lived() -> Iterator[None]:
    """Have Neo4j started by a Java that compiles soon rather than well."""
    usual = launch.JVM_FLAGS
    launch.JVM_FLAGS = (*usual, "-XX:TieredStopAtLevel=1")
    try:
        yield
    finally:
        launch.JVM_FLAGS = usual

"""How fast each extractor read the last time: of this machine and its models, not of a workspace."""

from __future__ import annotations

from dataclasses import asdict

from filigraph.graph.records.documents import Speed
from filigraph.graph.store.neo4j.database import Database


class Speeds:
    """One record for each extractor, the last run's."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, extractor: str) -> Speed | None:
        """How fast `llm:mistral` read; None if it never did."""
        rows = self._database.rows("speed", id=extractor)
        return Speed(**rows[0]["speed"]) if rows else None

    def note(self, extractor: str, speed: Speed) -> None:
        self._database.change("write_speed", id=extractor, speed=asdict(speed))

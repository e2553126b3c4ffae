"""The speed of each extractor in its last run: it depends on this machine and its models, not on a workspace."""

from __future__ import annotations

from dataclasses import asdict

from filigraph.graph.records.documents import Speed
from filigraph.graph.store.neo4j.database import Database


class Speeds:
    """The speed of each extractor in its last run."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, extractor: str) -> Speed | None:
        """The speed of `llm:mistral`; None if it never ran."""
        rows = self._database.rows("speed", id=extractor)
        return Speed(**rows[0]["speed"]) if rows else None

    def note(self, extractor: str, speed: Speed) -> None:
        self._database.change("write_speed", id=extractor, speed=asdict(speed))

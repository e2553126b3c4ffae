"""What a server and its search processes send each other, pickled, through a pipe that only they hold.

`SearchResult` or `SearchFailure` answers a `SearchRequest`; until then the server may send `CancelSearch`. Messages of
several searches mix: each carries the id of its search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filigraph.app.neo4j import Neo4jAddress
    from filigraph.graph.ask.settings import AskSettings
    from filigraph.graph.errors import FiligraphError
    from filigraph.graph.model.retrieval import Retrieved
    from filigraph.graph.model.traces import TraceStep


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    id: int
    workspace: str
    question: str
    settings: AskSettings
    trace_id: str
    before: tuple[TraceStep, ...]
    neo4j: Neo4jAddress | None  # that the server started; None for the user's own


@dataclass(frozen=True)
class CancelSearch:
    """Nobody waits for a search any more."""

    id: int


@dataclass(frozen=True)
class WorkerStarted:
    """The process has loaded its models."""


@dataclass(frozen=True)
class SearchResult:
    id: int
    retrieved: Retrieved


@dataclass(frozen=True)
class SearchFailure:
    """A search that ended without a result: with an error of ours, or with the traceback of another."""

    id: int
    error: FiligraphError | str


ToProcess = SearchRequest | CancelSearch
FromProcess = WorkerStarted | SearchResult | SearchFailure

"""What a server and its search processes send each other, pickled, through a pipe that only they hold.

Until `SearchResult` or `SearchFailure` answers a `SearchRequest`, the process may send `SearchEnded` and `LLMCall`; the
server answers that with `LLMReply`, and may send `CancelSearch` at any time. Messages of several searches mix: each
carries the id of its search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filigraph.app.neo4j import Neo4jAddress
    from filigraph.graph.ask.run import AskSettings
    from filigraph.graph.errors import FiligraphError
    from filigraph.graph.model import Retrieved, TraceStep
    from filigraph.graph.models.llm import LLMRequest


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """Search a workspace."""

    id: int
    workspace: str
    question: str
    model: str  # the LLM that may choose among the paths; "" for none
    settings: AskSettings
    trace_id: str
    before: tuple[TraceStep, ...]
    neo4j: Neo4jAddress | None  # that the server started; None for the user's own


@dataclass(frozen=True)
class CancelSearch:
    """Nobody waits for a search any more."""

    id: int


@dataclass(frozen=True)
class LLMReply:
    """What the LLM answered, or why it did not."""

    id: int
    reply: str | FiligraphError


@dataclass(frozen=True)
class WorkerStarted:
    """The process has loaded its models."""


@dataclass(frozen=True)
class SearchEnded:
    """The search is over; the LLM is asked to choose next."""

    id: int


@dataclass(frozen=True)
class LLMCall:
    """Ask the server's LLM, which counts what it takes."""

    id: int
    request: LLMRequest


@dataclass(frozen=True)
class SearchResult:
    """The end of a search."""

    id: int
    retrieved: Retrieved


@dataclass(frozen=True)
class SearchFailure:
    """A search that ended without a result: with an error of ours, or with the traceback of another."""

    id: int
    error: FiligraphError | str


ToProcess = SearchRequest | CancelSearch | LLMReply
FromProcess = WorkerStarted | SearchEnded | LLMCall | SearchResult | SearchFailure

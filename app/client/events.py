"""Events of streamed requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from filigraph.app.schemas.serialize import from_json
from filigraph.graph.model.answers import Answer, Look, Round
from filigraph.graph.model.retrieval import Evidence, Path


@dataclass(frozen=True, kw_only=True)
class ProgressEvent:
    """Progress of a request; with stage "waiting", `message` says what it waits for."""

    stage: str
    done: int = 0
    total: int = 0  # 0: unknown
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class RetrievedEvent:
    """Evidence and paths, before the answer is generated."""

    language: str
    evidence: tuple[Evidence, ...]
    paths: tuple[Path, ...]
    trace_id: str


@dataclass(frozen=True, kw_only=True)
class TokenEvent:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, kw_only=True)
class RoundEvent:
    """After a reading the LLM looks for more: its notes, and what it looks for."""

    round: Round


@dataclass(frozen=True, kw_only=True)
class FoundEvent:
    """What one look brought; `evidence` are the extracts that are new."""

    round: int
    look: Look
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, kw_only=True)
class AnswerEvent:
    """The complete answer."""

    answer: Answer


AskEvent = RetrievedEvent | TokenEvent | RoundEvent | FoundEvent | AnswerEvent
OnProgress = Callable[[ProgressEvent], None]


def ask_event(event: dict[str, Any]) -> AskEvent | None:
    """Parse an event of an answer; None for an unknown kind, as newer servers may send."""
    if event["event"] == "retrieved":
        return RetrievedEvent(
            language=event["language"],
            evidence=from_json(tuple[Evidence, ...], event["evidence"]),
            paths=from_json(tuple[Path, ...], event["paths"]),
            trace_id=event["trace_id"],
        )
    if event["event"] == "token":
        return TokenEvent(text=event["text"])
    if event["event"] == "round":
        return RoundEvent(round=from_json(Round, {k: v for k, v in event.items() if k != "event"}))
    if event["event"] == "found":
        return FoundEvent(
            round=event["round"],
            look=from_json(Look, event["look"]),
            evidence=from_json(tuple[Evidence, ...], event["evidence"]),
        )
    if event["event"] == "answer":
        return AnswerEvent(answer=from_json(Answer, event["answer"]))
    return None


def emit(progress: OnProgress | None, event: dict[str, Any]) -> None:
    """Call `progress` for a progress or waiting event."""
    if progress is None:
        return
    if event["event"] == "waiting":
        progress(ProgressEvent(stage="waiting", message=event["message"]))
    elif event["event"] == "progress":
        fields = {name: event[name] for name in ("stage", "done", "total", "message") if name in event}
        progress(ProgressEvent(**fields))

"""The server's log: lines for people, or JSON for programs (`FILIGRAPH_LOG=json`). No secret gets into either.

A request's id is in every line that speaks of it, in the header X-Request-ID, and is the id of its answer's trace.
"""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

request_id: ContextVar[str] = ContextVar("request_id", default="")  # of the request that this thread works for

# Our own keys; what any request carries as a bearer; a password in an address.
_SECRET = re.compile(r"fgk_[\w-]{8,}|(?<=[Bb]earer )\S+|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)")
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class Requests(logging.Filter):
    """Gives each line the id of the request it is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request_id"):
            record.request_id = request_id.get()
        return True


class Lines(logging.Formatter):
    """For people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JSONLines(logging.Formatter):
    """For programs: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= {name: value for name, value in vars(record).items() if name not in _OWN and value != ""}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return without_secrets(json.dumps(told, ensure_ascii=False, default=str))


class _NoHealth(logging.Filter):
    """Whoever waits for the server asks how it is, many times; so does Prometheus."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        return "/v1/health " not in message and "/v1/metrics " not in message


def without_secrets(text: str) -> str:
    """`text` with what looks like a key or a password masked."""
    return _SECRET.sub("***", text)


def log_config(kind: Literal["text", "json"]) -> dict[str, Any]:
    """How the server logs, for logging.config."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"text": {"()": Lines}, "json": {"()": JSONLines}},
        "filters": {"no_health": {"()": _NoHealth}, "requests": {"()": Requests}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": kind, "filters": ["requests"]}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "filigraph": {"level": "INFO"},
            "uvicorn.error": {"level": "INFO"},
            "uvicorn.access": {"level": "INFO", "filters": ["no_health"]},
        },
    }

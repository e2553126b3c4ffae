"""The server's log: lines for people, or JSON for programs (`FILIGRAPH_LOG=json`). No secret gets into either, and what
came from outside can neither begin a line of its own nor steer a terminal.

A request's id is in every line that speaks of it, in the header X-Request-ID, and is the id of its answer's trace.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import quote

request_id: ContextVar[str] = ContextVar("request_id", default="")  # of the request that this thread works for

# Our own keys and those of LLMs; what any request carries as a bearer; a user and password in an address, whatever
# characters the password has.
_SECRET = re.compile(r"\b(?:fgk_|sk-)[\w-]{8,}|(?<=\bbearer )\S+|(?<=://)[^\s\"'<>]+(?=@)", re.IGNORECASE)
_SHORTEST = 4  # characters of a secret that is masked wherever it occurs; a shorter one is part of half of all words
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class RequestFilter(logging.Filter):
    """Gives each line the id of the request it is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request_id"):
            record.request_id = request_id.get()
        return True


class TextFormatter(logging.Formatter):
    """For people. A traceback is indented."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self.secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record), self.secrets)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        return escaped(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(f"  {escaped(line)}" for line in super().formatException(ei).split("\n"))


class JSONFormatter(logging.Formatter):
    """For programs: one JSON object a line."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self.secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= {name: value for name, value in vars(record).items() if name not in _OWN and value != ""}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return escaped(without_secrets(json.dumps(entry, ensure_ascii=False, default=str), self.secrets))


def without_secrets(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` with what looks like a key or a password masked, and `secrets` wherever they occur."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            for written in {secret, json.dumps(secret, ensure_ascii=False)[1:-1], quote(secret, safe="")}:
                text = text.replace(written, "***")
    return _SECRET.sub("***", text)


def escaped(text: str) -> str:
    """`text` on one line, without control characters."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def log_config(kind: Literal["text", "json"], secrets: Sequence[str] = ()) -> dict[str, Any]:
    """How the server logs, for logging.config; `secrets` are masked wherever they occur."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"()": TextFormatter, "secrets": secrets},
            "json": {"()": JSONFormatter, "secrets": secrets},
        },
        "filters": {"requests": {"()": RequestFilter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": kind, "filters": ["requests"]}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "filigraph": {"level": "INFO"},
            "uvicorn.error": {"level": "INFO"},
            "uvicorn.access": {"level": "WARNING"},  # filigraph.requests says more
        },
    }

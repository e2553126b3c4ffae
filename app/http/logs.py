"""The server's log: lines for people, or JSON for programs (`FILIGRAPH_LOG=json`). It contains no secrets, and text
from outside cannot begin a new line or control a terminal. The id of a request is in every line about it, in the header
X-Request-ID, and is the id of its answer's trace.
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

request_id: ContextVar[str] = ContextVar("request_id", default="")  # id of the request that this thread works for

# Our keys and those of LLMs; bearer tokens; user and password in an address, with any characters.
_SECRET = re.compile(r"\b(?:fgk_|sk-)[\w-]{8,}|(?<=\bbearer )\S+|(?<=://)[^\s\"'<>]+(?=@)", re.IGNORECASE)
_MIN_SECRET_CHARS = 4  # min. characters of a secret that is masked everywhere; a shorter one is part of many words
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class RequestFilter(logging.Filter):
    """Adds the id of the request to each line."""

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
        return escape_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(f"  {escape_line(line)}" for line in super().formatException(ei).split("\n"))


class JSONFormatter(logging.Formatter):
    """For programs: one JSON object per line."""

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
        return escape_line(without_secrets(json.dumps(entry, ensure_ascii=False, default=str), self.secrets))


def without_secrets(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` with everything that looks like a key or a password masked, and with `secrets` masked everywhere."""
    for secret in secrets:
        if len(secret) >= _MIN_SECRET_CHARS:
            for written in {secret, json.dumps(secret, ensure_ascii=False)[1:-1], quote(secret, safe="")}:
                text = text.replace(written, "***")
    return _SECRET.sub("***", text)


def escape_line(text: str) -> str:
    """`text` on one line, without control characters."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def log_config(kind: Literal["text", "json"], secrets: Sequence[str] = ()) -> dict[str, Any]:
    """The configuration of the log, for logging.config; `secrets` are masked everywhere."""
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
            "uvicorn.access": {"level": "WARNING"},  # filigraph.requests logs more
        },
    }

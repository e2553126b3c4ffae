"""Errors of OpenAI's and Ollama's routes in the form that their clients read, together with our fields. It wraps all
other layers, so that refusals because of key, size or address have them too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.http.envelope import JSONText
from filigraph.app.http.permissions import CHAT, OLLAMA
from filigraph.app.http.templates import route_path

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def with_openai_fields(body: Mapping[str, Any], status: int) -> dict[str, Any]:
    """The envelope of an error, with the fields that OpenAI's clients read: `message`, `type`, `param`; `code` is
    ours.
    """
    error = body["error"]
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": _error_text(error), "type": kind, "param": None, **error}}


def with_ollama_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope of an error with its sentence as `error`, the only field that Ollama's clients read."""
    error = body["error"]
    return {**error, "error": _error_text(error)}


def _error_text(error: Mapping[str, Any]) -> str:
    return f"{error['cause']} {error['cure']}".strip()


class ChatErrors:
    """Add these fields to errors of OpenAI's and Ollama's routes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = route_path(scope) if scope["type"] == "http" else ""
        if path not in (*CHAT, *OLLAMA):
            await self.app(scope, receive, send)
            return
        start: Message | None = None

        async def send_with_fields(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and message["status"] >= 400:
                start = message  # the body of an error is one piece
                return
            if start is not None:
                error = json.loads(message["body"])
                changed = with_ollama_fields(error) if path in OLLAMA else with_openai_fields(error, start["status"])
                body = JSONText(changed).body
                MutableHeaders(scope=start)["content-length"] = str(len(body))
                await send(start)
                message = {**message, "body": body}
            await send(message)

        await self.app(scope, receive, send_with_fields)

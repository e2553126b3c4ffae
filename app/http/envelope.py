"""The one shape of every error that leaves the server, on every path.

    {"error": {"code": "not_found", "cause": "…", "cure": "…", "request_id": "…"}}

`STATUS` maps our errors to HTTP; a test checks that it has every class. `HTTP_CODES` has the codes of HTTP's own
refusals (an unknown address, a method, a body). An unexpected error gives no details: its text is in the log, under the
request id.
"""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.http import logs
from filigraph.graph import errors

log = logging.getLogger("filigraph.server")

STATUS: Mapping[type[errors.FiligraphError], int] = {
    errors.FiligraphError: 500,
    errors.InputError: 400,
    errors.UnreadableDocument: 422,
    errors.NotFound: 404,
    errors.EmbedderMismatch: 409,
    errors.NotSetUp: 409,
    errors.AlreadyDecided: 409,
    errors.UnavailableError: 503,
    errors.StoreUnavailable: 503,
    errors.LocalNeo4jError: 503,
    errors.ModelUnavailable: 503,
    errors.LLMUnavailable: 503,
    errors.LLMDown: 503,
    errors.LLMSlow: 503,
    errors.LLMRefused: 502,
    errors.ClusterUnavailable: 503,
    errors.ClusterDown: 503,
    errors.ServerUnavailable: 503,
    errors.Busy: 503,
    errors.LeaseLost: 503,
    errors.LLMResponseError: 502,
    errors.ForbiddenError: 403,
    errors.KeyNeeded: 401,
    errors.LimitReached: 429,
    errors.Cancelled: 499,  # as in nginx: the client has disconnected
}

METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")

HEADERS = (  # of every response without its own headers: data that no browser may run, frame, cache or pass on
    ("cache-control", "no-store"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
)

HTTP_CODES: Mapping[int, tuple[str, str]] = {  # refusals of HTTP: status -> code, cure
    400: ("bad_input", "See /docs for what this address takes."),
    404: ("not_found", "See /docs for the routes."),
    405: ("method_not_allowed", "See /docs for the methods this address takes."),
    408: ("too_slow", "Send it again, without pauses."),
    413: ("too_large", "Send less in one request."),
    415: ("bad_input", "See /docs for the kind of body this address takes."),
    422: ("bad_input", "See /docs for what this address takes."),
}


def status_of(error: errors.FiligraphError) -> int:
    """The HTTP status of an error: that of its class, else of the nearest ancestor."""
    return next(STATUS[cls] for cls in type(error).__mro__ if cls in STATUS)


def error_body(code: str, cause: str, cure: str, request_id: str) -> dict[str, Any]:
    """The envelope, as JSON data."""
    return {"error": {"code": code, "cause": cause, "cure": cure, "request_id": request_id}}


def body_of(error: errors.FiligraphError, request_id: str) -> dict[str, Any]:
    """The envelope of one of our errors."""
    return error_body(error.code, error.cause, error.cure, request_id)


def internal_body(request_id: str) -> dict[str, Any]:
    """The envelope of an unexpected error, without its text, which may contain secrets."""
    cure = f"Report it, with the lines of the server's log that have {request_id}."
    return error_body("internal", "The server made a mistake.", cure, request_id)


def request_id_of(scope: Scope) -> str:
    """The id of this request in the log."""
    return str(scope.get("filigraph.request_id", ""))


class TooLarge(HTTPException):
    """A body is larger than its address allows. An HTTP error, which FastAPI passes on while it reads a body."""

    def __init__(self, limit: int, setting: str) -> None:
        """`limit` in bytes; the `setting` that raises it, if one does."""
        super().__init__(413, f"The request is larger than {limit >> 20} MB.", {"connection": "close"})
        self.cure = f"Send less in one request, or raise {setting} on the server." if setting else ""


class NotJSON(HTTPException):
    """A body whose header does not declare JSON."""

    cure = "Send the header `Content-Type: application/json`."

    def __init__(self, kind: str) -> None:
        super().__init__(422, f"The body is sent as {kind[:80]}, not as JSON." if kind else "The body has no type.")


class JSONText(Response):
    """JSON in readable form: letters of every script without escapes."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        # a lone surrogate (in a name or path) cannot be UTF-8; it becomes "?" instead of a failure
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )


def refusal(error: HTTPException, request_id: str, cause: str = "") -> Response:
    """The response to a request that HTTP itself refuses."""
    status = error.status_code
    code, cure = HTTP_CODES.get(status, ("bad_input" if status < 500 else "internal", "See /docs."))
    body = error_body(code, cause or str(error.detail), getattr(error, "cure", "") or cure, request_id)
    return JSONText(body, status_code=status, headers=dict(error.headers or {}))


def response_to(error: errors.FiligraphError, scope: Scope, headers: Mapping[str, str] | None = None) -> Response:
    body = body_of(error, request_id_of(scope))
    return JSONText(body, status_code=status_of(error), headers=dict(headers or {}))


def install(app: FastAPI) -> None:
    """Give every error of `app` the envelope."""
    app.add_exception_handler(errors.FiligraphError, _handle_own_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)


def _handle_own_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.FiligraphError)
    if status_of(error) >= 500:
        log.warning("%s %s", request_id_of(request.scope), error)
    return response_to(error, request.scope)


def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.scope["path"]
    cause = {
        404: f"There is nothing at {path}.",
        405: f"{path} does not take {request.method}.",
    }.get(error.status_code, "")
    if error.status_code == 405:
        error = HTTPException(405, headers={"allow": ", ".join(_methods(request))})
    return refusal(error, request_id_of(request.scope), cause)


def _methods(request: Request) -> list[str]:
    """The methods of an address. Each method is a separate route; the router names only those of the first."""

    root = request.scope.get("app_root_path", request.scope.get("root_path", ""))  # before a mount added its own

    def takes(route: BaseRoute, method: str) -> bool:
        if isinstance(route, Mount) and method not in ("GET", "HEAD"):  # files; it matches any path
            return False
        return route.matches({**request.scope, "root_path": root, "method": method})[0] is Match.FULL

    return [method for method in METHODS if any(takes(route, method) for route in request.app.routes)]


def _handle_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if isinstance(error.body, bytes):  # FastAPI parses only bodies that are declared as JSON
        return refusal(NotJSON(request.headers.get("content-type", "")), request_id_of(request.scope))
    return refusal(HTTPException(422, validation_cause(error.errors())), request_id_of(request.scope))


def validation_cause(problems: Sequence[Any]) -> str:
    """The first problem in one sentence: its place, and what is wrong."""
    first = problems[0] if problems else {}
    where = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    what = errors.problem_in_words(first)
    more = f" ({len(problems) - 1} more problem{'s' * (len(problems) > 2)})" if len(problems) > 1 else ""
    return f"{where or 'The body'}: {what}.{more}"


class RequestIdMiddleware:
    """The outermost layer: an id for each request, in its log lines and headers; the headers of every response; and the
    last handler of errors.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = scope["filigraph.request_id"] = uuid.uuid4().hex
        logs.request_id.set(request_id)
        started = False

        async def send_with_id(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["x-request-id"] = request_id
                for name, value in HEADERS:
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        except Exception:
            log.exception("%s %s %s", request_id, scope["method"], scope["path"])
            if started:
                raise
            await JSONText(internal_body(request_id), status_code=500)(scope, receive, send_with_id)

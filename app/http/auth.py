"""Authentication and authorization, by method and address (`permissions.need_of`).

The owner's token gives access only to the keys, and only to a program on this machine: a request from a proxy is
refused, wherever the proxy runs.

A middleware in front of all routes, so that no route can forget it. The caller is put into `scope["filigraph.caller"]`.
"""

from __future__ import annotations

import math

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from filigraph.app.access.keys import LOCAL, Caller, Keys
from filigraph.app.home import OWNER_HEADER
from filigraph.app.http.envelope import JSONText, body_of, request_id_of, status_of
from filigraph.app.http.limits import RateLimit
from filigraph.app.http.permissions import COOKIE, SESSION, check_allowed, is_open, manages_keys
from filigraph.app.http.templates import route_path
from filigraph.app.settings import is_loopback
from filigraph.graph.errors import FiligraphError, ForbiddenError, KeyNeeded, LimitReached, UnavailableError

CALLER = "filigraph.caller"
_PASSED_ON = frozenset(  # headers that proxies add
    ("forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port")
)


class AuthMiddleware:
    """Admits requests with a valid key, and requests from loopback while no key exists; limits their rate."""

    def __init__(self, app: ASGIApp, keys: Keys, limit: RateLimit) -> None:
        self.app = app
        self.keys = keys
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                scope[CALLER] = await self._authenticate(scope)
            except FiligraphError as error:
                await _refusal(error, scope)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    async def _authenticate(self, scope: Scope) -> Caller | None:
        """The caller; None for addresses that need no key."""
        path, method = route_path(scope), scope["method"]
        if path == SESSION:  # open to everybody, and shows whether a key is valid: attempts are limited
            self.limit.take(f"address {_address(scope)}")
        if is_open(path):
            return None
        try:
            return await self._key_holder(scope, path, method)
        except (KeyNeeded, ForbiddenError) as error:
            if manages_keys(path) and is_from_this_machine(scope) and self.keys.is_owner(_owner_token(scope)):
                return LOCAL
            if isinstance(error, KeyNeeded):
                self.limit.take(f"address {_address(scope)}")
            raise

    async def _key_holder(self, scope: Scope, path: str, method: str) -> Caller:
        """The caller with this key. Raises KeyNeeded, and ForbiddenError if it may not do this."""
        key = presented_key(scope)
        try:
            caller = self.keys.caller(key) if self.keys.fresh() else await run_in_threadpool(self.keys.caller, key)
        except UnavailableError:
            # Keys are in Neo4j. `doctor` must report faults of this machine even if Neo4j does not answer.
            if path == "/v1/doctor" and not self.keys.public:
                return LOCAL
            raise
        if caller != LOCAL:
            self.limit.take(f"key {caller.name}")
        check_allowed(caller, method, path)
        return caller


def _refusal(error: FiligraphError, scope: Scope) -> JSONText:
    headers = {}
    if isinstance(error, KeyNeeded):
        headers["www-authenticate"] = "Bearer"
    if isinstance(error, LimitReached) and error.retry_after is not None:
        headers["retry-after"] = str(math.ceil(error.retry_after))
    return JSONText(body_of(error, request_id_of(scope)), status_code=status_of(error), headers=headers)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _owner_token(scope: Scope) -> str:
    return Headers(scope=scope).get(OWNER_HEADER, "")


def is_from_this_machine(scope: Scope) -> bool:
    """Whether a program on this machine sent a request itself: from loopback, or from the address that it reached. A
    proxy's requests come from its machine, too; if it names its client, it does not count as the owner.
    """
    if any(name in _PASSED_ON for name in Headers(scope=scope)):
        return False
    client, server = _address(scope), str((scope.get("server") or ("",))[0])
    return is_loopback(client) or (client == server != "")


def presented_key(scope: Scope) -> str:
    """The key in a request: as a bearer token, in X-API-Key, or in the page's cookie; "" if there is none."""
    headers = Headers(scope=scope)
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    if key := headers.get("x-api-key", "").strip():
        return key
    # in the form that browsers write: SimpleCookie reads no cookie if that of another program is invalid
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")

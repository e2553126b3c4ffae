"""Requests that the server refuses at once: a foreign Host, a write by a foreign page, a malformed address.

A web page that the user visits runs on the user's machine, and can send requests to everything that the machine can
reach. Two attacks are blocked:

- DNS rebinding: a foreign name that now points to our address. Such a request carries the foreign name as its Host;
  so the server accepts only known names, and numeric addresses, which rebinding cannot produce.
- Cross-site writes: a form or script of a foreign page. Browsers reveal this in Origin or Sec-Fetch-Site;
  other programs send neither and are accepted.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from filigraph.app.http.envelope import JSONText, body_of, request_id_of, status_of
from filigraph.app.settings import Settings, is_loopback
from filigraph.graph.errors import FiligraphError, ForbiddenError, InputError

CONTROL = re.compile("[\x00-\x1f\x7f]")
HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
READS = frozenset({"GET", "HEAD", "OPTIONS"})


class HostAndOriginCheck:
    """Refuse requests that do not come from this machine's programs and pages."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = HOSTS | settings.allowed_names | {settings.host.lower()}
        self.any_address = not is_loopback(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            error = self._refusal(scope)
            if error is not None:
                response = JSONText(body_of(error, request_id_of(scope)), status_code=status_of(error))
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> FiligraphError | None:
        # AuthMiddleware and the routes both use the address: one that they might read differently is refused.
        if CONTROL.search(scope["path"]) or not scope["path"].startswith(f"{scope.get('root_path', '')}/"):
            return InputError("The server has no such address.", cure="See /docs for the routes.")
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(_name(hosts[0])):
            return ForbiddenError(
                "The request names another host than this server.",
                cure="Use http://127.0.0.1 with the server's port, or name the host in FILIGRAPH_ALLOWED_HOSTS.",
            )
        if scope["method"] in READS:
            return None
        origin = headers.get("origin")
        if origin is not None:
            same = _is_origin(origin, hosts[0])
        else:
            same = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        return (
            None
            if same
            else ForbiddenError("Pages of other sites cannot change anything here.", cure="Use this server's own page.")
        )

    def _is_ours(self, name: str) -> bool:
        return name in self.hosts or (self.any_address and _is_address(name))


def _is_address(name: str) -> bool:
    """Whether a host is a numeric address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _name(host: str) -> str:
    """The name in a Host header, without its port; "" if it is invalid."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises if it is invalid
    except ValueError:
        return ""
    return "" if parts.username is not None or parts.path or parts.query else (parts.hostname or "")


def _is_origin(origin: str, host: str) -> bool:
    """Whether `origin` is a page of this server: same host, same port."""
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == host.lower()

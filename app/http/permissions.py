"""Permissions of requests: open addresses, the scopes that other addresses need, and what each caller may see."""

from __future__ import annotations

import re

from filigraph.app.access.keys import Caller, Need
from filigraph.graph.errors import ForbiddenError

COOKIE = "filigraph_key"
_OF_WORKSPACE = re.compile(r"/v1/workspaces/(?P<workspace>[^/]+)(/.*)?", re.DOTALL)
_ASKING = re.compile(
    r"/v1/(workspaces/[^/]+/(ask(/again|/[^/]+/cancel)?|retrieve|receipts/verify|searches(/[^/]+(/run)?)?)|rerank|embed_late_chunk|chat/completions)|/mcp|/api/chat",
    re.DOTALL,
)
# Addresses for keys of lower scopes; a new address needs an admin key until it is listed here.
_KNOWN = re.compile(
    r"(/v1/(workspaces|jobs|rerank|embed_late_chunk|models|chat/completions|doctor|metrics)|/mcp|/api/(version|tags|chat)|/docs|/openapi\.json|/assets)(/.*)?",
    re.DOTALL,
)
_PAGE = re.compile(
    r"/|/(library|graph|forms|settings|cast|family|timeline)|/(explain|thread)/[^/]*|/assets/page/.*", re.DOTALL
)
SESSION = "/v1/session"
_OPEN = ("/v1/health", "/v1/health/live", "/v1/health/ready", SESSION)
_JOBS = re.compile(r"/v1/jobs(/.*)?", re.DOTALL)  # their routes show only what the caller may see
CHAT = ("/v1/models", "/v1/chat/completions")  # OpenAI's
OLLAMA = ("/api/version", "/api/tags", "/api/chat")
_FOR_ALL = (
    "/v1/workspaces",
    "/v1/rerank",
    "/v1/embed_late_chunk",
    *CHAT,
    *OLLAMA,
    "/mcp",
    "/docs",
    "/openapi.json",
)  # these show only what the caller may see
_ADMIN = re.compile(r"/v1/workspaces/[^/]+/folders(/.*)?", re.DOTALL)  # folders of the server's machine
_READS = ("GET", "HEAD", "OPTIONS")


def is_open(path: str) -> bool:
    """Whether an address needs no key: health, the caller's own session, and the page, which asks for the key."""
    return path in _OPEN or _PAGE.fullmatch(path) is not None


def manages_keys(path: str) -> bool:
    """Whether an address manages keys."""
    return path == "/v1/keys" or path.startswith("/v1/keys/")


def need_of(method: str, path: str) -> Need:
    """The scope that an address needs. Keys, the audit log and unknown addresses need an admin key."""
    if not _KNOWN.fullmatch(path) or _ADMIN.fullmatch(path):
        return "admin"
    return "read" if method in _READS or _ASKING.fullmatch(path) else "write"


def changes_data(method: str, path: str) -> bool:
    """Whether a request changes stored data, apart from the page's cookie, and so belongs in the audit log."""
    return method not in _READS and not _ASKING.fullmatch(path) and not is_open(path)


def check_allowed(caller: Caller, method: str, path: str) -> None:
    """Raise ForbiddenError if a caller may not do this."""
    need = need_of(method, path)
    if not caller.may(need):
        raise ForbiddenError(
            f"The key {caller.name} may {caller.scope}; this takes a key that may {need}.",
            cure=f"Use a key of scope {need}; an administrator can create one.",
        )
    if caller.view and _JOBS.fullmatch(path):
        raise limited_to_part_error(caller)
    if caller.workspace and not (path in _FOR_ALL or _JOBS.fullmatch(path) or path.startswith("/assets/docs/")):
        inside = _OF_WORKSPACE.fullmatch(path)
        check_sees(caller, inside["workspace"] if inside else None)


def limited_to_part_error(caller: Caller) -> ForbiddenError:
    """The error for a caller whose key is limited to a view, for requests outside it."""
    return ForbiddenError(
        f"The key {caller.name} is limited to a part of the workspace; this concerns all of it.",
        cure="Use a key for the whole workspace; an administrator can create one.",
    )


def check_sees(caller: Caller, workspace: str | None) -> None:
    """Raise ForbiddenError if a caller's key is for another workspace; None: the request is not about one workspace."""
    if caller.workspace and caller.workspace != workspace:
        raise ForbiddenError(
            f"The key {caller.name} is only for the workspace {caller.workspace}.",
            cure="Use a key for all workspaces, or use that workspace.",
        )

"""Requests and responses about keys and who used them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from filigraph.app.schemas.common import JSON, In, Out
from filigraph.app.schemas.questions import AskedViewIn

ScopeField = Annotated[
    Literal["read", "write", "admin"],
    Field(description="read: view and ask; write: also ingest, change, delete; admin: also keys and the audit log."),
]


class KeyIn(In):
    """A new key."""

    name: Annotated[
        str, Field(max_length=64, description="Name of the key, as the audit log shows it.", examples=["anna"])
    ]
    scope: ScopeField = "read"
    workspace: Annotated[
        str,
        Field(max_length=64, pattern=r"^[\w.-]*$", description="The only workspace that it may use; empty for all."),
    ] = ""
    view: Annotated[
        AskedViewIn | None,
        Field(
            description=(
                "The part of that workspace to which it is limited: a key with the scope read that learns of "
                "nothing else, on any route."
            ),
            examples=[{"sources": ["letters/"]}, {"named": "before-the-fire"}],
        ),
    ] = None


class KeyOut(Out):
    """A key without its secret."""

    name: Annotated[str, Field(description="Name of the key.")]
    scope: ScopeField
    workspace: Annotated[str, Field(description="The only workspace that it may use; empty for all.")]
    view: Annotated[JSON, Field(description="The part of the workspace to which it is limited; empty for all of it.")]
    made: Annotated[datetime, Field(description="Time when its current secret was made.")]


class NewKeyOut(KeyOut):
    """A key with its secret, which is shown only this once."""

    key: Annotated[str, Field(description="The secret. It is not stored, so it cannot be shown again.")]


class KeysOut(Out):
    """Keys."""

    total: Annotated[int, Field(description="Total number.")]
    keys: Annotated[list[KeyOut], Field(description="By name.")]


class SessionIn(In):
    """The key that a browser uses from now on."""

    key: Annotated[str, Field(max_length=200, description="The key.")]


class SessionOut(Out):
    """The key of the request, and what it permits."""

    name: Annotated[str, Field(description="The key's name; `local` if there are no keys; empty without a key.")]
    scope: Annotated[
        Literal["none", "read", "write", "admin"], Field(description="What the caller may do; none: a key is needed.")
    ]
    workspace: Annotated[str, Field(description="The only workspace that the caller sees; empty for all.")]
    limited: Annotated[bool, Field(description="Whether the caller only sees a part of that workspace.")] = False


class AuditEntryOut(Out):
    """One change, and who made it."""

    id: Annotated[str, Field(description="The request's id, also in the server's log.")]
    at: Annotated[datetime, Field(description="Time of the response.")]
    by: Annotated[str, Field(description="The key's name; `local` if there were no keys.")]
    action: Annotated[str, Field(description="Method and route.", examples=["POST /v1/workspaces/{workspace}/ingest"])]
    workspace: Annotated[str, Field(description="The workspace; empty if the request is about none.")]
    subject: Annotated[str, Field(description="The changed things: an id, a name, the names of files.")]
    status: Annotated[int, Field(description="The HTTP status of the response; 499: the client disconnected.")]
    address: Annotated[str, Field(description="The sender's address.")]


class AuditOut(Out):
    """Part of the audit log."""

    entries: Annotated[list[AuditEntryOut], Field(description="Newest first.")]

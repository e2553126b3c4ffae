"""What the REST API takes and gives about keys and who used them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from filigraph.app.schemas.common import JSON, In, Out
from filigraph.app.schemas.questions import AskedViewIn

ScopeField = Annotated[
    Literal["read", "write", "admin"],
    Field(
        description="read: look and ask. write: ingest, change, delete as well. admin: keys and the audit log as well."
    ),
]


class KeyIn(In):
    """A key to be made."""

    name: Annotated[str, Field(max_length=64, description="Whose it is; the audit log names it.", examples=["anna"])]
    scope: ScopeField = "read"
    workspace: Annotated[
        str, Field(max_length=64, pattern=r"^[\w.-]*$", description="The only workspace it opens; empty for all.")
    ] = ""
    view: Annotated[
        AskedViewIn | None,
        Field(
            description="The part of that workspace which is all that it sees: a key of scope read is told of nothing "
            "else, on any route.",
            examples=[{"sources": ["letters/"]}, {"named": "before-the-fire"}],
        ),
    ] = None


class KeyOut(Out):
    """A key without its secret."""

    name: Annotated[str, Field(description="Whose it is.")]
    scope: ScopeField
    workspace: Annotated[str, Field(description="The only workspace it opens; empty for all.")]
    view: Annotated[JSON, Field(description="The part of it which is all that the key sees; empty for all of it.")]
    made: Annotated[datetime, Field(description="When its present secret was made.")]


class NewKeyOut(KeyOut):
    """A key with its secret, which is shown this once."""

    key: Annotated[str, Field(description="The secret: it is kept nowhere, and cannot be shown again.")]


class KeysOut(Out):
    """Keys."""

    total: Annotated[int, Field(description="How many there are.")]
    keys: Annotated[list[KeyOut], Field(description="By name.")]


class SessionIn(In):
    """The key with which a browser will ask from now on."""

    key: Annotated[str, Field(max_length=200, description="The key.")]


class SessionOut(Out):
    """Who asks, and what for they may."""

    name: Annotated[str, Field(description="The key's name; `local` if there are no keys; empty without a key.")]
    scope: Annotated[
        Literal["none", "read", "write", "admin"], Field(description="What the caller may do; none: a key is needed.")
    ]
    workspace: Annotated[str, Field(description="The only workspace the caller sees; empty for all.")]
    limited: Annotated[bool, Field(description="Whether the caller sees a part of that workspace alone.")] = False


class AuditEntryOut(Out):
    """One change that somebody asked for."""

    id: Annotated[str, Field(description="The request's id, as the server's log has it.")]
    at: Annotated[datetime, Field(description="When it was answered.")]
    by: Annotated[str, Field(description="The key's name; `local` where there were no keys.")]
    action: Annotated[str, Field(description="What was asked.", examples=["POST /v1/workspaces/{workspace}/ingest"])]
    workspace: Annotated[str, Field(description="In which workspace; empty for what is of none.")]
    subject: Annotated[str, Field(description="What was changed: an id, a name, the names of files.")]
    status: Annotated[int, Field(description="The HTTP status of the answer; 499: the client went away.")]
    address: Annotated[str, Field(description="Where the request came from.")]


class AuditOut(Out):
    """Part of the audit log."""

    entries: Annotated[list[AuditEntryOut], Field(description="Newest first.")]

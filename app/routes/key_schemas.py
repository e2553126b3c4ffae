"""What the REST API takes and gives about keys and who used them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from filigraph.app.routes.schemas import In, Out

ScopeField = Annotated[
    Literal["read", "write", "admin"],
    Field(
        description="read: look and ask. write: ingest, change, delete as well. admin: keys and the audit log as well."
    ),
]


class KeyIn(In):
    """A key to be made."""

    name: Annotated[str, Field(description="Whose it is; the audit log names it.", examples=["anna"])]
    scope: ScopeField = "read"
    workspace: Annotated[str, Field(description="The only workspace it opens; empty for all.")] = ""


class KeyOut(Out):
    """A key without its secret."""

    name: Annotated[str, Field(description="Whose it is.")]
    scope: ScopeField
    workspace: Annotated[str, Field(description="The only workspace it opens; empty for all.")]
    made: Annotated[datetime, Field(description="When its present secret was made.")]


class NewKeyOut(KeyOut):
    """A key with its secret, which is shown this once."""

    key: Annotated[str, Field(description="The secret: it is kept nowhere, and cannot be shown again.")]


class KeysOut(Out):
    """All keys."""

    keys: Annotated[list[KeyOut], Field(description="By name.")]


class SessionIn(In):
    """The key with which a browser will ask from now on."""

    key: Annotated[str, Field(max_length=200, description="The key.")]


class SessionOut(Out):
    """Who asks, and what for they may."""

    name: Annotated[str, Field(description="The key's name; `local` where there are no keys; empty for nobody.")]
    scope: Annotated[
        Literal["none", "read", "write", "admin"], Field(description="What the caller may do; none: a key is needed.")
    ]
    workspace: Annotated[str, Field(description="The only workspace the caller sees; empty for all.")]

"""Responses of the route of connections."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import ConnectionOut
from filigraph.graph.records.entities import EndEntity


class BetweenOut(Out):
    """How two names are connected."""

    first: Annotated[str, Field(description="One name, as in the request.")]
    other: Annotated[str, Field(description="The other name.")]
    first_entities: Annotated[list[EndEntity], Field(description="The entities that the one name may mean.")]
    other_entities: Annotated[list[EndEntity], Field(description="The entities that the other name may mean.")]
    verdict: Annotated[
        Literal["connected", "text", "hubs", "none", "same"],
        Field(
            description=(
                "connected; text: facts join them only over `hubs`, if at all, but names near each other in a"
                " text do; hubs: only facts over `hubs` join them; none: nothing joins them, or only facts "
                "that are denied; same: both are one entity."
            )
        ),
    ]
    hubs: Annotated[
        list[str],
        Field(description="Places and dates that all chains of facts pass; empty if there are other chains."),
    ]
    paths: Annotated[
        list[ConnectionOut],
        Field(
            description=(
                "Facts about both, or denials, come first; then at most `count` chains, the best first; those"
                " through a text come before those over `hubs`."
            )
        ),
    ]


class ConnectionsBetweenOut(BaseModel):
    """How names are connected."""

    connections: Annotated[list[BetweenOut], Field(description="One entry for each two consecutive names.")]

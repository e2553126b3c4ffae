"""What the route of connections gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import ConnectionOut

if TYPE_CHECKING:
    from filigraph.graph.ask.evidence.between import Between


class EndEntityOut(Out):
    """An entity that a name was taken for."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]


class BetweenOut(Out):
    """How two names are connected."""

    first: Annotated[str, Field(description="The one name, as it was asked.")]
    other: Annotated[str, Field(description="The other name.")]
    first_entities: Annotated[list[EndEntityOut], Field(description="What the one was taken for.")]
    other_entities: Annotated[list[EndEntityOut], Field(description="What the other was taken for.")]
    verdict: Annotated[
        Literal["connected", "text", "hubs", "none", "same"],
        Field(
            description="connected; text: by no facts but over `hubs`, if there are any, but by names that stand near "
            "each other in a text; hubs: by nothing but `hubs`; none: by nothing, or only what is denied of both; "
            "same: both are one entity."
        ),
    ]
    hubs: Annotated[list[str], Field(description="Places and dates that all chains of facts pass; empty if none do.")]
    paths: Annotated[
        list[ConnectionOut],
        Field(
            description="What is said, or denied, of both first; then at most `count` chains, the best first; those "
            "over a text come before those over `hubs`."
        ),
    ]

    @classmethod
    def of(cls, pair: Between) -> BetweenOut:
        return cls.model_validate(vars(pair) | {"paths": [ConnectionOut.of(path) for path in pair.paths]})


class ConnectionsBetweenOut(BaseModel):
    """How names are connected."""

    connections: Annotated[list[BetweenOut], Field(description="Between each two names that follow each other.")]

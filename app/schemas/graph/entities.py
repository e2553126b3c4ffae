"""What the routes of entities and facts give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON
from filigraph.app.schemas.serialize import from_json
from filigraph.graph.records.entities import AlikeNames, FoundEntity, ListedEntity, NamedBeside, NamedFact
from filigraph.graph.records.facts import ListedFact, NearFact
from filigraph.graph.records.workspaces import TypeRow

if TYPE_CHECKING:
    from filigraph.graph.records.facts import Connection, DetailFact


class EntityOut(BaseModel):
    """What a group of mentions refers to, with its facts."""

    entity: Annotated[
        JSON,
        Field(
            description="Name, aliases, type, and its facts with their sentences: at most 50 of the `weight` it has."
        ),
    ]


class FoundEntitiesOut(BaseModel):
    """The entities that bear a name."""

    total: Annotated[
        int, Field(description="How many there are; of a name that more than 2,000 may bear, those of 2,000.")
    ]
    entities: Annotated[list[FoundEntity], Field(description="The best first.")]


@dataclass(frozen=True, kw_only=True)
class PathFactOut(NamedFact):
    """A fact on the way from one entity to another, with the sentence that says it."""

    fact_id: Annotated[str, Field(description="The fact's id; empty where it is a step `only_near`.")]
    only_near: Annotated[
        bool,
        Field(description="No fact: the text, given as `sentence`, only has the two near each other."),
    ] = False
    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    premises: Annotated[
        tuple[str, ...], Field(description="The other sentences that it follows from, if it is implied.")
    ] = ()
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, where the document has them.")] = ""
    according_to: Annotated[str, Field(description="Who in the text asserts it; empty where the text itself does.")]
    when: Annotated[str, Field(description="When it is so, as written; empty where no date is given.")]
    when_date: Annotated[str, Field(description="That date: ISO 8601, --03-12 without a year; empty where relative.")]
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    document_id: Annotated[str, Field(description="That document.")]
    chunk_id: Annotated[str, Field(description="The chunk that holds the sentence.")]
    start: Annotated[int, Field(description="Where the sentence begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]

    @classmethod
    def of(cls, fact: DetailFact) -> PathFactOut:
        return from_json(cls, vars(fact.sentences[0]) | vars(fact) | {"only_near": fact.only_near})


class FactPathOut(BaseModel):
    """A way from one entity to another."""

    facts: Annotated[list[PathFactOut], Field(description="From the first entity to the second.")]


class ConnectionOut(FactPathOut):
    """A chain of facts that connects two entities."""

    hubs: Annotated[
        list[str],
        Field(description="Places and dates with many facts that it passes; empty unless there is no other way."),
    ]
    alike: Annotated[
        list[AlikeNames],
        Field(
            description="Where it goes on from one name to another that is alike, and no document says they are one."
        ),
    ] = []
    named: Annotated[
        list[NamedBeside],
        Field(description="Where it goes over what the sentence of a fact names beside its ends."),
    ] = []

    @classmethod
    def of(cls, connection: Connection) -> ConnectionOut:
        return cls(
            facts=[PathFactOut.of(fact) for fact in connection.facts],
            hubs=list(connection.hubs),
            alike=list(connection.alike),
            named=list(connection.named),
        )


class ConnectionsOut(BaseModel):
    """How two entities are connected."""

    paths: Annotated[list[ConnectionOut], Field(description="The best first, each by way of something else.")]


class NeighbourhoodOut(BaseModel):
    """What is near an entity."""

    facts: Annotated[list[NearFact], Field(description="Its own first, the best supported first.")]


class FactsOut(BaseModel):
    """Facts of a workspace."""

    total: Annotated[int, Field(description="How many there are.")]
    facts: Annotated[list[ListedFact], Field(description="Those asked for, the best supported first.")]


class TypesOut(BaseModel):
    """What was found."""

    types: Annotated[list[TypeRow], Field(description="The largest first; entities without a type last.")]


class ListedEntitiesOut(BaseModel):
    """Entities."""

    entities: Annotated[list[ListedEntity], Field(description="Those that most of these passages mention first.")]

"""Responses of the routes of entities and facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from filigraph.app.schemas.common import JSON
from filigraph.app.schemas.serialize import from_json
from filigraph.graph.records.entities import AlikeNames, FoundEntity, ListedEntity, NamedBeside, NamedFact
from filigraph.graph.records.facts import DetailFact, ListedFact, NearFact
from filigraph.graph.records.workspaces import TypeRow


class EntityOut(BaseModel):
    """What a group of mentions refers to, with its facts."""

    entity: Annotated[
        JSON,
        Field(description="Name, aliases, type, and facts with their sentences: at most 50 of the `weight` of a fact."),
    ]


class FoundEntitiesOut(BaseModel):
    """The entities with a name."""

    total: Annotated[
        int,
        Field(description="Total number; for a name of more than 2,000 entities, the number among the first 2,000."),
    ]
    entities: Annotated[list[FoundEntity], Field(description="The best first.")]


@dataclass(frozen=True, kw_only=True)
class PathFactOut(NamedFact):
    """A fact on the path from one entity to another, with the sentence that states it."""

    fact_id: Annotated[str, Field(description="The fact's id; empty for a step that is `only_near`.")]
    only_near: Annotated[
        bool,
        Field(description="Not a fact: the text in `sentence` only has the two names near each other."),
    ] = False
    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    premises: Annotated[
        tuple[str, ...], Field(description="The other sentences that it follows from, if it is implied.")
    ] = ()
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, if the document has them.")] = ""
    according_to: Annotated[
        str, Field(description="The person who asserts it in the text; empty if the text itself does.")
    ]
    when: Annotated[str, Field(description="The date of the statement, as written; empty if there is none.")]
    when_date: Annotated[
        str, Field(description="That date: ISO 8601, --03-12 without a year; empty for a relative one.")
    ]
    denied: Annotated[bool, Field(description="Whether the predicate is a denial.")]
    own: Annotated[bool, Field(description="The sentence does not say it: a person states it.")] = False
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    chunk_id: Annotated[str, Field(description="The chunk with the sentence.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]

    @classmethod
    def of(cls, fact: DetailFact) -> PathFactOut:
        said = fact.sentences[0]
        return from_json(cls, vars(said) | vars(fact) | {"only_near": fact.only_near, "own": said.origin == "own"})


def _with_first_sentence(fact: object) -> object:
    return PathFactOut.of(fact) if isinstance(fact, DetailFact) else fact


PathFact = Annotated[PathFactOut, BeforeValidator(_with_first_sentence)]


class FactPathOut(BaseModel):
    """A path from one entity to another."""

    model_config = ConfigDict(from_attributes=True)

    facts: Annotated[list[PathFact], Field(description="From the first entity to the second.")]


class ConnectionOut(FactPathOut):
    """A chain of facts that connects two entities."""

    hubs: Annotated[
        list[str],
        Field(description="Places and dates with many facts that it passes; empty if there is another way."),
    ]
    alike: Annotated[
        list[AlikeNames],
        Field(description="Steps between two similar names that no document says are one."),
    ] = []
    named: Annotated[
        list[NamedBeside],
        Field(description="Steps to an entity that the sentence of a fact names in addition to its ends."),
    ] = []


class ConnectionsOut(BaseModel):
    """How two entities are connected."""

    paths: Annotated[list[ConnectionOut], Field(description="The best first; each passes other entities.")]


class NeighbourhoodOut(BaseModel):
    """The facts around an entity."""

    facts: Annotated[list[NearFact], Field(description="The entity's own facts first, the best supported first.")]


class FactsOut(BaseModel):
    """Facts of a workspace."""

    total: Annotated[int, Field(description="Total number.")]
    facts: Annotated[list[ListedFact], Field(description="The requested facts, the best supported first.")]


class TypesOut(BaseModel):
    """The types of the entities."""

    types: Annotated[list[TypeRow], Field(description="The largest type first; entities without a type last.")]


class ListedEntitiesOut(BaseModel):
    """Entities."""

    entities: Annotated[
        list[ListedEntity], Field(description="The entities that most of these passages mention first.")
    ]

"""What the routes of entities and facts give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON, NamedEndsOut, NamedFactOut, Out

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


class FoundEntityOut(Out):
    """An entity that was looked for by a name."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type; empty if unknown.")]
    aliases: Annotated[list[str], Field(description="Every form of its name.")]
    chunks: Annotated[int, Field(description="How many chunks mention it.")]
    facts: Annotated[int, Field(description="How many facts it takes part in.")]


class FoundEntitiesOut(BaseModel):
    """The entities that bear a name."""

    total: Annotated[
        int, Field(description="How many there are; of a name that more than 2,000 may bear, those of 2,000.")
    ]
    entities: Annotated[list[FoundEntityOut], Field(description="The best first.")]


class FirstPlaceOut(Out):
    """The first place of a name in its document."""

    chunk_id: Annotated[str, Field(description="In this chunk.")]
    start: Annotated[int, Field(description="Where it begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]


class NameFormOut(Out):
    """A name of an entity, as one document writes it."""

    id: Annotated[str, Field(description="The mention's id.")]
    form: Annotated[str, Field(description="As it is written.")]
    count: Annotated[int, Field(description="How often.")]
    document_id: Annotated[str, Field(description="In this document.")]
    title: Annotated[str, Field(description="The document's title.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    first: Annotated[FirstPlaceOut, Field(description="Where it occurs first.")]


class NameDecisionOut(Out):
    """What was decided of two names."""

    form: Annotated[str, Field(description="A name of the entity.")]
    other: Annotated[str, Field(description="The other name.")]
    same: Annotated[bool, Field(description="Whether they are one.")]
    rule: Annotated[str, Field(description="By which rule: exact, contained, vector, document-alias, guard:…")]
    score: Annotated[float, Field(description="1 for exact and persons, else the cosine of the names.")]
    by: Annotated[Literal["rule", "person"], Field(description="By whom.")]
    id: Annotated[str, Field(description="Of a person's decision: what undoes it; empty of a rule's.")]
    review: Annotated[bool, Field(description="A near miss, which a person should look at.")]
    other_id: Annotated[str, Field(description="The entity that the other name refers to.")]
    other_name: Annotated[str, Field(description="That entity's name.")]
    reason: Annotated[str, Field(description="The sentence that an LLM gave for it (rule reader).")] = ""


class EntityNamesOut(Out):
    """Why the names of an entity are one."""

    forms: Annotated[list[NameFormOut], Field(description="The most frequent first.")]
    decisions: Annotated[list[NameDecisionOut], Field(description="Those that joined first.")]


class NearFactOut(NamedFactOut):
    """A fact near an entity."""

    weight: Annotated[int, Field(description="How many sentences support it.")]
    together: Annotated[bool, Field(description="The two are only named together.")]
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")]
    dates: Annotated[
        list[str], Field(description="When it is so: ISO 8601, --03-12 without a year, as written where relative.")
    ]
    hop: Annotated[int, Field(description="1: of the entity itself; 2: of one of its neighbours.")]


class PathFactOut(NamedFactOut):
    """A fact on the way from one entity to another, with the sentence that says it."""

    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
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
        return cls.model_validate(vars(fact.sentences[0]) | vars(fact))


class FactPathOut(BaseModel):
    """A way from one entity to another."""

    facts: Annotated[list[PathFactOut], Field(description="From the first entity to the second.")]


class AlikeNamesOut(Out):
    """Two entities whose names are alike, and may be one's."""

    after: Annotated[int, Field(description="After so many facts of the chain.")]
    first_id: Annotated[str, Field(description="The one entity's id.")]
    first: Annotated[str, Field(description="Its name.")]
    other_id: Annotated[str, Field(description="The other's id.")]
    other: Annotated[str, Field(description="Its name.")]


class NamedBesideOut(Out):
    """An entity that the sentence of a fact names beside its ends."""

    fact: Annotated[int, Field(description="The fact's number in the chain, from 0.")]
    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]


class ConnectionOut(FactPathOut):
    """A chain of facts that connects two entities."""

    hubs: Annotated[
        list[str],
        Field(description="Places and dates with many facts that it passes; empty unless there is no other way."),
    ]
    alike: Annotated[
        list[AlikeNamesOut],
        Field(
            description="Where it goes on from one name to another that is alike, and no document says they are one."
        ),
    ] = []
    named: Annotated[
        list[NamedBesideOut],
        Field(description="Where it goes over what the sentence of a fact names beside its ends."),
    ] = []

    @classmethod
    def of(cls, found: Connection) -> ConnectionOut:
        return cls(
            facts=[PathFactOut.of(fact) for fact in found.facts],
            hubs=list(found.hubs),
            alike=[AlikeNamesOut.model_validate(one) for one in found.alike],
            named=[NamedBesideOut.model_validate(one) for one in found.named],
        )


class ConnectionsOut(BaseModel):
    """How two entities are connected."""

    paths: Annotated[list[ConnectionOut], Field(description="The best first, each by way of something else.")]


class NeighbourhoodOut(BaseModel):
    """What is near an entity."""

    facts: Annotated[list[NearFactOut], Field(description="Its own first, the best supported first.")]


class ListedFactOut(NamedEndsOut):
    """A fact in a list."""

    id: Annotated[str, Field(description="Its id.")]
    weight: Annotated[int, Field(description="How many sentences say it.")]
    text: Annotated[str, Field(description="The fact in words.")]
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")]
    dates: Annotated[
        list[str], Field(description="When it is so: ISO 8601, --03-12 without a year, as written where relative.")
    ]


class FactsOut(BaseModel):
    """Facts of a workspace."""

    total: Annotated[int, Field(description="How many there are.")]
    facts: Annotated[list[ListedFactOut], Field(description="Those asked for, the best supported first.")]


class ListedEntityOut(Out):
    """An entity that is named in a list."""

    id: Annotated[str, Field(description="Its id.")]
    name: Annotated[str, Field(description="Its name.")]
    chunks: Annotated[int, Field(description="How many passages mention it.")]


class TypeOut(Out):
    """A type of entities."""

    type: Annotated[str, Field(description="The type; empty for those that have none.")]
    entities: Annotated[int, Field(description="How many entities have it.")]
    first: Annotated[list[ListedEntityOut], Field(description="Those that most passages mention.")]


class TypesOut(BaseModel):
    """What was found."""

    types: Annotated[list[TypeOut], Field(description="The largest first; entities without a type last.")]


class ListedEntitiesOut(BaseModel):
    """Entities."""

    entities: Annotated[list[ListedEntityOut], Field(description="Those that most of these passages mention first.")]

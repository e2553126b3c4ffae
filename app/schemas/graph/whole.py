"""Responses of the route of `whole.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.graph.analysis.timeline import DatedDocument
from filigraph.graph.records.facts import DatedFact

if TYPE_CHECKING:
    from filigraph.graph.analysis.graph_layout import Link, Placed
    from filigraph.graph.analysis.timeline import Timeline


class YearOut(BaseModel):
    """A year of a time line."""

    year: Annotated[str, Field(description="The year.")]
    facts: Annotated[int, Field(description="Number of its dated facts, regardless of the range.")]


class TimelineOut(BaseModel):
    """Dated facts and documents."""

    total: Annotated[int, Field(description="Number of facts in the range.")]
    undated: Annotated[int, Field(description="Number of documents with statements but without a date.")] = 0
    left_out: Annotated[
        int, Field(description="Number of dated facts that are left out: of a colophon, licence or publication.")
    ] = 0
    facts: Annotated[list[DatedFact], Field(description="The requested facts, the earliest first.")]
    documents: Annotated[
        list[DatedDocument],
        Field(description="The documents dated from the first of these facts until the fact after them."),
    ]
    years: Annotated[list[YearOut], Field(description="The years with dated facts.")]

    @classmethod
    def of(cls, timeline: Timeline, first: int, count: int) -> TimelineOut:
        facts, documents = timeline.part(first, count)
        years = [YearOut(year=year, facts=number) for year, number in timeline.years]
        shown = {"total": len(timeline.facts), "facts": facts, "documents": documents, "years": years}
        return cls.model_validate(vars(timeline) | shown)


class WholeNodeOut(Out):
    """An entity in the picture."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type; empty if unknown.")]
    chunks: Annotated[int, Field(description="Number of chunks that mention it: its weight.")]
    facts: Annotated[int, Field(description="Number of its facts, drawn or not.")]
    community: Annotated[int, Field(description="Its community; 0 is the largest.")]
    x: Annotated[float, Field(description="Position, -1 to 1.")]
    y: Annotated[float, Field(description="Position, -1 to 1.")]

    @classmethod
    def of(cls, placed: Placed) -> WholeNodeOut:
        return cls.model_validate(vars(placed.entity) | {"community": placed.community, "x": placed.x, "y": placed.y})


class WholeLinkOut(Out):
    """The facts between two entities."""

    first: Annotated[str, Field(description="The id of one entity.")]
    second: Annotated[str, Field(description="The id of the other entity.")]
    weight: Annotated[int, Field(description="Number of sentences that state its facts.")]
    predicates: Annotated[list[str], Field(description="Its facts, the best supported first: at most five.")]
    relations: Annotated[list[str], Field(description="The relationship types of its facts in Neo4j, sorted.")]
    facts: Annotated[int, Field(description="Number of facts.")]

    @classmethod
    def of(cls, link: Link) -> WholeLinkOut:
        predicates = list(dict.fromkeys(fact.predicate for fact in link.facts))[:5]
        relations = sorted({fact.relation for fact in link.facts if fact.relation})
        own = {"first": link.first, "second": link.second, "weight": link.weight, "facts": len(link.facts)}
        return cls.model_validate(own | {"predicates": predicates, "relations": relations})


class WholeOut(BaseModel):
    """The whole graph at a glance. The rest is left out by weight: compare the totals."""

    total_entities: Annotated[int, Field(description="Number of entities with a fact.")]
    total_facts: Annotated[int, Field(description="Number of facts, without those that only name two together.")]
    nodes: Annotated[list[WholeNodeOut], Field(description="The heaviest first.")]
    links: Annotated[list[WholeLinkOut], Field(description="The heaviest first.")]

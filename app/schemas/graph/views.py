"""Responses of the routes of named views."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import PathFact
from filigraph.graph.model.answers import Break
from filigraph.graph.records.facts import Comparison, Regrouped


class ViewOut(Out):
    """The definition of a view."""

    sources: Annotated[list[str], Field(description="Only these documents.")]
    where: Annotated[dict[str, str], Field(description="Only documents with these metadata.")]
    without: Annotated[list[str], Field(description="All but these documents.")]
    without_decisions: Annotated[list[str], Field(description="All but these decisions of people, by id.")]
    without_facts: Annotated[list[str], Field(description="All but these facts, by id.")]
    until: Annotated[list[str], Field(description="Of a document, nothing after a place.")]
    within: Annotated[list[str], Field(description="Only these parts of documents.")]
    as_of: Annotated[str, Field(description="No documents later than this date.")]
    dated_by: Annotated[str, Field(description="The metadata field with a document's date.")]
    undated: Annotated[Literal["in", "out"], Field(description="Whether documents without a date are visible.")]


class NamedViewOut(BaseModel):
    """A named view of a workspace."""

    name: Annotated[str, Field(description="Its name.")]
    view: Annotated[ViewOut, Field(description="What is visible.")]
    memory_bytes: Annotated[int, Field(description="Approximate bytes of memory it takes now; 0: not in memory.")]


class NamedViewsOut(BaseModel):
    """The named views of a workspace."""

    views: Annotated[list[NamedViewOut], Field(description="By name.")]
    memory_limit_bytes: Annotated[
        int, Field(description="Limit of the memory of all views of the server, with the names they are made from.")
    ]


class KeptViewOut(NamedViewOut):
    """A named view, and what it shows now."""

    documents: Annotated[int, Field(description="Number of visible documents.")]
    chunks: Annotated[int, Field(description="Number of visible chunks.")]
    entities: Annotated[int, Field(description="Number of entities.")]
    facts: Annotated[int, Field(description="Number of facts.")]


class DeletedViewOut(BaseModel):
    """A deleted view."""

    deleted: Annotated[str, Field(description="Its name.")]


class ComparisonOut(BaseModel):
    """The differences of the second of two views from the first; the first `count` rows of each list, and the
    totals.
    """

    joined: Annotated[list[Regrouped], Field(description="Entities of the second that are several in the first.")]
    parted: Annotated[list[Regrouped], Field(description="Entities of the first that are several in the second.")]
    renamed: Annotated[
        list[Regrouped], Field(description="Entities of the second that have another name in the first.")
    ]
    entities_came: Annotated[list[str], Field(description="Entities of the second whose names are not in the first.")]
    entities_gone: Annotated[list[str], Field(description="Entities of the first whose names are not in the second.")]
    facts_came: Annotated[
        list[PathFact], Field(description="Facts that only the second has, the best supported first.")
    ]
    facts_gone: Annotated[list[PathFact], Field(description="Facts that only the first has.")]
    totals: Annotated[dict[str, int], Field(description="The total number of each.")]

    @classmethod
    def of(cls, comparison: Comparison, count: int) -> ComparisonOut:
        shown = {name: rows[:count] for name, rows in vars(comparison).items()}
        totals = {name: len(rows) for name, rows in vars(comparison).items()}
        return cls.model_validate({**shown, "totals": totals})


class ComparedAnswerOut(BaseModel):
    """An earlier question, searched in two views."""

    question: Annotated[str, Field(description="The question.")]
    trace_id: Annotated[str, Field(description="The trace of its last answer.")]
    changed: Annotated[bool, Field(description="Whether the best path breaks, or it or the best passage is another.")]
    path_before: Annotated[str, Field(description="The best path in the first view; empty if there is none.")]
    path_after: Annotated[str, Field(description="The best path in the second view.")]
    breaks: Annotated[list[Break], Field(description="Where the first path breaks in the second view.")]
    source_before: Annotated[str, Field(description="The document of the best passage in the first view.")]
    source_after: Annotated[str, Field(description="The document of the best passage in the second view.")]


class ViewComparisonOut(ComparisonOut):
    """The differences of two views, and what they change in the answers to earlier questions."""

    answers: Annotated[list[ComparedAnswerOut], Field(description="The last questions, the newest first.")]

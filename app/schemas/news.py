"""What is new in a workspace."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.app.schemas.graph.contradictions import MatterOut
from filigraph.app.schemas.graph.views import ComparisonOut


class NewDocumentOut(Out):
    """A document that was added or changed."""

    id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    came: Annotated[datetime, Field(description="Time when its current text arrived, UTC.")]


class NewsOut(BaseModel):
    """The changes by documents since a moment; the first `count` rows of each list."""

    since: Annotated[datetime, Field(description="The moment of comparison.")]
    total: Annotated[int, Field(description="Number of documents that came or changed.")]
    documents: Annotated[list[NewDocumentOut], Field(description="These documents, the latest first.")]
    changes: Annotated[
        ComparisonOut | None,
        Field(
            description=(
                "The differences to the graph without them: names and facts added and removed, names joined and "
                "separated; null without documents."
            )
        ),
    ]
    contradictions_total: Annotated[int, Field(description="Number of contradictions with one of them on one side.")]
    contradictions: Annotated[list[MatterOut], Field(description="The requested ones, the likeliest first.")]


class AskChangesIn(In):
    """How many earlier questions to ask again."""

    budget: Annotated[int, Field(ge=1, le=1000, description="Maximum number of questions, the newest first.")] = 10
    llm: Annotated[bool, Field(description="Ask the LLM; false: compare paths and passages only.")] = False


class AnswerChangeOut(Out):
    """A question that was asked again."""

    question: Annotated[str, Field(description="The question.")]
    before_id: Annotated[str, Field(description="The trace of the earlier answer.")]
    now_id: Annotated[str, Field(description="The trace of the new one.")]
    changed: Annotated[
        bool, Field(description="Whether the path, the cited passages, or whether there is an answer, changed.")
    ]
    path_before: Annotated[str, Field(description="The first path before, in words; empty if there was none.")]
    path_now: Annotated[str, Field(description="The first path now.")]
    text_before: Annotated[str, Field(description="The earlier answer.")]
    text_now: Annotated[str, Field(description="The new one.")]
    newer_documents: Annotated[
        int, Field(description="Number of documents that came or changed after the earlier answer.")
    ]


class AnswerChangesOut(BaseModel):
    """Earlier questions, asked again."""

    asked: Annotated[int, Field(description="Number of questions asked.")]
    left: Annotated[int, Field(description="Number of questions beyond the budget.")]
    answers: Annotated[list[AnswerChangeOut], Field(description="The questions, the newest first.")]

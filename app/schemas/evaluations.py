"""Requests and responses of the routes of evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from filigraph.app.schemas.common import In


class IndexedIn(In):
    """The cost of an ingest."""

    index_seconds: Annotated[dict[str, float], Field(description="Seconds by stage.")]
    indexed_passages: Annotated[int, Field(ge=0, description="How many documents were read in that time.")]


class Keyed(BaseModel):
    """A response whose field names may contain an `@`, as is usual for figures: recall@5."""

    model_config = ConfigDict(validate_by_alias=True, serialize_by_alias=True)


class FiguresOut(Keyed):
    """How well one method finds the gold. Shares are 0 to 1, the mean over the questions."""

    recall_2: Annotated[float, Field(alias="recall@2", description="Recall among the first 2.")]
    recall_5: Annotated[float, Field(alias="recall@5", description="Recall among the first 5.")]
    recall_10: Annotated[float, Field(alias="recall@10", description="Recall among the first 10.")]
    precision_2: Annotated[
        float | None, Field(alias="precision@2", description="Share of gold among the first 2; null in old runs.")
    ] = None
    precision_5: Annotated[
        float | None, Field(alias="precision@5", description="Share of gold among the first 5; null in old runs.")
    ] = None
    precision_10: Annotated[
        float | None, Field(alias="precision@10", description="Share of gold among the first 10; null in old runs.")
    ] = None
    r_precision: Annotated[
        float, Field(description="Share of gold among the first R results, where R is the number of pieces of gold.")
    ]
    mrr: Annotated[float, Field(description="One divided by the rank of the first gold; 0 if none is found.")]
    all_gold_5: Annotated[
        float, Field(alias="all_gold@5", description="Share of questions with all of their gold among the first 5.")
    ]
    mean_ms: Annotated[float | None, Field(description="Mean milliseconds in the server; null in old runs.")] = None
    p50_ms: Annotated[float, Field(description="Median milliseconds in the server.")]
    p95_ms: Annotated[float, Field(description="95th percentile of milliseconds in the server.")]


class TypeFiguresOut(BaseModel):
    """The figures for the questions of one type."""

    questions: Annotated[int, Field(description="Number of questions.")]
    methods: Annotated[dict[str, FiguresOut], Field(description="By method.")]


class CoverageOut(BaseModel):
    """Share of questions whose gold is in the chunks of their first paths; null if there is no such question."""

    bridge: Annotated[float | None, Field(description="Questions with two or more pieces of gold, except comparisons.")]
    comparison: Annotated[float | None, Field(description="Questions of type comparison and bridge_comparison.")]


class GainOut(BaseModel):
    """The advantage of the walk over another method in recall@5, question by question, with the 95 % interval."""

    mean: Annotated[float, Field(description="The mean, -1 to 1.")]
    low: Annotated[float, Field(description="The interval's lower end (paired bootstrap).")]
    high: Annotated[float, Field(description="Its upper end.")]


class EvaluationOut(Keyed):
    """The results of one evaluation."""

    id: Annotated[str, Field(description="The run's id.")]
    at: Annotated[datetime, Field(description="End of the run, UTC.")]
    workspace: Annotated[str, Field(description="The evaluated workspace.")]
    version: Annotated[str, Field(description="Version of the server.")]
    embedder: Annotated[str, Field(description="The embedder.")]
    reranker: Annotated[str, Field(description="The cross-encoder; empty without one.")]
    question_set: Annotated[str, Field(description="Hash of the questions: figures with the same hash are comparable.")]
    passages: Annotated[int, Field(description="Documents in the workspace.")]
    chunks: Annotated[int, Field(description="Chunks in the workspace.")]
    entities: Annotated[int, Field(description="Entities in the workspace.")]
    facts: Annotated[int, Field(description="Facts in the workspace.")]
    questions: Annotated[int, Field(description="Questions asked.")]
    skipped: Annotated[int, Field(description="Skipped questions; `problems` gives the reasons.")]
    problems: Annotated[list[str], Field(description="One line per skipped question.")]
    index_seconds: Annotated[dict[str, float], Field(description="The ingest by stage; empty if not measured.")]
    indexed_passages: Annotated[int, Field(description="Number of documents read in that time.")]
    methods: Annotated[
        dict[str, FiguresOut],
        Field(description="Figures by method; hybrid search with a weight of vectors is `hybrid 0.7`."),
    ]
    targets: Annotated[
        dict[str, dict[str, bool]],
        Field(
            default_factory=dict,
            description="Whether each method reaches recall@5 > 0.8, precision@5 > 0.6, mrr > 0.7, mean_ms < 100.",
        ),
    ]
    highest_precision: Annotated[
        float | None, Field(description="The highest possible precision@5, if all gold is found; null in old runs.")
    ] = None
    by_type: Annotated[dict[str, TypeFiguresOut], Field(description="Figures by type of question.")]
    path_coverage_1: Annotated[CoverageOut, Field(alias="path_coverage@1", description="Of the first path.")]
    path_coverage_3: Annotated[CoverageOut, Field(alias="path_coverage@3", description="Of the first three paths.")]
    answer_said_1: Annotated[
        float | None,
        Field(
            alias="answer_said@1",
            description="Share of the questions with a known answer that the first path states.",
        ),
    ] = None
    answer_said_3: Annotated[
        float | None,
        Field(alias="answer_said@3", description="The same for the first three paths; null in old runs."),
    ] = None
    fact_connected: Annotated[
        float | None,
        Field(description="Share of the shown paths whose hops are all facts; null if no path was shown."),
    ]
    gains: Annotated[
        dict[str, GainOut],
        Field(
            default_factory=dict,
            description="Gain of the walk over each other method; empty if the walk was not measured.",
        ),
    ]
    without_path: Annotated[float | None, Field(description="Share of the questions without a path.")] = None
    unanswerable: Annotated[
        int, Field(description="Questions of type unanswerable; the other figures leave them out.")
    ] = 0
    refused: Annotated[float | None, Field(description="Share of these without a path; null if there are none.")] = None


class EvaluationsOut(BaseModel):
    """The evaluations of a workspace."""

    total: Annotated[int, Field(description="Total number.")]
    evaluations: Annotated[list[EvaluationOut], Field(description="The latest one first.")]

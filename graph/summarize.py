"""Summarize, top to bottom: plan the levels -> windows -> the levels above -> folders.

Each summary is stored as soon as it is written, so a killed run goes on where it stopped; the summaries of a document
are shown once all of them are complete. Summaries that are up to date are not written again. Without an LLM a summary
consists of the central sentences of its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLM
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.records.documents import ChunkPlace, DocumentName, DocumentRow
from filigraph.graph.records.summaries import DocumentSummary, LevelEstimate, SummaryReport
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.summaries import llm as summary_llm
from filigraph.graph.summaries.levels import Item
from filigraph.graph.summaries.plan import Plan, Planned, plan_document, plan_folders
from filigraph.graph.summaries.writer import EXTRACTIVE, QUOTE_TOKENS_ABOVE, SummaryStore, SummaryWriter, recipe_of
from filigraph.graph.text.words import terms


class SummarizeGraph(SummaryStore, Protocol):
    @property
    def workspace(self) -> WorkspaceRow: ...
    def document_rows(self, ids: Sequence[str] | None = None) -> Sequence[DocumentRow]: ...
    def document_names(self) -> Sequence[DocumentName]: ...
    def document_summaries(self) -> Sequence[DocumentSummary]: ...
    def chunk_places(self, document_id: str) -> Sequence[ChunkPlace]: ...
    def prepare_summaries(self) -> None: ...
    def forget_summaries(self, plans: Sequence[tuple[str, str]]) -> None: ...


@dataclass(frozen=True, kw_only=True)
class PlacedDocument:
    """A document and the places of its chunks: enough to plan its summaries."""

    row: DocumentRow
    chunks: Sequence[ChunkPlace]

    @classmethod
    def of(cls, row: DocumentRow, chunks: Sequence[Chunk]) -> PlacedDocument:
        """One that is not stored yet."""
        words = [len(terms(f"{chunk.title}\n{chunk.text}", chunk.language)) for chunk in chunks]  # as it will be stored
        places = [
            ChunkPlace.of_words(id=chunk.id, start=chunk.start, end=chunk.end, words=count)
            for chunk, count in zip(chunks, words, strict=True)
        ]
        return cls(row=row, chunks=places)


def summarize(
    *,
    graph: SummarizeGraph,
    embedder: Embedder,
    llm: LLM | None = None,
    in_flight: int = 2,
    timeout: float = 300.0,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> SummaryReport:
    """Bring the summaries of a workspace up to date.

    Raises Cancelled, and what the LLM raises; the next run reuses what was written until then.
    """
    report = SummaryReport()
    graph.prepare_summaries()
    plans = _plans(graph.workspace.name, list(_placed_documents(graph, cancelled)), llm)
    report.recipe = recipe_of(llm)
    report.summaries = sum(len(plan.summaries) for plan in plans)
    report.levels = max((plan.top.level for plan in plans), default=0)
    run = SummaryWriter(graph, embedder, llm, in_flight, timeout, report, _reporting(report, progress), cancelled)
    for plan in plans:
        stop_if(cancelled)
        run.refresh(plan)
    graph.forget_summaries([(plan.document_id, plan.folder) for plan in plans])
    report.usage = llm.usage if llm else Usage()
    return report


def summarize_above(
    *,
    graph: SummarizeGraph,
    embedder: Embedder,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> None:
    """After a deletion: update the summaries of folders over documents with up-to-date summaries. It asks no model, so
    it does nothing if one worded the summaries. Raises Cancelled."""
    tops = {top.document_id: top for top in graph.document_summaries()}
    if any(top.recipe != EXTRACTIVE for top in tops.values()):
        return
    items = {id_: Item(id=top.id, level=top.level, section="", size=top.size) for id_, top in tops.items()}
    rows = graph.document_rows(list(tops))
    plans = plan_folders(rows, items, workspace=graph.workspace.name, recipe=EXTRACTIVE)
    report = SummaryReport(recipe=EXTRACTIVE, summaries=sum(len(plan.summaries) for plan in plans))
    run = SummaryWriter(graph, embedder, None, 1, 0.0, report, _reporting(report, progress), cancelled)
    for plan in plans:
        run.refresh(plan)
    documents = [(row.id, "") for row in graph.document_names()]
    graph.forget_summaries([*documents, *((plan.document_id, plan.folder) for plan in plans)])


@dataclass(frozen=True, kw_only=True)
class SummaryEstimate:
    """The estimated cost of summarizing."""

    summaries: int
    kept: int  # of them, those that are up to date
    levels: tuple[LevelEstimate, ...]  # the lowest first
    usage: Usage


def estimate_summaries(
    *,
    workspace: str,
    graph: SummarizeGraph | None,
    llm: LLM | None,
    sources: Collection[str] | None = None,
    incoming: Sequence[PlacedDocument] = (),
    cancelled: ShouldStop = lambda: False,
) -> SummaryEstimate:
    """Estimate the LLM usage of `summarize`; writes nothing. Texts above windows are assumed to have full length.

    `graph` is None while there is none. `sources`: only these of its documents, with their folders; `incoming` are
    documents that are not stored yet.
    """
    plans = _plans(workspace, [*(_placed_documents(graph, cancelled, sources) if graph else ()), *incoming], llm)
    planned = [summary for plan in plans for summary in plan.summaries]
    shown = graph.folders_of_shown_summaries([summary.id for summary in planned]) if graph else ()
    usage = Usage()
    if llm:
        for summary in planned:
            if summary.id not in shown:
                size = summary.size if summary.level == 1 else len(summary.covers) * QUOTE_TOKENS_ABOVE
                one = summary_llm.expected("", summary.level)
                usage += replace(one, tokens_in=one.tokens_in + size)
    return SummaryEstimate(summaries=len(planned), kept=len(shown), levels=_by_level(planned, shown), usage=usage)


def _reporting(report: SummaryReport, progress: Callable[[Progress], None]) -> Callable[[int], None]:
    """Reports how many summaries of a run are done."""
    return lambda done: progress(Progress(stage="summarize", done=done, total=report.summaries, usage=report.usage))


def _by_level(planned: Sequence[Planned], shown: Collection[str]) -> tuple[LevelEstimate, ...]:
    there, done = Counter(one.level for one in planned), Counter(one.level for one in planned if one.id in shown)
    return tuple(LevelEstimate(level=level, summaries=there[level], kept=done[level]) for level in sorted(there))


def _placed_documents(
    graph: SummarizeGraph, cancelled: ShouldStop, sources: Collection[str] | None = None
) -> Iterator[PlacedDocument]:
    """The documents of a workspace, or some of them."""
    for row in graph.document_rows():
        stop_if(cancelled)
        if sources is None or row.source in sources:
            yield PlacedDocument(row=row, chunks=graph.chunk_places(row.id))


def _plans(workspace: str, placed: Sequence[PlacedDocument], llm: LLM | None) -> list[Plan]:
    """The summaries of all documents, then those of folders."""
    recipe = recipe_of(llm)
    plans_or_none = (plan_document(one.row, one.chunks, workspace=workspace, recipe=recipe) for one in placed)
    plans = [plan for plan in plans_or_none if plan]
    tops = {plan.document_id: plan.top for plan in plans}
    return plans + plan_folders([one.row for one in placed], tops, workspace=workspace, recipe=recipe)

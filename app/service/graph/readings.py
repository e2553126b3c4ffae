"""What an LLM reads in a workspace on request: as a job, and its price."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from filigraph.app.llm_provider import choose_llm
from filigraph.app.schemas.readings import PricedReading
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.app.service.pricing import price
from filigraph.graph.errors import InputError

if TYPE_CHECKING:
    from filigraph.graph.model.llm_readings import ReadingEstimate
    from filigraph.graph.models.llm import LLM
    from filigraph.graph.models.llm_batches import BatchReader
    from filigraph.graph.store import JobKind, JobRow


def with_price(context: ServiceContext, llm: LLM, estimate: ReadingEstimate) -> PricedReading:
    return PricedReading(**vars(estimate), model=llm.model, cost=price(estimate.usage, context.runtime.settings))


def submit_reading(
    context: ServiceContext,
    jobs: JobRequests,
    workspace: str,
    kind: JobKind,
    *,
    name: str,
    options: dict[str, Any],
    priority: int,
) -> JobRow:
    """A job in which an LLM reads. Raises InputError if no LLM answers."""
    from filigraph.graph.store import Upload

    reading_llm(context, workspace)
    context.budget.check(workspace)
    uploads = [Upload(name=name, content=io.BytesIO())]
    return jobs.submit(workspace, kind, uploads, attached={}, priority=priority, options=options)


def reading_llm(context: ServiceContext, workspace: str, awaited: str = "") -> LLM:
    """The LLM that reads what is stored. Raises InputError if there is none."""
    choice = choose_llm(context.runtime.settings)
    llm = choice.llm or (awaited and context.runtime.llm(awaited))
    if not llm:
        raise InputError(f"No LLM is available: {choice.detail}", cure=choice.cure)
    return context.metered(workspace)(llm)


def batch_reader(
    context: ServiceContext, llm: LLM, kind: JobKind, *, budget: int, watcher: ProgressCallbacks
) -> BatchReader:
    """A reader that makes at most `budget` calls (0: no limit)."""
    from filigraph.graph.ingest.report import Progress
    from filigraph.graph.models.llm_batches import BatchReader, BudgetLLM

    settings = context.runtime.settings
    return BatchReader(
        name=kind,
        llm=BudgetLLM(llm, budget),
        progress=lambda done, total: watcher.progress(Progress(stage=kind, done=done, total=total, usage=llm.usage)),
        in_flight=settings.llm_parallel,
        timeout=settings.llm_timeout,
        cancelled=watcher.cancelled,
    )

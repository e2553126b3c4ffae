"""Contradictions that an LLM reads: estimate, submit as a job, read."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filigraph.app.llm_provider import choose_llm
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.app.service.pricing import price
from filigraph.graph.errors import InputError

if TYPE_CHECKING:
    from filigraph.graph.models.llm import LLM
    from filigraph.graph.read_contradictions import ContradictionEstimate, ContradictionReport
    from filigraph.graph.store import JobRow


@dataclass(frozen=True, kw_only=True)
class PricedContradictions:
    """The estimated cost of reading, and its LLM."""

    model: str
    estimate: ContradictionEstimate
    cost: float | None


class Contradictions:
    """Has an LLM find the contradictions of a workspace."""

    def __init__(self, context: ServiceContext, jobs: JobRequests) -> None:
        self.context = context
        self._jobs = jobs

    def submit(self, workspace: str, *, budget: int, priority: int) -> JobRow:
        """Have contradictions read by a job, with at most `budget` calls (0: no limit). Raises NotFound; InputError if
        no LLM answers."""
        from filigraph.graph.store import Upload

        with self.context.connected():
            self.context.runtime.graph(workspace)  # raises NotFound
        reading_llm(self.context, workspace)
        self.context.budget.check(workspace)
        whole = [Upload(name=workspace, content=io.BytesIO())]
        options = {"budget": budget}
        return self._jobs.submit(workspace, "contradictions", whole, attached={}, priority=priority, options=options)

    def read(
        self, workspace: str, watcher: ProgressCallbacks, *, budget: int, awaited: str = "", job: str = ""
    ) -> ContradictionReport:
        """Read what was not read yet. `awaited`: the name of an LLM to use if none answers now. Raises InputError if
        there is no LLM."""
        from filigraph.graph.read_contradictions import read_contradictions

        settings = self.context.runtime.settings
        with self.context.connected():
            self.context.runtime.graph(workspace)  # before the search for an LLM
        llm = reading_llm(self.context, workspace, awaited)
        self.context.budget.check(workspace)
        with self.context.locked(workspace, watcher, job=job) as store:
            return read_contradictions(
                graph=store.graph(workspace),
                llm=llm,
                budget=budget,
                in_flight=settings.llm_parallel,
                timeout=settings.llm_timeout,
                progress=watcher.progress,
                cancelled=watcher.cancelled,
            )

    def estimate(self, workspace: str, *, budget: int) -> PricedContradictions:
        """The passages, calls, tokens and cost of `read`. Asks and writes nothing. Raises NotFound; InputError if no
        LLM answers."""
        from filigraph.graph.read_contradictions import estimate_contradictions

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            llm = reading_llm(self.context, workspace)
            estimate = estimate_contradictions(graph, llm.model, budget=budget)
        cost = price(estimate.usage, self.context.runtime.settings)
        return PricedContradictions(model=llm.model, estimate=estimate, cost=cost)


def reading_llm(context: ServiceContext, workspace: str, awaited: str = "") -> LLM:
    """The LLM that reads what is stored. Raises InputError if there is none."""
    choice = choose_llm(context.runtime.settings)
    llm = choice.llm or (awaited and context.runtime.llm(awaited))
    if not llm:
        raise InputError(f"No LLM is available: {choice.detail}", cure=choice.cure)
    return context.metered(workspace)(llm)

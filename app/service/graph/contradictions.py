"""Contradictions that an LLM reads: estimate, submit as a job, read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.app.schemas.readings import PricedReading
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.graph.readings import batch_reader, reading_llm, submit_reading, with_price
from filigraph.app.service.jobs.requests import JobRequests

if TYPE_CHECKING:
    from filigraph.graph.models.llm_batches import ReadingReport
    from filigraph.graph.store import JobRow


class Contradictions:
    """Has an LLM find the contradictions of a workspace."""

    def __init__(self, context: ServiceContext, jobs: JobRequests) -> None:
        self.context = context
        self._jobs = jobs

    def submit(self, workspace: str, *, budget: int, priority: int) -> JobRow:
        """Have contradictions read by a job, with at most `budget` calls (0: no limit). Raises NotFound; InputError if
        no LLM answers."""
        with self.context.connected():
            self.context.runtime.graph(workspace)  # raises NotFound
        return submit_reading(
            self.context,
            self._jobs,
            workspace,
            "contradictions",
            name=workspace,
            options={"budget": budget},
            priority=priority,
        )

    def read(
        self, workspace: str, watcher: ProgressCallbacks, *, budget: int, awaited: str = "", job: str = ""
    ) -> ReadingReport:
        """Read what was not read yet. `awaited`: the name of an LLM to use if none answers now. Raises InputError if
        there is no LLM."""
        from filigraph.graph.readings.read_contradictions import read_contradictions

        with self.context.connected():
            self.context.runtime.graph(workspace)  # before the search for an LLM
        llm = reading_llm(self.context, workspace, awaited)
        self.context.budget.check(workspace)
        reader = batch_reader(self.context, llm, "contradictions", budget=budget, watcher=watcher)
        with self.context.locked(workspace, watcher, job=job) as store:
            return read_contradictions(store.graph(workspace), reader)

    def estimate(self, workspace: str, *, budget: int) -> PricedReading:
        """The passages, calls, tokens and cost of `read`. Asks and writes nothing. Raises NotFound; InputError if no
        LLM answers."""
        from filigraph.graph.readings.read_contradictions import estimate_contradictions

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            llm = reading_llm(self.context, workspace)
            return with_price(self.context, llm, estimate_contradictions(graph, llm.model, budget=budget))

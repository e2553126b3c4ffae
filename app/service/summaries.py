"""Summaries of workspaces: write, estimate and show them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from filigraph.app.llm_provider import choose_llm
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.graph.views import Views
from filigraph.app.service.pricing import price
from filigraph.graph.ask.levels.context_budget import SHARES, Group, shares_of
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.models.llm import LLM
    from filigraph.graph.records.summaries import OutlineEntry, SummaryReport
    from filigraph.graph.store import Graph
    from filigraph.graph.summarize import PlacedDocument, SummaryEstimate

SummaryWriter = Literal["auto", "llm", "quotes"]


@dataclass(frozen=True, kw_only=True)
class PricedSummaries:
    """The estimated cost of summarizing."""

    writer: str
    estimate: SummaryEstimate
    cost: float | None


class Summaries:
    """Summarizes workspaces, and shows their outlines."""

    def __init__(self, context: ServiceContext, views: Views) -> None:
        self.context = context
        self._views = views

    def summarize(
        self, workspace: str, writer: SummaryWriter, watcher: ProgressCallbacks, *, awaited: str = "", job: str = ""
    ) -> SummaryReport:
        """Bring the summaries of a workspace up to date. Raises InputError if an LLM is wanted and there is none.

        `awaited`: the name of an LLM to use if none answers now.
        """
        from filigraph.graph.summarize import summarize

        settings = self.context.runtime.settings
        with self.context.connected():
            self.context.runtime.graph(workspace)  # before the search for an LLM
        llm = self._llm(workspace, writer, awaited)
        if llm:
            self.context.budget.check(workspace)
        with self.context.locked(workspace, watcher, job=job) as store:
            graph = store.graph(workspace)
            return summarize(
                graph=graph,
                embedder=self.context.runtime.embedder_of(graph.workspace),
                llm=llm,
                in_flight=settings.llm_parallel,
                timeout=settings.llm_timeout,
                progress=watcher.progress,
                cancelled=watcher.cancelled,
            )

    def estimate(self, workspace: str, writer: SummaryWriter, watcher: ProgressCallbacks) -> PricedSummaries:
        """The number of summaries, and the calls, tokens and cost of `summarize`. Writes nothing. Raises NotFound."""
        with self.context.connected():
            return self._priced(workspace, self.context.runtime.graph(workspace), writer, watcher)

    def estimate_incoming(
        self, workspace: str, incoming: Sequence[PlacedDocument], unchanged: Collection[str], watcher: ProgressCallbacks
    ) -> PricedSummaries:
        """As `estimate`, for documents that are not stored yet (`incoming`) and for stored ones (`unchanged`, by
        source)."""
        graph = self.context.graph_if_any(workspace)
        with self.context.connected():
            return self._priced(workspace, graph, "auto", watcher, sources=unchanged, incoming=incoming)

    def _priced(
        self,
        workspace: str,
        graph: Graph | None,
        writer: SummaryWriter,
        watcher: ProgressCallbacks,
        *,
        sources: Collection[str] | None = None,
        incoming: Sequence[PlacedDocument] = (),
    ) -> PricedSummaries:
        from filigraph.graph.summarize import estimate_summaries

        llm = self._llm(workspace, writer)
        estimate = estimate_summaries(
            workspace=workspace,
            graph=graph,
            llm=llm,
            sources=sources,
            incoming=incoming,
            cancelled=watcher.cancelled,
        )
        cost = price(estimate.usage, self.context.runtime.settings)
        return PricedSummaries(writer=f"llm:{llm.model}" if llm else "quotes", estimate=estimate, cost=cost)

    def outline(self, workspace: str, document_id: str, lowest: int, *, view: View = ALL) -> list[OutlineEntry]:
        """The summaries of a document, or of folders for "", the highest level first; in a view, those of completely
        visible texts. Raises NotFound."""
        from filigraph.graph.views.summaries import visible_outline

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            seen = self._views.open(workspace, view, self.context.runtime.stopping.is_set) if view else None
            if document_id and not (seen or graph).document_rows([document_id]):
                raise NotFound(f"There is no document {document_id}.", cure="`filigraph documents` lists all.")
            if seen:
                return visible_outline(document_id, seen.derived, graph, lowest=lowest)
            return graph.outline(document_id, lowest=lowest)

    def shares(self, workspace: str) -> dict[Profile, dict[Group, float]]:
        """The shares of summaries in a question's budget, by profile. Raises NotFound."""
        with self.context.connected():
            stored = self.context.runtime.graph(workspace).workspace.settings.get("shares", {})
        return {profile: shares_of(profile, stored.get(profile, {})) for profile in SHARES}

    def set_shares(self, workspace: str, profile: Profile, chosen: Mapping[Group, float]) -> None:
        """Set the shares of a profile in a workspace; empty: reset to the defaults. Raises InputError, NotFound."""
        shares_of(profile, chosen)
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            settings: Mapping[str, Any] = graph.workspace.settings
            others = {name: shares for name, shares in settings.get("shares", {}).items() if name != profile}
            graph.save_settings({**settings, "shares": others | ({profile: dict(chosen)} if chosen else {})})

    def _llm(self, workspace: str, writer: SummaryWriter, awaited: str = "") -> LLM | None:
        if writer == "quotes":
            return None
        choice = choose_llm(self.context.runtime.settings)
        if llm := choice.llm or (awaited and self.context.runtime.llm(awaited)):
            return self.context.metered(workspace)(llm)
        if writer == "llm":
            raise InputError(f"No LLM is available: {choice.detail}", cure=choice.cure)
        return None

"""Corrections of people: store, list and undo them, and list what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filigraph.app.service.context import ServiceContext
from filigraph.graph.errors import NotFound
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.analysis.browse import BrowseGraph
    from filigraph.graph.corrections.apply import Correction
    from filigraph.graph.model.names import StoredCorrection
    from filigraph.graph.records.corrections import ListedDecision, ListedQuestion, Outcome, Suggestion
    from filigraph.graph.records.workspaces import PredicateRow
    from filigraph.graph.store import Graph


class Corrections:
    """People's corrections of names, facts and predicates."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context

    def listed(self, workspace: str, *, by: str, first: int, count: int) -> tuple[list[ListedDecision], int]:
        """The decisions of persons and the merges of rules, and how many there are."""
        from filigraph.graph.corrections.listing import list_decisions

        with self.context.connected():
            return list_decisions(by=by, graph=self.context.runtime.graph(workspace), first=first, count=count)

    def near_misses(self, workspace: str, *, first: int, count: int) -> tuple[list[ListedDecision], int]:
        """The near misses that a person should look at, nearest first, and how many there are."""
        from filigraph.graph.corrections.listing import list_near_misses

        with self.context.connected():
            return list_near_misses(graph=self.context.runtime.graph(workspace), first=first, count=count)

    def who(self, workspace: str, *, count: int) -> list[ListedQuestion]:
        """The questions of who is who that matter most."""
        from filigraph.graph.corrections.listing import list_questions

        with self.context.connected():
            return list_questions(graph=self.context.runtime.graph(workspace), count=count)

    def apply(self, workspace: str, corrections: Sequence[Correction]) -> Outcome:
        from filigraph.graph.corrections.apply import correct

        with self._changing(workspace) as graph:
            return correct(corrections, graph=graph, embedder=self.context.runtime.embedder())

    def undo(self, workspace: str, correction_id: str) -> None:
        from filigraph.graph.corrections.apply import undo

        with self._changing(workspace) as graph:
            undo([correction_id], graph=graph, embedder=self.context.runtime.embedder())

    # ---- predicates

    def predicates(self, workspace: str) -> tuple[list[PredicateRow], list[StoredCorrection]]:
        """The predicates of facts, and the folds."""
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.predicates(), [row for row in graph.corrections() if row.kind == "merge_predicates"]

    def suggest_folds(self, workspace: str, count: int, cancelled: ShouldStop) -> list[Suggestion]:
        from filigraph.graph.corrections.predicates import suggest

        with self.context.connected():
            graph, embedder = self.context.runtime.graph(workspace), self.context.runtime.embedder()
            return suggest(graph=graph, embedder=embedder, count=count, cancelled=cancelled)

    def fold(self, workspace: str, into: str, forms: Sequence[str], *, note: str) -> StoredCorrection:
        from filigraph.graph.corrections.predicates import fold

        with self._changing(workspace) as graph:
            return fold(into, forms, note=note, graph=graph, embedder=self.context.runtime.embedder())

    @contextmanager
    def _changing(self, workspace: str) -> Iterator[Graph]:
        """The workspace's graph, under its lock. Raises Busy if that takes long."""
        with self.context.connected():
            self.context.runtime.graph(workspace)  # raises NotFound without waiting
        with self.context.locked_soon(workspace) as store:
            yield store.graph(workspace)


def current_id(graph: BrowseGraph, entity_id: str) -> str:
    """The current entity for the id of a former entity or a mention. Raises NotFound with the reason."""
    from filigraph.graph.corrections.batch import current_entity

    if graph.has_entity(entity_id):
        return entity_id
    today = current_entity(entity_id, graph.mentions())
    if not today:
        raise NotFound(
            f"There is no entity {entity_id}: its names occur in no document any more, or it never existed.",
            cure="Look for it by its name.",
        )
    return today

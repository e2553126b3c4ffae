"""Evaluations: measure a workspace with questions whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.version import installed_version
from filigraph.graph.model.retrieval import Method

if TYPE_CHECKING:
    from filigraph.graph.records.workspaces import EvaluationRow


class Evaluations:
    """Measures workspaces, and stores the figures."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context

    def evaluate(
        self,
        workspace: str,
        questions: bytes,
        *,
        methods: Sequence[Method],
        weights: Sequence[float],
        limit: int | None,
        indexed: dict[str, Any] | None,
        watcher: ProgressCallbacks,
    ) -> EvaluationRow:
        """Measure a workspace with a file of questions whose answers are known, and store the figures.

        `indexed`: the seconds and passages of its ingest, by default those of the last run.
        """
        from filigraph.graph.measure.evaluate import evaluate, to_json
        from filigraph.graph.measure.gold import parse_questions

        file = parse_questions(questions)
        with self.context.connected():
            self.context.runtime.graph(workspace)  # raises NotFound without waiting
        with self.context.locked(workspace, watcher) as store:
            graph = store.graph(workspace)
            measured = evaluate(
                file,
                graph=graph,
                embedder=self.context.runtime.embedder_of(graph.workspace),
                reranker=self.context.runtime.reranker(),
                methods=methods,
                weights=weights,
                limit=limit,
                progress=watcher.progress,
                cancelled=watcher.cancelled,
            )
            index: Mapping[str, Any] = {"index_seconds": {}, "indexed_passages": 0}
            for run in graph.evaluations(count=1)[0]:
                index = {name: run.body[name] for name in index}
            body = to_json(measured) | dict(indexed or index) | {"version": installed_version()}
            return graph.keep_evaluation(body)

    def list_evaluations(self, workspace: str, *, first: int, count: int) -> tuple[list[EvaluationRow], int]:
        """The earlier evaluations of a workspace, the last one first, and how many there are."""
        with self.context.connected():
            return self.context.runtime.graph(workspace).evaluations(first=first, count=count)

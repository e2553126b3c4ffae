"""Browse: what a workspace holds, for people to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from filigraph.app.service.context import ServiceContext
from filigraph.app.service.names import current_id

if TYPE_CHECKING:
    from filigraph.graph.rows import (
        DetailFact,
        EntityNames,
        FoundEntity,
        Gap,
        GraphStats,
        ListedFact,
        NearFact,
        TypeRow,
    )


class Browse:
    """Reads of a workspace's graph."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context

    def stats(self, workspace: str) -> GraphStats:
        with self.context.connected():
            return self.context.runtime.graph(workspace).stats()

    def entity(self, workspace: str, entity_id: str) -> Any:
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.entity_detail(current_id(graph, entity_id))

    def find_entities(self, workspace: str, name: str, *, first: int, count: int) -> tuple[list[FoundEntity], int]:
        """Some of the entities that bear a name, and how many there are."""
        with self.context.connected():
            return self.context.runtime.graph(workspace).find_entities(name, first=first, count=count)

    def entity_names(self, workspace: str, entity_id: str) -> EntityNames:
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.entity_names(current_id(graph, entity_id))

    def neighbourhood(self, workspace: str, entity_id: str, *, hops: int, limit: int, together: bool) -> list[NearFact]:
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.neighbourhood(current_id(graph, entity_id), hops=hops, limit=limit, together=together)

    def paths_between(
        self, workspace: str, first: str, second: str, *, hops: int, count: int
    ) -> list[tuple[DetailFact, ...]]:
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.paths_between(current_id(graph, first), current_id(graph, second), hops=hops, count=count)

    def facts(
        self,
        workspace: str,
        *,
        entity_id: str | None,
        predicate: str | None,
        document_id: str | None,
        first: int,
        count: int,
    ) -> tuple[list[ListedFact], int]:
        """Some facts, the best supported first, and how many there are."""
        with self.context.connected():
            return self.context.runtime.graph(workspace).facts(
                entity_id=entity_id, predicate=predicate, document_id=document_id, first=first, count=count
            )

    def types_found(self, workspace: str) -> list[TypeRow]:
        with self.context.connected():
            return self.context.runtime.graph(workspace).types_found()

    def gaps(self, workspace: str, *, first: int, count: int) -> tuple[list[Gap], int]:
        """The chunks without facts, each with its reason, and how many there are."""
        with self.context.connected():
            return self.context.runtime.graph(workspace).gaps(first=first, count=count)

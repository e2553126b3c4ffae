"""Browse: what a workspace holds, for people to look at."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from filigraph.app.service.context import ServiceContext
from filigraph.app.service.names import current_id

if TYPE_CHECKING:
    from filigraph.graph.picture import Picture
    from filigraph.graph.rows import (
        Connection,
        DatedFact,
        DetailFact,
        EntityNames,
        FoundEntity,
        Gap,
        GraphStats,
        ListedFact,
        NearFact,
        TypeRow,
        Whole,
    )

KEPT = 16  # pictures of graphs, some 1 MB each


class Browse:
    """Reads of a workspace's graph."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context
        self._drawing = threading.Lock()
        self._pictures: LRUCache[tuple[str, str, int, int, str], tuple[Whole, Picture]] = LRUCache(KEPT)

    def stats(self, workspace: str) -> GraphStats:
        with self.context.connected():
            return self.context.runtime.graph(workspace).stats()

    def entity(self, workspace: str, entity_id: str) -> Any:
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.entity_detail(current_id(graph, entity_id))

    def whole(self, workspace: str, *, entities: int, facts: int, document_id: str | None) -> tuple[Whole, Picture]:
        """A picture of the graph by weight. The last ones are kept until their workspace changes."""
        from filigraph.graph.picture import picture

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            key = (workspace, graph.revision(), entities, facts, document_id or "")
            with self._drawing:  # one at a time: it is work for a processor
                if key not in self._pictures:
                    found = graph.whole(entities=entities, facts=facts, document_id=document_id)
                    self._pictures[key] = found, picture(found.entities, found.facts)
                return self._pictures[key]

    def facts_between(self, workspace: str, first: str, second: str, *, count: int) -> list[DetailFact]:
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.facts_between(current_id(graph, first), current_id(graph, second), count=count)

    def timeline(self, workspace: str, entity_id: str) -> tuple[list[DatedFact], int]:
        """The facts of a workspace, or of an entity, whose sentence names a date, by date; and how many documents say
        something of it, but nothing with a date."""
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            entity = current_id(graph, entity_id) if entity_id else ""
            found = graph.dated_facts(entity)
            return found, max(0, graph.documents_of_facts(entity) - len({fact.document_id for fact in found}))

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

    def connections(self, workspace: str, first: str, other: str, *, hops: int, count: int) -> list[Connection]:
        """How two entities are connected: the best chains of facts, the best first."""
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.connections(current_id(graph, first), current_id(graph, other), hops=hops, count=count)

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
        """Some facts, the best supported first, and how many there are. Raises NotFound for an unknown entity."""
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            return graph.facts(
                entity_id=current_id(graph, entity_id) if entity_id else None,
                predicate=predicate,
                document_id=document_id,
                first=first,
                count=count,
            )

    def types_found(self, workspace: str) -> list[TypeRow]:
        with self.context.connected():
            return self.context.runtime.graph(workspace).types_found()

    def gaps(self, workspace: str, *, first: int, count: int) -> tuple[list[Gap], int]:
        """The chunks without facts, each with its reason, and how many there are."""
        with self.context.connected():
            return self.context.runtime.graph(workspace).gaps(first=first, count=count)

"""Browse: the content of a workspace, for people to look at."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import TYPE_CHECKING

from cachetools import LRUCache

from filigraph.app.service.context import ServiceContext
from filigraph.app.service.graph.corrections import current_id
from filigraph.app.service.graph.views import Views
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.analysis.browse import BrowseGraph
    from filigraph.graph.analysis.contradictions import Contradiction
    from filigraph.graph.analysis.entity_comparison import EntityComparison
    from filigraph.graph.analysis.graph_layout import Picture
    from filigraph.graph.analysis.matters import Matter
    from filigraph.graph.analysis.passages import FactFilter, NamingPassages
    from filigraph.graph.analysis.timeline import Timeline
    from filigraph.graph.ask.evidence.between import Between
    from filigraph.graph.model.arrays import Vector
    from filigraph.graph.model.periods import Period
    from filigraph.graph.records.documents import Gap
    from filigraph.graph.records.entities import EndEntity, EntityNames, FoundEntity, PlaceRow
    from filigraph.graph.records.facts import (
        Connection,
        DetailFact,
        EntityDetail,
        ListedFact,
        NearFact,
        Whole,
    )
    from filigraph.graph.records.workspaces import GraphStats, TypeRow

MOST_FACTS = 10_000  # with one predicate, whose passages are searched
ENTITY_ID = re.compile("[0-9a-f]{48}")
CACHED_PICTURES = 16  # pictures of graphs, some 1 MB each


class Browse:
    """Reads of a workspace's graph, or of a view of it."""

    def __init__(self, context: ServiceContext, views: Views) -> None:
        self.context = context
        self._views = views
        self._drawing = threading.Lock()
        self._pictures: LRUCache[tuple[str, str, int, int, str], tuple[Whole, Picture]] = LRUCache(CACHED_PICTURES)

    def stats(self, workspace: str, *, view: View = ALL) -> GraphStats:
        with self._graph_in_view(workspace, view) as graph:
            return graph.stats()

    def entity(self, workspace: str, entity_id: str, *, view: View = ALL) -> EntityDetail:
        with self._graph_in_view(workspace, view) as graph:
            return graph.entity_detail(current_id(graph, entity_id))

    def whole(
        self, workspace: str, *, entities: int, facts: int, document_id: str | None, view: View = ALL
    ) -> tuple[Whole, Picture]:
        """A picture of the heaviest part of the graph. The last ones are cached until their workspace changes."""
        from filigraph.graph.analysis.graph_layout import lay_out

        with self._graph_in_view(workspace, view) as graph:
            key = (workspace, graph.revision(), entities, facts, document_id or "")
            with self._drawing:  # one at a time: it is CPU-bound
                if key not in self._pictures:
                    content = graph.whole(entities=entities, facts=facts, document_id=document_id)
                    self._pictures[key] = content, lay_out(content.entities, content.facts)
                return self._pictures[key]

    def facts_between(
        self, workspace: str, first: str, second: str, *, count: int, view: View = ALL
    ) -> list[DetailFact]:
        with self._graph_in_view(workspace, view) as graph:
            return list(graph.facts_between(current_id(graph, first), current_id(graph, second), count=count))

    def timeline(self, workspace: str, entity_id: str, *, begin: str = "", end: str = "", view: View = ALL) -> Timeline:
        """The facts of a workspace, or of an entity, whose sentence names a date, and the dated documents, in a range
        of days. `begin` and `end` are ISO dates, months or years. Raises InputError for any other text."""
        from filigraph.graph.analysis.timeline import timeline

        period = _period(begin, end)
        with self._graph_in_view(workspace, view) as graph:
            return timeline(graph, entity_id=current_id(graph, entity_id) if entity_id else "", period=period)

    def find_entities(
        self, workspace: str, name: str, *, first: int, count: int, view: View = ALL
    ) -> tuple[list[FoundEntity], int]:
        """Some of the entities that have a name, and how many there are."""
        with self._graph_in_view(workspace, view) as graph:
            entities, total = graph.find_entities(name, first=first, count=count)
            return list(entities), total

    def entity_names(self, workspace: str, entity_id: str, *, view: View = ALL) -> EntityNames:
        with self._graph_in_view(workspace, view) as graph:
            return graph.entity_names(current_id(graph, entity_id))

    def entity_places(
        self, workspace: str, entity_id: str, *, first: int, count: int, view: View = ALL
    ) -> tuple[list[PlaceRow], int]:
        """Where the names of an entity occur, and at how many places."""
        with self._graph_in_view(workspace, view) as graph:
            places, total = graph.entity_places(current_id(graph, entity_id), first=first, count=count)
            return list(places), total

    def neighbourhood(
        self, workspace: str, entity_id: str, *, hops: int, limit: int, together: bool, view: View = ALL
    ) -> list[NearFact]:
        with self._graph_in_view(workspace, view) as graph:
            return list(graph.neighbourhood(current_id(graph, entity_id), hops=hops, limit=limit, together=together))

    def connections(
        self, workspace: str, first: str, other: str, *, hops: int, count: int, view: View = ALL
    ) -> Sequence[Connection]:
        """How two entities are connected: the best chains of facts, the best first."""
        with self._graph_in_view(workspace, view) as graph:
            return graph.connections([current_id(graph, first)], [current_id(graph, other)], hops=hops, count=count)

    def between(
        self, workspace: str, names: Sequence[str], *, hops: int, count: int, view: View = ALL
    ) -> list[Between]:
        """How each name is connected to the next, or that they are not connected."""
        from filigraph.graph.ask.evidence.between import connect_names

        with self._graph_in_view(workspace, view) as graph:
            current_names = [_as_of_now(name, graph) for name in names]
            embed = embedding(self.context, workspace)
            return connect_names(current_names, graph=graph, embed=embed, hops=hops, count=count, in_text=True)

    def passages_naming(
        self,
        workspace: str,
        names: Sequence[str],
        *,
        in_document: bool,
        types: Sequence[str] = (),
        predicate: str = "",
        phrase: str = "",
        sources: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
        first: int,
        count: int,
        view: View = ALL,
    ) -> tuple[list[tuple[str, list[EndEntity]]], NamingPassages]:
        """The entities that each name means, and the passages with all names and one entity of each type; with
        `in_document`, the passages of documents with all of them. With a predicate, only passages that state such a
        fact about one of the entities. Raises NotFound for an unknown name, type or predicate, InputError if two names
        mean one entity."""
        from filigraph.graph.analysis.passages import passages_naming
        from filigraph.graph.ask.evidence.between import entities_meant
        from filigraph.graph.ask.question.documents import matching_documents

        with self._graph_in_view(workspace, view) as graph:
            embed = embedding(self.context, workspace)
            resolved = [(name, entities_meant(_as_of_now(name, graph), graph, embed)) for name in dict.fromkeys(names)]
            entity_ids_of = {name: {entity.id for entity in entities} for name, entities in resolved}
            _check_apart(list(entity_ids_of.items()))
            entity_ids_of |= {type_: _of_type(type_, graph) for type_ in types}
            limited = bool(sources or where)
            named = matching_documents(graph.document_names(), sources=sources, where=where) if limited else ()
            passages = passages_naming(
                entity_ids_of,
                graph,
                in_document=in_document,
                phrase=phrase,
                document_ids={row.id for row in named} if limited else None,
                stated=_stated(predicate, {id_ for ids in entity_ids_of.values() for id_ in ids}, graph)
                if predicate
                else None,
                first=first,
                count=count,
            )
        return resolved, passages

    def compare(self, workspace: str, names: Sequence[str], *, passages: int, view: View = ALL) -> EntityComparison:
        """Entities side by side; for a name of several entities, the one that most passages mention. Raises NotFound
        for an unknown name, InputError if two are one entity."""
        from filigraph.graph.analysis.entity_comparison import compare_entities
        from filigraph.graph.ask.evidence.between import entities_meant

        with self._graph_in_view(workspace, view) as graph:
            embed = embedding(self.context, workspace)
            ids = [entities_meant(_as_of_now(name, graph), graph, embed)[0].id for name in names]
            _check_apart([(name, {id_}) for name, id_ in zip(names, ids, strict=True)])
            return compare_entities(ids, graph, passages=passages)

    def contradictions(self, workspace: str, *, entity_id: str = "", kind: str = "", view: View = ALL) -> list[Matter]:
        """The matters in which statements may disagree, about one entity or all: contradictions according to an LLM,
        then the rules' candidates. Of a matter the pairs about this entity and of this kind come first. The last ones
        are cached until their workspace changes. Raises NotFound for an unknown entity."""
        with self.context.connected():
            seen = self._views.open(workspace, view, self.context.runtime.stopping.is_set) if view else None
            graph = seen or self.context.runtime.graph(workspace)
            entity = current_id(graph, entity_id) if entity_id else ""
            matters = self.context.contradictions.of(graph)

        def wanted(pair: Contradiction) -> bool:
            return (not kind or pair.kind == kind) and (not entity or pair.is_about(entity))

        return [focused for matter in matters if (focused := matter.focused_on(wanted))]

    def facts(
        self,
        workspace: str,
        *,
        entity_id: str | None,
        predicate: str | None,
        document_id: str | None,
        first: int,
        count: int,
        view: View = ALL,
    ) -> tuple[list[ListedFact], int]:
        """Some facts, the best supported first, and how many there are. Raises NotFound for an unknown entity."""
        with self._graph_in_view(workspace, view) as graph:
            return graph.facts(
                entity_id=current_id(graph, entity_id) if entity_id else None,
                predicate=predicate,
                document_id=document_id,
                first=first,
                count=count,
            )

    def types_found(self, workspace: str, *, view: View = ALL) -> list[TypeRow]:
        with self._graph_in_view(workspace, view) as graph:
            return graph.types_found()

    def gaps(self, workspace: str, *, first: int, count: int) -> tuple[list[Gap], int]:
        """The chunks without facts, each with its reason, and how many there are."""
        with self.context.connected():
            return self.context.runtime.graph(workspace).gaps(first=first, count=count)

    @contextmanager
    def _graph_in_view(self, workspace: str, view: View) -> Iterator[BrowseGraph]:
        with self.context.connected():
            yield self._views.graph(workspace, view)


def embedding(context: ServiceContext, workspace: str) -> Callable[[str], Vector]:
    """A function that embeds a name in the same way as the names of a workspace."""
    from filigraph.graph.models.embed import embed_texts

    embedder = context.runtime.embedder_of(context.runtime.graph(workspace).workspace)

    def embed(name: str) -> Vector:
        vector: Vector = embed_texts(embedder, [name], exact=True)[0]
        return vector

    return embed


def _period(begin: str, end: str) -> Period | None:
    """The days from the begin of one date to the end of another; None if neither is given."""
    from filigraph.graph.model.periods import Period
    from filigraph.graph.text.time.dates import days_of

    if not (begin or end):
        return None
    first, last = (days_of(text) for text in (begin, end))
    for text, days in ((begin, first), (end, last)):
        if text and days is None:
            raise InputError(
                f"{text!r} is not a date.", cure="Write a year, a month or a day: 1904, 1904-05, 1904-05-03."
            )
    if first and last and first[0] > last[1]:
        raise InputError(f"{end} is before {begin}.", cure="Give the earlier date first.")
    return Period(first=first[0] if first else None, last=last[1] if last else None)


def _as_of_now(name: str, graph: BrowseGraph) -> str:
    """The current id of an entity; a name is returned unchanged."""
    return current_id(graph, name) if ENTITY_ID.fullmatch(name) else name


def _of_type(type_: str, graph: BrowseGraph) -> set[str]:
    """The entities of a type. Raises NotFound, with a list of the existing types."""
    if not (ids := graph.entities_of_type(type_)):
        known = ", ".join(row.type for row in graph.types_found() if row.type) or "none"
        raise NotFound(f"No entity has the type {type_[:80]!r}.", cure=f"Use one of: {known}.")
    return set(ids)


def _stated(predicate: str, entity_ids: Collection[str], graph: BrowseGraph) -> FactFilter:
    """The facts with a predicate; if entities are given, only facts about one of them. Raises NotFound."""
    from filigraph.graph.analysis.passages import FactFilter

    rows, _ = graph.facts(predicate=predicate, count=MOST_FACTS)
    if not rows:
        raise NotFound(f"No fact has the predicate {predicate[:80]!r}.", cure="`filigraph predicates list` lists all.")
    matching = [row for row in rows if not entity_ids or {row.subject_id, row.object_id} & set(entity_ids)]
    ends = {end for row in matching for end in (row.subject_id, row.object_id)}
    return FactFilter(facts={row.id for row in matching}, ends=ends)


def _check_apart(names: Sequence[tuple[str, Collection[str]]]) -> None:
    """Raises InputError if two names mean the same entities."""
    for (one, ids), (two, others) in combinations(names, 2):
        if set(ids) == set(others):
            raise InputError(f"{one!r} and {two!r} are one entity.", cure="Name another one, or separate the names.")

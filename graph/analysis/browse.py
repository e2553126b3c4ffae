"""Reads for browsing, the same for a workspace (`store.Graph`) and a view (`views.reader.ViewGraph`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from filigraph.graph.analysis.cast_list import CastGraph
from filigraph.graph.analysis.entity_comparison import ComparedGraph
from filigraph.graph.analysis.entity_lists import EntityGraph
from filigraph.graph.analysis.list_items import ListGraph
from filigraph.graph.analysis.timeline import TimelineGraph
from filigraph.graph.model.arrays import Vector
from filigraph.graph.records.documents import FoundPiece, Piece
from filigraph.graph.records.entities import EntityHit, EntityNames, ListedEntity
from filigraph.graph.records.facts import ChainEnds, Connection, ListedFact, Whole
from filigraph.graph.records.workspaces import GraphStats, TypeRow


class BrowseGraph(CastGraph, ComparedGraph, EntityGraph, ListGraph, TimelineGraph, Protocol):
    """The reads for browsing. A view has exactly these, so browsing a view shows nothing hidden."""

    def revision(self) -> str: ...
    def stats(self) -> GraphStats: ...
    def languages(self) -> list[str]: ...

    # documents
    def pieces(self, document_id: str, *, chunk_id: str = "", first: int = 0, count: int) -> list[Piece]: ...
    def pieces_with_words(self, words: Sequence[Sequence[str]]) -> list[FoundPiece]: ...
    def entities_in(self, document_id: str, *, first: int, count: int) -> list[ListedEntity]: ...

    # entities
    def has_entity(self, entity_id: str) -> bool: ...
    def entity_names(self, entity_id: str) -> EntityNames: ...
    def search_entities(self, vector: Vector, k: int) -> list[EntityHit]: ...
    def types_found(self) -> list[TypeRow]: ...

    # facts
    def facts(
        self,
        *,
        entity_id: str | None = None,
        predicate: str | None = None,
        document_id: str | None = None,
        first: int = 0,
        count: int,
    ) -> tuple[list[ListedFact], int]: ...
    def connections(
        self, firsts: Sequence[str], others: Sequence[str], *, hops: int, count: int, in_text: bool = False
    ) -> list[Connection]: ...
    def chains(self) -> list[ChainEnds]: ...
    def whole(self, *, entities: int, facts: int, document_id: str | None = None) -> Whole: ...

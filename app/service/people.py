"""People: the cast of a document or workspace, and families."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from cachetools import LRUCache

from filigraph.app.schemas.cast_list import CastOrder
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.graph.browse import ENTITY_ID, embedding
from filigraph.app.service.graph.corrections import current_id
from filigraph.app.service.graph.views import Views
from filigraph.graph.errors import NotFound
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.analysis.cast_list import CastList, ListedPerson
    from filigraph.graph.analysis.family import Families

CACHED_CASTS = 16  # casts, and as many families


class People:
    """Reads about the persons of a workspace, or of a view of it."""

    def __init__(self, context: ServiceContext, views: Views) -> None:
        self._context = context
        self._views = views
        self._listing = threading.Lock()
        self._casts: LRUCache[tuple[str, str, str], CastList] = LRUCache(CACHED_CASTS)
        self._families: LRUCache[tuple[str, str], Families] = LRUCache(CACHED_CASTS)

    def cast(
        self,
        workspace: str,
        *,
        document_id: str | None,
        order: CastOrder,
        first: int,
        count: int,
        view: View = ALL,
    ) -> tuple[list[ListedPerson], int]:
        """Some of the persons of a document or of all, and how many there are. The last casts are cached until their
        workspace changes. Raises NotFound for an unknown document."""
        from filigraph.graph.analysis.cast_list import cast_list_of, listed_persons

        with self._context.connected():
            graph = self._views.graph(workspace, view)
            if document_id is not None and not graph.document_rows([document_id], facts=False):
                raise NotFound(f"There is no document {document_id}.", cure="`filigraph documents` lists all.")
            key = (workspace, graph.revision(), document_id or "")
            with self._listing:  # one at a time: it is CPU-bound
                if key not in self._casts:
                    self._casts[key] = cast_list_of(graph, document_id=document_id)
                cast = self._casts[key]
            return listed_persons(cast, graph, order=order, first=first, count=count), len(cast.ids)

    def families(self, workspace: str, name: str = "", *, view: View = ALL) -> Families:
        """All families, or those of the persons whom a name or an id means. Raises NotFound for an unknown name."""
        from filigraph.graph.analysis.family import families_of
        from filigraph.graph.ask.evidence.between import entities_meant

        with self._context.connected():
            graph = self._views.graph(workspace, view)
            key = (workspace, graph.revision())
            with self._listing:
                if key not in self._families:
                    self._families[key] = families_of(graph)
                families = self._families[key]
            if not name:
                return families
            current_name = current_id(graph, name) if ENTITY_ID.fullmatch(name) else name
            entities = entities_meant(current_name, graph, embedding(self._context, workspace))
            return families.of(entity.id for entity in entities)

"""People: the cast of a document or workspace."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from cachetools import LRUCache

from filigraph.app.schemas.cast_list import CastOrder
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.views import Views
from filigraph.graph.errors import NotFound
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.analysis.cast_list import Cast, CastMember

KEPT = 16  # casts


class People:
    """Reads about the persons of a workspace, or of a view of it."""

    def __init__(self, context: ServiceContext, views: Views) -> None:
        self._context = context
        self._views = views
        self._listing = threading.Lock()
        self._casts: LRUCache[tuple[str, str, str], Cast] = LRUCache(KEPT)

    def cast(
        self,
        workspace: str,
        *,
        document_id: str | None,
        order: CastOrder,
        first: int,
        count: int,
        view: View = ALL,
    ) -> tuple[list[CastMember], int]:
        """Some of the persons of a document or of all, and how many there are. The last casts are kept until their
        workspace changes. Raises NotFound for an unknown document."""
        from filigraph.graph.analysis.cast_list import cast_members, cast_of

        with self._context.connected():
            graph = self._views.graph(workspace, view)
            if document_id is not None and not graph.document_rows([document_id], facts=False):
                raise NotFound(
                    f"There is no document {document_id}.", cure="`filigraph documents` lists what there is."
                )
            key = (workspace, graph.revision(), document_id or "")
            with self._listing:  # one at a time: it is work for a processor
                if key not in self._casts:
                    self._casts[key] = cast_of(graph, document_id=document_id)
                cast = self._casts[key]
            return cast_members(cast, graph, order=order, first=first, count=count), len(cast.ids)

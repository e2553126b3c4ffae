"""Browse: a document as it is read, an entity as it is looked for."""

from __future__ import annotations

from filigraph.graph.errors import NotFound
from filigraph.graph.store.bound import Bound
from filigraph.graph.store.rows import Piece

BEFORE = 2  # chunks shown before the one that is looked for


class BrowsePart(Bound):
    """What people look at."""

    def pieces(self, document_id: str, *, chunk_id: str = "", first: int = 0, count: int) -> list[Piece]:
        """`count` chunks of a document, in order, from number `first` on, or from a little before `chunk_id`.

        None where the document has none there. Raises NotFound where it has no such chunk, or has it no more.
        """
        if chunk_id:
            found = self._rows("chunk_index", id=chunk_id, document_id=document_id)
            if not found:
                raise NotFound(
                    f"The document {document_id} has no passage {chunk_id}: it was changed since, or deleted.",
                    cure="Ask again: the answer is then about the document as it is now.",
                )
            first = max(found[0]["index"] - BEFORE, 0)
        asked = {"document_id": document_id, "first": first, "count": count}
        return [Piece(**row) for row in self._rows("document_pieces", **asked)]

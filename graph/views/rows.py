"""The entities and facts of a view as rows for other programs (`transfer/tables.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from filigraph.graph.model.facts import Support
from filigraph.graph.text.places import marks_text
from filigraph.graph.views.derived import DerivedView, ViewFact

Row = dict[str, Any]


class ViewRows:
    """Like the tables of a workspace (`store/workspace/export.py`), by id."""

    def __init__(self, derived: DerivedView) -> None:
        self._derived = derived

    def entity_table(self) -> Iterator[Row]:
        for id_, entity in sorted(self._derived.entities.items()):
            chunks = len(self._derived.chunks_of_entity.get(id_, ()))
            aliases = list(entity.aliases)
            yield {"id": id_, "name": entity.name, "type": entity.type, "aliases": aliases, "chunks": chunks}

    def fact_table(self) -> Iterator[Row]:
        for _, row in sorted(self._derived.facts.items()):
            yield self._fact(row)

    def _fact(self, row: ViewFact) -> Row:
        fact, entities = row.fact, self._derived.entities
        supports = sorted(fact.supports, key=self._order)
        return {
            "id": fact.id,
            "subject_id": fact.subject_id,
            "subject": entities[fact.subject_id].name,
            "predicate": fact.predicate,
            "object_id": fact.object_id,
            "object": entities[fact.object_id].name,
            "weight": row.weight,
            "denied": row.denied,
            "sentences": [self._sentence(support) for support in supports],
        }

    def _order(self, support: Support) -> tuple[str, int, int]:
        chunk = self._derived.chunks[support.chunk_id].chunk
        return self._derived.visible.documents[chunk.document_id].source, chunk.index, support.start

    def _sentence(self, support: Support) -> Row:
        chunk = self._derived.chunks[support.chunk_id].chunk
        return {
            "source": self._derived.visible.documents[chunk.document_id].source,
            "place": chunk.place,
            "places": marks_text(chunk.places),
            "start": support.start,
            "end": support.end,
            "origin": support.origin,
            "according_to": support.according_to,
            "when": support.when,
            "when_date": support.when_date,
            "sentence": chunk.text[support.start : support.end],
        }

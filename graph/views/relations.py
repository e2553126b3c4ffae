"""The facts of a view by relation and date: as for a workspace (`store/workspace/detail.py`), from memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from filigraph.graph.records.facts import DatedFact, DetailFact, WholeFact
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.store.workspace.browse import MAX_FACTS_AMONG
from filigraph.graph.store.workspace.detail import (
    MAX_DATED_FACTS,
    MAX_FACTS_OF_RELATIONS,
    MAX_SENTENCES_PER_RELATION_FACT,
    StatedFact,
    facts_with_dates,
)
from filigraph.graph.views.browse import ViewBrowse
from filigraph.graph.views.derived import ViewFact

_YEAR = re.compile(r"\b(1\d{3}|20\d{2})\b")


class ViewRelations(ViewBrowse):
    """Facts for cast lists, families and time lines."""

    def facts_of_relations(
        self, relations: Sequence[str], *, subject_ids: Sequence[str] | None = None, document_id: str | None = None
    ) -> list[DetailFact]:
        rows = [
            row
            for row in self._heaviest
            if (subject_ids is None or row.fact.subject_id in subject_ids)
            and self._relation(row) in relations
            and (document_id is None or document_id in self._documents_of([row]))
        ]
        return [self._tables.detail.fact(row, MAX_SENTENCES_PER_RELATION_FACT) for row in rows[:MAX_FACTS_OF_RELATIONS]]

    def facts_among(self, entity_ids: Sequence[str], *, document_id: str | None = None) -> list[WholeFact]:
        ids = set(entity_ids)
        return [
            self._whole_fact(row)
            for row in self._heaviest
            if row.fact.predicate != TOGETHER
            and {row.fact.subject_id, row.fact.object_id} <= ids
            and (document_id is None or document_id in self._documents_of([row]))
        ][:MAX_FACTS_AMONG]

    def dated_facts(self, entity_id: str = "") -> list[DatedFact]:
        rows_of = self._of(entity_id) if entity_id else self._tables.facts
        rows = list(chain.from_iterable(self._dated(row) for row in rows_of if row.fact.predicate != TOGETHER))
        rows.sort(key=lambda row: row[0])
        return facts_with_dates(row for _, row in rows[:MAX_DATED_FACTS])

    def _dated(self, row: ViewFact) -> Iterator[tuple[tuple[str, int, int, str], StatedFact]]:
        for support in row.fact.supports:
            chunk = self._part.chunks[support.chunk_id].chunk
            document = self._documents[chunk.document_id]
            if support.when_date or _YEAR.search(chunk.text[support.start : support.end]):
                stated = StatedFact(
                    **vars(self._ends(row)),
                    fact_id=row.fact.id,
                    source=document.source,
                    document_id=document.id,
                    chunk_id=chunk.id,
                    start=support.start,
                    end=support.end,
                    text=chunk.text,
                    language=chunk.language,
                    place=chunk.place,
                    places=chunk.places,
                    when_date=support.when_date,
                    own=support.origin == "own",
                )
                yield (document.source, chunk.index, support.start, row.fact.id), stated

    def documents_of_facts(self, entity_id: str = "") -> int:
        if not entity_id:
            return len(self._documents)
        return len(self._documents_of([row for row in self._of(entity_id) if row.fact.predicate != TOGETHER]))

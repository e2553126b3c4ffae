"""Details of entities, and the counts of a workspace."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby

from filigraph.graph.analysis.alike import AlikePair
from filigraph.graph.analysis.contradictions import compared_ends
from filigraph.graph.errors import NotFound
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.documents import PlaceMark
from filigraph.graph.records.entities import NamedFact
from filigraph.graph.records.facts import DatedFact, DetailFact, EntityDetail, Statement
from filigraph.graph.records.workspaces import DerivedCounts, GraphStats
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.store.neo4j.quantize import dequantize
from filigraph.graph.store.workspace.connections import ConnectionPart, detail_fact
from filigraph.graph.text.places import marks_of, place_of
from filigraph.graph.text.time.dates import dates_in

YEAR = r"(?s).*\b(1\d{3}|20\d{2})\b.*"  # a sentence without a match has no date with a year
MAX_DATED_FACTS = 5000
MAX_FACTS = 500  # of one entity, the best supported
MAX_SENTENCES_PER_FACT = 50  # of one fact
MAX_FACTS_OF_RELATIONS = 10_000  # facts of some relation types
MAX_SENTENCES_PER_RELATION_FACT = 10  # of each
_OF_DATED = {field.name for field in fields(DatedFact)}
_TABLE_ROW = re.compile(r"[|\t].*[|\t]", re.S)  # cells between bars or tabs
_STATED = (
    *("fact_id", "subject_id", "subject", "subject_type", "predicate", "object_id", "object", "object_type", "denied"),
    *("chunk_id", "start", "end", "document_id", "source", "language", "according_to", "when", "when_date"),
)


@dataclass(frozen=True, kw_only=True)
class StatedFact(NamedFact):
    """A fact with a sentence that states it: `text[start:end]` of a chunk."""

    source: str
    document_id: str
    chunk_id: str
    start: int
    end: int
    text: str
    language: str
    place: str
    places: Sequence[PlaceMark]
    when_date: str
    own: bool  # a person states it of the sentence


class DetailPart(ConnectionPart):
    """Details of a workspace, for people."""

    def entity_detail(self, entity_id: str) -> EntityDetail:
        """The details of an entity: at most its 500 best supported facts, each with at most 50 sentences. Raises
        NotFound.
        """

        def work(run: Run) -> tuple[list[Row], list[Row]]:
            parameters = {"workspace": self._name, "id": entity_id}
            return run("entity", **parameters), run(
                "entity_facts", **parameters, limit=MAX_FACTS, sentences=MAX_SENTENCES_PER_FACT
            )

        entities, rows = self.database.read(work)
        if not entities:
            raise NotFound(f"There is no entity {entity_id}.", cure="Look for it by its name.")
        facts = [detail_fact(list(group)) for _, group in groupby(rows, key=lambda row: str(row["fact_id"]))]
        return EntityDetail(**{**entities[0], "aliases": tuple(entities[0]["aliases"])}, facts=tuple(facts))

    def statements(self) -> tuple[list[Statement], Matrix, Mapping[tuple[str, str], AlikePair]]:
        """Every fact with each sentence that states it, without facts that only name two together; (n, d) the vectors
        of the facts; and the pairs of entities that may be one, among those with denied facts or figures.
        """
        rows = self._rows("statements", together=TOGETHER)
        stated = [_statement(row) for row in rows]
        vectors = dequantize([row["packed"] for row in rows], self.workspace.dimensions)
        return stated, vectors, self._alike(compared_ends(stated), self._name_table())

    def dates_in_documents(self, document_ids: Sequence[str]) -> dict[str, list[str]]:
        """The dates of documents, in the form of Chunk and Triplet; documents without any are left out."""
        return {row["id"]: row["dates"] for row in self._read_batches("dates_in_documents", document_ids)}

    def facts_between(self, first: str, second: str, *, count: int) -> list[DetailFact]:
        """The facts between two entities that state something, the best supported first, each with its first
        sentence.
        """
        ids = [row["id"] for row in self._rows("facts_between", id=first, other=second, limit=count)]
        facts = {row["fact_id"]: detail_fact([row]) for row in self._facts_in_full(ids)}
        return [facts[id_] for id_ in ids if id_ in facts]

    def facts_of_relations(
        self, relations: Sequence[str], *, subject_ids: Sequence[str] | None = None, document_id: str | None = None
    ) -> list[DetailFact]:
        """The facts with these relationship types, of some subjects, of a document, the best supported first."""
        rows = self._rows(
            "facts_of_relations",
            relations=list(relations),
            subjects=None if subject_ids is None else list(subject_ids),
            document=document_id,
            limit=MAX_FACTS_OF_RELATIONS,
            sentences=MAX_SENTENCES_PER_RELATION_FACT,
        )
        return [detail_fact(list(group)) for _, group in groupby(rows, key=lambda row: str(row["fact_id"]))]

    def dated_facts(self, entity_id: str = "") -> list[DatedFact]:
        """The facts, of one entity or all, whose sentence has a date with a year, by date. If more than MAX_DATED_FACTS
        sentences have a year, the first ones in reading order.
        """
        parameters = {"year": YEAR, "together": TOGETHER, "limit": MAX_DATED_FACTS}
        rows = (
            self._rows("dated_facts_of", id=entity_id, **parameters)
            if entity_id
            else self._rows("dated_facts", **parameters)
        )
        return facts_with_dates(StatedFact(**row | {"places": marks_of(row["places"])}) for row in rows)

    def documents_of_facts(self, entity_id: str = "") -> int:
        """The number of documents that state a fact of an entity; without an entity, the number of all documents."""
        if not entity_id:
            return int(self._rows("count_nodes")[0]["documents"])
        return int(self._rows("documents_of_facts", id=entity_id, together=TOGETHER)[0]["total"])

    def derived_counts(self) -> DerivedCounts:
        """The numbers of entities and facts: a small part of `stats`, in a small part of its time."""
        return DerivedCounts(**self._rows("count_derived")[0])

    def stats(self) -> GraphStats:
        """The counts of a workspace."""

        def work(run: Run) -> tuple[Row, list[Row]]:
            return run("count_nodes", workspace=self._name)[0], run("count_decisions", workspace=self._name)

        counts, decisions = self.database.read(work)
        return GraphStats(
            **counts,
            partial=counts["documents"] - counts["complete"],
            near_misses=sum(row["count"] for row in decisions if row["review"]),
            decisions={row["rule"]: row["count"] for row in decisions if not row["review"]},
        )


def facts_with_dates(sentences: Iterable[StatedFact]) -> list[DatedFact]:
    """The facts that have a date with a year, by date; the input is in reading order.

    Of a row of a table only the cells of the fact count: the year of a birth says nothing of the trade beside it.
    """
    facts: dict[tuple[str, str], DatedFact] = {}  # a sentence in an overlap is in two chunks
    for stated in sentences:
        sentence = stated.text[stated.start : stated.end]
        own = f"{stated.subject} | {stated.object}" if _TABLE_ROW.search(sentence) else sentence
        named = (stated.when_date, *dates_in(own, stated.language))
        date = next((date for date in named if date and not date.startswith("--")), "")
        if date:
            row = {name: value for name, value in vars(stated).items() if name in _OF_DATED}
            row["place"] = place_of(stated.places, stated.start, stated.end, otherwise=stated.place)
            facts.setdefault((stated.fact_id, sentence), DatedFact(**row, sentence=sentence, date=date))
    return sorted(facts.values(), key=lambda fact: fact.date)  # stable: facts of one date in reading order


def _statement(row: Row) -> Statement:
    metadata = json.loads(row["metadata"])
    values = {name: row[name] for name in _STATED}
    return Statement(
        **values,
        sentence=row["text"][row["start"] : row["end"]],
        place=place_of(marks_of(row["places"]), row["start"], row["end"], otherwise=row["place"]),
        author=str(metadata.get("author", "")),
        date=str(metadata.get("date", "")),
    )

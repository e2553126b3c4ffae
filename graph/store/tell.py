"""Tell: one entity in full, how much there is, and the canonical dump."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

from filigraph.graph.errors import NotFound
from filigraph.graph.store.bound import Bound, document_date, spans
from filigraph.graph.store.database import Row, Run
from filigraph.graph.store.rows import DetailFact, EntityDetail, FactSentence, GraphStats

MOST_FACTS = 500  # of one entity, the best supported
DUMPED = 1000  # nodes read at once
DUMPED_IN_ORDER = ("documents", "chunks", "mentions", "decisions", "alias_groups", "entities", "facts")
UNORDERED = ("occurrences", "decisions", "chunks", "supports", "drawn", "names", "titles")  # lists that are sets


class TellPart(Bound):
    """What a workspace holds, for people and for comparing."""

    def entity_detail(self, entity_id: str) -> EntityDetail:
        """All that is known of an entity: of a hub's facts the 500 best supported. Raises NotFound."""

        def work(run: Run) -> tuple[list[Row], list[Row]]:
            asked = {"workspace": self._name, "id": entity_id}
            return run("entity", **asked), run("entity_facts", **asked, limit=MOST_FACTS)

        found, rows = self._database.read(work)
        if not found:
            raise NotFound(f"There is no entity {entity_id}.")
        facts = [_detail_fact(list(group)) for _, group in groupby(rows, key=lambda row: str(row["fact_id"]))]
        return EntityDetail(**{**found[0], "aliases": tuple(found[0]["aliases"])}, facts=tuple(facts))

    def stats(self) -> GraphStats:
        """How much there is."""

        def work(run: Run) -> tuple[Row, list[Row]]:
            return run("count_nodes", workspace=self._name)[0], run("count_decisions", workspace=self._name)

        counts, decisions = self._database.read(work)
        return GraphStats(
            **counts,
            partial=counts["documents"] - counts["complete"],
            near_misses=sum(row["count"] for row in decisions if row["review"]),
            decisions={row["rule"]: row["count"] for row in decisions if not row["review"]},
        )

    def dump(self) -> Iterator[str]:
        """All that was read and decided and all that follows, as sorted lines of JSON, without vectors and times.

        Two stores with the same content give the same lines, in whatever order it came in; types drawn in Neo4j Browser
        are left out, for the registry that caps them belongs to the whole database. Read in pieces: not to be relied
        on while someone writes.
        """
        for kind in DUMPED_IN_ORDER:
            after = ""
            while True:
                rows = self._rows(f"dump_{kind}", after=after, limit=DUMPED)
                for row in rows:
                    yield _line(kind, row["line"])
                if len(rows) < DUMPED:
                    break
                after = rows[-1]["line"]["id"]


def _line(kind: str, line: Row) -> str:
    ordered = {name: sorted(value) if name in UNORDERED else value for name, value in line.items()}
    return json.dumps({"kind": kind, **ordered}, ensure_ascii=False, sort_keys=True)


def _detail_fact(rows: list[Row]) -> DetailFact:
    fact = rows[0]
    sentences = [
        FactSentence(
            chunk_id=row["chunk_id"],
            document_id=row["document_id"],
            source=row["source"],
            place=row["place"],
            sentence=row["chunk_text"][row["start"] : row["end"]],
            start=row["start"],
            end=row["end"],
            origin=row["origin"],
            according_to=row["according_to"],
            premises=tuple(row["chunk_text"][start:end] for start, end in spans(row["premises"])),
            date=document_date(row["metadata"]),
        )
        for row in rows
    ]
    return DetailFact(
        fact_id=fact["fact_id"],
        subject_id=fact["subject_id"],
        subject=fact["subject"],
        predicate=fact["predicate"],
        object_id=fact["object_id"],
        object=fact["object"],
        text=fact["text"],
        weight=fact["weight"],
        sentences=tuple(sentences),
    )

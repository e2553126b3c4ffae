"""Derived data: mentions, the entities they refer to, the facts between them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np

from filigraph.graph.errors import InputError
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.facts import CorrectedFact, Entity, Fact, Support
from filigraph.graph.model.names import Mention
from filigraph.graph.records.documents import NameOccurrences, PlacedChunk, StoredChunk
from filigraph.graph.store.neo4j.database import BATCH_ROWS, Row, Run, in_batches
from filigraph.graph.store.neo4j.labels import safe_label
from filigraph.graph.store.neo4j.quantize import quantize
from filigraph.graph.store.workspace.extractions import extraction_from_json
from filigraph.graph.store.workspace.graph_part import name_lookup, write_rows
from filigraph.graph.store.workspace.read_rows import CachedRowsPart
from filigraph.graph.tables.text_parts import KeptTextParts, TextParts

# Max. vectors in a transaction. Smaller transactions are cheaper, but leave small segments in Lucene, which have no
# graph and are searched vector by vector: 30,000 vectors in transactions of 500 take 30 ms to search, of 2,000 6 ms.
VECTOR_BATCH = 2000
BATCH_DOCUMENTS = 20  # documents whose chunks are in memory with all places of names
MAX_TERMS = 200  # terms of a name: Lucene accepts 1,024 clauses
CORRECTED_COLUMNS = ("subject_id", "original_predicate", "object_id", "predicate")
SUPPORT_COLUMNS = ("id", "chunk_id", "start", "end", "origin", "according_to", "premises", "when", "when_date")
LUCENE_SYNTAX = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/<>=\s])')


class DerivePart(CachedRowsPart):
    """The data that follow from what was read and decided."""

    def stale_chunks(self) -> list[StoredChunk]:
        """The chunks whose facts must be derived, by id."""
        chunks = [_stored_chunk(row["chunk"]) for row in self._rows("stale_chunks")]
        return sorted(chunks, key=lambda chunk: chunk.id)

    def load_chunks(self, ids: Sequence[str]) -> list[StoredChunk]:
        """These chunks, by id; those that do not exist are left out."""
        rows = self._read_batches("load_chunks", sorted(set(ids)))
        return [_stored_chunk(row["chunk"]) for row in rows]

    def scanned_chunks(self) -> list[str]:
        """The ids of the chunks that were searched for names before."""
        return [row["id"] for row in self._rows("scanned_chunks")]

    def chunks_with_terms(
        self, terms_per_name: Mapping[str, Sequence[str]], *, among_scanned: bool = True
    ) -> dict[str, list[str]]:
        """Name key -> the chunks that contain all terms of the name, by id, without names that occur nowhere.
        `among_scanned`: only chunks that were derived before, in which nobody has searched for a new name.
        """
        items = [{"key": key, "query": _lucene_all_of(terms)} for key, terms in terms_per_name.items() if any(terms)]
        if not items or (among_scanned and not self._rows("any_scanned")):
            return {}
        index = f"{self.workspace.chunk_label}_words"
        rows = self.database.read_batches("chunks_with_terms", items, index=index, among_scanned=among_scanned)
        return {row["key"]: sorted(row["ids"]) for row in rows}

    def cached_text_parts(self) -> KeptTextParts | None:
        """The parts that texts determined in this server's last derivation of the workspace; None if another server
        derived it since.
        """
        parts: TextParts | None = self.derivation_cache.at(self._name, "text parts", self._state())
        if parts is None:
            return None
        return KeptTextParts(text_parts=parts, touched=sorted(row["id"] for row in self._rows("touched_documents")))

    def cache_text_parts(self, parts: TextParts) -> None:
        """Cache the parts that texts determine, for the next derivation."""
        self.derivation_cache.put(self._name, "text parts", self._state(), parts)

    def name_occurrences(self, document_ids: Sequence[str]) -> Iterator[NameOccurrences]:
        """These documents, a few at a time, with all places of their names."""
        for few in in_batches(document_ids, BATCH_DOCUMENTS):
            chunks: dict[str, list[PlacedChunk]] = {id_: [] for id_ in few}
            for row in self._rows("name_occurrences", items=few):
                names = tuple(sorted(map(tuple, row.pop("names"))))
                chunks[row.pop("document_id")].append(PlacedChunk(**row, names=names))
            yield from (NameOccurrences(id=id_, chunks=tuple(chunks[id_])) for id_ in few)

    def mark_stale(self, chunk_ids: Sequence[str]) -> None:
        """Mark these chunks to be derived again."""
        self._write_ids("mark_stale", chunk_ids)

    def write_mentions(self, mentions: Sequence[Mention]) -> None:
        """Write mentions and where they occur.

        The occurrences given for a chunk replace those of the mention in this chunk; others do not change. A scanned
        mention never replaces an extracted one. Writing a mention twice changes nothing.
        """
        rows: dict[str, Row] = {}
        # extracted mentions last: they override
        for mention in sorted(mentions, key=lambda mention: not mention.scanned):
            row = rows.setdefault(mention.id, {"id": mention.id, "chunks": {}})
            spans: dict[str, list[list[int]]] = defaultdict(list)
            for occurrence in mention.occurrences:
                spans[occurrence.chunk_id].append([occurrence.start, occurrence.end])
            row["chunks"] |= {chunk: (mention.scanned, sorted(spans_found)) for chunk, spans_found in spans.items()}
            row |= {
                "document_id": mention.document_id,
                "key": mention.key,
                "lookup": name_lookup(self._name, mention.key),
                "form": mention.form,
                "type": mention.type,
                "language": mention.language,
                "scanned": mention.scanned,
                "part_of": mention.part_of,
            }
        self._alter_batches([rows[key] for key in sorted(rows)], self._write_mentions)

    def replace_read(self, document_ids: Sequence[str], mentions: Sequence[Mention]) -> None:
        """Replace the extracted mentions of these documents with `mentions`.

        A name that became a vague common noun disappears, even from unchanged chunks.
        """
        self.write_mentions(mentions)
        ids = {mention.id for mention in mentions}
        rows = self._read_batches("mentions_read", document_ids)
        gone: list[Row] = [{"id": row["id"]} for row in rows if row["whole"] not in ids]
        self._alter_batches(gone, lambda run, batch: run("forget_read", workspace=self._name, rows=batch))

    def note_looked_up(self, forms: Mapping[str, str]) -> None:
        """Store mention id -> the form that the scan looked for in all chunks, "" if it did not."""
        rows: list[Row] = [{"id": id_, "form": form or None} for id_, form in sorted(forms.items())]
        self._alter_batches(rows, lambda run, batch: run("note_looked_up", workspace=self._name, rows=batch))

    def chunks_of_mentions(self, mention_ids: Sequence[str]) -> list[str]:
        """The chunks with these mentions, by id."""
        return sorted({row["id"] for row in self._read_batches("chunks_of_mentions", mention_ids)})

    def chunks_of_entities(self, entity_ids: Sequence[str]) -> list[str]:
        """The chunks that mention these entities or state a fact about them, by id."""
        return sorted({row["id"] for row in self._read_batches("chunks_of_entities", entity_ids)})

    def write_entities(self, rows: Sequence[tuple[Entity, Vector]]) -> None:
        """Write entities and make their mentions refer to them only.

        A type becomes a label if it can be a safe one and the registry has room. The next sweep links entities to
        chunks. Raises InputError with the name of a vector that cannot be indexed, before anything is written.
        """
        labels = {type_: safe_label(type_) for type_ in {entity.type for entity, _ in rows}}
        admitted = self.registry.admit("label", labels.values())
        written_rows = [
            {
                "id": entity.id,
                "name": entity.name,
                "aliases": list(entity.aliases),
                "type": entity.type,
                "labels": [labels[entity.type]] if labels[entity.type] in admitted else [],
                "vector": self._checked_vector(vector, f"entity {entity.id}"),
                "packed": quantize(vector[None]),
                "mention_ids": entity.mention_ids,
            }
            for entity, vector in rows
        ]
        self._alter_batches(written_rows, self._write_entities, size=VECTOR_BATCH)

    def known_facts(self, fact_ids: Sequence[str]) -> dict[str, str]:
        """Fact id -> its text, for facts stored with a vector."""
        return {row["id"]: row["text"] for row in self._read_batches("known_facts", fact_ids)}

    def corrected(self) -> dict[str, list[CorrectedFact]]:
        """Chunk id -> its facts that a person corrected, as last derived."""
        rows = self._rows("corrected")
        return {
            row["id"]: [
                CorrectedFact(**dict(zip(CORRECTED_COLUMNS, four, strict=True)))
                for four in zip(*[iter(row["corrected"])] * 4, strict=True)
            ]
            for row in rows
        }

    def chunks_of_facts(self, fact_ids: Sequence[str]) -> list[str]:
        """The chunks that support these facts, by id; unknown facts are left out."""
        return sorted({row["id"] for row in self._read_batches("chunks_of_facts", fact_ids)})

    def write_facts(
        self,
        chunk_ids: Sequence[str],
        rows: Sequence[tuple[Fact, Vector | None]],
        corrected: Mapping[str, Sequence[CorrectedFact]] = MappingProxyType({}),
    ) -> None:
        """Replace the facts that `chunk_ids` support, in one transaction, and mark these chunks as derived.
        `corrected`: facts of some chunks that persons corrected.

        Only supports in `chunk_ids` are written; others do not change. A fact without a vector keeps its stored one.
        The next sweep deletes facts without support. Raises InputError with the name of a vector that cannot be indexed
        or is missing, or of a fact whose entity is not stored; then the supports do not change.
        """
        unembedded = {fact.id for fact, vector in rows if vector is None}
        missing = sorted(unembedded - self.known_facts(sorted(unembedded)).keys())
        if missing:
            raise InputError(f"{len(missing)} new facts ({missing[0]}, ...) have no vector.")
        embedded = [
            {**_fact_row(fact), "vector": self._checked_vector(vector, f"fact {fact.id} ({fact.text[:80]})")}
            for fact, vector in rows
            if vector is not None
        ]
        without_vector = [_fact_row(fact) for fact, vector in rows if vector is None]
        derived = set(chunk_ids)
        supports = {
            (fact.id, *_support_row(support))
            for fact, _ in rows
            for support in fact.supports
            if support.chunk_id in derived
        }
        support_rows = [dict(zip(SUPPORT_COLUMNS, support, strict=True)) for support in sorted(supports)]

        derived_rows: list[Row] = [
            {
                "id": id_,
                "corrected": [getattr(row, name) for row in corrected.get(id_, ()) for name in CORRECTED_COLUMNS],
            }
            for id_ in sorted(derived)
        ]

        def write(run: Run, batch: list[Row]) -> None:
            rows = [without_column(row, "vector") for row in batch]
            write_rows(run, "write_facts", rows, workspace=self._name, label=self.workspace.fact_label)
            if "vector" in batch[0]:
                vectors = [
                    {"id": row["id"], "vector": row["vector"], "packed": quantize(np.array([row["vector"]]))}
                    for row in batch
                ]
                write_rows(run, "write_fact_vectors", vectors, workspace=self._name)

        def replace_supports(run: Run) -> None:
            for ids in in_batches(sorted(derived)):
                run("remove_supports", workspace=self._name, ids=ids)
            for batch in in_batches(support_rows, 5 * BATCH_ROWS):
                write_rows(run, "write_supports", batch, workspace=self._name)
            for batch in in_batches(derived_rows):
                run("chunks_derived", workspace=self._name, rows=batch)

        # facts are written first, separately: a fact without support has no effect, and the next sweep deletes it
        self._alter_batches(without_vector, write)
        self._alter_batches(embedded, write, size=VECTOR_BATCH)
        self._alter(replace_supports)

    def _write_mentions(self, run: Run, batch: list[Row]) -> None:
        ids = [row["id"] for row in batch]
        stored = {row["id"] for row in run("existing_mentions", workspace=self._name, ids=ids)}
        old: dict[tuple[str, str], tuple[bool, list[list[int]]]] = {}
        pairs = [[row["id"], chunk] for row in batch if row["id"] in stored for chunk in row["chunks"]]
        if pairs:
            occurrences = run("occurrences", pairs=pairs)
            old = {tuple(row["pair"]): (row["scanned"], sorted(row["spans"])) for row in occurrences}
        removed: list[list[str]] = []
        added: list[Row] = []
        for row in batch:
            for chunk, (scanned, spans) in row["chunks"].items():
                before = old.get((row["id"], chunk))
                if before == (scanned, spans) or (scanned and before is not None and not before[0]):
                    continue
                if before is not None:
                    removed.append([row["id"], chunk])
                added.append({"id": row["id"], "chunk_id": chunk, "spans": spans, "scanned": scanned})
        write_rows(run, "write_mentions", [without_column(row, "chunks") for row in batch], workspace=self._name)
        if removed:
            run("remove_occurrences", workspace=self._name, pairs=removed)
        for part in in_batches(added, 5 * BATCH_ROWS):
            write_rows(run, "write_occurrences", part, workspace=self._name)

    def _write_entities(self, run: Run, batch: list[Row]) -> None:
        rows = [without_column(row, "mention_ids") for row in batch]
        write_rows(run, "write_entities", rows, workspace=self._name, label=self.workspace.entity_label)
        mentions = [{"id": mention, "entity_id": row["id"]} for row in batch for mention in row["mention_ids"]]
        for part in in_batches(mentions, 5 * BATCH_ROWS):
            write_rows(run, "refer", part, workspace=self._name)

    def _write_ids(self, statement: str, ids: Sequence[str]) -> None:
        rows = [{"id": id_} for id_ in sorted(set(ids))]
        self._alter_batches(rows, lambda run, batch: run(statement, workspace=self._name, rows=batch))


def _support_row(s: Support) -> tuple[str | int | tuple[int, ...], ...]:
    """A support in the order of SUPPORT_COLUMNS."""
    premises = tuple(chain.from_iterable(s.premises))
    return s.chunk_id, s.start, s.end, s.origin, s.according_to, premises, s.when, s.when_date


def _fact_row(fact: Fact) -> Row:
    return {
        "id": fact.id,
        "subject_id": fact.subject_id,
        "predicate": fact.predicate,
        "object_id": fact.object_id,
        "text": fact.text,
    }


def without_column(row: Row, name: str) -> Row:
    """The row without one of its fields."""
    return {key: value for key, value in row.items() if key != name}


def _lucene_all_of(terms: Sequence[str]) -> str:
    """A Lucene query for the chunks that contain all of `terms`."""
    distinct = [term for term in dict.fromkeys(terms) if term][:MAX_TERMS]
    return " ".join("+" + LUCENE_SYNTAX.sub(r"\\\1", term) for term in distinct)


def _stored_chunk(chunk: Row) -> StoredChunk:
    return StoredChunk(
        id=chunk["id"],
        document_id=chunk["document_id"],
        language=chunk["language"],
        text=chunk["text"],
        extraction=extraction_from_json(chunk["extraction"]),
        scanned=bool(chunk["scanned"]),
    )

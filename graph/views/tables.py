"""Arrays and look-up tables of a view for all questions, each created when first needed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from filigraph.graph.analysis.alike import NEAREST_NAMES
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.retrieval import PoolChunk, PoolFact
from filigraph.graph.models.embed import Embedder, embed_texts
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.store.cache.read_model import LinkedChunk, ReadModel
from filigraph.graph.store.neo4j.quantize import dequantize, quantize
from filigraph.graph.tables.adjacency import Ints
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.text.identifiers import identifier_lookup, is_identifier
from filigraph.graph.text.words import tokens
from filigraph.graph.views.derived import DerivedView, ViewFact
from filigraph.graph.views.detail import ViewDetail
from filigraph.graph.views.words import WordIndex


class ViewTables:
    """n chunks, m facts and e entities of a view."""

    def __init__(self, workspace: WorkspaceRow, part: ReadPart, derived: DerivedView, embedder: Embedder) -> None:
        self.workspace, self.part, self.derived, self.embedder = workspace, part, derived, embedder
        self.chunks: Sequence[ReadChunk] = [row for row in derived.visible.chunks if row.embedded]
        self.row = {row.chunk.id: number for number, row in enumerate(self.chunks)}
        self.pooled: dict[str, PoolChunk] = {}  # chunks that a question brought into play
        self.fact_places = self._embedded_facts()

    def name(self, id_: str) -> str:
        return self.derived.entities[id_].name

    def _embedded_facts(self) -> Ints:
        """(m,) the rows of the facts' vectors."""
        return self._vector_rows([row.fact.text for row in self.facts])

    def _vector_rows(self, texts: Sequence[str]) -> Ints:
        """The rows of the vectors of texts; vectors of texts that the view words differently from the workspace are
        created.
        """
        vectors = self.part.text_vectors
        vectors.wait()
        if new := vectors.missing(texts):
            packed = quantize(embed_texts(self.embedder, new))
            vectors.add(new, np.frombuffer(packed, dtype=np.int8).reshape(len(new), -1))
        return vectors.places(texts)

    @cached_property
    def facts(self) -> Sequence[ViewFact]:
        return list(self.derived.facts.values())

    @cached_property
    def facts_said(self) -> Counter[str]:
        """Document id -> the number of facts that it supports."""
        chunks = self.derived.chunks
        return Counter(
            id_ for row in self.facts for id_ in {chunks[index].chunk.document_id for index in row.chunk_ids}
        )

    @cached_property
    def chunks_of(self) -> Mapping[str, Sequence[Chunk]]:
        """Document id -> its chunks, in order."""
        by_document: dict[str, list[Chunk]] = defaultdict(list)
        for row in self.derived.visible.chunks:
            by_document[row.chunk.document_id].append(row.chunk)
        return {id_: sorted(chunks, key=lambda chunk: chunk.index) for id_, chunks in by_document.items()}

    @cached_property
    def mentions(self) -> Mentions:
        """The mentions with their entities."""
        entity_of = self.derived.names.derived.entity_of
        return Mentions(replace(row, entity_id=entity_of[row.id]) for row in self.derived.names.mentions)

    @cached_property
    def facts_of(self) -> Mapping[str, Sequence[int]]:
        """Entity id -> the facts with it as an end."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self.facts):
            for end in {row.fact.subject_id, row.fact.object_id}:
                numbers[end].append(number)
        return numbers

    @cached_property
    def facts_at(self) -> Mapping[str, Sequence[tuple[PoolFact, int]]]:
        """Chunk id -> its facts, each with its number."""
        by_chunk: dict[str, list[tuple[PoolFact, int]]] = defaultdict(list)
        for number, row in enumerate(self.facts):
            fact = row.fact
            ends = fact.subject_id, self.name(fact.subject_id), fact.predicate, fact.object_id
            for s in fact.supports:
                pooled = PoolFact(
                    *(fact.id, *ends, self.name(fact.object_id)),
                    start=s.start,
                    end=s.end,
                    origin=s.origin,
                    according_to=s.according_to,
                    premises=s.premises,
                    when=s.when,
                    when_date=s.when_date,
                    denied=row.denied,
                )
                by_chunk[s.chunk_id].append((pooled, number))
        return by_chunk

    @cached_property
    def vectors(self) -> Matrix:
        """(n, d) of the chunks."""
        size = self.workspace.dimensions
        if not self.chunks:
            return np.zeros((0, size), dtype=np.float32)
        return dequantize([row.packed[:size] for row in self.chunks], size)

    @cached_property
    def words(self) -> WordIndex:
        number = {id_: number for number, id_ in enumerate(self.part.chunks)}
        return WordIndex(
            self.part.inverted_index, np.array([number[row.chunk.id] for row in self.chunks], dtype=np.intp)
        )

    @cached_property
    def read_model(self) -> ReadModel | None:
        linked = [
            LinkedChunk(
                row.chunk.id,
                row.chunk.document_id,
                row.chunk.index,
                self.derived.entities_of_chunk.get(row.chunk.id, ()),
                self.derived.titles_named.get(row.chunk.id, ()),
                vector,
            )
            for row, vector in zip(self.chunks, self.vectors, strict=True)
        ]
        return ReadModel.of(linked) if linked else None

    @cached_property
    def first_chunks(self) -> Mapping[str, int]:
        first_of: dict[str, tuple[int, int]] = {}
        for number, row in enumerate(self.chunks):
            here = row.chunk.index, number
            first_of[row.chunk.document_id] = min(first_of.get(row.chunk.document_id, here), here)
        return {document: number for document, (_, number) in first_of.items()}

    @cached_property
    def beside(self) -> Mapping[str, tuple[str | None, str | None]]:
        """Chunk id -> the visible chunks before and after it."""
        chunk_at = {(row.chunk.document_id, row.chunk.index): row.chunk.id for row in self.chunks}
        return {
            id_: (chunk_at.get((document_id, n - 1)), chunk_at.get((document_id, n + 1)))
            for (document_id, n), id_ in chunk_at.items()
        }

    @cached_property
    def name_vectors(self) -> Matrix:
        """(e, d) of the names of entities."""
        return self.part.text_vectors.at(self._vector_rows([entity.name for entity in self.derived.entities.values()]))

    def near(self, entity_id: str) -> Iterator[tuple[str, float]]:
        """The entities with the names nearest to that of one, with cosines."""
        ids = list(self.derived.entities)
        cosine = self.name_vectors @ self.name_vectors[ids.index(entity_id)]
        return ((ids[at], float(cosine[at])) for at in np.argsort(-cosine, kind="stable")[:NEAREST_NAMES].tolist())

    @cached_property
    def bearers(self) -> Mapping[str, Sequence[str]]:
        """Key of a name -> the entities with it."""
        entities: dict[str, dict[str, None]] = defaultdict(dict)
        for row in self.derived.names.mentions:
            entities[row.key][self.derived.names.derived.entity_of[row.id]] = None
        return {key: list(entity_ids) for key, entity_ids in entities.items()}

    @cached_property
    def identifiers(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Lookup key of an identifier -> its forms, with their entities."""
        by_lookup: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in self.derived.names.mentions:
            if row.type and is_identifier(row.key):
                entity = self.derived.names.derived.entity_of[row.id]
                by_lookup[identifier_lookup(row.key)].append((row.key, entity))
        return by_lookup

    @cached_property
    def name_words(self) -> Mapping[str, Sequence[str]]:
        """Folded word of a name -> the entities with it."""
        by_word: dict[str, dict[str, None]] = defaultdict(dict)
        for id_, entity in self.derived.entities.items():
            for word in {token.folded for form in (entity.name, *entity.aliases) for token in tokens(form)}:
                by_word[word][id_] = None
        return {word: list(entity_ids) for word, entity_ids in by_word.items()}

    @cached_property
    def detail(self) -> ViewDetail:
        return ViewDetail(self.derived, self.facts_of)

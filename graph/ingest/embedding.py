"""Chunks in the form in which they are stored: with their words and vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from filigraph.graph.ingest.code.read import embedded_text
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.models.embed import Embedder, embed_chunks
from filigraph.graph.models.late import LateDocument
from filigraph.graph.records.documents import ChunkRow, DocumentRow
from filigraph.graph.text.identifiers import code_terms
from filigraph.graph.text.sentences import sentence_groups
from filigraph.graph.text.words import terms


def is_late(row: DocumentRow) -> bool:
    """Whether a document uses late chunking."""
    return row.recipe is not None and row.recipe.late


def embed_batch(
    batch: Sequence[tuple[Chunk, Extraction]], embedder: Embedder, late: Mapping[str, LateDocument]
) -> list[ChunkRow]:
    """The chunks with their extractions, words and vectors, ready to be stored. `late`: the documents with late
    chunking, by id.
    """
    rows: list[ChunkRow] = []
    for document_id, group in groupby(batch, key=lambda one: one[0].document_id if one[0].document_id in late else ""):
        some = list(group)
        texts = [embedded_text(chunk.text, extraction.unit) for chunk, extraction in some]
        sentences = [sentence_groups(text, chunk.language) for text, (chunk, _) in zip(texts, some, strict=True)]
        if document_id:
            vectors, matrices = late[document_id].embed([(chunk.start, chunk.end) for chunk, _ in some], sentences)
        else:
            titles = ["" if extraction.unit else chunk.title for chunk, extraction in some]
            vectors, matrices = embed_chunks(embedder, texts, titles, sentences)
        rows += [
            ChunkRow(
                chunk=chunk,
                terms=" ".join(_chunk_terms(chunk, extraction)),
                vector=vector,
                sentences=matrix,
                extraction=extraction,
                late=late[document_id].mark if document_id else "",
            )
            for (chunk, extraction), vector, matrix in zip(some, vectors, matrices, strict=True)
        ]
    return rows


def _chunk_terms(chunk: Chunk, extraction: Extraction) -> list[str]:
    chunk_terms = terms(f"{chunk.title}\n{chunk.text}", chunk.language)
    if extraction.unit is None:
        return chunk_terms
    return [*chunk_terms, *terms(" ".join(code_terms(f"{extraction.unit.name}\n{chunk.text}")), chunk.language)]

"""Requests and responses of embedding and reranking."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In

Task = Literal[  # QUERY_TASKS and PASSAGE_TASKS of graph/models/embed.py, which the Python client does not import
    "passage", "document", "retrieval.passage", "search_document", "query", "retrieval.query", "search_query"
]


class LateChunkIn(In):
    """Texts, and how to cut them after the model has read them."""

    texts: Annotated[
        list[Annotated[str, Field(max_length=500_000)]],
        Field(min_length=1, max_length=100, description="Texts; the model reads each as a whole."),
    ]
    strategy: Annotated[
        Literal["paragraph", "sentence", "fixed"],
        Field(description="Units that are not divided: paragraphs, sentences or tokens."),
    ] = "sentence"
    chunk_size: Annotated[
        int,
        Field(ge=1, le=8192, description="Maximum tokens of a piece; a longer paragraph or sentence is one piece."),
    ] = 128
    overlap: Annotated[
        int, Field(ge=0, le=4096, description="Maximum tokens that a piece shares with the one before.")
    ] = 0
    task: Annotated[
        Task,
        Field(description="The purpose of the texts. A query is one piece, with the model's prefix for queries."),
    ] = "passage"


class PieceEmbeddingOut(BaseModel):
    """A piece of a text with its vector."""

    start: Annotated[int, Field(description="Start of the piece in its text, in code points.")]
    end: Annotated[int, Field(description="End of the piece.")]
    embedding: Annotated[list[float], Field(description="Of length 1; a dot product is a cosine.")]


class LateChunkOut(BaseModel):
    """The pieces of each text."""

    model: Annotated[str, Field(description="The embedder.")]
    dimensions: Annotated[int, Field(description="Number of dimensions.")]
    fingerprint: Annotated[str, Field(description="Vectors of two fingerprints cannot be compared.")]
    texts: Annotated[list[list[PieceEmbeddingOut]], Field(description="The pieces of each text, in order.")]


class RerankIn(In):
    """Texts, and the question that they should answer."""

    query: Annotated[str, Field(min_length=1, max_length=10_000, description="The question.")]
    documents: Annotated[
        list[Annotated[str, Field(max_length=20_000)]],
        Field(min_length=1, max_length=200, description="The texts; each is read up to the model's limit."),
    ]


class RerankOut(BaseModel):
    """How well the texts answer the question."""

    model: Annotated[str, Field(description="The cross-encoder.")]
    scores: Annotated[list[float], Field(description="0 to 1 for each text, in their order.")]

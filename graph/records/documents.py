"""Documents and chunks in the store, and results of searches for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from filigraph.graph.model.arrays import Matrix, Vector
from filigraph.graph.model.documents import Chunk, Place, PlaceMark, Recipe
from filigraph.graph.model.extraction import Extraction

DocumentStatus = Literal["partial", "complete"]
TOKENS_A_WORD = 1.4


@dataclass(frozen=True, kw_only=True)
class ChunkPlace:
    """A chunk without its text."""

    id: str
    start: int  # in the document's text
    end: int
    tokens: int  # estimated

    @classmethod
    def of_words(cls, *, id: str, start: int, end: int, words: int) -> ChunkPlace:
        """The place of a chunk with this number of words."""
        return cls(id=id, start=start, end=end, tokens=round(TOKENS_A_WORD * words))


@dataclass(frozen=True, kw_only=True)
class DocumentRow:
    """A document in the store. The store computes `status`, `chunks` and `facts`, and ignores them on writing."""

    id: str
    source: str
    title: str
    sha256: str
    language: str
    metadata: Mapping[str, str] = field(default_factory=dict)  # the file's own, overridden by those from the client
    given: Mapping[str, str] | None = None  # those from the client; None: an older version did not separate them
    media_type: str = ""
    warnings: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    recipe: Recipe | None = None  # None: from an older version, unknown
    status: DocumentStatus = "partial"  # complete: fully read, and everything that follows from it is derived
    unread: int | None = None  # chunks that wait to be read; None: not all of it is stored. Ignored on writing
    chunks: int = 0
    facts: int | None = None  # facts that this document supports; None: not counted


@dataclass(frozen=True, kw_only=True)
class DocumentName:
    """A document in short: enough to identify it."""

    id: str
    source: str
    metadata: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ChunkRow:
    """A stored chunk with all its fields."""

    chunk: Chunk
    terms: str  # its normalized words, separated by spaces: the content of the word index
    vector: Vector
    sentences: Matrix  # one vector per piece of it, shape (n, d)
    extraction: Extraction
    late: str = ""  # hash of the text in which it was embedded (late chunking); "" without late chunking


@dataclass(frozen=True, kw_only=True)
class Speed:
    """The duration of an extractor's run, from the loaded text to the derived graph."""

    chunks: int  # that were read, at least 1
    seconds: float
    calls: int = 0  # of an LLM
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, kw_only=True)
class StoredKey:
    """The keys of a stored chunk: how it was read."""

    key: str  # of its extraction
    title: str
    late: str = ""  # as in ChunkRow


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A chunk without facts, or an incomplete document."""

    chunk_id: Annotated[str, Field(description="The chunk; empty: the document itself.")]
    document_id: Annotated[str, Field(description="The document it occurs in.")]
    source: Annotated[str, Field(description="The name under which that document was ingested.")]
    index: Annotated[int | None, Field(description="Its number in the document, from 0; null: the document itself.")]
    place: Annotated[str, Field(description="Page or chapter, where the document has them.")]
    extractor: Annotated[str, Field(description="Its extractor.")]
    unread: Annotated[bool, Field(description="It could not be read; `retry` reads it.")]
    reason: Annotated[str, Field(description="Why there are no facts.")]
    excerpt: Annotated[str, Field(description="How its text begins; a document's title.")]


@dataclass(frozen=True, kw_only=True)
class TitleRow:
    """A document's title."""

    document_id: str
    title: str
    fresh: bool  # the earlier chunks were not yet searched for it


@dataclass(frozen=True, kw_only=True)
class StoredChunk:
    """The fields of a chunk that derivation needs."""

    id: str
    document_id: str
    language: str
    text: str
    extraction: Extraction
    scanned: bool  # it was derived before: searched for every name known then


@dataclass(frozen=True, kw_only=True)
class PlacedChunk:
    id: str
    start: int  # offset in its document
    text: str
    names: tuple[tuple[str, int, int], ...]  # mention, or the one of which it is a part; start and end in the text


@dataclass(frozen=True, kw_only=True)
class NameOccurrences:
    """A document's chunks with all places of its names."""

    id: str
    chunks: tuple[PlacedChunk, ...]


@dataclass(frozen=True, kw_only=True)
class WordHit:
    """A chunk that keyword search found."""

    id: str
    score: float  # BM25
    cosine: float | None  # with the question; None for chunks that are not among the best


@dataclass(frozen=True, kw_only=True)
class TitledDocument:
    """A document with a title, and its first chunk."""

    key: str
    entity_id: str  # the document's id: a title is looked up in the same way as a name
    name: str
    chunks: int
    chunk_id: str
    cosine: float  # of the chunk, with the question


@dataclass(frozen=True, kw_only=True)
class TextPlace:
    """A place of a text in a document."""

    chunk_id: Annotated[str, Field(description="The chunk that holds it.")]
    start: Annotated[int, Field(description="Where it begins in the chunk, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]
    text: Annotated[str, Field(description="The phrase, with some text around it.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, where the document has them.")]


@dataclass(frozen=True, kw_only=True)
class PhrasePlace(TextPlace):
    """A place of a phrase in a workspace."""

    document_id: Annotated[str, Field(description="Its document.")]
    source: Annotated[str, Field(description="The name under which that was ingested.")]
    title: Annotated[str, Field(description="Its title.")]


@dataclass(frozen=True, kw_only=True)
class ChunkText:
    id: str
    start: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of a document. It may overlap the previous one; text between two is blank."""

    id: Annotated[str, Field(description="The chunk's id, as hops name it.")]
    index: Annotated[int, Field(description="Its number in the document, from 0.")]
    start: Annotated[int, Field(description="Where it begins in the document, in code points.")]
    text: Annotated[str, Field(description="Its text.")]
    place: Annotated[str, Field(description="Page and chapter in which it begins, where the document has them.")]
    places: Annotated[
        tuple[PlaceMark, ...], Field(description="Places in `text`: where each begins, in code points, and its name.")
    ] = ()


@dataclass(frozen=True, kw_only=True)
class FoundPiece:
    """A chunk with the words of a search, and its document."""

    document_id: str
    source: str
    title: str
    piece: Piece


@dataclass(frozen=True, kw_only=True)
class PlacedSentence:
    """A sentence or row, and its place."""

    sentence: Annotated[str, Field(description="The sentence or row, in the source's own words.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph, if the document has them.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    title: Annotated[str, Field(description="The document's title.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    chunk_id: Annotated[str, Field(description="The chunk with the sentence.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]

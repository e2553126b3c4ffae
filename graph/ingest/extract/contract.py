"""Extract: read the facts that each chunk states. The contract of all extractors, and the key that saves reading a
chunk twice.

`local.py` reads French and English with spaCy, `llm.py` asks a language model, and `triples.py` takes ready-made
triples from a client.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from filigraph.graph.ids import content_id
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.usage import Usage


class Extractor(Protocol):
    """Reads triplets, aliases and names in chunks.

    - One Extraction per chunk, in the order of `chunks`, each with `extraction_key(chunk, self)` as its key. If
      a chunk could not be read, its Extraction has the key "" and a note, and is not stored.
    - Lazy: it yields an Extraction as soon as it is complete, so that the caller can store it before the next.
    - No text makes it raise: what it could not read is in `Extraction.note`, and the next chunk follows. A failure
      that concerns all chunks (no model, no server) raises an UnavailableError.
    - A Triplet's and an Alias's offsets are those of one sentence of `graph.text.sentences` in the chunk.
    - The same chunk gives the same Extraction, whatever else is in `chunks` (except for the randomness of an LLM).
    """

    @property
    def name(self) -> str:
        """`local`, `triples`, `llm:mistral`."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same chunk would give another Extraction: new patterns, prompt, schema, model or
        triples.
        """
        ...

    @property
    def batch(self) -> int:
        """How many chunks to commit at once: at most these are lost if the process is killed."""
        ...

    @property
    def expensive(self) -> bool:
        """Whether reading costs time or money: then extractions are stored even if the chunk is read in another way
        later.
        """
        ...

    @property
    def usage(self) -> Usage:
        """The model usage so far."""
        ...

    def expected(self, chunk: Chunk) -> Usage:
        """The estimated model usage for a chunk; `tokens_out` is an upper bound."""
        ...

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]: ...


@runtime_checkable
class WholeDocuments(Protocol):
    """An extractor whose result for a chunk depends on the rest of its document."""

    def version_for(self, document_id: str) -> str:
        """As `version`, for one document: changes whenever this document would give other Extractions."""
        ...

    def prepared(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """All chunks of a document, each with what its result depends on; then each can be read separately."""
        ...


def extraction_key(chunk: Chunk, extractor: Extractor) -> str:
    """A hash of all that an Extraction depends on: a chunk with this stored key need not be read again."""
    parts = ["extraction", chunk.text, chunk.before, chunk.language, extractor.name, extractor.version]
    if chunk.given is not None:
        parts.append("given")
    for triplet in chunk.given or ():
        parts += [triplet.subject, triplet.predicate, triplet.object, str(triplet.start), str(triplet.end)]
    return content_id(*parts)

"""Extract: read the facts that each chunk states. The contract of every extractor, and the key that makes it pay once.

`local.py` reads French and English with spaCy, `llm.py` asks a language model, and `triples.py`
takes triples that a client sends ready-made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from filigraph.graph.ids import content_id
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.models.llm import Usage


class Extractor(Protocol):
    """Reads triplets, aliases and names in chunks.

    - One Extraction per chunk, in the order of `chunks`, each with `extraction_key(chunk, self)` as its key. One that
      could not be had has the key "" and a note: nothing was read, so nothing is to be kept.
    - Lazy: an Extraction is handed over as soon as it is known, so that the caller can store it before the next.
    - Text never makes it raise: whatever could not be read is in `Extraction.note`, and the next chunk follows.
      What concerns all chunks alike (no model, no server) raises an UnavailableError.
    - A Triplet's and an Alias's offsets are those of one sentence of `graph.text.sentences` in the chunk.
    - The same chunk gives the same Extraction, whatever else is in `chunks` (an LLM's mood aside).
    """

    @property
    def name(self) -> str:
        """`local`, `triples`, `llm:mistral`."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same chunk would be read differently: new patterns, prompt, schema, model or triples."""
        ...

    @property
    def batch(self) -> int:
        """How many chunks to commit at once: what a kill can cost."""
        ...

    @property
    def expensive(self) -> bool:
        """Whether reading costs time or money: then what was read is kept even when the chunk is read otherwise."""
        ...

    @property
    def usage(self) -> Usage:
        """What it asked of a model so far."""
        ...

    def expected(self, chunk: Chunk) -> Usage:
        """What reading a chunk will ask of a model, estimated; `tokens_out` at most."""
        ...

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]: ...


@runtime_checkable
class WholeDocuments(Protocol):
    """An extractor whose reading of a chunk hangs on what else its document holds."""

    def version_for(self, document_id: str) -> str:
        """As `version`, of one document: changes whenever that very document would be read differently."""
        ...

    def prepared(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """All chunks of a document, each with what its reading depends on; any of them may then be read alone."""
        ...


def extraction_key(chunk: Chunk, extractor: Extractor) -> str:
    """What an Extraction depends on, as a hash: a chunk whose stored key is this one need not be read again."""
    parts = ["extraction", chunk.text, chunk.before, chunk.language, extractor.name, extractor.version]
    if chunk.given is not None:
        parts.append("given")
    for triplet in chunk.given or ():
        parts += [triplet.subject, triplet.predicate, triplet.object, str(triplet.start), str(triplet.end)]
    return content_id(*parts)

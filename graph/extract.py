"""Extract: read the facts that each chunk states. The contract of every extractor, and the key that makes it pay once.

`extract_local.py` reads French and English with spaCy, `extract_llm.py` asks a language model, and `extract_triples.py`
takes triples that a client sends ready-made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from filigraph.graph.ids import content_id
from filigraph.graph.model import Chunk, Extraction


class Extractor(Protocol):
    """Reads triplets, aliases and names in chunks.

    - One Extraction per chunk, in the order of `chunks`, each with `extraction_key(chunk, self)` as its key.
    - Lazy: an Extraction is handed over as soon as it is known, so that the caller can store it before the next.
    - Text never makes it raise: whatever could not be read stands in `Extraction.note`, and the next chunk follows.
      What concerns all chunks alike (no model, no server) raises an UnavailableError.
    - A Triplet's and an Alias's offsets are those of one sentence of `graph.text.sentences` in the chunk.
    - The same chunk gives the same Extraction, whatever else is in `chunks` (an LLM's mood aside).
    """

    @property
    def name(self) -> str:
        """`local`, `triples`, `llm:mistral`."""
        ...

    @property
    def batch(self) -> int:
        """How many chunks to commit at once: what a kill can cost."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same chunk would be read differently: new patterns, prompt, model or triples."""
        ...

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]: ...


def extraction_key(chunk: Chunk, extractor: Extractor) -> str:
    """What an Extraction depends on, as a hash: a chunk whose stored key is this one need not be read again."""
    return content_id("extraction", chunk.text, chunk.language, extractor.name, extractor.version)

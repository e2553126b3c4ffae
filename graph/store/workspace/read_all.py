"""Read everything that was read and decided in a workspace, from which views are derived."""

from __future__ import annotations

import numpy as np

from filigraph.graph.errors import Busy
from filigraph.graph.ids import content_id
from filigraph.graph.model.documents import Chunk
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.workspace.cast_links import CastLinkPart
from filigraph.graph.store.workspace.casts import CastPart
from filigraph.graph.store.workspace.decide import DecidePart
from filigraph.graph.store.workspace.documents import DocumentPart
from filigraph.graph.store.workspace.extractions import extraction_from_json
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart, TextVectors
from filigraph.graph.text.places import marks_of

MAX_TRIES = 3  # if something changes meanwhile
BATCH_CHUNKS = 500  # read in one statement
BATCH_VECTORS = 5000  # of facts or entities, read in one statement: some 500 bytes each


class ReadAllPart(DocumentPart, DecidePart, CastPart, CastLinkPart):
    """All that was read and decided in a workspace."""

    def count_chunks(self) -> int:
        return int(self._rows("count_chunks")[0]["chunks"])

    def read_version(self) -> str:
        """A value that differs after every change of what was read or decided."""
        decided = [row.id for row in self.corrections()] + [row.id for row in self.alias_groups()]
        revision = str(self._rows("overview")[0]["revision"])
        return content_id("read", revision, self.workspace.fingerprint, *sorted(decided))

    def read_part(self, before: ReadPart | None = None) -> ReadPart:
        """Everything that was read, without vectors of texts that `before` lacks (`read_text_vectors`). Unchanged
        chunks are taken from `before`. Raises Busy if something changes meanwhile, several times in a row.
        """
        for _ in range(MAX_TRIES):
            version = self.read_version()
            read = self._read_part(version, before)
            if self.read_version() == version:
                return read
            before = read
        raise Busy(f"The workspace {self._name!r} keeps changing.", cure="Ask again when no ingest is running.")

    def _read_part(self, version: str, before: ReadPart | None) -> ReadPart:
        if before and before.fingerprint != self.workspace.fingerprint:
            before = None  # its vectors are from another embedder
        known = before.chunks if before else {}
        chunks: dict[str, ReadChunk] = {}
        new: list[str] = []
        for row in self._rows("chunk_versions"):
            cached = known.get(row["id"])
            if cached and cached.version == _version(row):
                chunks[row["id"]] = cached
            else:
                new.append(row["id"])
        for start in range(0, len(new), BATCH_CHUNKS):
            rows = self._rows("read_chunks", ids=new[start : start + BATCH_CHUNKS])
            chunks |= {row["chunk"]["id"]: _read_chunk(row["chunk"]) for row in rows}
        vectors = before.text_vectors if before else TextVectors(self.workspace.dimensions)
        decisions, groups = self.corrections(), self.alias_groups()
        return ReadPart(
            version=version,
            fingerprint=self.workspace.fingerprint,
            documents={row.id: row for row in self.document_rows(facts=False)},
            chunks={id_: chunks[id_] for id_ in sorted(chunks)},
            decisions=decisions,
            alias_groups=groups,
            casts=self.casts(),
            cast_links=self.cast_links(),
            mentions=self.mentions() if decisions or groups else Mentions(()),
            text_vectors=vectors,
        )

    def read_text_vectors(self, vectors: TextVectors) -> None:
        """Read the missing vectors of the workspace's facts and entities. A text has one vector, however much changes
        meanwhile.
        """
        for kind, packed in (("fact_texts", "packed_facts"), ("entity_texts", "packed_entities")):
            self._read_vectors(vectors, kind, packed)

    def _read_vectors(self, vectors: TextVectors, texts_of: str, packed_of: str) -> None:
        stored = dict(self._rows(texts_of)[0]["texts"])
        new = vectors.missing(sorted(stored))
        for start in range(0, len(new), BATCH_VECTORS):
            texts = new[start : start + BATCH_VECTORS]
            packed = dict(self._rows(packed_of, ids=[stored[text] for text in texts])[0]["vectors"])
            there = [text for text in texts if text in packed]
            unpacked = np.frombuffer(b"".join(packed[text] for text in there), dtype=np.int8)
            vectors.add(there, unpacked.reshape(-1, self.workspace.dimensions))


def _read_chunk(row: Row) -> ReadChunk:
    chunk = Chunk(
        **{name: row[name] for name in ("id", "document_id", "index", "start", "end", "text", "title", "place")},
        language=row["language"],
        places=marks_of(row["places"] or ()),
        dates=tuple(row["dates"] or ()),
    )
    return ReadChunk(
        chunk=chunk,
        extraction=extraction_from_json(row["extraction"]),
        terms=row["terms"],
        packed=row["packed"],
        strangers=tuple(row["strangers"] or ()),
        embedded=row["embedded"],
        version=_version({**row, "key": row["extraction_key"]}),
    )


def _version(row: Row) -> tuple[object, ...]:
    """The fields that show whether a chunk changed."""
    return (
        *(row[name] for name in ("key", "index", "start", "title", "place", "late")),
        tuple(row["places"] or ()),
        tuple(row["dates"] or ()),
    )

"""A workspace in lists, and its counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from filigraph.graph.records.entities import ListedEntity

VectorKind = Literal["chunks", "entities", "facts", "summaries"]  # kinds of nodes with vectors
HOME_SHARD = "home"  # the Neo4j server that also holds the data of no workspace


@dataclass(frozen=True, kw_only=True)
class WorkspaceRow:
    """One user's world."""

    name: str
    id: str
    label: str  # W_<hex>: the beginning of the workspace's own labels and indexes
    fingerprint: str  # embedder, prefixes and pooling of its vectors
    dimensions: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    embedder: str = ""  # name by which `reembed` loaded its embedder; "": the embedder of its creation
    swapping: bool = False  # its vectors are being swapped: it has those of two embedders
    shard: str = HOME_SHARD  # the name of the Neo4j server that holds it, if the server says so

    @property
    def chunk_label(self) -> str:
        return f"{self.label}_C"

    @property
    def entity_label(self) -> str:
        return f"{self.label}_E"

    @property
    def fact_label(self) -> str:
        return f"{self.label}_F"

    @property
    def summary_label(self) -> str:
        return f"{self.label}_S"


@dataclass(frozen=True, kw_only=True)
class Overview:
    """A workspace in short."""

    chunks: int  # as last counted
    languages: tuple[str, ...]  # of the documents, as last counted
    revision: str  # a value that differs after every change of what questions read
    summarized: bool  # there is at least one summary


@dataclass(frozen=True)
class ReadAheadSize:
    """Limits on the size of workspaces that are preloaded."""

    chunks: int = 10_000  # of a workspace that is read as a whole: 40 kB of memory per chunk

    @property
    def linked(self) -> int:
        """Limit in chunks for a workspace whose links alone are read: 6 kB per chunk."""
        return 10 * self.chunks


READ_AHEAD = ReadAheadSize()


@dataclass(frozen=True, kw_only=True)
class TypeRow:
    """A type of entities."""

    type: Annotated[str, Field(description="The type; empty for those that have none.")]
    entities: Annotated[int, Field(description="Number of entities that have it.")]
    first: Annotated[tuple[ListedEntity, ...], Field(description="Those that most passages mention.")]


@dataclass(frozen=True, kw_only=True)
class PredicateRow:
    """A predicate and its facts."""

    predicate: Annotated[str, Field(description="As in facts.")]
    type: Annotated[str, Field(description="The relationship type of its facts in Neo4j; RELATED_TO if it has none.")]
    inverse: Annotated[
        bool, Field(description='The relationship runs from the object to the subject: "is killed by" is KILLS.')
    ]
    facts: Annotated[int, Field(description="Number of facts.")]
    sentences: Annotated[int, Field(description="Number of sentences that state them.")]


@dataclass(frozen=True, kw_only=True)
class EvaluationRow:
    id: str
    at: datetime  # end of the run, UTC
    body: Mapping[str, Any]  # JSON of the result


@dataclass(frozen=True, kw_only=True)
class DerivedCounts:
    """Counts of the derived data of a workspace."""

    entities: int
    facts: int


@dataclass(frozen=True, kw_only=True)
class GraphStats:
    """Counts of a workspace."""

    documents: int
    complete: int
    partial: int
    chunks: int
    mentions: int
    entities: int
    facts: int
    relationships: int  # relationships between entities
    near_misses: int
    decisions: Mapping[str, int]  # rule -> number; persons' under "person"
    empty_extractions: int  # chunks without triplets
    open_links: bool = False  # an LLM has not answered all who is who across the documents


@dataclass(frozen=True, kw_only=True)
class Exported:
    """Result of an export."""

    sha256: Annotated[str, Field(description="SHA-256 of its bytes: equal for equal content.")]
    lines: Annotated[int, Field(description="Number of lines.")]
    size: Annotated[int, Field(description="Number of bytes.")]


@dataclass(frozen=True, kw_only=True)
class Imported:
    """Result of an import."""

    documents: Annotated[int, Field(description="Number of documents.")]
    chunks: Annotated[int, Field(description="Number of chunks.")]
    entities: Annotated[int, Field(description="Number of entities.")]
    facts: Annotated[int, Field(description="Number of facts.")]
    sha256: Annotated[str, Field(description="SHA-256 of the new workspace's own canonical export.")]
    same: Annotated[bool, Field(description="Whether it equals that of the file.")]
    note: Annotated[str, Field(description='Why it differs; "" if it does not.')]

"""Receipt: the hops of a stored path that a graph still supports.

A hop holds while a document with the same hash has its sentence, that sentence supports a fact of the graph, and the
fact shares an entity with the hop before. Ids are compared without their workspace part, so an import of the same
export on another machine gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import Field

from filigraph.graph.ids import content_part
from filigraph.graph.model.retrieval import HopKind, PoolChunk, PoolFact
from filigraph.graph.records.documents import DocumentRow, Piece

BATCH_CHUNKS = 1000  # chunks
HopFault = Literal["", "changed", "gone", "unsaid", "fact", "parted", "unfound"]


@dataclass(frozen=True, kw_only=True)
class KeptHop:
    kind: HopKind
    subject: str
    predicate: str
    object: str
    fact: str  # its content part; "" if it is not a fact of the graph
    sentence: str
    source: str  # the name under which its document was ingested
    sha256: str  # of that document

    @property
    def text(self) -> str:
        """The hop in words."""
        return f"{self.subject} {self.predicate} {self.object}"


@dataclass(frozen=True, kw_only=True)
class CheckedHop:
    """A hop with its state in the current workspace."""

    hop: Annotated[int, Field(description="Which hop of its path, from 1.")]
    text: Annotated[str, Field(description="What it says.")]
    why: Annotated[
        HopFault,
        Field(
            description="Why it does not hold. changed: its document has another text; gone: its document is not "
            "there; unsaid: the document has no such sentence; fact: no fact of the graph rests on it; parted: it "
            "shares no entity with the hop before; unfound: it was not found in the texts when it was shown. Empty: it "
            "holds."
        ),
    ]


class ReceiptReader(Protocol):
    """The reads of a check; `Graph` implements it."""

    def document_rows(self, *, facts: bool) -> Sequence[DocumentRow]: ...
    def pieces(self, document_id: str, *, first: int, count: int) -> Sequence[Piece]: ...
    def pool(self, chunk_ids: Sequence[str]) -> Sequence[PoolChunk]: ...


class DocumentTexts:
    """The documents of a workspace, by content."""

    def __init__(self, graph: ReceiptReader) -> None:
        self._graph = graph
        self._pieces: dict[str, Sequence[Piece]] = {}  # of the documents that were examined
        self._sources: set[str] = set()
        self._by_hash: dict[str, list[str]] = {}
        for row in graph.document_rows(facts=False):
            self._sources.add(row.source)
            self._by_hash.setdefault(row.sha256, []).append(row.id)

    def fault(self, source: str, sha256: str) -> Literal["", "changed", "gone"]:
        """Why a document is missing or differs; "" if it is unchanged, under any name."""
        if sha256 in self._by_hash:
            return ""
        return "changed" if source in self._sources else "gone"

    def pieces_with(self, sha256: str, text: str) -> list[Piece]:
        """The chunks of a document that contain a text."""
        return [piece for id_ in self._by_hash.get(sha256, ()) for piece in self._read(id_) if text in piece.text]

    def _read(self, document_id: str) -> Sequence[Piece]:
        if document_id not in self._pieces:
            read: list[Piece] = []
            while page := self._graph.pieces(document_id, first=len(read), count=BATCH_CHUNKS):
                read += page
            self._pieces[document_id] = read
        return self._pieces[document_id]


def check_path(hops: Sequence[KeptHop], documents: DocumentTexts, graph: ReceiptReader) -> list[CheckedHop]:
    """Each hop of a path with its state in the current graph."""
    return [
        CheckedHop(hop=number, text=hop.text, why=why)
        for number, (hop, why) in enumerate(zip(hops, _faults(hops, documents, graph), strict=True), 1)
    ]


def starts_new_path(ends: Sequence[frozenset[str]]) -> list[bool]:
    """For each hop, whether it shares no entity with the hop before. `ends`: the entities that its facts join now;
    empty if no fact supports it, then the hop and the next one are not parted."""
    before = [frozenset[str](), *ends]
    return [bool(left and right and not left & right) for left, right in zip(before, ends, strict=False)]


def _faults(hops: Sequence[KeptHop], documents: DocumentTexts, graph: ReceiptReader) -> list[HopFault]:
    faults: list[HopFault] = []
    ends: list[frozenset[str]] = []
    for hop in hops:
        facts: Sequence[PoolFact] = ()
        fault: HopFault = "unfound" if hop.kind == "unfound" else documents.fault(hop.source, hop.sha256)
        if not fault and hop.sentence:
            pieces = documents.pieces_with(hop.sha256, hop.sentence)
            facts = list(_facts(hop, pieces, graph)) if hop.kind == "fact" else ()
            fault = "unsaid" if not pieces else "fact" if hop.kind == "fact" and not facts else ""
        faults.append(fault)
        ends.append(frozenset(end for fact in facts for end in (fact.subject_id, fact.object_id)))
    return [fault or ("parted" if apart else "") for fault, apart in zip(faults, starts_new_path(ends), strict=True)]


def _facts(hop: KeptHop, pieces: Sequence[Piece], graph: ReceiptReader) -> Iterator[PoolFact]:
    """The facts of the chunks that state the same: the fact itself, or one with the same predicate and sentence."""
    texts: Mapping[str, str] = {piece.id: piece.text for piece in pieces}
    for chunk in graph.pool(sorted(texts)):
        for fact in chunk.facts:
            same = fact.predicate == hop.predicate and texts[chunk.id][fact.start : fact.end] == hop.sentence
            if same or content_part(fact.fact_id) == hop.fact:
                yield fact

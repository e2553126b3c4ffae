"""The visible texts for people: documents, their passages, phrases, the places of names."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from filigraph.graph.errors import NotFound
from filigraph.graph.ids import content_id
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk, Place
from filigraph.graph.records.documents import DocumentName, DocumentRow, FoundPiece, Piece
from filigraph.graph.records.entities import ListedEntity, MentioningChunk, PlaceRow
from filigraph.graph.records.workspaces import GraphStats, WorkspaceRow
from filigraph.graph.store.workspace.browse import CHUNKS_BEFORE, MAX_ENTITIES_PER_PART
from filigraph.graph.store.workspace.decide import sentence_around
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadPart
from filigraph.graph.text.places import place_of
from filigraph.graph.views.derived import DerivedView
from filigraph.graph.views.tables import ViewTables


class ViewTexts:
    """The documents of a view (`graph/analysis/browse.py`)."""

    def __init__(self, workspace: WorkspaceRow, part: ReadPart, derived: DerivedView, tables: ViewTables) -> None:
        self.workspace = workspace
        self.derived = derived
        self._part = part
        self._tables = tables
        self._documents = derived.visible.documents
        self._revision = f"{content_id('revision', part.version)}@{derived.view.key}"

    @property
    def part(self) -> ReadPart:
        return self._part

    def revision(self) -> str:
        """A value that differs after each change, and between views."""
        return self._revision

    def document_names(self) -> list[DocumentName]:
        rows = sorted(self._documents.values(), key=lambda row: row.source)
        return [DocumentName(id=row.id, source=row.source, metadata=row.metadata) for row in rows]

    def document_rows(self, ids: Sequence[str] | None = None, *, facts: bool | None = None) -> list[DocumentRow]:
        """The documents with their visible parts: passages, facts, pages and chapters."""
        wanted = self._documents if ids is None else [id_ for id_ in dict.fromkeys(ids) if id_ in self._documents]
        fact_counts, counted = self._tables.facts_said, facts or (facts is None and ids is None)
        rows = [replace(self._document_in_view(id_), facts=fact_counts[id_] if counted else None) for id_ in wanted]
        return sorted(rows, key=lambda row: (row.source, row.id))

    def _document_in_view(self, document_id: str) -> DocumentRow:
        row, chunks = self._documents[document_id], self._chunks_of(document_id)
        return replace(row, chunks=len(chunks), places=_visible_places(row.places, chunks))

    def _chunks_of(self, document_id: str) -> Sequence[Chunk]:
        return self._tables.chunks_of.get(document_id, ())

    def languages(self) -> list[str]:
        return sorted({row.language for row in self._documents.values() if row.language})

    def pieces(self, document_id: str, *, chunk_id: str = "", first: int = 0, count: int) -> list[Piece]:
        chunks = self._chunks_of(document_id)
        if chunk_id:
            at = next((at for at, chunk in enumerate(chunks) if chunk.id == chunk_id), None)
            if at is None:
                raise NotFound(f"The document {document_id} has no passage {chunk_id} in this view.")
            first = max(at - CHUNKS_BEFORE, 0)
        return [replace(_piece(chunk), index=at) for at, chunk in enumerate(chunks[first : first + count], start=first)]

    def entities_in(self, document_id: str, *, first: int, count: int) -> list[ListedEntity]:
        shown = [chunk.id for chunk in self._chunks_of(document_id)[first : first + count]]
        named = Counter(entity for id_ in shown for entity in self.derived.entities_of_chunk.get(id_, ()))
        best = sorted(named.items(), key=lambda item: (-item[1], item[0]))[:MAX_ENTITIES_PER_PART]
        return [ListedEntity(id=id_, name=self._tables.name(id_), chunks=times) for id_, times in best]

    def pieces_with_words(self, words: Sequence[Sequence[str]]) -> list[FoundPiece]:
        wanted = [terms for terms in words if terms]
        matching = [
            row.chunk
            for row in self.derived.visible.chunks
            if wanted and all(any(term in row.term_counts for term in terms) for terms in wanted)
        ]
        matching.sort(key=lambda chunk: (self._documents[chunk.document_id].source, chunk.document_id, chunk.index))
        documents = (self._documents[chunk.document_id] for chunk in matching)
        return [
            FoundPiece(document_id=row.id, source=row.source, title=row.title, piece=_piece(chunk))
            for row, chunk in zip(documents, matching, strict=True)
        ]

    # ---- Names

    def mentions(self) -> Mentions:
        return self._tables.mentions

    def has_entity(self, entity_id: str) -> bool:
        return entity_id in self.derived.entities

    def entity_places(self, entity_id: str, *, first: int, count: int) -> tuple[list[PlaceRow], int]:
        cut: dict[str, list[Span]] = {}
        places = [
            (self._documents[chunk.document_id].source, chunk.index, start, mention, end, chunk)
            for mention in self.derived.entities[entity_id].mention_ids
            for chunk_id, spans in self.derived.occurrences[mention].items()
            for start, end in spans
            for chunk in (self._part.chunks[chunk_id].chunk,)
        ]
        places.sort(key=lambda place: place[:5])
        places_shown = []
        for source, _, start, mention, end, chunk in places[first : first + count]:
            sentence, begins, ends = sentence_around(chunk.id, chunk.text, chunk.language, start, cut)
            places_shown.append(
                PlaceRow(
                    mention_id=mention,
                    form=chunk.text[start:end],
                    document_id=chunk.document_id,
                    source=source,
                    chunk_id=chunk.id,
                    start=start,
                    end=end,
                    sentence=sentence,
                    place=place_of(chunk.places, begins, ends, otherwise=chunk.place),
                )
            )
        return places_shown, len(places)

    def chunks_mentioning(self, entity_ids: Sequence[str]) -> list[MentioningChunk]:
        occurrences: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for entity in entity_ids:
            for mention in self.derived.entities[entity].mention_ids if entity in self.derived.entities else ():
                for chunk_id, spans in self.derived.occurrences[mention].items():
                    occurrences[chunk_id] += [(entity, start, end) for start, end in spans]
        chunks = [self._part.chunks[id_].chunk for id_ in occurrences]
        chunks.sort(key=lambda chunk: (self._documents[chunk.document_id].source, chunk.document_id, chunk.index))
        return [self._mentioning(chunk, occurrences[chunk.id]) for chunk in chunks]

    def _mentioning(self, chunk: Chunk, occurrences: Sequence[tuple[str, int, int]]) -> MentioningChunk:
        document = self._documents[chunk.document_id]
        return MentioningChunk(
            chunk_id=chunk.id,
            document_id=document.id,
            source=document.source,
            title=document.title,
            start=chunk.start,
            end=chunk.end,
            occurrences=tuple(sorted(occurrences, key=lambda place: (*place[1:], place[0]))),
        )

    # ---- How much there is

    def stats(self) -> GraphStats:
        complete = sum(row.status == "complete" for row in self._documents.values())
        decided: Mapping[str, int] = Counter(
            "person" if by == "person" else edge.rule for edge, by, review in self.derived.edges if not review
        )
        return GraphStats(
            documents=len(self._documents),
            complete=complete,
            partial=len(self._documents) - complete,
            chunks=len(self.derived.visible.chunks),
            mentions=len(self.mentions()),
            entities=len(self.derived.entities),
            facts=len(self.derived.facts),
            relationships=len(self.derived.facts),
            near_misses=sum(review for _, _, review in self.derived.edges),
            decisions=dict(sorted(decided.items())),
            empty_extractions=sum(not row.extraction.triplets for row in self.derived.visible.chunks),
        )

    def _document_of(self, chunk_id: str) -> str:
        return self._part.chunks[chunk_id].chunk.document_id

    def _count(self, id_: str) -> int:
        """Chunks that mention an entity."""
        return len(self.derived.chunks_of_entity.get(id_, ()))


def _visible_places(places: Sequence[Place], chunks: Sequence[Chunk]) -> tuple[Place, ...]:
    """The pages and chapters that contain a visible passage."""
    starts = [chunk.start for chunk in chunks]
    after: dict[bool, int] = {}  # whether pages -> the start of the next one
    visible = list[Place]()
    for place in reversed(places):
        end = after.get(place.kind == "page")
        after[place.kind == "page"] = place.start
        before = bisect_left(starts, end) if end is not None else len(starts)
        if before and chunks[before - 1].end > place.start:
            visible.append(place)
    return tuple(reversed(visible))


def _piece(chunk: Chunk) -> Piece:
    return Piece(
        id=chunk.id, index=chunk.index, start=chunk.start, text=chunk.text, place=chunk.place, places=chunk.places
    )

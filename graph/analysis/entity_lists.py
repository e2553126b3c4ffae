"""Lists of all things of a type, from the graph: each name with the sentences where its documents name it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Protocol

from filigraph.graph.analysis.list_items import ItemList, ListItem
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.documents import PlacedSentence
from filigraph.graph.records.entities import FoundEntity, MentioningChunk
from filigraph.graph.text.list_kinds import EntityQuestion, kind_listed
from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import tokens

MAX_PLACES = 5  # of an item: the first of each document


class EntityGraph(Protocol):
    """A workspace or a view, with the types of its entities."""

    def entity_types(self) -> Mapping[str, int]: ...
    def entities_of_type(self, type_: str) -> Sequence[str]: ...
    def entities_by_id(self, ids: Sequence[str]) -> Sequence[FoundEntity]: ...
    def chunks_mentioning(self, entity_ids: Sequence[str]) -> Sequence[MentioningChunk]: ...
    def chunk_ids(self) -> Sequence[str]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...


def items_of_type(question: ListQuestion, graph: EntityGraph) -> ItemList | None:
    """The things with a name of the type that a question asks for, or all of a type whose things mostly have none, like
    "symptom"; None if it asks for no type, or for one that the graph does not have there."""
    kind = kind_listed(question)
    types = [type_ for type_ in graph.entity_types() if kind and kind.includes(type_)]
    ids = {id_ for type_ in types for id_ in graph.entities_of_type(type_)}
    if kind is None or not ids:
        return None
    name_of = {row.id: row.name for row in graph.entities_by_id(sorted(ids))}
    named = {id_: name for id_, name in name_of.items() if parse(name).proper}
    if not kind.kind and 2 * len(named) < len(name_of):
        named = name_of
    chunks = [row for row in graph.chunks_mentioning(sorted(named)) if _is_within(row, kind)]
    first = _first_places(chunks)
    passages = graph.passages(sorted({chunk.chunk_id for places in first.values() for chunk, _ in places}))
    spans = {id_: tuple(sentences(passage.text, passage.language)) for id_, passage in passages.items()}
    items = [
        _item(named[id_], [_place(passages[at.chunk_id], spans[at.chunk_id], start) for at, start in places])
        for id_, places in first.items()
        if all(chunk.chunk_id in passages for chunk, _ in places)  # no document was removed meanwhile
    ]
    total = len(graph.chunk_ids())
    return ItemList(items=tuple(items), passages=total, of_passages=total, sums={}) if items else None


def _is_within(row: MentioningChunk, kind: EntityQuestion) -> bool:
    return kind.within <= {word.folded for word in tokens(f"{row.title} {row.source}")}


def _first_places(chunks: Sequence[MentioningChunk]) -> dict[str, list[tuple[MentioningChunk, int]]]:
    """Entity -> the first place in each document, in reading order."""
    first: dict[str, dict[str, tuple[MentioningChunk, int]]] = {}
    for chunk in chunks:
        for id_, start, _ in sorted(chunk.occurrences, key=lambda one: one[1]):
            first.setdefault(id_, {}).setdefault(chunk.document_id, (chunk, start))
    return {id_: list(places.values())[:MAX_PLACES] for id_, places in first.items()}


def _place(passage: Passage, spans: Sequence[Span], at: int) -> PlacedSentence:
    """The sentence around a place."""
    start, end = next(((start, end) for start, end in spans if start <= at < end), (0, len(passage.text)))
    return PlacedSentence(
        sentence=passage.text[start:end],
        place=place_of(passage.places, start, end, otherwise=passage.place),
        source=passage.source,
        title=passage.title,
        document_id=passage.document_id,
        chunk_id=passage.id,
        start=start,
        end=end,
    )


def _item(name: str, places: Sequence[PlacedSentence]) -> ListItem:
    first = {field.name: getattr(places[0], field.name) for field in fields(PlacedSentence)}
    return ListItem(**first, item=name, caption="", quantities=(), date="", score=1.0, also=tuple(places[1:]))

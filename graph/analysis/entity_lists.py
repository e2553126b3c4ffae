"""Lists from the graph: all things of a type, each name with the sentences where its documents name it first, and all
places that name somebody ("In which letters does Jules appear?", "Under which names is he mentioned?").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Protocol

from filigraph.graph.analysis.list_items import ItemList, ListItem
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.documents import PlacedSentence
from filigraph.graph.records.entities import FoundEntity, MentioningChunk, NamedEntity
from filigraph.graph.text.list_kinds import EntityQuestion, NameQuestion, is_called, kind_listed, name_asked_for
from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.names.parse import key_of, parse
from filigraph.graph.text.names.type_class import type_class
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
    def entities_named(self, keys: Sequence[str]) -> Sequence[NamedEntity]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...


def items_of_type(question: ListQuestion, graph: EntityGraph) -> ItemList | None:
    """The things with a name of the type that a question asks for, or all of a type whose things mostly have none, like
    "symptom"; None if it asks for no type, or for one that the graph does not have there."""
    if name := name_asked_for(question):
        return _items_of_name(name, graph)
    kind = kind_listed(question)
    if kind is None:
        return None
    named = _of_type(kind, graph) or _called(kind, graph)
    chunks = [row for row in graph.chunks_mentioning(sorted(named)) if _is_within(row, kind)] if named else []
    first = _first_places(chunks)
    passages = graph.passages(sorted({chunk.chunk_id for places in first.values() for chunk, _ in places}))
    spans = {id_: tuple(sentences(passage.text, passage.language)) for id_, passage in passages.items()}
    items = [
        _item(named[id_], [_place(passages[at.chunk_id], spans[at.chunk_id], start) for at, start in places])
        for id_, places in first.items()
        if all(chunk.chunk_id in passages for chunk, _ in places)  # no document was removed meanwhile
    ]
    return _listed(items, graph)


def _listed(items: Sequence[ListItem], graph: EntityGraph) -> ItemList | None:
    total = len(graph.chunk_ids())
    return ItemList(items=tuple(items), passages=total, of_passages=total, sums={}) if items else None


def _of_type(kind: EntityQuestion, graph: EntityGraph) -> dict[str, str]:
    """Id -> name of the things of the type, else of a class that companies belong to."""
    types = graph.entity_types()
    wanted = [type_ for type_ in types if kind.includes(type_)] or [type_ for type_ in types if kind.may_include(type_)]
    ids = {id_ for type_ in wanted for id_ in graph.entities_of_type(type_)}
    name_of = {row.id: row.name for row in graph.entities_by_id(sorted(ids))}
    named = {id_: name for id_, name in name_of.items() if parse(name).proper}
    return name_of if not kind.kind and 2 * len(named) < len(name_of) else named


def _called(kind: EntityQuestion, graph: EntityGraph) -> dict[str, str]:
    """Id -> name of the things of no particular type that a text calls so: "the tender Ann", "the Ann, a schooner"."""
    types = [type_ for type_ in graph.entity_types() if not type_class(type_)] if kind.words("en") else []
    ids = {id_ for type_ in types for id_ in graph.entities_of_type(type_)}
    rows = {row.id: row for row in graph.entities_by_id(sorted(ids)) if parse(row.name).proper}
    chunks = graph.chunks_mentioning(sorted(rows)) if rows else []
    passages = graph.passages([row.chunk_id for row in chunks])
    called = {
        id_
        for chunk in chunks
        if (passage := passages.get(chunk.chunk_id))
        for id_ in {id_ for id_, _, _ in chunk.occurrences}
        if is_called(passage.text, rows[id_].aliases, kind.words(passage.language))
    }
    return {id_: rows[id_].name for id_ in called}


def _items_of_name(name: NameQuestion, graph: EntityGraph) -> ItemList | None:
    """The first place in each document that names somebody, or the first place of each of the names."""
    entities = graph.entities_named([key_of(tokens(name.name), name.name)])
    chunks = graph.chunks_mentioning(sorted(entity.entity_id for entity in entities)) if entities else []
    passages = graph.passages([row.chunk_id for row in chunks])
    first = dict[str, ListItem]()
    for row in chunks:
        if row.chunk_id in passages:
            passage = passages[row.chunk_id]
            spans = tuple(sentences(passage.text, passage.language))
            for _, start, end in row.occurrences:
                form = passage.text[start:end]
                key = form if name.forms else row.document_id
                if key not in first:
                    first[key] = _item(form, [_place(passage, spans, start)])
    return _listed(list(first.values()), graph)


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

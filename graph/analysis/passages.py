"""Passages that name several entities: in one passage, or anywhere in one document, in the order of reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.entities import MentioningChunk
from filigraph.graph.text.find import Finder
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences

Names = Mapping[str, Collection[str]]  # a name as it was asked -> the entities that it may mean


class PassageGraph(Protocol):
    """A workspace or a view, as far as passages are read of it."""

    def chunks_mentioning(self, entity_ids: Sequence[str]) -> Sequence[MentioningChunk]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...


@dataclass(frozen=True, kw_only=True)
class NamedSentence:
    """A sentence of a passage, and which of the names that were asked it has."""

    text: str
    start: int  # in the passage
    end: int
    place: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class NamingPassage:
    """A passage with the sentences that name what was asked: one where one names all."""

    chunk_id: str
    document_id: str
    source: str
    title: str
    date: str  # of the document
    sentences: tuple[NamedSentence, ...]


@dataclass(frozen=True, kw_only=True)
class NamingPassages:
    """Some of the passages that name all, and how many there are, in how many documents."""

    passages: tuple[NamingPassage, ...]
    total: int
    documents: int


def passages_naming(
    names: Names,
    graph: PassageGraph,
    *,
    in_document: bool = False,
    phrase: str = "",
    document_ids: Collection[str] | None = None,
    first: int = 0,
    count: int,
) -> NamingPassages:
    """The passages that mention all of the names, or with `in_document` any of them if the document mentions all;
    only in these documents, if given, and with these words in order, if any. Text shared with the passage before is
    not counted again."""
    names_of = {id_: [name for name, group in names.items() if id_ in group] for ids in names.values() for id_ in ids}
    rows = graph.chunks_mentioning(sorted(names_of))
    chunks = list[MentioningChunk]()
    for document_id, group in groupby(rows, key=lambda row: row.document_id):
        if document_ids is None or document_id in document_ids:
            chunks += _of_document(list(group), names_of, len(names), in_document)
    if phrase:
        texts = graph.passages([row.chunk_id for row in chunks])
        chunks = [row for row in chunks if row.chunk_id in texts and Finder(texts[row.chunk_id].text).find(phrase)]
    shown = chunks[first : first + count]
    texts = graph.passages([row.chunk_id for row in shown])
    return NamingPassages(
        passages=tuple(_passage(row, texts[row.chunk_id], names_of, names) for row in shown if row.chunk_id in texts),
        total=len(chunks),
        documents=len({row.document_id for row in chunks}),
    )


Asked = Mapping[str, Sequence[str]]  # entity -> the names that it may be


def _of_document(
    rows: Sequence[MentioningChunk], names_of: Asked, names: int, in_document: bool
) -> Iterator[MentioningChunk]:
    if in_document and len(_names(rows, names_of)) < names:
        return
    end = -1  # of the last passage that is taken
    for row in rows:
        new = any(row.start + start >= end for _, start, _ in row.occurrences)
        if new and (in_document or len(_names([row], names_of)) == names):
            end = row.end
            yield row


def _names(rows: Iterable[MentioningChunk], names_of: Asked) -> set[str]:
    return {name for row in rows for entity, _, _ in row.occurrences for name in names_of[entity]}


def _passage(row: MentioningChunk, passage: Passage, names_of: Asked, names: Names) -> NamingPassage:
    named_sentences = list[NamedSentence]()
    for start, end in sentences(passage.text, passage.language):
        here = {name for entity, at, _ in row.occurrences if start <= at < end for name in names_of[entity]}
        if here:
            place = place_of(passage.places, start, end, otherwise=passage.place)
            named = tuple(name for name in names if name in here)
            text = passage.text[start:end]
            named_sentences.append(NamedSentence(text=text, start=start, end=end, place=place, names=named))
    return NamingPassage(
        chunk_id=row.chunk_id,
        document_id=row.document_id,
        source=row.source,
        title=row.title,
        date=passage.date,
        sentences=tuple(_fewest(named_sentences)),
    )


def _fewest(named_sentences: Sequence[NamedSentence]) -> list[NamedSentence]:
    """Sentences that together have all the names that the passage has, those with most names first taken."""
    left = {name for sentence in named_sentences for name in sentence.names}
    taken = list[NamedSentence]()
    while left:
        best = max(named_sentences, key=lambda sentence: (len(left & {*sentence.names}), -sentence.start))
        taken.append(best)
        left -= {*best.names}
    return sorted(taken, key=lambda sentence: sentence.start)

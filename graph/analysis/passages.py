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
    asked = {id_: [name for name, of in names.items() if id_ in of] for ids in names.values() for id_ in ids}
    rows = graph.chunks_mentioning(sorted(asked))
    found = list[MentioningChunk]()
    for document_id, of in groupby(rows, key=lambda row: row.document_id):
        if document_ids is None or document_id in document_ids:
            found += _of_document(list(of), asked, len(names), in_document)
    if phrase:
        texts = graph.passages([row.chunk_id for row in found])
        found = [row for row in found if row.chunk_id in texts and Finder(texts[row.chunk_id].text).find(phrase)]
    shown = found[first : first + count]
    texts = graph.passages([row.chunk_id for row in shown])
    return NamingPassages(
        passages=tuple(_passage(row, texts[row.chunk_id], asked, names) for row in shown if row.chunk_id in texts),
        total=len(found),
        documents=len({row.document_id for row in found}),
    )


Asked = Mapping[str, Sequence[str]]  # entity -> the names that it may be


def _of_document(
    rows: Sequence[MentioningChunk], asked: Asked, names: int, in_document: bool
) -> Iterator[MentioningChunk]:
    if in_document and len(_names(rows, asked)) < names:
        return
    end = -1  # of the last passage that is taken
    for row in rows:
        new = any(row.start + start >= end for _, start, _ in row.occurrences)
        if new and (in_document or len(_names([row], asked)) == names):
            end = row.end
            yield row


def _names(rows: Iterable[MentioningChunk], asked: Asked) -> set[str]:
    return {name for row in rows for entity, _, _ in row.occurrences for name in asked[entity]}


def _passage(row: MentioningChunk, passage: Passage, asked: Asked, names: Names) -> NamingPassage:
    said = list[NamedSentence]()
    for start, end in sentences(passage.text, passage.language):
        here = {name for entity, at, _ in row.occurrences if start <= at < end for name in asked[entity]}
        if here:
            place = place_of(passage.places, start, end, otherwise=passage.place)
            named = tuple(name for name in names if name in here)
            text = passage.text[start:end]
            said.append(NamedSentence(text=text, start=start, end=end, place=place, names=named))
    return NamingPassage(
        chunk_id=row.chunk_id,
        document_id=row.document_id,
        source=row.source,
        title=row.title,
        date=passage.date,
        sentences=tuple(_fewest(said)),
    )


def _fewest(said: Sequence[NamedSentence]) -> list[NamedSentence]:
    """Sentences that together have all the names that the passage has, those with most names first taken."""
    left = {name for sentence in said for name in sentence.names}
    taken = list[NamedSentence]()
    while left:
        best = max(said, key=lambda sentence: (len(left & {*sentence.names}), -sentence.start))
        taken.append(best)
        left -= {*best.names}
    return sorted(taken, key=lambda sentence: sentence.start)

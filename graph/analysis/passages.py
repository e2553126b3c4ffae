"""Passages that name several entities, or state some facts, in the order of reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Protocol

from pydantic import Field

from filigraph.graph.ids import content_id, content_part
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.records.documents import PhrasePlace
from filigraph.graph.records.entities import MentioningChunk
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences

KEY_HEX_DIGITS = 16  # hex digits that tell the sentences of a workspace apart

Names = Mapping[str, Collection[str]]  # a name of the request -> the entities that it may mean


class PassageGraph(Protocol):
    """The reads of a workspace or a view that passages need."""

    def chunks_mentioning(self, entity_ids: Sequence[str]) -> Sequence[MentioningChunk]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...
    def pool(self, chunk_ids: Sequence[str]) -> Sequence[PoolChunk]: ...


@dataclass(frozen=True, kw_only=True)
class NamedSentence:
    """A sentence of a passage, and the requested names in it."""

    text: Annotated[str, Field(description="The sentence, in the source's own words.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, if the document has them.")]
    names: Annotated[tuple[str, ...], Field(description="The requested names in it.")]


@dataclass(frozen=True, kw_only=True)
class NamingPassage:
    """A passage with the sentences that have the requested names; a single sentence if one has all of them."""

    chunk_id: Annotated[str, Field(description="The chunk's id.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which that was ingested.")]
    title: Annotated[str, Field(description="Its title.")]
    date: Annotated[str, Field(description="Its date, from its metadata.")]
    sentences: Annotated[
        tuple[NamedSentence, ...],
        Field(description="The sentences with the names; a single one if it has all of them."),
    ]


@dataclass(frozen=True, kw_only=True)
class FactFilter:
    """Facts that a passage must state."""

    facts: Collection[str]
    ends: Collection[str]  # their entities


@dataclass(frozen=True, kw_only=True)
class NamingPassages:
    """Some of the passages with all names, and the number of passages and of documents."""

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
    stated: FactFilter | None = None,
    first: int = 0,
    count: int,
) -> NamingPassages:
    """The passages that mention all of the names, or with `in_document` any of them if the document mentions all.
    Optional filters: `document_ids`; `phrase`, words in order; `stated`, of which they must state a fact, and then
    their sentences are those of the facts. Text shared with the passage before is not counted again."""
    names_of = {id_: [name for name, group in names.items() if id_ in group] for ids in names.values() for id_ in ids}
    if stated and not names:
        names_of = {id_: [] for id_ in stated.ends}
    rows = graph.chunks_mentioning(sorted(names_of))
    chunks = list[MentioningChunk]()
    for document_id, group in groupby(rows, key=lambda row: row.document_id):
        if document_ids is None or document_id in document_ids:
            chunks += _of_document(list(group), names_of, len(names), in_document)
    if phrase:
        texts = graph.passages([row.chunk_id for row in chunks])
        chunks = [
            row for row in chunks if row.chunk_id in texts and PhraseFinder(texts[row.chunk_id].text).find(phrase)
        ]
    spans_of = _stating_spans(stated, chunks, graph) if stated else {}
    if stated:
        chunks = [row for row in chunks if row.chunk_id in spans_of]
    shown = chunks[first : first + count]
    texts = graph.passages([row.chunk_id for row in shown])
    return NamingPassages(
        passages=tuple(
            _passage(row, texts[row.chunk_id], names_of, names, spans_of.get(row.chunk_id, ()))
            for row in shown
            if row.chunk_id in texts
        ),
        total=len(chunks),
        documents=len({row.document_id for row in chunks}),
    )


def passages_holding(places: Sequence[PhrasePlace], graph: PassageGraph) -> list[NamingPassage]:
    """The passages of the places of a phrase, each with the sentences that contain it."""
    texts = graph.passages(sorted({place.chunk_id for place in places}))
    passages = list[NamingPassage]()
    for chunk_id, group in groupby(places, key=lambda place: place.chunk_id):
        here = list(group)
        row = MentioningChunk(
            chunk_id=chunk_id,
            document_id=here[0].document_id,
            source=here[0].source,
            title=here[0].title,
            start=0,
            end=0,
            occurrences=(),
        )
        if chunk_id in texts:
            passages.append(_passage(row, texts[chunk_id], {}, {}, [(place.start, place.end) for place in here]))
    return passages


def sentence_keys(passage: NamingPassage) -> set[str]:
    """The keys of its sentences: neither a new reading of the same text nor other chunks change them."""
    document = content_part(passage.document_id)
    return {content_id("hit", document, " ".join(one.text.split()))[:KEY_HEX_DIGITS] for one in passage.sentences}


def new_first(passages: Sequence[NamingPassage], known: Set[str]) -> tuple[list[NamingPassage], int]:
    """The passages, first those with a sentence whose key is not among `known`; and the number of these."""
    new = [bool(sentence_keys(passage) - known) for passage in passages]
    return [passages[at] for at in sorted(range(len(passages)), key=lambda at: not new[at])], sum(new)


def _stating_spans(stated: FactFilter, rows: Sequence[MentioningChunk], graph: PassageGraph) -> dict[str, list[Span]]:
    """Chunk -> the places where it states one of the facts; only chunks that do."""
    spans_of = dict[str, list[Span]]()
    for chunk in graph.pool([row.chunk_id for row in rows]):
        for fact in chunk.facts:
            if fact.fact_id in stated.facts:
                spans_of.setdefault(chunk.id, []).append((fact.start, fact.end))
    return spans_of


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


def _passage(
    row: MentioningChunk, passage: Passage, names_of: Asked, names: Names, spans: Sequence[Span]
) -> NamingPassage:
    """A passage with its sentences: those at `spans`, where it states facts, or those with the requested names."""
    named_sentences = list[NamedSentence]()
    for start, end in sentences(passage.text, passage.language):
        here = {name for entity, at, _ in row.occurrences if start <= at < end for name in names_of[entity]}
        if any(start < behind and begin < end for begin, behind in spans) if spans else here:
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
        sentences=tuple(named_sentences if spans else _fewest_covering(named_sentences)),
    )


def _fewest_covering(named_sentences: Sequence[NamedSentence]) -> list[NamedSentence]:
    """Sentences that together have all names of the passage, chosen greedily by number of names."""
    left = {name for sentence in named_sentences for name in sentence.names}
    taken = list[NamedSentence]()
    while left:
        best = max(named_sentences, key=lambda sentence: (len(left & {*sentence.names}), -sentence.start))
        taken.append(best)
        left -= {*best.names}
    return sorted(taken, key=lambda sentence: sentence.start)

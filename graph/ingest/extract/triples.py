"""Ready triples: facts that a client sends with its documents, each assigned to the passage that contains it.

The file is JSON lines, one document per line:

    {"passage_id": "2wiki-00000", "triples": [["Teutberga", "married to", "Lothair II"], ...]}
    {"source": "letter.txt", "triples": [{"subject": "Jules", "predicate": "wears", "object": "ring"}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from filigraph.graph.ids import content_id
from filigraph.graph.ingest.extract.contract import extraction_key
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction, Triplet
from filigraph.graph.model.usage import Usage
from filigraph.graph.text.formats.json_lines import check_whole
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import tokens

MAX_NAME_CHARS = 500  # characters; a longer "name" is a passage
MAX_PREDICATE = 200  # characters
MAX_PROBLEMS = 1000  # reported; a file of another kind would give one per line

Row = tuple[str, str, str]  # subject, predicate, object


@dataclass(frozen=True, kw_only=True)
class TriplesFile:
    """A parsed triples file: the usable triples, and the unusable ones with their lines."""

    triples: Mapping[str, tuple[Row, ...]]  # by the document's source
    problems: tuple[str, ...]  # "line 7, triple 2: the object is missing"


def parse_triples(content: bytes) -> TriplesFile:
    """Parse a triples file. An unusable line or triple is a problem, never an error; the rest is used."""
    by_source: dict[str, dict[Row, None]] = {}
    problems: list[str] = []
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not raw.strip():
            continue
        place = f"line {number}"
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError) as error:
            problems.append(f"{place}: not JSON ({error})")
            continue
        source = _source_of_line(line)
        if source is None:
            problems.append(f'{place}: no "source" or "passage_id", a text')
            continue
        items = line.get("triples")
        if not isinstance(items, list):
            problems.append(f'{place}: no "triples", a list')
            continue
        rows = by_source.setdefault(source, {})
        for index, item in enumerate(items, 1):
            row = _parse_triple(item)
            if isinstance(row, str):
                problems.append(f"{place}, triple {index}: {row}")
            else:
                rows[row] = None
    if len(problems) > MAX_PROBLEMS:
        problems[MAX_PROBLEMS:] = [f"and {len(problems) - MAX_PROBLEMS} more"]
    return TriplesFile(triples={source: tuple(rows) for source, rows in by_source.items()}, problems=tuple(problems))


def _source_of_line(line: object) -> str | None:
    """The document that a line names."""
    if not isinstance(line, dict):
        return None
    source = line.get("source", line.get("passage_id"))
    return source if isinstance(source, str) and source.strip() else None


def _parse_triple(item: object) -> Row | str:
    """A triple, or what is wrong with it."""
    if isinstance(item, dict):
        parts = [item.get("subject"), item.get("predicate"), item.get("object")]
    elif isinstance(item, list) and len(item) == 3:
        parts = item
    else:
        return "neither three texts nor subject, predicate and object"
    clean: list[str] = []
    for name, part, longest in zip(
        ("subject", "predicate", "object"), parts, (MAX_NAME_CHARS, MAX_PREDICATE, MAX_NAME_CHARS), strict=True
    ):
        if part is None:
            return f"the {name} is missing"
        if not isinstance(part, str):
            return f"the {name} is not a text"
        try:
            check_whole(name, part)
        except ValueError as error:
            return str(error)
        text = " ".join(part.split())
        if not any(character.isalnum() for character in text):
            return f"the {name} has no letter and no digit"
        if len(text) > longest:
            return f"the {name} has {len(text)} characters, more than {longest}"
        clean.append(text)
    return clean[0], clean[1], clean[2]


class TripleExtractor:
    """An Extractor that reads no text: it assigns each given triple to one sentence of one chunk of its document.

    `triples` are by document id. `prepared` assigns them to chunks, which needs all chunks of a document; `extract`
    returns those of each chunk, so it works with any chunks.
    """

    name = "triples"
    batch = 32  # a user who cancels waits until they are embedded
    expensive = False
    usage = Usage()
    version = "3"  # each chunk's key, and `version_for`, contain the triples themselves

    def __init__(self, triples: Mapping[str, Sequence[Row]]) -> None:
        self._triples = triples

    def version_for(self, document_id: str) -> str:
        return content_id(
            "triples", self.version, *(part for row in self._triples.get(document_id, ()) for part in row)
        )

    def expected(self, chunk: Chunk) -> Usage:
        return Usage()

    def prepared(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with their triples. All chunks of a document must come in one call."""
        by_document: dict[str, list[int]] = {}
        for position, chunk in enumerate(chunks):
            by_document.setdefault(chunk.document_id, []).append(position)
        read: dict[int, list[Triplet]] = {}
        for document, positions in by_document.items():
            rows = self._triples.get(document, ())
            if rows:
                places = [place for position in positions for place in _sentences_of_chunk(position, chunks[position])]
                for row in rows:
                    place = _best(row, places)
                    triplet = Triplet(subject=row[0], predicate=row[1], object=row[2], start=place.start, end=place.end)
                    read.setdefault(place.position, []).append(triplet)
        return [
            replace(chunk, given=tuple(read.get(position, ())) if self._triples.get(chunk.document_id) else None)
            for position, chunk in enumerate(chunks)
        ]

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        """One Extraction per chunk, in order."""
        for chunk in chunks:
            note = "" if chunk.given else "no triple of its document fits it best"
            if chunk.given is None:
                note = "no triples were given for this document"
            yield Extraction(
                key=extraction_key(chunk, self), extractor=self.name, triplets=chunk.given or (), note=note
            )


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A sentence where a triple may occur."""

    position: int  # of its chunk
    start: int
    end: int
    words: frozenset[str]  # folded
    chunk_words: frozenset[str]
    chunk_text: str  # folded words of the chunk in order, between spaces


def _sentences_of_chunk(position: int, chunk: Chunk) -> list[_Place]:
    folded = [(token.start, token.folded) for token in tokens(chunk.text)]
    chunk_words = frozenset(word for _, word in folded)
    chunk_text = f" {' '.join(word for _, word in folded)} "
    spans = sentences(chunk.text, chunk.language) or [(0, len(chunk.text))]
    return [
        _Place(
            position=position,
            start=start,
            end=end,
            words=frozenset(word for at, word in folded if start <= at < end),
            chunk_words=chunk_words,
            chunk_text=chunk_text,
        )
        for start, end in spans
    ]


def _best(row: Row, places: Sequence[_Place]) -> _Place:
    """The sentence that fits best, in the chunk that fits best; the first of equals.

    A chunk with both names is better than one with one name, and that is better than the others; then the words of the
    names in a sentence count, then the words of the predicate.
    """
    subject, predicate, object_ = ([token.folded for token in tokens(part)] for part in row)
    names = frozenset(subject) | frozenset(object_)

    def fit(place: _Place) -> tuple[int, float, float, int, int]:
        held = sum(f" {' '.join(name)} " in place.chunk_text for name in (subject, object_) if name)
        overlap = len(names & place.words) / max(1, len(names))
        return held, overlap, len(place.words.intersection(predicate)), -place.position, -place.start

    return max(places, key=fit)

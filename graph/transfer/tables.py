"""Export entities and facts as CSV tables or as a GraphML graph."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, BinaryIO, Protocol

from filigraph.graph.errors import Cancelled
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.formats import cells
from filigraph.graph.text.places import marks_of, place_of

ENTITY_COLUMNS = ("id", "name", "type", "aliases", "chunks")
FACT_COLUMNS = ("id", "subject_id", "subject", "predicate", "object_id", "object", "weight", "denied")
SENTENCE_COLUMNS = ("origin", "according_to", "when", "when_date", "source", "place", "sentence")
NOTE_COLUMNS = (
    *("id", "kind", "text", "tags", "starred", "by", "at", "changed", "lost", "entity_id", "entity", "predicate"),
    *("other_id", "other", "fact_id", "source", "place", "sentence", "document_id", "chunk_id", "trace_id", "question"),
)
SEPARATOR = " | "  # between aliases
NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2


Row = dict[str, Any]


class TableReader(Protocol):
    """Read access to entities and facts as rows, sorted by id."""

    def entity_table(self) -> Iterator[Row]: ...
    def fact_table(self) -> Iterator[Row]: ...


def write_csv(
    file: BinaryIO, graph: TableReader, *, notes: Iterable[Row] = (), cancelled: ShouldStop = lambda: False
) -> None:
    """Write a zip of `entities.csv` (one row per entity), `facts.csv` (one row per sentence of a fact) and, if there
    are notes of people, `notes.csv`, in UTF-8 with a byte order mark, by which spreadsheets detect it.

    Cells are escaped against formulas (`cells.as_text`). Raises Cancelled.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("entities.csv", "w") as table:
            _write_table(table, ENTITY_COLUMNS, _entity_rows(_until_cancelled(graph.entity_table(), cancelled)))
        with archive.open("facts.csv", "w", force_zip64=True) as table:
            _write_table(
                table, (*FACT_COLUMNS, *SENTENCE_COLUMNS), _fact_rows(_until_cancelled(graph.fact_table(), cancelled))
            )
        if noted := [note_row(note) for note in notes]:
            with archive.open("notes.csv", "w") as table:
                _write_table(table, NOTE_COLUMNS, noted)


def write_graphml(file: BinaryIO, graph: TableReader, *, cancelled: ShouldStop = lambda: False) -> None:
    """Write entities as nodes and facts as directed edges, for Gephi, yEd or igraph. The whole graph is in memory.

    Raises Cancelled.
    """
    import networkx as nx

    drawn = nx.MultiDiGraph()
    for entity in _until_cancelled(graph.entity_table(), cancelled):
        aliases = SEPARATOR.join(entity["aliases"])
        drawn.add_node(
            entity["id"],
            label=xml_text(entity["name"]),  # what Gephi shows
            name=xml_text(entity["name"]),
            type=xml_text(entity["type"]),
            aliases=xml_text(aliases),
            chunks=entity["chunks"],
        )
    for fact in _until_cancelled(graph.fact_table(), cancelled):
        drawn.add_edge(
            fact["subject_id"],
            fact["object_id"],
            key=fact["id"],
            label=xml_text(fact["predicate"]),
            predicate=xml_text(fact["predicate"]),
            weight=fact["weight"],
            denied=fact["denied"],
        )
    nx.write_graphml(drawn, file)


def _until_cancelled(rows: Iterable[Row], cancelled: ShouldStop) -> Iterator[Row]:
    for row in rows:
        if cancelled():
            raise Cancelled("The client no longer waits for the export.")
        yield row


def _entity_rows(entities: Iterable[Row]) -> Iterator[list[object]]:
    for entity in entities:
        values = {**entity, "aliases": SEPARATOR.join(entity["aliases"])}
        yield [values[column] for column in ENTITY_COLUMNS]


def _fact_rows(facts: Iterable[Row]) -> Iterator[list[object]]:
    for fact in facts:
        for sentence in fact["sentences"]:
            sentence["place"] = place_of(
                marks_of(sentence["places"]), sentence["start"], sentence["end"], otherwise=sentence["place"]
            )
            yield [fact[column] for column in FACT_COLUMNS] + [sentence[column] for column in SENTENCE_COLUMNS]


def note_row(note: Row) -> list[object]:
    """A note as a row of NOTE_COLUMNS."""
    values = {**note, "tags": SEPARATOR.join(note["tags"])}
    return [values[column] for column in NOTE_COLUMNS]


def _write_table(file: IO[bytes], columns: Iterable[str], rows: Iterable[list[object]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")  # BOM: spreadsheets
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    text.flush()
    text.detach()  # the zip closes it


def _cell(value: object) -> object:
    return cells.as_text(value) if isinstance(value, str) else value


def xml_text(text: str) -> str:
    """Text with characters that XML 1.0 forbids replaced by U+FFFD."""
    return NO_XML.sub("\ufffd", text)

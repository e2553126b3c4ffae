"""The differences between two canonical exports, of one workspace at two times or of two workspaces, without a
server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, BinaryIO, cast

from filigraph.graph.analysis.graph_difference import ComparedGraph, differences
from filigraph.graph.model.extraction import Origin
from filigraph.graph.records.facts import Comparison, DetailFact, FactSentence
from filigraph.graph.text.places import marks_of, place_of
from filigraph.graph.transfer.check_lines import check_export, parsed_lines
from filigraph.graph.transfer.export_lines import ChunkLine, DocumentLine, FactLine


def export_difference(before: BinaryIO, after: BinaryIO) -> Comparison:
    """The differences of the second export from the first. Raises InputError with the first line of a file that is not
    an export."""
    return differences(_Export(before).compared(), _Export(after).compared())


class _Export:
    def __init__(self, file: BinaryIO) -> None:
        check_export(file)
        file.seek(0)
        self._sources: dict[str, str] = {}
        self._dates: dict[str, str] = {}
        self._chunks: dict[str, ChunkLine] = {}
        self._names: dict[str, str] = {}
        self._mentions = defaultdict[str, list[str]](list)
        self._facts: dict[str, FactLine] = {}
        for line in parsed_lines(file):
            match str(line.kind):
                case "documents":
                    self._take(line)
                case "chunks":
                    self._chunks[line.id] = line
                case "mentions" if line.entity:
                    self._mentions[line.entity].append(line.id)
                case "entities":
                    self._names[line.id] = line.name
                case "facts" if any(support[3] != "cooccurrence" for support in line.supports):
                    self._facts[line.id] = line

    def _take(self, line: DocumentLine) -> None:
        self._sources[line.id], self._dates[line.id] = line.source, line.metadata.get("date", "")

    def compared(self) -> ComparedGraph:
        facts = sorted(self._facts.values(), key=lambda line: (-(line.weight or 0), line.text, line.id))
        return ComparedGraph(
            names=self._names,
            mentions={id_: self._mentions[id_] for id_ in self._names},
            facts={line.id: [(line.predicate, *support[:3]) for support in line.supports] for line in facts},
            in_full=self._detail_fact,
        )

    def _detail_fact(self, id_: str) -> DetailFact:
        line = self._facts[id_]
        return DetailFact(
            fact_id=id_,
            subject_id=line.subject,
            subject=self._names[line.subject],
            predicate=line.predicate,
            object_id=line.object,
            object=self._names[line.object],
            text=line.text,
            weight=line.weight or 0,
            denied=bool(line.denied),
            sentences=tuple(map(self._sentence, line.supports)),
        )

    def _sentence(self, support: Sequence[Any]) -> FactSentence:
        chunk_id, start, end, origin, according_to, _, *dates = support
        chunk = self._chunks[chunk_id]
        return FactSentence(
            chunk_id=chunk_id,
            document_id=chunk.document_id,
            source=self._sources[chunk.document_id],
            place=place_of(marks_of(chunk.places), start, end, otherwise=chunk.place),
            sentence=chunk.text[start:end],
            start=start,
            end=end,
            origin=cast(Origin, origin),
            according_to=according_to,
            date=self._dates[chunk.document_id],
            when=dates[0] if dates else "",
            when_date=dates[1] if dates else "",
        )

"""Import a workspace from an export.

`import_from` reads documents, chunks with extractions, mentions, persons' decisions and settings into a new workspace,
computes vectors and derives the rest, without an LLM. An export of the copy is identical if the embedder is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, BinaryIO, Protocol, TypeVar

from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.errors import Cancelled
from filigraph.graph.ids import workspace_tag
from filigraph.graph.ingest.embedding import embed_batch, is_late
from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.forms import FieldEvidence, FieldValue
from filigraph.graph.model.llm_readings import (
    CastLink,
    CastReading,
    ContradictionReading,
    ListReading,
    NamePlace,
    ReadItem,
    ReadPair,
    SentencePlace,
)
from filigraph.graph.model.names import AliasGroup, Mention, Occurrence, StoredCorrection
from filigraph.graph.model.summaries import Quote, Summary
from filigraph.graph.models.embed import Embedder, embed_texts
from filigraph.graph.models.late import LateDocument
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.documents import ChunkRow, DocumentRow, StoredChunk
from filigraph.graph.records.workspaces import GraphStats, Imported
from filigraph.graph.serialize import correction_of, imported_title, places_of, recipe_of
from filigraph.graph.text.places import marks_of
from filigraph.graph.transfer.check_lines import CheckedFile, check_export, parsed_lines
from filigraph.graph.transfer.export_lines import (
    AliasGroupLine,
    CastLinkLine,
    ChunkLine,
    ContradictionReadingLine,
    CorrectionLine,
    DocumentLine,
    FieldValueLine,
    ListReadingLine,
    MentionLine,
    SummaryLine,
)
from filigraph.graph.transfer.export_workspace import ExportReader, export_to

T = TypeVar("T")

BATCH_LINES = 64  # lines that are embedded and written together
CAST = {"cast", "open_casts"}  # of a document, written by themselves
READ_BY_LLM = "llm:"  # prefix of the extractor of LLM extractions, which are cached because they are expensive


class ImportGraph(ExportReader, DeriveGraph, Protocol):
    """Store of a workspace for an import."""

    def write_documents(self, rows: Sequence[DocumentRow]) -> None: ...
    def write_casts(self, casts: Mapping[str, Sequence[CastReading]], *, open_calls: Mapping[str, int]) -> None: ...
    def write_chunks(self, rows: Sequence[ChunkRow], *, keep: bool) -> None: ...
    def document_chunks(self, document_id: str) -> Sequence[Chunk]: ...
    def load_chunks(self, ids: Sequence[str]) -> Sequence[StoredChunk]: ...
    def write_mentions(self, mentions: Sequence[Mention]) -> None: ...
    def add_corrections(self, decisions: Sequence[StoredCorrection]) -> None: ...
    def add_alias_groups(self, groups: Sequence[AliasGroup]) -> None: ...
    def finish_reading(self, chunks_of: Mapping[str, Sequence[str]], *, unread: Mapping[str, int]) -> Sequence[str]: ...
    def prepare_summaries(self) -> None: ...
    def write_summaries(self, rows: Sequence[tuple[Summary, Vector]]) -> None: ...
    def show_summaries(self, rows: Sequence[Mapping[str, Any]], *, document_id: str, folder: str) -> None: ...
    def import_notes(self, bodies: Sequence[tuple[str, dict[str, Any]]]) -> None: ...
    def import_searches(self, bodies: Sequence[dict[str, Any]]) -> None: ...
    def write_form(self, name: str, text: str) -> None: ...
    def write_field_values(self, values: Sequence[FieldValue]) -> None: ...
    def correct_field(self, form: str, about: str, field: str, values: Sequence[str] | None) -> None: ...
    def write_contradiction_readings(self, readings: Sequence[ContradictionReading]) -> None: ...
    def write_list_readings(self, readings: Sequence[ListReading]) -> None: ...
    def write_cast_links(self, links: Sequence[CastLink]) -> None: ...
    def stats(self) -> GraphStats: ...


class NewWorkspaces(Protocol):
    """Creates a workspace that is hidden until it is complete."""

    def filling(
        self, name: str, *, fingerprint: str, dimensions: int, settings: Mapping[str, Any], embedder: str
    ) -> AbstractContextManager[ImportGraph]: ...


def import_from(
    file: BinaryIO,
    workspace: str,
    *,
    store: NewWorkspaces,
    embedder: Embedder,
    choice: str = "",
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> Imported:
    """Create a workspace from an export; it must be new or empty. `choice` is the setting that loads the embedder
    again, "" for the server's default.

    The whole file is validated before anything is written. The workspace becomes visible when it is complete; an
    interrupted run leaves none. Raises InputError with the number of the first invalid line, and Cancelled.
    """
    progress(Progress(stage="check", done=0, total=0))
    checked = check_export(file)
    file.seek(0)
    fingerprint, dimensions = embedder.fingerprint, embedder.dimensions
    with store.filling(
        workspace, fingerprint=fingerprint, dimensions=dimensions, settings=checked.settings, embedder=choice
    ) as graph:
        run = _Run(graph, embedder, checked, progress, cancelled)
        run.write(file)
        derive(graph, embedder=embedder, progress=progress, cancelled=cancelled)
        exported = export_to(lambda _: None, graph)
        stats = graph.stats()
    return Imported(
        documents=stats.documents,
        chunks=stats.chunks,
        entities=stats.entities,
        facts=stats.facts,
        sha256=exported.sha256,
        same=exported.sha256 == checked.sha256,
        note=_why_not(exported.sha256, checked, embedder),
    )


def _why_not(sha256: str, checked: CheckedFile, embedder: Embedder) -> str:
    if sha256 == checked.sha256:
        return ""
    if not checked.derived:
        return "It was exported before all that follows from it was derived; here it is."
    if checked.embedder != embedder.fingerprint:
        return "Another embedder made its vectors: names that only vectors join may be joined otherwise."
    return "What follows from it was derived otherwise: by another version, or the file was changed."


@dataclass(frozen=True)
class _Run:
    """Writes the lines of a file into an empty workspace."""

    graph: ImportGraph
    embedder: Embedder
    checked: CheckedFile
    progress: Callable[[Progress], None]
    cancelled: ShouldStop

    def write(self, file: Iterable[bytes]) -> None:
        """Write all lines except those that are derived."""
        graph = self.graph
        places: dict[str, list[tuple[int, str]]] = defaultdict(list)  # document id -> (index, id) of its chunks
        unread: dict[str, int] = {}  # completely stored documents -> number of unread chunks
        late: list[DocumentRow] = []
        for kind, lines in groupby(parsed_lines(file), key=lambda line: str(line.kind)):
            if kind == "documents":
                for batch in _batches(lines):
                    rows = [self._document_row(line) for line in batch]
                    graph.write_documents(rows)
                    self._write_casts(batch)
                    unread |= {self._local_id(line.id): line.unread for line in batch if line.unread is not None}
                    late += [row for row in rows if is_late(row) and row.id in unread]
            elif kind == "chunks":
                done = 0
                for batch in _batches(lines):
                    self._write_chunks(batch)
                    for line in batch:
                        places[self._local_id(line.document_id)].append((line.index, self._local_id(line.id)))
                    done += len(batch)
                    self.progress(Progress(stage="embed", done=done, total=self.checked.counts["chunks"]))
                self._embed_late([row for row in late if places[row.id]])
            elif kind == "mentions":
                for batch in _batches(lines):
                    graph.write_mentions([part for line in batch for part in self._mentions(line)])
            elif kind == "person_decisions":
                graph.add_corrections([self._decision(line) for line in lines])
            elif kind == "alias_groups":
                graph.add_alias_groups([self._alias_group(line) for line in lines])
            elif kind == "summaries":
                self._write_summaries([self._summary(line) for line in lines])
            elif kind == "forms":
                for line in lines:
                    graph.write_form(line.name, line.text)
            elif kind == "notes":
                graph.import_notes([(line.id, line.body.model_dump()) for line in lines])
            elif kind == "searches":
                graph.import_searches([line.body.model_dump() for line in lines])
            elif kind == "field_values":
                self._write_field_values([self._field_value(line) for line in lines])
            elif kind == "contradiction_readings":
                graph.write_contradiction_readings([self._contradiction_reading(line) for line in lines])
            elif kind == "list_readings":
                graph.write_list_readings([self._list_reading(line) for line in lines])
            elif kind == "cast_links":
                graph.write_cast_links([self._cast_link(line) for line in lines])
        chunks_of = {id_: [chunk for _, chunk in sorted(places[id_])] for id_ in unread}
        graph.finish_reading(chunks_of, unread=unread)
        graph.note_overview()

    def _write_casts(self, lines: Sequence[DocumentLine]) -> None:
        casts = {self._local_id(line.id): line.cast or () for line in lines if line.cast or line.open_casts}
        open_calls = {self._local_id(line.id): line.open_casts or 0 for line in lines}
        self.graph.write_casts(casts, open_calls=open_calls)

    def _write_chunks(self, lines: list[ChunkLine]) -> None:
        if self.cancelled():
            raise Cancelled("Stopped on request; nothing was imported.")
        for by_llm in (False, True):
            batch = [line for line in lines if line.extraction.extractor.startswith(READ_BY_LLM) is by_llm]
            rows = embed_batch([(self._chunk(line), line.extraction) for line in batch], self.embedder, {})
            self.graph.write_chunks(rows, keep=by_llm)

    def _embed_late(self, documents: Sequence[DocumentRow]) -> None:
        """Vectors of a document's chunks that are embedded late: in a file chunks are sorted by id, not by document."""
        for n, row in enumerate(documents):
            if self.cancelled():
                raise Cancelled("Stopped on request; nothing was imported.")
            self.progress(Progress(stage="embed", done=n, total=len(documents)))
            chunks = self.graph.document_chunks(row.id)
            extractions = {
                chunk_.id: chunk_.extraction for chunk_ in self.graph.load_chunks([chunk.id for chunk in chunks])
            }
            whole = {row.id: LateDocument(self.embedder, chunks)}
            for batch in _batches(iter(chunks)):
                rows = embed_batch([(chunk, extractions[chunk.id]) for chunk in batch], self.embedder, whole)
                self.graph.write_chunks(rows, keep=False)

    def _decision(self, line: CorrectionLine) -> StoredCorrection:
        """A person's decision; those of rules are derived."""
        return correction_of(self._local_id(line.id), "", line.body.model_dump(), self.graph.workspace.name)

    def _local_id(self, id_: str) -> str:
        """An id of the file with the tag of this workspace."""
        return id_ + workspace_tag(self.graph.workspace.name) if id_ else ""

    def _document_row(self, line: DocumentLine) -> DocumentRow:
        fields = line.model_dump(exclude={"kind", "id", "warnings", "places", "extractor", "status", "unread"} | CAST)
        return DocumentRow(
            id=self._local_id(line.id),
            warnings=tuple(line.warnings),
            places=places_of(line.places),
            recipe=recipe_of(line.extractor),
            **fields,
        )

    def _chunk(self, line: ChunkLine) -> Chunk:
        return Chunk(
            id=self._local_id(line.id),
            document_id=self._local_id(line.document_id),
            index=line.index,
            start=line.start,
            end=line.end,
            text=line.text,
            title=line.title,
            place=line.place,
            language=line.language,
            places=marks_of(line.places),
            dates=tuple(line.dates),
        )

    def _mentions(self, line: MentionLine) -> list[Mention]:
        """A mention of the file, separated into extracted and scanned places."""
        places: dict[bool, list[Occurrence]] = {False: [], True: []} if line.occurrences else {line.scanned: []}
        for chunk, start, end, scanned in line.occurrences:
            places[scanned].append(Occurrence(chunk_id=self._local_id(chunk), start=start, end=end))
        return [
            Mention(
                id=self._local_id(line.id),
                document_id=self._local_id(line.document_id),
                key=line.key,
                form=line.form,
                type=line.type,
                language=line.language,
                occurrences=tuple(spans),
                scanned=scanned,
                part_of=self._local_id(line.part_of),
            )
            for scanned, spans in places.items()
            if spans or not line.occurrences
        ]

    def _write_summaries(self, summaries: Sequence[Summary]) -> None:
        """Write summaries from the lowest level up, since each is linked to those it covers."""
        graph = self.graph
        graph.prepare_summaries()
        for _, level in groupby(
            sorted(summaries, key=lambda summary: summary.level), key=lambda summary: summary.level
        ):
            rows = list(level)
            graph.write_summaries(
                list(zip(rows, embed_texts(self.embedder, [summary.text for summary in rows]), strict=True))
            )
        ordered = sorted(summaries, key=_summary_owner)
        for (document, folder), whole in groupby(ordered, key=_summary_owner):
            graph.show_summaries([{"id": summary.id} for summary in whole], document_id=document, folder=folder)

    def _summary(self, line: SummaryLine) -> Summary:
        of_all = not line.document_id and not line.folder
        return Summary(
            id=self._local_id(line.id),
            title=imported_title(line.title, self.graph.workspace.name) if of_all else line.title,
            document_id=self._local_id(line.document_id),
            quotes=self._quotes(line.quotes),
            timeline=self._quotes(line.timeline),
            tags=tuple(line.tags),
            omissions=tuple(line.omissions),
            covers=tuple(map(self._local_id, line.covers)),
            **line.model_dump(include={"key", "folder", "level", "index", "text", "start", "end", "size", "recipe"}),
        )

    def _write_field_values(self, values: Sequence[FieldValue]) -> None:
        self.graph.write_field_values([value for value in values if value.state != "open"])
        for value in values:
            if value.corrected is not None:
                self.graph.correct_field(value.form, value.about, value.field, value.corrected)

    def _field_value(self, line: FieldValueLine) -> FieldValue:
        return FieldValue(
            values=tuple(line.values),
            corrected=None if line.corrected is None else tuple(line.corrected),
            evidence=tuple(
                FieldEvidence(
                    chunk_id=self._local_id(chunk), start=start, end=end, value_start=value_start, value_end=to
                )
                for chunk, start, end, value_start, to in line.evidence
            ),
            **line.model_dump(include={"form", "about", "field", "state", "normalized", "note", "key", "recipe"}),
        )

    def _contradiction_reading(self, line: ContradictionReadingLine) -> ContradictionReading:
        pairs = [
            ReadPair(
                verdict=verdict,
                first=SentencePlace(chunk_id=self._local_id(first), start=start, end=end),
                other=SentencePlace(chunk_id=self._local_id(other), start=other_start, end=other_end),
                what=what,
                matter="".join(matter),
            )
            for verdict, first, start, end, other, other_start, other_end, what, *matter in line.pairs
        ]
        chunk_ids = tuple(map(self._local_id, line.chunks))
        return ContradictionReading(
            key=line.id,
            model=line.model,
            recipe=line.recipe,
            chunk_ids=chunk_ids,
            pairs=tuple(pairs),
            checks=line.checks,
        )

    def _list_reading(self, line: ListReadingLine) -> ListReading:
        items = [
            ReadItem(item=item, place=SentencePlace(chunk_id=self._local_id(chunk), start=start, end=end))
            for item, chunk, start, end in line.items
        ]
        return ListReading(
            key=line.id,
            model=line.model,
            recipe=line.recipe,
            chunk_ids=tuple(map(self._local_id, line.chunks)),
            items=tuple(items),
            left_out=line.left_out,
        )

    def _cast_link(self, line: CastLinkLine) -> CastLink:
        return CastLink(
            key=line.id,
            call=line.call,
            kind=line.says,
            reason=line.reason,
            reads=tuple(map(self._local_id, line.chunks)),
            names=tuple(
                NamePlace(document_id="", chunk_id=self._local_id(chunk), key=key, side=side)
                for chunk, key, side in line.names
            ),
        )

    def _quotes(self, rows: Sequence[tuple[str, int, int, str, str]]) -> tuple[Quote, ...]:
        return tuple(
            Quote(chunk_id=self._local_id(chunk), start=start, end=end, text=text, date=date)
            for chunk, start, end, text, date in rows
        )

    def _alias_group(self, line: AliasGroupLine) -> AliasGroup:
        return AliasGroup(names=tuple(line.names), document_id=self._local_id(line.document_id))


def _summary_owner(summary: Summary) -> tuple[str, str]:
    return summary.document_id, summary.folder


def _batches(lines: Iterator[T]) -> Iterator[list[T]]:
    while batch := list(islice(lines, BATCH_LINES)):
        yield batch

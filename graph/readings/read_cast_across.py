"""Read who is who across documents, top to bottom: documents with their names -> groups -> ask an LLM -> store its
replies -> forget those to earlier groups.

What is asked depends on the documents alone, not on their order or on earlier replies, so the same documents end with
the same replies. Each reply is stored as soon as it arrives, so a run after a kill asks only for the rest. Links of
earlier groups remain until all calls are answered: until then they are better than none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Protocol

from filigraph.graph.derive import NameGraph, candidates_of, scan_names
from filigraph.graph.errors import LLMResponseError, LLMUnavailable
from filigraph.graph.ingest.incoming import PreparedDocument
from filigraph.graph.ingest.report import IngestReport, Progress
from filigraph.graph.model.llm_readings import CastLink
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.models.llm_batches import UNREAD, ask_all
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.cast.plan import expected as expected_cast
from filigraph.graph.readings.cast_across.ask import ask_across
from filigraph.graph.readings.cast_across.plan import (
    MOST_CHUNKS,
    AcrossBatch,
    AcrossDocument,
    ShownDocument,
    batch_of,
    expected_across,
    groups_across,
    shown_document,
)
from filigraph.graph.readings.cast_across.reply import AcrossReply, call_link
from filigraph.graph.readings.read_cast import CastReader
from filigraph.graph.records.documents import DocumentRow, NameOccurrences
from filigraph.graph.records.entities import MentionRow

CHUNK_TOKENS = 300  # of a stored chunk, for an estimate
MOST_UNAVAILABLE = 3  # calls that no LLM answers, one after the other: then the rest is left to `retry`


class LinkedDocuments(Protocol):
    """Documents, and what an LLM said of who is who across them."""

    def document_rows(
        self, ids: Sequence[str] | None = None, *, facts: bool | None = None
    ) -> Sequence[DocumentRow]: ...
    def cast_links(self, document_ids: Sequence[str] | None = None) -> Sequence[CastLink]: ...
    def open_links(self) -> bool: ...


class AcrossGraph(NameGraph, LinkedDocuments, Protocol):
    """A workspace with several documents, whose names were found."""

    def store_cast_reply(self, call: str, links: Sequence[CastLink]) -> None: ...
    def forget_cast_links(self, links: Collection[CastLink]) -> None: ...
    def note_open_links(self, open_: bool) -> None: ...


def update_cast_across(
    read: Sequence[str],
    *,
    graph: AcrossGraph,
    reader: CastReader | None,
    report: IngestReport,
    asks_again: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> None:
    """Update who is who across documents after a run that read these documents. Without a `reader`, what an LLM said of
    them is deleted. `asks_again`: also calls whose reply could not be read."""
    if reader is None:
        if read and (links := graph.cast_links(read)):
            graph.forget_cast_links(links)
    elif read or asks_again or graph.open_links():
        with report.timed("scan"):
            split = scan_names(graph, cancelled)
        with report.timed("cast"):
            alike = candidates_of(graph.mentions(), split, graph.derivation_state).pairs
            read_cast_across(
                planned_calls(graph, alike, reader.llm.model), graph, reader, report, asks_again, progress, cancelled
            )


def read_cast_across(
    calls: Mapping[str, PlannedCall],
    graph: AcrossGraph,
    reader: CastReader,
    report: IngestReport,
    asks_again: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> None:
    """Ask the calls that have no reply; then forget what earlier ones gave.

    A call without an answer is reported; the next run asks again, or `retry`, if its reply could not be read. Raises
    Cancelled; replies until then are kept.
    """
    before = graph.cast_links()
    answered = {link.call for link in before if link.kind == "call" and not (asks_again and link.reason)}
    wanted = {key: call for key, call in calls.items() if key not in answered}
    failed = _ask_all(wanted, graph, reader, report, progress, cancelled) if wanted else {}
    if failed:
        report.remarks.append(
            f"{len(failed)} of {len(calls)} calls did not answer who is who across documents; `filigraph retry` asks "
            f"again ({next(iter(failed.values())).cause})"
        )
    if all(isinstance(error, LLMResponseError) for error in failed.values()):
        if old := [link for link in before if link.call not in calls]:
            graph.forget_cast_links(old)
        graph.note_open_links(False)


@dataclass(frozen=True, kw_only=True)
class PlannedCall:
    """A call, before its prompt is made."""

    documents: Sequence[ShownDocument]

    def batch(self) -> AcrossBatch:
        return batch_of(self.documents)


@dataclass(frozen=True, kw_only=True)
class _Planned:
    """The last plan, so that the next reads only the documents that changed."""

    read: Mapping[str, tuple[object, ShownDocument]]  # document id -> what it depends on, and what a prompt shows of it
    calls: Mapping[str, PlannedCall]
    model: str

    def keys(self) -> Mapping[tuple[int, ...], str]:
        """The keys of the calls by their documents, which are the same objects as long as they are unchanged."""
        return {tuple(map(id, call.documents)): key for key, call in self.calls.items()}


def planned_calls(graph: AcrossGraph, alike: Iterable[tuple[str, str]], model: str) -> Mapping[str, PlannedCall]:
    """The calls for all documents that are completely read, by their keys."""
    before = graph.derivation_state.last(_Planned) or _Planned(read={}, calls={}, model=model)
    read = _read_changed(graph, before.read)
    keys = before.keys() if before.model == model else {}
    calls: dict[str, PlannedCall] = {}
    for members in groups_across((one for _, one in read.values()), alike):
        call = PlannedCall(documents=members)
        calls[keys.get(tuple(map(id, members))) or call.batch().key(model)] = call
    graph.derivation_state.keep(_Planned(read=read, calls=calls, model=model))
    return calls


def _read_changed(
    graph: AcrossGraph, before: Mapping[str, tuple[object, ShownDocument]]
) -> dict[str, tuple[object, ShownDocument]]:
    """What a prompt shows of each document; those whose row and names are as before are not read."""
    rows = {
        row.id: row for row in graph.document_rows(facts=False) if row.unread == 0 and 0 < row.chunks <= MOST_CHUNKS
    }
    mentions: dict[str, dict[str, MentionRow]] = defaultdict(dict)
    for mention in graph.mentions():
        if mention.document_id in rows:
            mentions[mention.document_id][mention.id] = mention
    if len(mentions) < 2:
        return {}
    depends: dict[str, object] = {id_: _depends(rows[id_], those.values()) for id_, those in mentions.items()}
    read = {id_: kept for id_, kept in before.items() if depends.get(id_) == kept[0]}
    for document in graph.name_occurrences(sorted(mentions.keys() - read.keys())):
        id_ = document.id
        read[id_] = depends[id_], shown_document(_document(rows[id_], document, mentions[id_]))
    return read


def _depends(row: DocumentRow, mentions: Iterable[MentionRow]) -> object:
    """All that the places of names in a document depend on."""
    names = sorted((one.id, one.form, one.type, one.count, one.part_of) for one in mentions)
    return replace(row, status="partial"), names


def _document(row: DocumentRow, document: NameOccurrences, mentions: Mapping[str, MentionRow]) -> AcrossDocument:
    return AcrossDocument(
        id=row.id,
        source=row.source,
        title=row.title,
        author=row.metadata.get("author", ""),
        date=row.metadata.get("date", ""),
        language=row.language,
        chunks=document.chunks,
        mentions=mentions,
    )


def _ask_all(
    wanted: Mapping[str, PlannedCall],
    graph: AcrossGraph,
    reader: CastReader,
    report: IngestReport,
    progress: Callable[[Progress], None],
    cancelled: ShouldStop,
) -> dict[str, LLMUnavailable | LLMResponseError]:
    """Ask the wanted calls, several at once; store each reply, or that none can be read. Returns why calls failed. A
    call that is refused, slow or answered with nothing that can be read says nothing of the others."""
    failed: dict[str, LLMUnavailable | LLMResponseError] = {}
    done = 0
    down: list[LLMUnavailable] = []  # of the last calls, one after the other

    def asked(batch: AcrossBatch) -> AcrossReply:
        if len(reasons := [*down]) >= MOST_UNAVAILABLE:
            raise reasons[-1]
        try:
            reply = ask_across(batch, reader.llm, timeout=reader.timeout, cancelled=cancelled)
        except UNREAD:
            raise
        except LLMUnavailable as error:
            down.append(error)
            raise
        down.clear()
        return reply

    def ended(batch: AcrossBatch, call: Future[AcrossReply]) -> None:
        nonlocal done
        key = batch.key(reader.llm.model)
        try:
            reply = call.result()
        except (LLMUnavailable, LLMResponseError) as error:
            failed[key] = error
            if isinstance(error, LLMResponseError):
                graph.store_cast_reply(key, [call_link(batch, key, error.cause)])
        else:
            graph.store_cast_reply(key, reply.links)
            report.add_counts({"names of the cast not believed": reply.left_out})
        done += 1
        progress(Progress(stage="cast", done=done, total=len(wanted)))

    batches = [call.batch() for call in wanted.values()]
    ask_all(batches, asked, ended, in_flight=reader.in_flight, name="cast-across", cancelled=cancelled)
    return failed


@dataclass
class CastEstimate:
    """What reading who is who would ask of an LLM."""

    usage: Usage = field(default_factory=Usage)  # in each document
    _new: dict[str, int] = field(default_factory=dict)  # document id -> tokens of one that may be read with others

    def add(self, document: PreparedDocument) -> None:
        chunks = [chunk for chunk in document.chunks if chunk.read is None]
        self.usage += expected_cast(len(chunks))
        short = chunks if len(chunks) <= MOST_CHUNKS else []
        self._new[document.row.id] = sum(estimate_tokens(chunk.text) for chunk in short)

    def total(self, graph: LinkedDocuments | None) -> Usage:
        """With who is who across these documents and stored ones."""
        if not any(self._new.values()):
            return self.usage
        stored = graph.document_rows(facts=False) if graph else ()
        others = (row for row in stored if row.id not in self._new and row.chunks <= MOST_CHUNKS)
        sizes = [row.chunks * CHUNK_TOKENS for row in others]
        asked = bool(graph and not graph.open_links() and any(link.kind == "call" for link in graph.cast_links()))
        return self.usage + expected_across([*self._new.values()], sizes, asked=asked)

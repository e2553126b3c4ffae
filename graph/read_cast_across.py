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
from typing import Protocol

from filigraph.graph.cast.across_ask import ask_across
from filigraph.graph.cast.across_plan import MOST_CHUNKS, AcrossBatch, AcrossDocument, plan_across
from filigraph.graph.cast.across_reply import AcrossReply
from filigraph.graph.errors import LLMResponseError, LLMUnavailable
from filigraph.graph.ingest.report import IngestReport, Progress
from filigraph.graph.model.llm_readings import CastLink
from filigraph.graph.models.llm_batches import UNREAD, ask_all
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.read_cast import CastReader
from filigraph.graph.records.documents import DocumentRow, NameOccurrences
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.tables.mention_table import Mentions

MOST_UNAVAILABLE = 3  # calls that no LLM answers, one after the other: then the rest is left to `retry`


class AcrossGraph(Protocol):
    """A workspace with several documents, whose names were found."""

    def document_rows(
        self, ids: Sequence[str] | None = None, *, facts: bool | None = None
    ) -> Sequence[DocumentRow]: ...
    def mentions(self) -> Mentions: ...
    def name_occurrences(self, document_ids: Sequence[str]) -> Iterable[NameOccurrences]: ...
    def cast_links(self, document_ids: Sequence[str] | None = None) -> Sequence[CastLink]: ...
    def store_cast_reply(self, call: str, links: Sequence[CastLink]) -> None: ...
    def forget_cast_links(self, links: Collection[CastLink]) -> None: ...
    def note_open_links(self, open_: bool) -> None: ...


def forget_cast_across(graph: AcrossGraph, document_ids: Sequence[str]) -> None:
    """Delete what an LLM said of documents that were read again without one."""
    if document_ids and (links := graph.cast_links(document_ids)):
        graph.forget_cast_links(links)


def read_cast_across(
    *,
    graph: AcrossGraph,
    alike: Iterable[tuple[str, str]],
    reader: CastReader,
    report: IngestReport,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> None:
    """Bring what is known of who is who across documents in line with the documents. `alike`: pairs of keys that may be
    one name.

    A call without an answer is reported; the next run asks again. Raises Cancelled; replies until then are kept.
    """
    batches = {batch.key(reader.llm.model): batch for batch in planned(graph, alike)}
    before = graph.cast_links()
    answered = {link.call for link in before if link.kind == "call"}
    wanted = {call: batch for call, batch in batches.items() if call not in answered}
    failed = _ask_all(wanted, graph, reader, report, progress, cancelled) if wanted else []
    if failed:
        report.remarks.append(
            f"{len(failed)} of {len(batches)} calls did not answer who is who across documents; `filigraph retry` asks "
            f"again ({failed[0]})"
        )
        return
    if old := [link for link in before if link.call not in batches]:
        graph.forget_cast_links(old)
    graph.note_open_links(False)


def planned(graph: AcrossGraph, alike: Iterable[tuple[str, str]]) -> list[AcrossBatch]:
    """The calls for all documents that are completely read."""
    rows = {
        row.id: row for row in graph.document_rows(facts=False) if row.unread == 0 and 0 < row.chunks <= MOST_CHUNKS
    }
    if len(rows) < 2:
        return []
    mentions: dict[str, dict[str, MentionRow]] = defaultdict(dict)
    for mention in graph.mentions():
        if mention.document_id in rows:
            mentions[mention.document_id][mention.id] = mention
    documents = (
        _document(rows[document.id], document, mentions[document.id])
        for document in graph.name_occurrences(sorted(mentions))
    )
    return plan_across(documents, alike)


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
    wanted: Mapping[str, AcrossBatch],
    graph: AcrossGraph,
    reader: CastReader,
    report: IngestReport,
    progress: Callable[[Progress], None],
    cancelled: ShouldStop,
) -> list[str]:
    """Ask about the wanted batches, several calls at once; store each reply. Returns why calls failed. A call that is
    refused, slow or answered with nothing that can be read says nothing of the others."""
    failed: list[str] = []
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
        try:
            reply = call.result()
        except (LLMUnavailable, LLMResponseError) as error:
            failed.append(error.cause)
        else:
            graph.store_cast_reply(batch.key(reader.llm.model), reply.links)
            report.counts["names of the cast not believed"] += reply.left_out
        done += 1
        progress(Progress(stage="cast", done=done, total=len(wanted)))

    ask_all([*wanted.values()], asked, ended, in_flight=reader.in_flight, name="cast-across", cancelled=cancelled)
    return failed

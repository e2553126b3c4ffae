"""Read the casts of documents, top to bottom: places of the names -> calls -> ask an LLM -> store its replies.

Each reply is stored as soon as it arrives, so a run after a kill asks only for the rest. The same model is never asked
twice about the same names and extracts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Protocol

from filigraph.graph.errors import LLMResponseError, LLMUnavailable
from filigraph.graph.ingest.report import IngestReport, Progress
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Mention
from filigraph.graph.models.llm import LLM
from filigraph.graph.models.llm_batches import ask_all
from filigraph.graph.names.mentions import read_mentions, scan, scannable
from filigraph.graph.names.phrases import unread_phrases
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.cast.ask import ask
from filigraph.graph.readings.cast.plan import CastBatch, plan_cast
from filigraph.graph.readings.cast.reply import CastReply


class CastGraph(Protocol):
    """A workspace whose documents have casts."""

    def casts(self, document_ids: Sequence[str] | None = None) -> Mapping[str, Sequence[CastReading]]: ...
    def write_casts(self, casts: Mapping[str, Sequence[CastReading]], *, open_calls: Mapping[str, int]) -> None: ...


@dataclass(frozen=True, kw_only=True)
class CastReader:
    """The LLM that reads casts, and its settings."""

    llm: LLM
    in_flight: int = 2
    timeout: float = 300.0


@dataclass(frozen=True, kw_only=True)
class ReadDocument:
    """A document whose chunks are all read."""

    id: str
    source: str
    chunks: Sequence[Chunk]
    extractions: Sequence[Extraction]


def read_casts(
    documents: Sequence[ReadDocument],
    *,
    graph: CastGraph,
    reader: CastReader | None,
    report: IngestReport,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> Mapping[str, int]:
    """Update the casts of documents to their current names and extracts; without a `reader`, delete them.

    A call without an answer is reported and stays open: `retry` asks again. Returns document id -> the number of its
    open calls. Until the caller has stored this, together with the names that the casts add, the documents count as
    open. Raises Cancelled; replies until then are kept.
    """
    before = graph.casts([document.id for document in documents])
    if reader is None:
        gone = dict.fromkeys(before, ())
        graph.write_casts(gone, open_calls=dict.fromkeys(gone, 0))
        return {}
    plans = {document.id: plan_calls(document) for document in documents}
    known_readings: dict[str, dict[str, CastReading]] = {}
    wanted: list[tuple[str, CastBatch]] = []
    for id_, batches in plans.items():
        known = {reading.key: reading for reading in before.get(id_, ())}
        keys = [batch.key(reader.llm.model) for batch in batches]
        known_readings[id_] = {key: known[key] for key in keys if key in known}
        wanted += [(id_, batch) for key, batch in zip(keys, batches, strict=True) if key not in known]

    def open_calls(id_: str) -> int:
        return len(plans[id_]) - len(known_readings[id_])

    def store(ids: Sequence[str]) -> None:
        order = {id_: [batch.key(reader.llm.model) for batch in plans[id_]] for id_ in ids}
        graph.write_casts(
            {id_: [known_readings[id_][key] for key in order[id_] if key in known_readings[id_]] for id_ in ids},
            open_calls={id_: max(1, open_calls(id_)) for id_ in ids},
        )

    store([id_ for id_ in plans if plans[id_] or id_ in before])
    failed = _ask_all(wanted, known_readings, store, reader, report, progress, cancelled)
    source_of = {document.id: document.source for document in documents}
    for id_, errors in failed.items():
        report.remarks.append(
            f"{source_of[id_]}: {len(errors)} of {len(plans[id_])} calls did not answer who is who; `filigraph retry` "
            f"asks again ({errors[0]})"
        )
    return {id_: open_calls(id_) for id_ in plans}  # all: one that a stopped run left open may have no calls now


def _ask_all(
    wanted: Sequence[tuple[str, CastBatch]],
    readings: Mapping[str, dict[str, CastReading]],
    store: Callable[[Sequence[str]], None],
    reader: CastReader,
    report: IngestReport,
    progress: Callable[[Progress], None],
    cancelled: ShouldStop,
) -> dict[str, list[str]]:
    """Ask about the wanted batches, several calls at once. Returns document id -> why calls failed."""
    failed: dict[str, list[str]] = defaultdict(list)
    before, done = report.usage, 0

    def asked(one: tuple[str, CastBatch]) -> CastReply:
        return ask(one[1], reader.llm, timeout=reader.timeout, cancelled=cancelled)

    def ended(one: tuple[str, CastBatch], call: Future[CastReply]) -> None:
        nonlocal done
        try:
            reply = call.result()
        except (LLMUnavailable, LLMResponseError) as error:
            failed[one[0]].append(error.cause)
        else:
            readings[one[0]][reply.reading.key] = reply.reading
            report.add_counts({"names of the cast not believed": reply.left_out})
            store([one[0]])
        done += 1
        progress(Progress(stage="cast", done=done, total=len(wanted), usage=before + reader.llm.usage))

    ask_all(wanted, asked, ended, in_flight=reader.in_flight, name="cast", cancelled=cancelled)
    return failed


def plan_calls(document: ReadDocument) -> list[CastBatch]:
    mentions = placed_mentions(document)
    return plan_cast(document.chunks, mentions, unread_phrases(document.chunks, mentions))


def placed_mentions(document: ReadDocument) -> list[Mention]:
    """The mentions of a document, with every occurrence in its own text."""
    read, _ = read_mentions(document.id, zip(document.chunks, document.extractions, strict=True))
    chunks = [(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in document.chunks]
    occurrences = {m.key: m.occurrences for m in scan(chunks, {m.key: m.form for m in read if scannable(m.form)})}
    placed = []
    for mention in read:
        scanned = occurrences.get(mention.key, ())
        seen = {occurrence.chunk_id for occurrence in scanned}
        missed = (occurrence for occurrence in mention.occurrences if occurrence.chunk_id not in seen)
        placed.append(replace(mention, occurrences=(*scanned, *missed)))
    return placed

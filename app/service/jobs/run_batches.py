"""A job whose LLM is asked in provider's batches: it asks, waits up to a day, then reads.

A run is one step: it collects replies, sends the requests that were not sent yet and, if it waits for none, reads with
the replies. An unreadable reply causes a second request, as in the direct mode.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from filigraph.app.service.ingestion import Ingestion
from filigraph.app.service.jobs.coordinator import StopSignal, Waiting
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.app.service.jobs.provider_batches import ProviderBatches
from filigraph.app.service.jobs.run_documents import Summarize, cut_of, read_files, sources_of
from filigraph.graph.errors import Cancelled, LLMDown, LLMUnavailable
from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.ingest.extract.contract import Extractor
    from filigraph.graph.ingest.extract.llm import Ask, LLMExtractor
    from filigraph.graph.model.documents import Chunk
    from filigraph.graph.store import JobClaim, JobRow

log = logging.getLogger("filigraph.server")

POLL_SECONDS = 30.0  # seconds between two requests for the state of batches


def run_batches(reading: Ingestion, job: JobRow, claim: JobClaim, stop: StopSignal, summarize: Summarize) -> None:
    """Do the next step. Raises Waiting while the provider has to answer first."""
    runtime = reading.context.runtime
    store = runtime.store()
    batches = ProviderBatches(reading.context, job, runtime.batch_server(stop), store.batches)
    recorder = ProgressRecorder(store.jobs, claim, [], stage="batch", used=batches.usage()[0])
    try:
        if stop.cancelled():
            raise Cancelled
        extractor = reading.batch_extractor(job.workspace, llm=job.llm or "", cancelled=stop)
        try:
            _ask_and_wait(reading, job, stop, extractor, batches, recorder)
        except LLMDown as error:
            log.warning("job %s waits: %s", job.id, error)
            recorder.waiting(f"{error.cause} It is asked again.")
            raise Waiting(POLL_SECONDS) from error
        read_files(reading, job, claim, stop, summarize, _with_replies(extractor, batches))
        store.batches.forget(job.id)
    except Cancelled:
        if stop.cancelled():  # the provider must learn of the cancellation all the same
            ending = ProviderBatches(reading.context, job, runtime.batch_server(stop.ends), store.batches)
            ending.cancel()
        raise


def _ask_and_wait(
    reading: Ingestion,
    job: JobRow,
    stop: StopSignal,
    extractor: LLMExtractor,
    batches: ProviderBatches,
    recorder: ProgressRecorder,
) -> None:
    """Return once there is nothing more to ask or to wait for. Raises Waiting."""
    collected = batches.collect()
    if collected.error:
        raise collected.error
    lines = collected.lines
    if collected.free or not lines:
        recorder.waiting("Looking for what the LLM is to be asked.")
        lines += batches.submit(lambda ask: _read_all(reading, job, stop, extractor, ask))
    if lines:
        recorder.batches(collected.back, lines)
        raise Waiting(POLL_SECONDS)


def _read_all(reading: Ingestion, job: JobRow, stop: StopSignal, extractor: LLMExtractor, ask: Ask) -> Iterator[object]:
    """Read every unread chunk, as far as there are replies; stores nothing."""
    for chunk in _chunks(reading, job, stop, extractor):
        with suppress(LLMUnavailable):
            yield extractor.read_chunk(chunk, ask)


def _chunks(reading: Ingestion, job: JobRow, stop: StopSignal, extractor: Extractor) -> Iterator[Chunk]:
    from filigraph.graph.estimate import chunks_to_read, chunks_to_retry
    from filigraph.graph.ingest.report import IngestSettings

    graph = reading.context.runtime.graph(job.workspace)
    if job.unread:
        yield from chunks_to_retry(graph=graph, extractor=extractor, cancelled=stop)
    items = list(reading.context.runtime.store().jobs.waiting_items(job.id))
    yield from chunks_to_read(
        sources_of(reading, items),
        workspace=job.workspace,
        graph=graph,
        extractor=extractor,
        settings=IngestSettings(**cut_of(job), ocr_languages=reading.context.runtime.settings.ocr_languages),
        cancelled=stop,
    )


def _with_replies(extractor: LLMExtractor, batches: ProviderBatches) -> Callable[[Usage], Extractor]:
    from filigraph.graph.ingest.extract.llm import ReplyExtractor

    used_before = batches.usage()[0]
    return lambda counted: ReplyExtractor(extractor, batches.answer, used_before - counted)

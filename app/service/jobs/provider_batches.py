"""The requests of a workspace in the batches of an LLM's provider: plan, submit, collect and cancel them.

A batch goes through these steps. Each is recorded in Neo4j before the next, so after a kill at any point another server
can go on:

    planned     its requests are recorded; the provider does not know it yet
    sending     its file is at the provider, and the batch is about to be created: the provider may have it. The next
                server searches for it there, by our id in its metadata, and frees the requests only if it is not there
    submitted   the provider's id is recorded
    collected   the replies are stored, and their tokens are counted

The id of a request is a hash of all that the model sees. A request that waits in a batch, or has a reply, is not sent
again; a failed one is sent a second time.
"""

from __future__ import annotations

import json
import logging
import tempfile
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from filigraph.app.access.token_budget import Reserved
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.jobs.coordinator import Waiting
from filigraph.graph.errors import LimitReached, LLMUnavailable, UnavailableError
from filigraph.graph.ids import content_id
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.batches import BatchReply, BatchServer, ProviderBatch
from filigraph.graph.models.llm import LLMRequest, estimate_tokens

if TYPE_CHECKING:
    from filigraph.graph.ingest.extract.llm import Ask
    from filigraph.graph.store import Batches, BatchRow, JobRow, KnownReply

log = logging.getLogger("filigraph.server")

MAX_BYTES = 200_000_000  # of a batch's file, as OpenAI allows
TIMES = 2  # that a request is sent: once more after a failure
SETTLES = 60.0  # seconds that a provider may need to list a new batch


class PendingReply(LLMUnavailable):
    """The provider's batch has not answered this request yet."""


@dataclass(frozen=True, kw_only=True)
class Collected:
    """The state of the batches of a workspace."""

    lines: int  # requests at the provider
    back: int  # of them, answered
    free: bool  # some requests must be sent again, or were never sent
    error: LLMUnavailable | None = None  # why no more requests can be sent


@dataclass(kw_only=True)
class _File:
    """The file of a batch to submit."""

    id: str
    path: Path
    lines: BinaryIO
    size: int = 0
    tokens: int = 0
    requests: list[str] = field(default_factory=list)


class ProviderBatches:
    """The batches of a job's workspace. Other jobs may have submitted some of them: no request is sent twice."""

    def __init__(self, context: ServiceContext, job: JobRow, server: BatchServer, batches: Batches) -> None:
        self._context = context
        self._job = job
        self._server = server
        self._batches = batches
        self._limit: LimitReached | None = None  # today's tokens are used up
        self._known: dict[str, KnownReply] = batches.known_replies(job.workspace)

    def usage(self) -> tuple[Usage, frozenset[str]]:
        """The usage of this job's batches so far, and the hints with which requests do not fail."""
        return self._batches.of_job(self._job.id)

    def answer(self, request: LLMRequest) -> str:
        """The reply to a request. Raises LLMUnavailable; PendingReply if the reply may still come, or the request can
        be sent."""
        id_ = self._id(request)
        known = self._known.get(id_)
        if known and known.answered:
            return self._batches.text(self._job.workspace, id_)
        if known and known.failed >= TIMES:
            raise LLMUnavailable(f"it failed {known.failed} times: {known.error}")
        raise PendingReply(self._limit.cause if self._limit else "the provider's batch did not answer it")

    def _id(self, request: LLMRequest) -> str:
        schema = json.dumps(request.schema, sort_keys=True)
        return content_id(
            "request", self._server.model, request.system, request.prompt, schema, str(request.max_tokens)
        )

    # ---- collect

    def collect(self) -> Collected:
        """Store the replies of all batches of the workspace. Raises Waiting while it is unknown whether the provider
        has a batch."""
        lines = back = 0
        free = stored = False
        error: LLMUnavailable | None = None
        full: LLMUnavailable | None = None  # the provider has no room for more
        for batch in self._batches.open(self._job.workspace):
            if batch.state == "planned":
                now = self._looked_for(batch)
            else:
                now = self._server.poll(batch.provider_id) or ProviderBatch(id=batch.provider_id, state="ended")
            if now is None:
                self._drop(batch)
                free = True
            elif now.state == "running":
                lines += len(batch.requests)
                back += min(now.back, len(batch.requests))
            elif now.state == "refused":
                self._drop(batch)
                free = True
                cure = "Correct that; FILIGRAPH_LLM_BATCH_LINES makes batches smaller. Then `filigraph jobs retry`."
                why = LLMUnavailable(f"The provider refused the batch {now.id}: {now.why or 'no reason'}.", cure=cure)
                if batch.job_id == self._job.id:
                    error, full = (error, why) if now.queue_full else (why, full)
            else:
                self._keep(batch, now)
                free = stored = True
                if now.state == "cancelled" and not batch.cancelled and batch.job_id == self._job.id:
                    cure = "`filigraph jobs retry` asks for what did not come back."
                    error = LLMUnavailable(f"Somebody cancelled the batch {now.id} at the provider.", cure=cure)
        self._known = self._batches.known_replies(self._job.workspace)
        if full and lines:  # the rest is sent once the others are back
            free = False
        elif full and not stored:
            error = error or full
        return Collected(lines=lines, back=back, free=free, error=error)

    def _looked_for(self, batch: BatchRow) -> ProviderBatch | None:
        """The provider's batch for one that it may or may not have; None if it has not. Raises Waiting if it may yet
        list it."""
        if batch.age is None:  # unknown
            return None
        provider_batch = self._server.find(batch.id, batch.file_id)
        if provider_batch:
            self._batches.submitted(batch.id, provider_batch.id)
        elif batch.age < SETTLES:
            raise Waiting(SETTLES - batch.age)
        return provider_batch

    def _keep(self, batch: BatchRow, now: ProviderBatch) -> None:
        workspace, requested = self._job.workspace, frozenset(batch.requests)
        replies = (reply for reply in self._server.replies(now) if reply.id in requested)
        usage, seen, hints = self._batches.keep(workspace, batch.id, replies)
        if now.state == "ended":
            why = "the batch ended before it was answered"
            self._batches.keep(
                workspace, batch.id, (BatchReply(id=id_, error=why) for id_ in batch.requests if id_ not in seen)
            )
        if self._batches.collected(batch.id, usage, hints):
            self._context.metrics.count_usage(self._server.model, usage)
            reserved = Reserved(**batch.reserved)
            self._context.budget.settle(workspace, reserved, usage.tokens_in + usage.tokens_out)
        for file_id in (batch.file_id, *now.files):  # the texts need not stay at the provider
            with suppress(LLMUnavailable):
                self._server.delete_file(file_id)

    def _drop(self, batch: BatchRow) -> None:
        self._batches.drop(batch.id)
        self._context.budget.settle(self._job.workspace, Reserved(**batch.reserved), 0)

    # ---- submit

    def submit(self, read: Callable[[Ask], Iterable[object]]) -> int:
        """Send the requests of `read` that have no reply, in batches as large as the provider takes; returns their
        number."""
        self._server.check()  # before all is read for nothing
        hints = self.usage()[1]
        with tempfile.TemporaryDirectory(prefix="filigraph-batch-") as folder:
            files = self._written(read, Path(folder), hints)
            planned = [self._planned(file) for file in files]
            rows = [row for row in planned if row]
            if rows:
                self._batches.plan(self._job.id, rows, hints=hints)
            for row, file in zip(rows, files, strict=False):
                file_id = self._server.upload(row.id, file.path)
                self._batches.sending(row.id, file_id)
                created = self._server.create(row.id, file_id)
                self._batches.submitted(row.id, created.id)
        return sum(len(row.requests) for row in rows)

    def _written(self, read: Callable[[Ask], Iterable[object]], folder: Path, hints: frozenset[str]) -> list[_File]:
        """Files with the requests to send."""
        sent = {id_ for batch in self._batches.open(self._job.workspace) for id_ in batch.requests}
        files: list[_File] = []

        def ask(request: LLMRequest) -> str:
            try:
                return self.answer(request)
            except PendingReply:
                id_ = self._id(request)
                if id_ not in sent:
                    sent.add(id_)
                    line = self._server.line(id_, request, hints)
                    file = self._file_for(files, len(line), folder)
                    file.lines.write(line)
                    file.size += len(line)
                    file.requests.append(id_)
                    file.tokens += estimate_tokens(request.system + request.prompt) + request.max_tokens
                raise

        try:
            for _ in read(ask):
                pass
        finally:
            for file in files:
                file.lines.close()
        return files

    def _file_for(self, files: list[_File], size: int, folder: Path) -> _File:
        """A file with room for a line of so many bytes."""
        last = files[-1] if files else None
        most = self._context.runtime.settings.llm_batch_lines
        if last and len(last.requests) < most and last.size + size <= MAX_BYTES:
            return last
        if last:
            last.lines.close()
        id_ = uuid.uuid4().hex
        path = folder / f"{id_}.jsonl"
        files.append(_File(id=id_, path=path, lines=path.open("wb")))
        return files[-1]

    def _planned(self, file: _File) -> BatchRow | None:
        """The batch of a file; None if the workspace's tokens of today are used up."""
        from filigraph.graph.store import BatchRow

        if self._limit:
            return None
        try:
            reserved = self._context.budget.reserve(self._job.workspace, file.tokens)
        except LimitReached as error:
            self._limit = error
            return None
        return BatchRow(
            id=file.id,
            job_id=self._job.id,
            state="planned",
            requests=tuple(file.requests),
            reserved=asdict(reserved),
        )

    # ---- cancel

    def cancel(self) -> None:
        """Have the provider cancel the batches of this job. The next collection stores replies that still come back.
        Raises UnavailableError, with its cure, if the provider cannot be reached."""
        batches = [batch for batch in self._batches.open(self._job.workspace) if batch.job_id == self._job.id]
        for batch in batches:
            try:
                known = batch.provider_id
                if batch.state == "planned" and batch.age is not None:
                    provider_batch = self._server.find(batch.id, batch.file_id)
                    known = provider_batch.id if provider_batch else ""
                if not known:
                    self._drop(batch)
                    continue
                self._server.cancel(known)
                self._batches.submitted(batch.id, known)
                self._batches.cancelled(batch.id)
            except LLMUnavailable as error:
                cause = f"The provider did not accept the cancellation of the batch {batch.provider_id}: {error.cause}"
                cure = "Cancel it there; `filigraph jobs retry` takes what it answers."
                raise UnavailableError(cause, cure=cure) from error

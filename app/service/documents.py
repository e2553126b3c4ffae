"""What is there: workspaces and their documents; what of it goes."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from filigraph.app.service.context import LOCK_TIMEOUT, ShouldStop, busy
from filigraph.app.service.jobs.requests import ENDED, JobsService
from filigraph.graph.errors import Busy, Cancelled, FiligraphError, InputError, NotFound, UnavailableError

if TYPE_CHECKING:
    from filigraph.app.service.jobs.coordinator import StopSignal
    from filigraph.graph.ingest.report import Progress
    from filigraph.graph.store import DocumentName, DocumentRow, JobRow, ListedFact, Piece, WorkspaceRow

LOOK = 0.1  # seconds between two looks at a deletion that somebody waits for
DOOMED = 100  # documents that are removed between two looks whether to stop


class DocumentsService(JobsService):
    """The part of the service that keeps workspaces and documents."""

    # ---- workspaces

    def workspaces(self) -> list[WorkspaceRow]:
        with self._store():
            return self.runtime.store().workspaces()

    def workspace(self, name: str) -> WorkspaceRow:
        """Raises NotFound."""
        with self._store():
            return self.runtime.store().workspace(name)

    def create_workspace(self, name: str) -> WorkspaceRow:
        """Make a workspace for today's embedder, or find it."""
        return self._made(name).workspace

    def delete_workspace(self, name: str, *, confirm: str) -> WorkspaceRow:
        """Delete a workspace with all that is in it, its jobs too; also one whose deletion or import was cut short.

        Raises NotFound; InputError where `confirm` is not its name; Busy where something else than a job of it is being
        done: then its jobs go on.
        """
        if confirm != name:
            raise InputError(
                f"The workspace {name} and all that is in it would be gone for good.",
                cure=f"Say so by confirm={name}.",
            )
        with self._store():
            row = self.runtime.store().workspace(name, unfinished=True)
        ending, since = "", time.monotonic()  # the job that has the turn

        def give_up() -> None:
            nonlocal ending, since
            job = self.runtime.store().workspace_locks.job(name)
            if job and job != ending:
                with suppress(NotFound):  # it has just ended
                    self.cancel_job(job)
            if job:  # it ends soon
                ending, since = job, time.monotonic()
            if time.monotonic() - since > LOCK_TIMEOUT or self.runtime.stopping.is_set():
                raise busy(name)

        with self._store(), self.workspace_locks.take(name, waiting=lambda _: None, give_up=give_up) as store:
            self._end_jobs(name)
            store.delete_workspace(name)
        return row

    def _end_jobs(self, workspace: str) -> None:
        """End the jobs of a workspace whose turn is ours: one that runs waits for it, or only reads."""
        jobs, begun = self.runtime.store().jobs, time.monotonic()
        for job in jobs.to_run():
            if job.workspace == workspace:
                with suppress(NotFound):
                    self.cancel_job(job.id)
        while any(job.running and job.workspace == workspace for job in jobs.to_run()):
            if time.monotonic() - begun > LOCK_TIMEOUT:
                break  # whoever ran it is gone, or hears of its end when it next notes something
            time.sleep(LOOK)

    def finish_cut_short(self) -> None:
        """Finish the deletions and clear away the imports that a kill cut short: those that nobody is at."""
        with self._store():
            names = self.runtime.store().unfinished()
        for name in names:
            with suppress(Busy), self._locked_soon(name, patience=0.0) as store:
                store.finish(name)

    # ---- documents

    def documents(
        self,
        workspace: str,
        *,
        sources: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
        first: int = 0,
        count: int | None = None,
    ) -> tuple[list[DocumentRow], int]:
        """Some of the documents that are meant (see `graph/ask/documents.py`), by source, and how many there are."""
        with self._store():
            graph = self.runtime.graph(workspace)
            names = self._chosen(graph.document_names(), sources, where)
            shown = names[first : None if count is None else first + count]
            rows = graph.document_rows([row.id for row in shown], facts=True)
        return sorted(rows, key=lambda row: (row.source, row.id)), len(names)

    def document(self, workspace: str, document_id: str) -> DocumentRow:
        """Raises NotFound."""
        with self._store():
            rows = self.runtime.graph(workspace).document_rows([document_id], facts=True)
        if not rows:
            raise NotFound(
                f"There is no document {document_id} in workspace {workspace}: it was deleted, or never was.",
                cure="Look at `documents` for what there is.",
            )
        return rows[0]

    def document_text(
        self, workspace: str, document_id: str, *, chunk_id: str, first: int, count: int
    ) -> tuple[DocumentRow, list[Piece]]:
        """A part of a document: around a chunk, or from one on. Raises NotFound."""
        row = self.document(workspace, document_id)
        with self._store():
            graph = self.runtime.graph(workspace)
            return row, graph.pieces(document_id, chunk_id=chunk_id, first=first, count=count)

    def delete_documents(
        self, workspace: str, *, ids: Sequence[str] = (), sources: Sequence[str] = ()
    ) -> list[DocumentName]:
        """Delete the documents of `ids`, and those that `sources` mean, with what only they said; no model is asked
        anything. It is a job that is waited for, so what was begun is finished whatever ends meanwhile.

        Raises NotFound, before anything changes, where an id is none, or a source means none; Busy.
        """
        doomed = self._doomed(workspace, ids, sources)
        job = self._delete_by_job(workspace, doomed, priority=0)
        begun = time.monotonic()
        while job.state not in ENDED:
            if self.runtime.stopping.is_set():
                raise UnavailableError("The server ends.", cure="The documents go when it is started again.")
            waits = job.progress.get("stage", "load") == "load" and not job.cancelling
            if waits and time.monotonic() - begun > LOCK_TIMEOUT:
                self.cancel_job(job.id)
            time.sleep(LOOK)
            job = self.job(job.id)
        if job.state == "failed":
            raise FiligraphError(job.cause, cure=job.cure)
        self.remove_job(job.id)
        if job.state == "cancelled":
            raise busy(workspace)
        return doomed

    def submit_deletion(
        self, workspace: str, *, ids: Sequence[str] = (), sources: Sequence[str] = (), priority: int
    ) -> JobRow:
        """Have documents deleted without anybody waiting. Raises NotFound, as `delete_documents` does."""
        return self._delete_by_job(workspace, self._doomed(workspace, ids, sources), priority=priority)

    def remove_documents(
        self,
        workspace: str,
        ids: Sequence[str],
        *,
        progress: Callable[[Progress], None],
        waiting: Callable[[str], None],
        removed: Callable[[Sequence[str]], None],
        give_up: ShouldStop,
        stop: StopSignal,
        job: str = "",
    ) -> None:
        """What a job of deletion does; documents that are gone already are passed over, `removed` is told of them too.

        Raises Cancelled: where `give_up` says so while it waits for its turn, or `stop` before all are gone. What had
        followed from those that are gone goes all the same; only a server that ends leaves that to the next one.
        """
        from filigraph.graph.ingest.report import Progress
        from filigraph.graph.pipeline import derive

        gone = 0
        with self._locked(workspace, waiting, give_up, job=job) as store:
            graph = store.graph(workspace)
            while gone < len(ids) and not stop():
                progress(Progress(stage="delete", done=gone, total=len(ids)))
                part = ids[gone : gone + DOOMED]
                graph.delete_documents([row.id for row in graph.document_rows(part)])
                removed(part)
                gone += len(part)
            if graph.needs_deriving():
                embedder = self.runtime.embedder_of(graph.workspace)
                derive(graph, embedder=embedder, progress=progress, cancelled=stop.ends)
        if gone < len(ids):
            raise Cancelled()

    def _doomed(self, workspace: str, ids: Sequence[str], sources: Sequence[str]) -> list[DocumentName]:
        if not ids and not sources:
            raise InputError("No document is named.", cure="Give ids, or sources.")
        with self._store():
            there = self.runtime.graph(workspace).document_names()
        for source in sources:
            if not self._chosen(there, [source], None):
                raise NotFound(f"No document in workspace {workspace} is called {source}.", cure="Nothing is gone.")
        named = set(ids) | {row.id for row in (self._chosen(there, sources, None) if sources else ())}
        doomed = [row for row in there if row.id in named]
        missing = named - {row.id for row in doomed}
        if missing:
            raise NotFound(f"There is no document {min(missing)} in workspace {workspace}.", cure="Nothing is gone.")
        return doomed

    def _delete_by_job(self, workspace: str, doomed: Sequence[DocumentName], *, priority: int) -> JobRow:
        from filigraph.graph.store import Upload

        items = [Upload(name=row.source, content=io.BytesIO(), metadata={"id": row.id}) for row in doomed]
        return self.submit(workspace, "delete", items, attached={}, priority=priority, options={})

    def facts(
        self,
        workspace: str,
        *,
        entity_id: str | None,
        predicate: str | None,
        document_id: str | None,
        first: int,
        count: int,
    ) -> tuple[list[ListedFact], int]:
        """Some facts, the best supported first, and how many there are."""
        with self._store():
            return self.runtime.graph(workspace).facts(
                entity_id=entity_id, predicate=predicate, document_id=document_id, first=first, count=count
            )

    @staticmethod
    def _chosen(
        rows: Sequence[DocumentName], sources: Sequence[str], where: Mapping[str, str] | None
    ) -> list[DocumentName]:
        from filigraph.graph.ask.documents import matching_documents

        return matching_documents(rows, sources=sources, where=where)

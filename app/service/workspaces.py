"""Workspaces: list, create and delete them; finish interrupted operations."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from filigraph.app.schemas.server import WorkspaceUsage
from filigraph.app.service.context import LOCK_TIMEOUT, ServiceContext, busy_error
from filigraph.app.service.folders import Folders
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.app.service.pricing import price
from filigraph.graph.errors import Busy, InputError, NotFound
from filigraph.graph.records.workspaces import HOME_SHARD

if TYPE_CHECKING:
    from filigraph.graph.records.workspaces import WorkspaceRow
    from filigraph.graph.store import Placements, Store

POLL_SECONDS = 0.1  # poll interval of a deletion, in seconds


class Workspaces:
    def __init__(self, context: ServiceContext, jobs: JobRequests, folders: Folders) -> None:
        self.context = context
        self._jobs, self._folders = jobs, folders

    def list_workspaces(self) -> list[WorkspaceRow]:
        """The workspaces of all shards that answer, by name."""
        runtime = self.context.runtime
        with self.context.connected():
            placed = {row.workspace: row.shard for row in runtime.store().placements.rows()}
            return sorted(
                (
                    replace(row, shard=shard)
                    for shard, store in runtime.reachable().items()
                    for row in store.workspaces()
                    if placed.get(row.name, HOME_SHARD) == shard  # else it is being moved
                ),
                key=lambda row: row.name,
            )

    def workspace(self, name: str) -> WorkspaceRow:
        """Raises NotFound."""
        with self.context.connected():
            return self._row(name)

    def _row(self, name: str, *, unfinished: bool = False) -> WorkspaceRow:
        runtime = self.context.runtime
        row = runtime.store_of(name).workspace(name, unfinished=unfinished)
        return replace(row, shard=runtime.shard_of(name))

    def usage(self, name: str) -> WorkspaceUsage:
        """The LLM usage of a workspace. Raises NotFound."""
        llm, settings = self.context.runtime.llm(), self.context.runtime.settings
        with self.context.connected():
            store = self.context.runtime.store_of(name)
            store.workspace(name)
            used, today = store.spent.read(name, self.context.budget.today())
        return WorkspaceUsage(
            model=llm.model if llm else "",
            calls=used.calls,
            tokens_in=used.tokens_in,
            tokens_out=used.tokens_out,
            cost=price(used, settings),
            today=today,
            limit=settings.llm_tokens_a_day,
        )

    def create_workspace(self, name: str) -> WorkspaceRow:
        """Create a workspace for the current embedder, or return the existing one."""
        self.context.ensure_workspace(name)
        return self.workspace(name)

    def delete_workspace(self, name: str, *, confirm: str) -> WorkspaceRow:
        """Delete a workspace with all its content and jobs; also one whose deletion or import was interrupted.

        Raises NotFound; InputError if `confirm` is not its name; Busy if something other than one of its jobs holds the
        lock: then its jobs go on.
        """
        if confirm != name:
            raise InputError(
                f"The workspace {name} would be deleted permanently, with all its content.",
                cure=f"Confirm this with confirm={name}.",
            )
        with self.context.connected():
            row = self._row(name, unfinished=True)
        ending, since = "", time.monotonic()  # the job that holds the lock

        def give_up() -> None:
            nonlocal ending, since
            job = self.context.runtime.store_of(name).workspace_locks.job(name)
            if job and job != ending:
                with suppress(NotFound):  # it has just ended
                    self._jobs.cancel_job(job)
            if job:  # it ends soon
                ending, since = job, time.monotonic()
            if time.monotonic() - since > LOCK_TIMEOUT or self.context.runtime.stopping.is_set():
                raise busy_error(name)

        with (
            self.context.connected(),
            self.context.workspace_locks.acquire(name, waiting=lambda _: None, give_up=give_up) as store,
        ):
            self._end_jobs(name)
            store.delete_workspace(name)
            self._forget(name)
        return row

    def _forget(self, name: str) -> None:
        """Delete the data of a deleted workspace in the home database."""
        home = self.context.runtime.store()
        home.jobs.remove_workspace(name)
        home.placements.forget(name)
        self._folders.forget(name)

    def _end_jobs(self, workspace: str) -> None:
        """End the jobs of a workspace whose lock we hold: one that runs waits for the lock, or only reads."""
        jobs, begun = self.context.runtime.store().jobs, time.monotonic()
        for job in jobs.to_run():
            if job.workspace == workspace:
                with suppress(NotFound):
                    self._jobs.cancel_job(job.id)
        while any((job.running or job.waiting) and job.workspace == workspace for job in jobs.to_run()):
            if time.monotonic() - begun > LOCK_TIMEOUT:
                break  # its server is gone, or learns of the end when it next records progress
            time.sleep(POLL_SECONDS)

    def finish_cut_short(self) -> None:
        """Finish interrupted deletions and moves, and remove interrupted imports, if no server is working on them."""
        runtime = self.context.runtime
        with self.context.connected():
            stores = runtime.reachable()
            unfinished = [(name, shard) for shard, store in stores.items() for name in store.unfinished()]
            left = [row for row in runtime.store().placements.rows() if row.leaving in stores]
        for name, shard in unfinished:
            with suppress(Busy), self.context.locked_soon(name, patience=0.0, at=shard) as store:
                store.finish(name)
        for row in left:
            with suppress(Busy), self.context.locked_soon(row.workspace, patience=0.0, at=row.leaving) as store:
                remove_left_copy(row.workspace, store, runtime.store().placements)


def remove_left_copy(workspace: str, store: Store, placements: Placements) -> None:
    """Delete the copy of a workspace that was moved away from a store."""
    with suppress(NotFound):  # a server was killed just after
        store.delete_workspace(workspace)
    placements.mark_copy_deleted(workspace)

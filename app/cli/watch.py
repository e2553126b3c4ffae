"""`ingest --watch`: submit new and changed files of folders as jobs, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filigraph.app.cli.library import read_documents
from filigraph.app.cli.terminal.console import plural
from filigraph.app.cli.terminal.session import path, print_json_line, say
from filigraph.app.cli.terminal.text import one_line
from filigraph.app.client.addresses import job_path
from filigraph.app.client.files import ReportDict, as_jobs
from filigraph.app.uploads.watched_folder import FolderDifference, WatchedFolder
from filigraph.graph.errors import FiligraphError, InputError, LimitReached, NotFound, UnavailableError

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

POLL_SECONDS = 2.0  # seconds between two polls; a file that is unchanged in between is complete
ENDED = ("done", "partial", "failed", "cancelled")


def watch(
    client: Client,
    workspace: str,
    folders: Sequence[Path],
    *,
    limit: int,
    metadata: dict[str, str],
    options: Mapping[str, str],
    delete: bool,
    as_json: bool,
) -> None:
    """Poll, submit changes, report how jobs ended, repeat. Raises InputError if an argument is not a folder."""
    for folder in folders:
        if not folder.expanduser().is_dir():
            raise InputError(f"{folder} is not a folder.", cure="--watch takes folders.")
    watched = WatchedFolder(folders=[folder.expanduser() for folder in folders], limit=limit, metadata=metadata)
    run = _WatchRun(client, workspace, watched, options=options, delete=delete, as_json=as_json, limit=limit)
    run.say("watching", f"Watching {', '.join(map(str, folders))}; Ctrl-C ends it.")
    try:
        while True:
            run.submit(watched.poll())
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        going_on = f" Still going on: {', '.join(run.jobs)}." if run.jobs else ""
        run.say("stopped", f"Stopped watching.{going_on}")


class _WatchRun:
    """Submits the changes of a poll, and reports the outcome."""

    def __init__(
        self,
        client: Client,
        workspace: str,
        watched: WatchedFolder,
        *,
        options: Mapping[str, str],
        delete: bool,
        as_json: bool,
        limit: int,
    ) -> None:
        self._client = client
        self._workspace = workspace
        self._watched = watched
        self._options = options
        self._delete = delete
        self._as_json = as_json
        self._limit = limit
        self._away = False  # server unreachable
        self.jobs: list[str] = []  # ids of running jobs

    def say(self, event: str, line: str, **more: Any) -> None:
        """Print a line or, with --json, an object."""
        if self._as_json:
            print_json_line({"event": event, "message": line, **more})
        else:
            say(line)

    def submit(self, changes: FolderDifference) -> None:
        """Submit changed files. Those that the server cannot accept now are reported again by the next poll."""
        for skipped in changes.skipped:
            self.say("skipped", f"{one_line(skipped['source'])}: {skipped['cause']} {skipped['cure']}", **skipped)
        try:
            self._hand_over(changes)
            self._remove(changes)
            self._look_at_jobs()
            self._away = False
        except (UnavailableError, LimitReached) as error:
            if not self._away:
                self.say("waiting", f"{error} It is tried again.")
            self._away = True

    def _hand_over(self, changes: FolderDifference) -> None:
        if not changes.ready:
            return
        total: ReportDict = {"skipped": []}
        address, jobs = path(self._workspace, "jobs"), []
        try:
            jobs = as_jobs(
                self._client,
                address,
                changes.ready,
                options=self._options,
                extras={},
                limit=self._limit,
                total=total,
            )
        except InputError as error:  # permanent: do not retry
            self.say("refused", f"{plural(len(changes.ready), 'file')}: {error}")
        self._watched.acknowledge(changes.ready)
        for skipped in total["skipped"]:
            self.say("skipped", f"{one_line(skipped['source'])}: {skipped['cause']} {skipped['cure']}", **skipped)
        for job in jobs:
            self.jobs.append(job["id"])
            self.say("sent", f"{plural(job['items'], 'file')} to read: job {job['id']}", job=job["id"])

    def _remove(self, changes: FolderDifference) -> None:
        if not changes.gone or (self._delete and self.jobs):  # a job may still read it: wait for the next poll
            return
        if not self._delete or changes.emptied:
            why = "Nothing is left of the folder, so nothing is deleted." if self._delete else "Documents stay."
            self.say("gone", f"Gone: {', '.join(map(one_line, changes.gone))}. {why}", sources=list(changes.gone))
        elif ids := [id_ for name in changes.gone for id_ in self._ids(name)]:
            job = self._client.post(path(self._workspace, "deletions"), {"ids": ids, "sources": []})
            self.jobs.append(job["id"])
            line = f"Gone, and deleted: {', '.join(map(one_line, changes.gone))}: job {job['id']}"
            self.say("deleted", line, sources=list(changes.gone), job=job["id"])
        self._watched.acknowledge_removed(changes.gone)

    def _ids(self, name: str) -> list[str]:
        """Ids of the documents of a file (a mailbox holds several): * and ? in its name are not a pattern."""
        try:
            rows = read_documents(self._client, self._workspace, [name, f"{name}/"], [], 0, None)["documents"]
        except NotFound:  # the workspace does not exist yet
            return []
        return [row["id"] for row in rows if row["source"] == name or row["source"].startswith(f"{name}/")]

    def _look_at_jobs(self) -> None:
        for id_ in list(self.jobs):
            try:
                job = self._client.get(job_path(id_))
            except UnavailableError:
                raise
            except FiligraphError as error:  # the job was removed
                self.jobs.remove(id_)
                self.say("ended", f"Job {id_}: {error}", job=id_)
                continue
            if job["state"] not in ENDED:
                continue
            self.jobs.remove(id_)
            failed = self._client.get(job_path(id_, "items"), state="failed")["items"] if job["failed"] else []
            why = "".join(f"\n  {one_line(item['name'])}: {item['cause']} {item['cure']}" for item in failed)
            self.say("ended", f"Job {id_}: {job['state']}{why}", job=id_, state=job["state"])

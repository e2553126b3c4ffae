"""jobs list, show, watch, cancel, retry, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from filigraph.app.cli.show import jobs as show_jobs
from filigraph.app.cli.terminal.console import Data
from filigraph.app.cli.terminal.exit_codes import FAILED, IN_PART
from filigraph.app.cli.terminal.options import Json, Quiet
from filigraph.app.cli.terminal.session import connected, print_json, say
from filigraph.app.client.addresses import job_path

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

MAX_FAILED_FILES_SHOWN = 100  # max. failed files shown with a job

jobs_app = typer.Typer(name="jobs", help="Background jobs of the server.", no_args_is_help=True)

JobId = Annotated[str, typer.Argument(help="Its id, as `jobs list` shows it.", metavar="ID")]


@jobs_app.command(name="list")
def list_jobs(
    workspace: Annotated[
        str | None, typer.Option("--workspace", "-w", help="Only those of this workspace.", show_default=False)
    ] = None,
    state: Annotated[
        Literal["queued", "running", "waiting", "done", "partial", "failed", "cancelled"] | None,
        typer.Option(help="Only those in this state.", show_default=False),
    ] = None,
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number to list.")] = 100,
    as_json: Json = False,
) -> None:
    """List jobs, newest first."""
    filters = {"workspace": workspace, "state": state, "first": first, "count": count}
    with connected() as client:
        page = client.get("/v1/jobs", **{name: value for name, value in filters.items() if value is not None})
    if as_json:
        print_json(page)
    else:
        show_jobs.show_jobs(page)


@jobs_app.command()
def show(job_id: JobId, as_json: Json = False) -> None:
    """Show the progress and report of a job."""
    with connected() as client:
        job = client.get(job_path(job_id))
        failed = client.get(job_path(job_id, "items"), state="failed", count=MAX_FAILED_FILES_SHOWN)
    if as_json:
        print_json({**job, "failures": failed["items"]})
    else:
        show_jobs.show_job(job, failed)


@jobs_app.command()
def watch(job_id: JobId, quiet: Quiet = False, as_json: Json = False) -> None:
    """Follow a job until it ends. Ctrl-C does not cancel the job.

    Exit code 3: some files failed, or it was cancelled; 1: it failed.
    """
    with connected() as client:
        job = follow(client, job_id, quiet=quiet or as_json)
        failed = client.get(job_path(job_id, "items"), state="failed", count=MAX_FAILED_FILES_SHOWN)
    if as_json:
        print_json({**job, "failures": failed["items"]})
    else:
        show_jobs.show_job(job, failed)
    exit_unless_done(job)


def follow(client: Client, job_id: str, *, quiet: bool) -> dict[str, Any]:
    """Watch a job until it ends; returns it. Ctrl-C stops watching without cancelling the job."""
    job: dict[str, Any] = {}
    with show_jobs.JobProgress(quiet=quiet) as progress:
        try:
            for event in client.stream(job_path(job_id, "events"), method="GET"):
                job = event["job"]
                progress.take(job)
        except KeyboardInterrupt:
            progress.close()
            say(f"The job continues. `filigraph jobs watch {job_id}` shows its progress.")
            raise
    return job


def show_submitted(job: Data, as_json: bool) -> None:
    """Print a job that was just submitted."""
    print_json(job) if as_json else show_jobs.show_submitted({"jobs": [job], "skipped": []})


def exit_unless_done(job: Data) -> None:
    """End the command with code 1 if its job failed, and 3 if it was cancelled or failed in part."""
    if job["state"] != "done":
        raise typer.Exit(FAILED if job["state"] == "failed" else IN_PART)


@jobs_app.command()
def cancel(job_id: JobId, as_json: Json = False) -> None:
    """Cancel a job. What was ingested remains; `jobs retry` resumes it."""
    _change(job_id, "cancel", as_json)


@jobs_app.command()
def retry(job_id: JobId, as_json: Json = False) -> None:
    """Repeat what failed of a job, or resume a cancelled one."""
    _change(job_id, "retry", as_json)


@jobs_app.command()
def remove(job_id: JobId, as_json: Json = False) -> None:
    """Delete the record and files of a finished job. What it ingested remains."""
    with connected() as client:
        job = client.delete(job_path(job_id))
    _print(job, as_json)


def _change(job_id: str, action: str, as_json: bool) -> None:
    with connected() as client:
        job = client.post(job_path(job_id, action), {})
    _print(job, as_json)


def _print(job: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(job)
    else:
        show_jobs.show_jobs({"jobs": [job], "total": 1})

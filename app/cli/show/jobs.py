"""Render jobs: live progress, list, report."""

from __future__ import annotations

from filigraph.app.cli.show import ingest as show_ingest
from filigraph.app.cli.terminal.console import Data, LiveProgress, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import one_line

STATES = {
    "queued": "dim",
    "running": "cyan",
    "waiting": "cyan",
    "done": "green",
    "partial": "yellow",
    "failed": "bold red",
    "cancelled": "dim",
}
ACTIVE = ("running", "waiting")
# Names of the items of a job, by kind.
ITEMS = {
    "delete": "document",
    "summarize": "workspace",
    "contradictions": "workspace",
    "lists": "list",
    "fill": "group",
    "ask": "question",
}


class JobProgress(LiveProgress):
    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._items = self._bar.add_task("files", total=None)
        self._stage = self._bar.add_task("waiting", total=None)

    def take(self, job: Data) -> None:
        """Show the current state of the job."""
        now = job["progress"]
        if now:
            self._bar.update(self._items, completed=now["documents"], total=now["documents_total"])
            self._bar.update(
                self._stage, description=progress_text(now), completed=now["chunks"], total=now["chunks_total"] or None
            )


def progress_text(now: Data) -> str:
    """Short text on the progress of a job."""
    parts = [one_line(now["message"]) or show_ingest.STAGES.get(str(now["stage"]), str(now["stage"]))]
    if now["facts"]:
        parts.append(f"{now['facts']:,} facts")
    if now["rate"]:
        parts.append(f"{now['rate']:,.1f} a second")
    if now["seconds_left"]:
        parts.append(f"about {show_ingest.duration(now['seconds_left'])} left")
    return ", ".join(parts)


def show_submitted(submission: Data) -> None:
    """Ids of submitted jobs."""
    terminal = console()
    for job in submission["jobs"]:
        line(terminal, f"{job['id']}  {plural(job['items'], ITEMS.get(job['kind'], 'file'))}")
    if submission["jobs"]:
        line(terminal, styled("`filigraph jobs watch ID` shows how far it is.", "dim"))
    skipped = [f"{entry['source']}: {entry['cause']} {entry['cure']}" for entry in submission["skipped"]]
    show_ingest.show_problems(terminal, "Skipped", skipped)


def show_jobs(page: Data) -> None:
    terminal = console()
    if not page["jobs"]:
        line(terminal, "There are no jobs. `filigraph ingest --background PATH` makes one.")
        return
    rows = table("Job", "", "Workspace", "Items", "", right=(3,), whole=(0,))
    for job in page["jobs"]:
        state = "cancelling" if job["cancelling"] else job["state"]
        rows.add_row(
            styled(job["id"]),
            styled(state, STATES[job["state"]]),
            styled(one_line(job["workspace"], 24)),
            f"{job['items']:,}",
            styled(" · ".join(filter(None, (abbreviated_names(job), _progress_or_error(job)))), "dim"),
        )
    terminal.print(rows)
    if page["total"] > len(page["jobs"]):
        line(terminal, f"{len(page['jobs']):,} of {page['total']:,}; --first and --count show others")


def abbreviated_names(job: Data) -> str:
    """The first names of what a job consists of: "a.txt, b.txt and 3 more"."""
    names = [one_line(name, 60) for name in job.get("names", ())]
    more = job["items"] - len(names)
    return ", ".join(names) + (f" and {more:,} more" if names and more > 0 else "")


def _progress_or_error(job: Data) -> str:
    if job["state"] in ACTIVE and job["progress"]:
        return progress_text(job["progress"])
    if job["error"]:
        return one_line(job["error"]["cause"], 80)
    return f"{job['failed']:,} failed" if job["failed"] else f"{job['created'][:16].replace('T', ' ')}"


def show_job(details: Data, failed: Data) -> None:
    """One job: state, report, failed items."""
    terminal = console()
    heading(terminal, f"Job {details['id']}", f"{details['kind']}, {details['state']}")
    line(terminal, f"{plural(details['items'], 'item')} in workspace {one_line(details['workspace'])}")
    if names := abbreviated_names(details):
        line(terminal, names)
    if details["attempts"] > 1:
        line(terminal, f"begun {details['attempts']} times")
    if details["state"] in ACTIVE and details["progress"]:
        line(terminal, progress_text(details["progress"]))
    if details["error"]:
        line(terminal, styled(f"{details['error']['cause']} {details['error']['cure']}", "yellow"))
    if details["report"]:
        show_ingest.show_report(details["report"])
        if details["state"] not in ACTIVE:
            line(terminal, styled(f"What is new: `filigraph news --since {details['id']}`", "dim"))
    elif failed["items"]:
        failures = [f"{entry['name']}: {entry['cause']} {entry['cure']}" for entry in failed["items"]]
        show_ingest.show_problems(terminal, "Failed", failures)
    if details["state"] in ("partial", "failed", "cancelled"):
        line(terminal, styled("`filigraph jobs retry` does again what failed.", "dim"))

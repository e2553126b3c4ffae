"""Show what an LLM reads on request: its price, and how it ended."""

from __future__ import annotations

from filigraph.app.cli.show.ingest import show_expected, usage
from filigraph.app.cli.terminal.console import Data, console, line, plural, styled
from filigraph.app.cli.terminal.text import one_line


def show_estimate(estimate: Data) -> None:
    """The estimated cost of reading."""
    terminal = console()
    some = f"{estimate['passages']:,} of " if estimate["passages"] != estimate["of_passages"] else ""
    counted = f"{some}{plural(estimate['of_passages'], 'passage')}"
    show_expected({**estimate, "kept": 0}, by=f"by {one_line(estimate['model'])}", counted=counted)
    if estimate["kept"]:
        line(terminal, f"{plural(estimate['kept'], 'call')} answered before: their passages are not read again")
    if not estimate["usage"]["calls"]:
        line(terminal, "There is nothing left to read.")
    if estimate["left"]:
        line(terminal, f"{plural(estimate['left'], 'call')} more beyond the budget")


def show_read(job: Data) -> None:
    """How a reading ended."""
    terminal = console()
    for text in usage({"usage": (job["progress"] or {}).get("usage"), "cost": None}):
        line(terminal, text)
    if job["state"] != "done":
        line(terminal, styled(f"The job {job['id']} is {job['state']}; `filigraph jobs show` says why.", "yellow"))

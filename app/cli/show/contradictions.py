"""Show statements that may disagree."""

from __future__ import annotations

from filigraph.app.cli.show.ingest import expected, usage
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line

VERDICTS = {"contradiction": "contradiction", "not": "not one", "unsure": "cannot tell"}


def show_contradictions(found: Data, first: int) -> None:
    """Both sentences of each pair, with who says them and where."""
    out = console()
    rows = found["contradictions"]
    if not rows:
        line(out, "No two statements by different voices seem to disagree.")
        return
    heading(out, "May disagree", f"{first + 1:,} to {first + len(rows):,} of {found['total']:,}")
    for number, row in enumerate(rows, start=first + 1):
        line(out, styled(f"{number}  {_what_it_is(row)}", "bold"))
        if row["what"]:
            line(out, one_line(row["what"]), indent=4)
        for said in (row["first"], row["other"]):
            where = ", ".join(filter(None, (said["source"], said["place"], said["date"])))
            line(out, styled(f"{said['voice']}: “{one_line(said['sentence'])}”"), indent=4)
            line(out, styled(where, "dim"), indent=6)


def _what_it_is(row: Data) -> str:
    """What rules, or an LLM, call a pair."""
    if row["kind"] == "read":
        return f"contradiction, read by {one_line(row['model'])}"
    verdict = VERDICTS.get(row["verdict"])
    return f"{row['kind']}: {verdict}, read by {one_line(row['model'])}" if verdict else f"{row['kind']}: may disagree"


def show_estimate(found: Data) -> None:
    """The estimated cost of reading."""
    out = console()
    expected({**found, "kept": 0}, by=f"by {one_line(found['model'])}", counted=plural(found["passages"], "passage"))
    if found["kept"]:
        line(out, f"{plural(found['kept'], 'call')} answered before: their passages are not read again")
    if not found["usage"]["calls"]:
        line(out, "There is nothing left to read.")
    if found["left"]:
        line(out, f"{plural(found['left'], 'call')} more beyond the budget")


def show_read(job: Data, left: Data) -> None:
    """How a reading ended, and what is left."""
    out = console()
    for text in usage({"usage": (job["progress"] or {}).get("usage"), "cost": None}):
        line(out, text)
    if job["state"] != "done":
        line(out, styled(f"The job {job['id']} is {job['state']}; `filigraph jobs show` says why.", "yellow"))
    if calls := left["usage"]["calls"]:
        line(out, f"{plural(calls, 'call')} left: `filigraph contradictions --read` goes on.")

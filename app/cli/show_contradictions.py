"""Show statements that may disagree."""

from __future__ import annotations

from filigraph.app.cli.console import Data, console, heading, line, styled
from filigraph.app.cli.text import one_line


def show_contradictions(found: Data, first: int) -> None:
    """Both sentences of each pair, with who says them and where."""
    out = console()
    rows = found["contradictions"]
    if not rows:
        line(out, "No two statements by different voices seem to disagree.")
        return
    heading(out, "May disagree", f"{first + 1:,} to {first + len(rows):,} of {found['total']:,}")
    for number, row in enumerate(rows, start=first + 1):
        line(out, styled(f"{number}  {row['kind']}", "bold"))
        for said in (row["first"], row["other"]):
            where = ", ".join(filter(None, (said["source"], said["place"], said["date"])))
            line(out, styled(f"{said['voice']}: “{one_line(said['sentence'])}”"), indent=4)
            line(out, styled(where, "dim"), indent=6)

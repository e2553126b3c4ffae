"""Show saved searches, and what they find."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.show.entities import show_passages
from filigraph.app.cli.terminal.console import Data, console, heading, line, more, plural, styled
from filigraph.app.cli.terminal.text import one_line


def show_searches(searches: Sequence[Data]) -> None:
    """Each with what it looks for, and the last look."""
    terminal = console()
    if not searches:
        line(terminal, "No search is saved. `filigraph find ... --save NAME` saves one.")
    for row in searches:
        query = row["query"]
        view = {name: value for name, value in query["view"].items() if value and name not in ("dated_by", "undated")}
        where = (query["where"] | view).items()
        conditions = [query["text"] and f"“{query['text']}”", *query["name"], *query["type"], query["predicate"]]
        conditions += [
            *query["source"],
            *(f"{key}{value}" if key.endswith(("<", ">", "=")) else f"{key}={value}" for key, value in where),
        ]
        line(terminal, styled(one_line(row["name"]), "bold"))
        line(terminal, one_line(" · ".join(filter(None, conditions)), 400), indent=4)
        line(terminal, styled(f"looked at {row['looked'][:16].replace('T', ' ')} UTC", "dim"), indent=4)


def show_hits(hits: Data, first: int, only_new: bool) -> None:
    """The new passages, then the others."""
    terminal = console()
    gone = f", {plural(hits['gone'], 'sentence')} gone" if hits["gone"] else ""
    heading(terminal, f"{hits['new']:,} new{gone}", f"since {hits['since'][:16].replace('T', ' ')} UTC")
    shown, left = hits["passages"], max(0, hits["new"] - first)
    show_passages(terminal, shown[:left])
    if shown[left:]:
        heading(terminal, "Seen before", f"{hits['total'] - hits['new']:,}")
        show_passages(terminal, shown[left:])
    more(terminal, first + len(shown), hits["new"] if only_new else hits["total"])

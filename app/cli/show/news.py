"""Show what is new, and how earlier answers changed."""

from __future__ import annotations

from filigraph.app.cli.show.contradictions import show_contradictions
from filigraph.app.cli.show.views import show_comparison
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line, source_name


def show_news(page: Data) -> None:
    """The documents that came, and what they brought."""
    terminal = console()
    since = page["since"][:16].replace("T", " ")
    if not page["changes"]:
        line(terminal, f"Nothing came since {since} UTC.")
        return
    heading(terminal, "New documents", f"{page['total']:,} since {since} UTC")
    for row in page["documents"]:
        line(terminal, styled(f"  {source_name(row['source'])}").append(f"  {row['came'][:10]}", style="dim"))
    if left := page["total"] - len(page["documents"]):
        line(terminal, styled(f"  and {left:,} more: --count", "dim"))
    show_comparison(page["changes"])
    if page["contradictions"]:
        show_contradictions({"matters": page["contradictions"], "total": page["contradictions_total"]}, 0)


def show_asked_again(page: Data) -> None:
    """The questions whose answers changed, and how many did not."""
    terminal = console()
    if not page["asked"]:
        line(terminal, "No answer is older than a document.")
        return
    changed = [row for row in page["answers"] if row["changed"]]
    heading(terminal, "Changed", f"{len(changed):,} of {plural(page['asked'], 'answer')}")
    for row in changed:
        line(terminal, styled(one_line(row["question"]), "bold"))
        if row["path_before"] != row["path_now"]:
            line(terminal, styled(f"before: {one_line(row['path_before']) or 'no path'}", "dim"), indent=2)
            line(terminal, styled(f"now:    {one_line(row['path_now']) or 'no path'}"), indent=2)
        else:
            line(terminal, "The path is the same; other passages are cited.", indent=2)
    if page["left"]:
        line(terminal, styled(f"{plural(page['left'], 'older answer')} left: --budget", "dim"))

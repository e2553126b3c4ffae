"""Render estimates, gaps and schemas."""

from __future__ import annotations

from filigraph.app.cli.show import summaries as show_summaries
from filigraph.app.cli.show.ingest import duration, show_problems, usage
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import clean, one_line, where_said


def show_estimate(figures: Data) -> None:
    terminal = console()
    if "extractor" not in figures:
        heading(terminal, "Nothing to read")
    else:
        heading(terminal, "Estimate", f"by {figures['extractor']}")
        unchanged = f"; {figures['unchanged']:,} unchanged" if figures["unchanged"] else ""
        line(terminal, f"{plural(figures['documents'], 'document')} to read{unchanged}")
        already_read = f", {figures['kept']:,} of them read before" if figures["kept"] else ""
        line(terminal, f"{plural(figures['chunks'], 'chunk')}{already_read}")
        for text in usage(figures, about=True):
            line(terminal, text)
        if cast_calls := figures.get("cast_usage", {}).get("calls"):
            line(terminal, f"{plural(cast_calls, 'call')} of these to ask who is who")
        if figures["seconds"] is not None:
            line(terminal, f"about {duration(figures['seconds'])}, at the speed that was measured")
    if figures.get("summary_writer"):
        show_summaries.show_estimated(figures)
    show_problems(
        terminal, "Skipped", [f"{entry['source']}: {entry['cause']} {entry['cure']}" for entry in figures["skipped"]]
    )


def show_gaps(page: Data) -> None:
    """Chunks without facts and incompletely stored documents, with reasons."""
    terminal = console()
    if not page["total"]:
        line(terminal, "Every chunk gave facts.")
        return
    listed = f", {len(page['gaps']):,} of them listed" if len(page["gaps"]) < page["total"] else ""
    heading(terminal, "Chunks without facts", f"{page['total']:,}{listed}")
    rows = table("Where", "Why", ratio=True)
    for gap in page["gaps"]:
        place = where_said(gap)
        where = styled(place if gap["index"] is None else f"{place}, chunk {gap['index'] + 1}")
        where.append(f"\n{one_line(gap['excerpt'], 60)}", style="dim")
        rows.add_row(where, styled(one_line(gap["reason"]), "yellow" if gap["unread"] or gap["index"] is None else ""))
    terminal.print(rows)
    if any(gap["unread"] for gap in page["gaps"]):
        line(terminal, "`filigraph retry` reads what could not be read.")


def show_schema(stored: Data) -> None:
    """A schema as entered."""
    terminal = console()
    heading(terminal, f"Schema {one_line(stored['name'])}", stored["mode"])
    line(terminal, styled(clean(stored["yaml"]).rstrip()))
    line(terminal, styled(f"Built-in schemas: {', '.join(stored['ready'])}", "dim"))

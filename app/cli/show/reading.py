"""Render estimates, gaps and schemas."""

from __future__ import annotations

from filigraph.app.cli.show import summaries as show_summaries
from filigraph.app.cli.show.ingest import duration, problems, usage
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import clean, one_line


def estimate(found: Data) -> None:
    """Estimate of an ingest."""
    out = console()
    if "extractor" not in found:
        heading(out, "Nothing to read")
    else:
        heading(out, "Estimate", f"by {found['extractor']}")
        unchanged = f"; {found['unchanged']:,} unchanged" if found["unchanged"] else ""
        line(out, f"{plural(found['documents'], 'document')} to read{unchanged}")
        kept = f", {found['kept']:,} of them read before" if found["kept"] else ""
        line(out, f"{plural(found['chunks'], 'chunk')}{kept}")
        for text in usage(found, about=True):
            line(out, text)
        if told := found.get("cast_usage", {}).get("calls"):
            line(out, f"{plural(told, 'call')} of these to ask who is who")
        if found["seconds"] is not None:
            line(out, f"about {duration(found['seconds'])}, at the speed that was measured")
    if found.get("summary_writer"):
        show_summaries.estimated(found)
    problems(out, "Skipped", [f"{entry['source']}: {entry['cause']} {entry['cure']}" for entry in found["skipped"]])


def gaps(found: Data) -> None:
    """Chunks without facts and incompletely stored documents, with reasons."""
    out = console()
    if not found["total"]:
        line(out, "Every chunk gave facts.")
        return
    listed = f", {len(found['gaps']):,} of them listed" if len(found["gaps"]) < found["total"] else ""
    heading(out, "Chunks without facts", f"{found['total']:,}{listed}")
    rows = table("Where", "Why", ratio=True)
    for gap in found["gaps"]:
        place = ", ".join(one_line(part, 60) for part in (gap["source"], gap["place"]) if part)
        where = styled(place if gap["index"] is None else f"{place}, chunk {gap['index'] + 1}")
        where.append(f"\n{one_line(gap['excerpt'], 60)}", style="dim")
        rows.add_row(where, styled(one_line(gap["reason"]), "yellow" if gap["unread"] or gap["index"] is None else ""))
    out.print(rows)
    if any(gap["unread"] for gap in found["gaps"]):
        line(out, "`filigraph retry` reads what could not be read.")


def schema(found: Data) -> None:
    """A schema as entered."""
    out = console()
    heading(out, f"Schema {one_line(found['name'])}", found["mode"])
    line(out, styled(clean(found["yaml"]).rstrip()))
    line(out, styled(f"Ready ones: {', '.join(found['ready'])}", "dim"))

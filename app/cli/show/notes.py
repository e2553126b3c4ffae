"""Show notes of persons."""

from __future__ import annotations

from filigraph.app.cli.terminal.console import Data, console, heading, line, styled
from filigraph.app.cli.terminal.text import one_line, where_said


def show_notes(page: Data, first: int) -> None:
    """Each note with what it is at, and where."""
    terminal = console()
    rows = page["notes"]
    if not rows:
        line(terminal, "No such note. `filigraph notes add` creates one.")
        return
    heading(terminal, "Notes", f"{first + 1:,} to {first + len(rows):,} of {page['total']:,}")
    if page["tags"]:
        line(terminal, styled("  ".join(f"#{tag} {count}" for tag, count in page["tags"].items()), "dim"))
    for row in rows:
        show_note(row)


def show_note(row: Data) -> None:
    """One note: star, text and tags, what it is at, its id."""
    terminal = console()
    headline = " ".join(filter(None, ("*" if row["starred"] else "", row["text"], *(f"#{tag}" for tag in row["tags"]))))
    line(terminal, styled(one_line(headline), "bold"))
    line(terminal, one_line(_anchor_text(row)), indent=4)
    if row["source"]:
        line(terminal, styled(where_said(row), "dim"), indent=4)
    if row["lost"]:
        line(terminal, styled(row["lost"], "yellow"), indent=4)
    about = " · ".join(filter(None, (row["id"], row["by"], row["changed"][:16].replace("T", " "))))
    line(terminal, styled(about, "dim"), indent=4)


def _anchor_text(row: Data) -> str:
    """What a note is at, in a line."""
    match row["kind"]:
        case "entity":
            return str(row["entity"])
        case "fact":
            fact = f"{row['entity']} {row['predicate']} {row['other']}"
            return f"{fact}: “{row['sentence']}”" if row["sentence"] else fact
        case "answer":
            return f"Answer to “{row['question']}”"
        case "document":
            return "The document"
    return f"“{row['sentence']}”"

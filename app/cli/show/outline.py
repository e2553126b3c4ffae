"""The parts and chapters of a document as a tree."""

from __future__ import annotations

from typing import Any

from filigraph.app.cli.terminal.console import console, heading, line, styled
from filigraph.app.cli.terminal.text import one_line

MAX_HEADING_CHARS = 160  # characters of a heading


def show_places(document: dict[str, Any]) -> None:
    """Chapters in their parts, pages where there are none, each with how much of the text it is."""
    terminal = console()
    heading(terminal, one_line(document["title"] or document["source"], MAX_HEADING_CHARS), document["source"])
    chapters = [row for row in document["places"] if row["kind"] != "page"]
    if not document["places"]:
        line(terminal, 'It has neither chapters nor pages. A share of the text is a part too: --in "DOCUMENT:20-40 %".')
    above: list[str] = []
    for row in chapters or document["places"]:
        parts: list[str] = row["parts"]
        shared = next((n for n, (one, two) in enumerate(zip(above, parts, strict=False)) if one != two), len(parts))
        for depth in range(min(shared, len(above)), len(parts)):
            line(terminal, styled(f"{'  ' * (depth + 1)}{one_line(parts[depth], MAX_HEADING_CHARS)}", "bold"))
        above = parts
        named = _label_without_parts(row, parts)
        share = styled(f"  {row['end'] - row['begin']:.1f} %", "dim")
        line(terminal, styled(f"{'  ' * (len(parts) + 1)}{one_line(named, MAX_HEADING_CHARS)}").append_text(share))


def _label_without_parts(row: dict[str, Any], parts: list[str]) -> str:
    """Its label without the parts that it is in."""
    label: str = row["label"]
    if parts:
        return label.removeprefix(f"{', '.join(parts)}, ")
    return label if row["kind"] == "section" else f"{row['kind']} {label}"

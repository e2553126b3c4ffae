"""Show the folders that the server watches."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.terminal.console import Data, console, line, plural, styled
from filigraph.app.cli.terminal.text import one_line


def show_folders(rows: Sequence[Data]) -> None:
    """Each with its last look, and what is gone."""
    terminal = console()
    if not rows:
        line(terminal, "No folder is watched. `filigraph folders add PATH` adds one.")
    for row in rows:
        line(terminal, styled(one_line(row["path"]), "bold"))
        looked = f"last look {row['looked'][:16].replace('T', ' ')} UTC" if row["looked"] else "not looked at yet"
        job = f", job {row['job']}" if row["job"] else ""
        line(terminal, styled(f"{row['id']}, {looked}, {plural(row['sent'], 'file')} sent{job}", "dim"), indent=2)
        for text in filter(None, [row["problem"], *row["skipped"]]):
            line(terminal, styled(one_line(text), "yellow"), indent=2)
        for source in row["gone"]:
            line(terminal, f"gone, its document stays: {one_line(source)}", indent=2)

"""Rich consoles, tables and progress bars; plain text if piped. rich is imported lazily."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TextIO, cast

from filigraph.app.cli.terminal.text import clean

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress
    from rich.table import Table
    from rich.text import Text

Data = Mapping[str, Any]

MAX_COLUMNS = 110  # columns; longer lines are hard to read
PIPED = 80


class _PlainStream:
    """Output stream that strips the trailing spaces with which rich pads lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return False


def console(*, stderr: bool = False) -> Console:
    """A console with at most MAX_COLUMNS columns."""
    from rich.console import Console

    terminal = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not terminal.is_terminal:
        stream = sys.stderr if stderr else sys.stdout
        file = cast(TextIO, _PlainStream(stream))
        terminal = Console(file=file, width=PIPED, highlight=False, markup=False, emoji=False, color_system=None)
    terminal.width = min(terminal.width, MAX_COLUMNS)
    return terminal


def progress_bar(*, quiet: bool) -> Progress:
    """A live progress bar on standard error; without a terminal, occasional lines for logs."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    stderr = console(stderr=True)
    if not quiet and not stderr.is_terminal:
        from filigraph.app.cli.terminal.progress_lines import ProgressLines

        return ProgressLines(console=stderr)

    class RateColumn(ProgressColumn):
        """Column with the number of items per second."""

        def render(self, task: Task) -> Text:
            return styled(f"{task.speed:,.1f}/s" if task.speed and task.total else "", "dim")

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        RateColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=stderr,
        transient=True,
        disable=quiet,
    )


class LiveProgress:
    """A progress bar on standard error for the time of a `with` block."""

    def __init__(self, *, quiet: bool) -> None:
        self._bar = progress_bar(quiet=quiet)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._bar.stop()


def styled(text: object, style: str = "") -> Text:
    """Untrusted text of documents and models, sanitized and not parsed as markup."""
    from rich.text import Text

    return Text(clean(text), style=style)


def heading(terminal: Console, title: str, note: str = "") -> None:
    """Print a heading with an optional note."""
    from rich.text import Text

    terminal.print()
    terminal.print(Text.assemble((clean(title), "bold"), (f"  {clean(note)}" if note else "", "dim")))


def line(terminal: Console, text: RenderableType, indent: int = 2) -> None:
    """Print text with a hanging indent for all its lines, also wrapped ones."""
    from rich.padding import Padding

    terminal.print(Padding(styled(text) if isinstance(text, str) else text, (0, 0, 0, indent)))


def more(terminal: Console, shown: int, total: int) -> None:
    """Say how to see the rows after those `shown`, if there are any."""
    if 0 < shown < total:
        line(terminal, styled(f"More: --first {shown}", "dim"))


def table(*columns: str, right: Sequence[int] = (), whole: Sequence[int] = (), ratio: bool = False) -> Table:
    """A table without borders. `right`: indices of right-aligned columns; `whole`: of columns that are copied, so never
    broken; `ratio`: full width, equal columns."""
    from rich.table import Table

    grid = Table(
        box=None, show_header=any(columns), header_style="dim", pad_edge=False, padding=(0, 2, 0, 0), expand=ratio
    )
    for number, name in enumerate(columns):
        justify: Any = "right" if number in right else "left"
        grid.add_column(name, justify=justify, ratio=1 if ratio else None, overflow="fold", no_wrap=number in whole)
    return grid


def plural(count: int, word: str, several: str = "") -> str:
    """A count with its noun: "3 hops", "1 hop"; `several` is its plural where that has more than an -s."""
    return f"{count:,} {word if count == 1 else several or f'{word}s'}"

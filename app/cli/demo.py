"""The demo: a case file that no single passage solves, read and asked about."""

from __future__ import annotations

import json
import time
from importlib.resources import files
from typing import TYPE_CHECKING

import typer
from filigraph.app.cli import show
from filigraph.app.cli.collect import Found, Upload
from filigraph.app.cli.documents import send
from filigraph.app.cli.questions import show_answer
from filigraph.app.cli.session import connected

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

WORKSPACE = "demo"


def demo() -> None:
    """Read a case file of letters and reports, ask three questions, and show where to look further."""
    from pathlib import Path

    begin = time.monotonic()
    folder = Path(str(files("filigraph.app") / "demo"))
    out = show.console()
    with connected() as client:
        show.heading(
            out, "Reading the case file", "letters, a police report, a cutting, an inventory; French and English"
        )
        report = send(client, WORKSPACE, _case(folder / "case"), options={}, extras={})
        show.report(report)
        questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
        for question in questions:
            out.print()
            out.rule(show.styled(question["question"], "bold"), align="left", style="dim")
            show_answer(client, WORKSPACE, question["question"], {"compare": True})
        _where_to_look(out, client.url, client.health()["neo4j_browser"], time.monotonic() - begin)


def _case(folder: Path) -> Found:
    """The case file, under names that are the same on every machine."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    return Found(uploads=[Upload(path=path, name=f"demo/{path.name}", size=path.stat().st_size) for path in paths])


def _where_to_look(out: Console, url: str, browser: str | None, seconds: float) -> None:
    out.print()
    out.rule(style="dim")
    show.heading(out, "Where to look", f"{seconds:.0f} s")
    typer.echo(f"  The API      {url}/docs")
    if browser:
        typer.echo(f"  The graph    {browser}")
    typer.echo('  Ask more     filigraph ask -w demo "Qui est Jules ?" --compare')
    typer.echo("  Stop it      filigraph down   (or: make down)")

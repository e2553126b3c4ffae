"""demo: ingests a case file and asks questions that need several passages."""

from __future__ import annotations

import json
import time
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from filigraph.app.cli.documents import send
from filigraph.app.cli.questions import explain_address, show_answer
from filigraph.app.cli.show.ingest import show_report
from filigraph.app.cli.show.path import multi_hop_path, show_paths
from filigraph.app.cli.terminal.console import Data, console, heading, styled
from filigraph.app.cli.terminal.session import connected
from filigraph.app.uploads.folder_files import CollectedFiles, FileToSend

if TYPE_CHECKING:
    from rich.console import Console

WORKSPACE = "demo"


def demo(
    llm: Annotated[
        bool,
        typer.Option("--llm", help="Read and answer with the configured LLM; on a slow machine this takes minutes."),
    ] = False,
) -> None:
    """Ingest a case file of letters and reports and ask three questions, without an LLM: quick on every machine."""
    begin = time.monotonic()
    folder = Path(str(files("filigraph.app") / "demo"))
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    terminal = console()
    with connected() as client:
        heading(terminal, "Reading a case file", "letters, a police report, a cutting, an inventory")
        read_by = {"extractor": "auto" if llm else "local"}
        show_report(send(client, WORKSPACE, _case(folder / "case"), options=read_by, extras={}))
        answers = []
        for question in questions:
            terminal.print()
            terminal.rule(styled(question["question"], "bold"), align="left", style="dim")
            options = {"compare": True, "llm": llm}
            answers.append(show_answer(client, WORKSPACE, question["question"], options, draw=show_paths))
        _where_to_look(terminal, client.url, client.health()["neo4j_browser"], answers[0], time.monotonic() - begin)


def _case(folder: Path) -> CollectedFiles:
    """The files of the case, with the same sources on every machine."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    return CollectedFiles(
        uploads=[FileToSend(path=path, name=f"demo/{path.name}", size=path.stat().st_size) for path in paths]
    )


def _where_to_look(terminal: Console, url: str, browser: str | None, first: Data | None, seconds: float) -> None:
    terminal.print()
    terminal.rule(style="dim")
    heading(terminal, "Where to look", f"all of this took {seconds:.0f} s")
    page = explain_address(url, WORKSPACE, first) if first else f"{url}/?workspace={WORKSPACE}"
    typer.echo(f"  The page       {page}")
    typer.echo(f"  The API        {url}/docs")
    if browser:
        path = multi_hop_path(first["paths"]) if first else None
        query = urlencode({"cmd": "edit", "arg": path["cypher"] if path else ""})
        typer.echo(f"  The graph      {browser}{'&' if '?' in browser else '?'}{query}")
        typer.echo("                 (`filigraph neo4j browser` says how to log in)")
    typer.echo('  Ask more       filigraph ask -w demo "Qui est Jules ?" --explain')
    typer.echo("  With an LLM    `filigraph demo --llm`, where one is set up")
    typer.echo("  Stop it all    `filigraph down`, or `make down`")

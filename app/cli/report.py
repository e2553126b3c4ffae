"""report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from filigraph.app.cli.export import file_or_stdout
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, KeptTrace, Output, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.graph.errors import NotFound

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client


def report(
    trace: KeptTrace = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    output: Output = None,
    format: Annotated[
        Literal["docx", "pdf"] | None,
        typer.Option("--format", help="File format. Default: by the ending of the file's name, else docx."),
    ] = None,
    thread: Annotated[bool, typer.Option("--thread", help="Include all answers of its thread.")] = False,
    as_json: Json = False,
) -> None:
    """Write an answer as a Word file or PDF: the path drawn, each hop with its sentence, sources with place, hash."""
    if output and not format and output.suffix.lower() not in (".docx", ".pdf"):
        raise typer.BadParameter(f"{output} ends neither in .docx nor in .pdf. Name such a file, or give --format.")
    if not output and (as_json or sys.stdout.isatty()):
        raise typer.BadParameter("Name the file to write, with -o.")
    with connected() as client:
        which = trace or last_trace(client, workspace)
        parts = ("traces", which, "report")
        if thread:
            parts = ("threads", str(client.get(path(workspace, "traces", which, "answer"))["thread"]), "report")
        kind = format or ("pdf" if output and output.suffix.lower() == ".pdf" else "docx")
        with file_or_stdout(output) as file:
            saved = client.save(f"{path(workspace, *parts)}?format={kind}", file)
    if as_json:
        print_json({**saved, "file": str(output)})
    elif output:
        say(f"{output}: {saved['bytes']:,} bytes")


def last_trace(client: Client, workspace: str) -> str:
    """The id of the last answer's trace. Raises NotFound."""
    rows = client.get(path(workspace, "traces"), count=100)["traces"]
    if not (last := next((row["id"] for row in rows if row["answered"]), "")):
        raise NotFound(f"There is no answer in workspace {workspace}.", cure="Ask first: `filigraph ask`.")
    return str(last)

"""eval."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from filigraph.app.cli.documents import send
from filigraph.app.cli.show import evaluation as show_evaluation
from filigraph.app.cli.show import ingest as show_ingest
from filigraph.app.cli.terminal.exit_codes import IN_PART
from filigraph.app.cli.terminal.options import Json, Quiet
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.app.client.files import REQUEST_SPARE
from filigraph.app.uploads.folder_files import collect

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

PASSAGES, TRIPLES, QUESTIONS = "passages.jsonl", "triples.jsonl", "questions.jsonl"
RUNS = 1000  # max. earlier runs shown
SWEPT = [1.0, 0.8, 0.7, 0.5]  # weights of vectors in hybrid search
LONGEST_NAME = 64  # of a workspace


def evaluate(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR",
            help="A folder with passages.jsonl, questions.jsonl and, where there is one, triples.jsonl.",
            show_default=False,
        ),
    ] = None,
    workspace: Annotated[
        str,
        typer.Option(
            "--workspace", "-w", help="A workspace with ingested documents, instead of DIR.", show_default=False
        ),
    ] = "",
    questions: Annotated[
        Path | None, typer.Option(help="Questions for --workspace: JSON lines.", show_default=False)
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Ask only this many of the questions, from the first.", show_default=False)
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Only bm25, dense, hybrid or filigraph. Repeatable.", metavar="NAME", show_default=False),
    ] = None,
    weights: Annotated[
        bool, typer.Option("--weights", help="Also test hybrid search with vector weights of 1, 0.8, 0.7 and 0.5.")
    ] = False,
    runs: Annotated[bool, typer.Option("--runs", help="Show the results of earlier runs only.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Evaluate retrieval on questions with known answers, without an LLM.

    DIR is ingested into the workspace eval-DIR, which persists; the next run ingests only changes. Exit code 3: some
    passages or questions were skipped.
    """
    if (folder is None) == (not workspace):
        raise typer.BadParameter("Give either DIR or --workspace.")
    if bool(workspace) != bool(questions) and not runs:
        raise typer.BadParameter("--workspace and --questions go together.")
    name = workspace or workspace_of(folder or Path())
    if runs:
        with connected() as client:
            page = client.get(path(name, "evaluations"), count=RUNS)
        print_json(page) if as_json else show_evaluation.show_runs(page["evaluations"][::-1], page["total"])
        return
    content = _read(questions or (folder or Path()) / QUESTIONS)
    options: dict[str, Any] = {"limit": limit, "methods": method, "weights": SWEPT if weights else None}
    with connected() as client:
        report = _ingest(client, name, folder, quiet=quiet or as_json) if folder else None
        if report and (report["added"] or report["updated"]):
            read = len(report["added"]) + len(report["updated"])
            options["indexed"] = json.dumps({"index_seconds": report["seconds"], "indexed_passages": read})
        measured = _measure(client, name, content, options, quiet=quiet or as_json)
    unread = {kind: report[kind] for kind in ("skipped", "problems")} if report else {}
    if as_json:
        print_json({**measured, "ingest": unread})
    else:
        show_evaluation.show_evaluation(measured)
    if measured["skipped"] or any(unread.values()):
        raise typer.Exit(IN_PART)


def workspace_of(folder: Path) -> str:
    """The workspace of an evaluated folder."""
    plain = re.sub(r"[^\w.-]+", "-", folder.expanduser().resolve().name)
    return f"eval-{plain}"[:LONGEST_NAME]


def _read(file: Path) -> bytes:
    try:
        return file.expanduser().read_bytes()
    except OSError as error:
        from filigraph.graph.errors import InputError

        raise InputError(f"{file} cannot be read ({error.strerror or error}).", cure="Check the path.") from error


def _ingest(client: Client, workspace: str, folder: Path, *, quiet: bool) -> dict[str, Any]:
    """Ingest the passages and their triples, if any. Raises InputError if the workspace has other passages."""
    from filigraph.graph.errors import InputError

    triples = folder.expanduser() / TRIPLES
    extras = {"triples": _read(triples)} if triples.exists() else {}
    limit = int(client.health()["max_upload_bytes"]) - REQUEST_SPARE - sum(map(len, extras.values()))
    collected = collect([folder / PASSAGES], leave_out=[], limit=limit)
    report = send(client, workspace, collected, options={}, extras=extras, quiet=quiet)
    ingested = sum(len(report[kind]) for kind in ("added", "updated", "unchanged"))
    if not ingested:
        first = next((f"{entry['cause']} {entry['cure']}" for entry in report["skipped"]), "It is empty.")
        raise InputError(f"{folder / PASSAGES} holds no passage: {first}")
    documents = client.get(path(workspace, "stats"))["stats"]["documents"]
    if documents != ingested:
        raise InputError(
            f"Workspace {workspace} holds {documents:,} documents, and {folder / PASSAGES} only {ingested:,} of them: "
            "the others would be searched as well.",
            cure="Rename the folder: its name determines the workspace.",
        )
    if not quiet and (report["skipped"] or report["problems"]):
        show_ingest.show_report(report)
    return report


def _measure(
    client: Client, workspace: str, questions: bytes, options: dict[str, Any], *, quiet: bool
) -> dict[str, Any]:
    """Run the evaluation on the server and show its progress."""
    data = {name: value for name, value in options.items() if value}
    files = {"questions": (QUESTIONS, questions, "application/octet-stream")}
    measured: dict[str, Any] = {}
    try:
        with show_evaluation.EvaluationProgress(quiet=quiet) as progress:
            for event in client.stream(path(workspace, "evaluate"), files=files, data=data):
                if event["event"] == "evaluation":
                    measured = event["evaluation"]
                else:
                    progress.take(event)
    except KeyboardInterrupt:
        say("Stopped. What was ingested is kept; nothing of this run is.")
        raise
    return measured

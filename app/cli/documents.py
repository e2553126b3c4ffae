"""ingest, stats."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from filigraph.app.cli.changes import show_changes
from filigraph.app.cli.show import documents as show_documents
from filigraph.app.cli.show import ingest as show_ingest
from filigraph.app.cli.show import jobs as show_jobs
from filigraph.app.cli.show import summaries as show_summaries
from filigraph.app.cli.terminal.exit_codes import FAILED, IN_PART
from filigraph.app.cli.terminal.options import (
    DEFAULT_WORKSPACE,
    Json,
    Metadata,
    Quiet,
    View,
    Workspace,
    key_values,
    takes_view,
)
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.app.client.files import REQUEST_SPARE, ReportDict, as_jobs, in_batches
from filigraph.app.uploads.folder_files import CollectedFiles, FileToSend, collect, too_large

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

STDIN = "stdin"  # default source of a document from standard input
BINARY_LOOK = 8192  # bytes of it that are checked
DOCUMENTS = (b"%PDF", b"PK\x03\x04", b"\xff\xfe", b"\xfe\xff")  # magic bytes; the last two are UTF-16 byte order marks

Extractor = Annotated[
    Literal["auto", "local", "llm"], typer.Option(help="Extractor of facts; auto: the LLM if there is one.")
]
Strategy = Annotated[Literal["paragraph", "sentence", "fixed"], typer.Option(help="How texts are split.")]
Size = Annotated[
    int | None, typer.Option("--size", min=1, help="Maximum size of a chunk. Default: 512 tokens.", show_default=False)
]
Overlap = Annotated[
    int | None,
    typer.Option("--overlap", min=0, help="Overlap of chunks. Default: 15 %.", show_default=False),
]
Unit = Annotated[Literal["tokens", "characters", "words"], typer.Option("--unit", help="Unit of --size and --overlap.")]
Preset = Annotated[
    Literal["2000/300", "250-350 words"] | None,
    typer.Option(
        "--preset",
        help="2000/300: characters, ending with a paragraph or sentence; 250-350 words: paragraphs together.",
        show_default=False,
    ),
]
Cast = Annotated[
    bool | None,
    typer.Option(
        "--cast/--no-cast",
        help="Ask an LLM who is who, in each document and across them, in a few calls. Default: if it reads the facts.",
        show_default=False,
    ),
]
Late = Annotated[
    bool,
    typer.Option("--late", help="Late chunking: embed the whole document, then pool a vector for each chunk."),
]


def cast_option(cast: bool | None) -> dict[str, str]:
    """As REST takes it; nothing where it is not given."""
    return {} if cast is None else {"cast": str(cast).lower()}


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders; - is standard input.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    triples: Annotated[
        Path | None,
        typer.Option(help="A file of ready triples instead of an extractor: JSON lines.", show_default=False),
    ] = None,
    aliases: Annotated[
        Path | None,
        typer.Option(help="A file of names that are one: a group a line, = between the names.", show_default=False),
    ] = None,
    extractor: Extractor = "auto",
    strategy: Strategy = "paragraph",
    size: Size = None,
    overlap: Overlap = None,
    unit: Unit = "tokens",
    preset: Preset = None,
    late: Late = False,
    cast: Cast = None,
    metadata: Metadata = [],  # noqa: B006 - typer's own way
    background: Annotated[
        bool, typer.Option("--background", help="Run as a job on the server, without waiting for it.")
    ] = False,
    batch: Annotated[
        bool,
        typer.Option("--batch", help="Run as a job that sends the provider batches of calls: cheaper, within a day."),
    ] = False,
    summarize: Annotated[
        bool, typer.Option("--summarize", help="Update the summaries afterwards, as `summarize` does.")
    ] = False,
    name: Annotated[str, typer.Option("--name", help="Name of the document on standard input.")] = STDIN,
    watch: Annotated[
        bool, typer.Option("--watch", help="Ingest new and changed files of folders, as jobs, until Ctrl-C.")
    ] = False,
    delete: Annotated[
        bool, typer.Option("--delete", help="With --watch: delete a file's document when the file is deleted.")
    ] = False,
    priority: Annotated[
        int, typer.Option(min=-100, max=100, help="Priority of the job: the highest runs first.", show_default=False)
    ] = 0,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Ingest documents into a workspace. Unchanged documents are skipped; Ctrl-C loses nothing that was ingested.

    Exit code 3: some files, or parts of them, were skipped; 1: all were.
    """
    options = {"extractor": extractor, **cut_options(strategy, size, overlap, unit, preset, late), **cast_option(cast)}
    if batch:
        background, options["batch"] = not watch, "true"
    if delete and not watch:
        raise typer.BadParameter("--delete goes with --watch.")
    if watch and (triples or aliases or summarize or background or Path("-") in paths):
        raise typer.BadParameter("--watch takes folders; not --triples, --aliases, --summarize or --background.")
    metadata_values = key_values(metadata, "--metadata")
    piped = _standard_input(name, metadata_values) if Path("-") in paths else None
    extras = {
        name: _read_option(f"--{name}", file) for name, file in (("triples", triples), ("aliases", aliases)) if file
    }
    with connected() as client:
        limit = int(client.health()["max_upload_bytes"]) - REQUEST_SPARE - sum(map(len, extras.values()))
        if watch:
            from filigraph.app.cli.watch import watch as watch_folders

            options["priority"] = str(priority)
            watch_folders(
                client,
                workspace,
                paths,
                limit=limit,
                metadata=metadata_values,
                options=options,
                delete=delete,
                as_json=as_json,
            )
            return
        files = [file for file in paths if file != Path("-")]
        collected = collect(files, leave_out=[triples, aliases], limit=limit, metadata=metadata_values)
        if collected.left_out and not as_json and not quiet:
            say(f"{collected.left_out} files and folders left out: .gitignore, dependencies, what programs wrote.")
        if not piped:
            collected.check_some(files)
        if piped and piped.size > limit:
            collected.skip(piped.name, *too_large(limit))
        elif piped:
            collected.uploads.append(piped)
        if background:
            options |= {"priority": str(priority), "summarize": str(summarize).lower()}
            submit(client, workspace, collected, options=options, extras=extras, limit=limit, as_json=as_json)
            return
        report = send(client, workspace, collected, options=options, extras=extras, quiet=quiet or as_json)
        done = report["added"] or report["updated"] or report["unchanged"]
        summaries = write_summaries(client, workspace, "auto", quiet=quiet or as_json) if summarize and done else None
        if summaries is not None:
            report["unsummarized"] = 0
        if as_json:
            print_json(report if summaries is None else {**report, "summaries": summaries})
        else:
            show_ingest.show_report(report)
            if summaries is not None:
                show_summaries.show_report(summaries)
            if not quiet:
                show_changes(client, workspace, report)
    if report["skipped"] or report["problems"] or report.get("failed_chunks") or not done:
        raise typer.Exit(IN_PART if done else FAILED)


def cut_options(
    strategy: str, size: int | None, overlap: int | None, unit: str, preset: str | None, late: bool
) -> dict[str, str]:
    """Chunking options as form fields of a request; options that were not given are omitted."""
    options = {
        "size": size,
        "overlap": overlap,
        "unit": None if unit == "tokens" else unit,
        "preset": preset,
        "late": "true" if late else None,
    }
    return {"strategy": strategy} | {name: str(value) for name, value in options.items() if value is not None}


def send(
    client: Client,
    workspace: str,
    collected: CollectedFiles,
    *,
    options: Mapping[str, str],
    extras: Mapping[str, bytes],
    quiet: bool = False,
    action: Literal["ingest", "estimate"] = "ingest",
) -> ReportDict:
    """Send the files in batches and show the progress; returns the reports of all batches as one."""
    total: ReportDict = {"skipped": list(collected.skipped)}
    if action == "ingest":
        total |= {"added": [], "updated": [], "unchanged": [], "problems": [], "remarks": []}
    address = path(workspace, action)
    with show_ingest.IngestProgress(quiet=quiet, files=len(collected.uploads)) as progress:
        try:
            for event in in_batches(client, address, collected.uploads, options=options, extras=extras, total=total):
                if event["event"] == "sent":
                    progress.sent(event["files"])
                else:
                    progress.take(event)
        except KeyboardInterrupt:
            progress.close()
            say("Stopped. What was read is kept; run the same command again to continue.")
            raise
    return total


def write_summaries(client: Client, workspace: str, writer: str, *, quiet: bool) -> ReportDict:
    """Update the summaries of a workspace; returns the report."""
    address, request = path(workspace, "summarize"), {"writer": writer}
    return show_ingest.follow_stream(client, address, "report", quiet=quiet, steps=0, json=request)


def submit(
    client: Client,
    workspace: str,
    collected: CollectedFiles,
    *,
    options: Mapping[str, str],
    extras: Mapping[str, bytes],
    limit: int,
    as_json: bool,
) -> None:
    """Send the files as a job, or as several if they exceed one request, and print the job ids."""
    submitted: ReportDict = {"jobs": [], "skipped": list(collected.skipped)}
    address = path(workspace, "jobs")
    submitted["jobs"] = as_jobs(
        client, address, collected.uploads, options=options, extras=extras, limit=limit, total=submitted
    )
    if as_json:
        print_json(submitted)
    else:
        show_jobs.show_submitted(submitted)
    if submitted["skipped"]:
        raise typer.Exit(IN_PART if submitted["jobs"] else FAILED)


def _standard_input(name: str, metadata: Mapping[str, str]) -> FileToSend:
    """The document piped into standard input. Raises InputError if it is empty or binary of an unknown format."""
    from filigraph.graph.errors import InputError

    if sys.stdin.isatty():
        say("Reading standard input; Ctrl-D ends it.")
    content = sys.stdin.buffer.read()
    if not content.strip():
        raise InputError("Standard input is empty.", cure="Pipe a text into the command: `filigraph ingest - < FILE`.")
    if b"\0" in content[:BINARY_LOOK] and not content.startswith(DOCUMENTS):
        cause = "Standard input is binary: it holds no text."
        raise InputError(cause, cure="Pipe text, or a document that `ingest` reads (PDF, DOCX, EPUB).")
    return FileToSend(path=Path("-"), name=name, size=len(content), metadata=metadata, content=content)


def _read_option(name: str, file: Path) -> bytes:
    try:
        return file.expanduser().read_bytes()
    except OSError as error:
        from filigraph.graph.errors import InputError

        raise InputError(
            f"{name} {file} cannot be read ({error.strerror or error}).", cure="Check the path."
        ) from error


@takes_view
def stats(workspace: Workspace = DEFAULT_WORKSPACE, view: View = {}, as_json: Json = False) -> None:  # noqa: B006
    """Print the counts of a workspace."""
    with connected() as client:
        reply = client.within(view).get(path(workspace, "stats"))
    if as_json:
        print_json(reply)
    else:
        show_documents.show_stats(reply)
        show_summaries.show_missing(reply["missing_summaries"])

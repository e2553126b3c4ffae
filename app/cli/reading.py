"""estimate, retry, gaps, schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from filigraph.app.cli.documents import (
    Cast,
    Extractor,
    Late,
    Overlap,
    Preset,
    Size,
    Strategy,
    Unit,
    cast_option,
    cut_options,
    send,
)
from filigraph.app.cli.show import ingest as show_ingest
from filigraph.app.cli.show import reading as show_reading
from filigraph.app.cli.terminal.exit_codes import FAILED, IN_PART
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Quiet, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json
from filigraph.app.client.files import REQUEST_SPARE
from filigraph.app.uploads.folder_files import collect


def estimate(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    extractor: Extractor = "auto",
    strategy: Strategy = "paragraph",
    size: Size = None,
    overlap: Overlap = None,
    unit: Unit = "tokens",
    preset: Preset = None,
    late: Late = False,
    cast: Cast = None,
    batch: Annotated[bool, typer.Option("--batch", help="Estimate for batches of calls to the provider.")] = False,
    summarize: Annotated[
        bool, typer.Option("--summarize", help="Include the summaries that `ingest --summarize` writes.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Estimate the calls, tokens, time and cost of an ingest, without ingesting anything.

    If the speed of the LLM is unknown, it reads a few chunks to measure it.
    """
    options = {
        "extractor": extractor,
        "batch": str(batch).lower(),
        "summarize": str(summarize).lower(),
        **cut_options(strategy, size, overlap, unit, preset, late),
        **cast_option(cast),
    }
    with connected() as client:
        limit = int(client.health()["max_upload_bytes"]) - REQUEST_SPARE
        collected = collect(paths, leave_out=[], limit=limit)
        collected.check_some(paths)
        total = send(
            client, workspace, collected, options=options, extras={}, quiet=quiet or as_json, action="estimate"
        )
    if as_json:
        print_json(total)
    else:
        show_reading.show_estimate(total)
    if total["skipped"]:
        raise typer.Exit(IN_PART if total.get("documents") or total.get("unchanged") else FAILED)


def retry(
    workspace: Workspace = DEFAULT_WORKSPACE,
    extractor: Annotated[Literal["llm", "local", "auto"], typer.Option(help="Extractor to use.")] = "llm",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Extract from the chunks that the LLM failed to read. The files are not needed.

    Exit code 3: some chunks failed again.
    """
    with connected() as client:
        address, request = path(workspace, "retry"), {"extractor": extractor}
        report = show_ingest.follow_stream(client, address, "report", quiet=quiet or as_json, steps=0, json=request)
    if as_json:
        print_json(report)
    else:
        show_ingest.show_report(report)
    if report["failed_chunks"] or report["problems"]:
        raise typer.Exit(IN_PART)


def gaps(
    workspace: Workspace = DEFAULT_WORKSPACE,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number to list.")] = 1000,
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    as_json: Json = False,
) -> None:
    """List the chunks without facts, each with its reason, and the documents that were stored only in part."""
    with connected() as client:
        page = client.get(f"{path(workspace, 'gaps')}?first={first}&count={count}")
    if as_json:
        print_json(page)
    else:
        show_reading.show_gaps(page)


schema_app = typer.Typer(name="schema", help="Entity types and relations that the LLM extracts.", no_args_is_help=True)


@schema_app.command(name="set")
def set_schema(
    schema: Annotated[
        str, typer.Argument(help="A YAML file, or a built-in schema: general, novel, case.", metavar="FILE|NAME")
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    mode: Annotated[
        Literal["guide", "enforce"] | None,
        typer.Option(help="Keep or drop what is outside the schema; both are reported.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Set the schema of a workspace. It applies to existing documents when they are ingested again."""
    file = Path(schema).expanduser()
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else schema
    with connected() as client:
        stored = client.put(path(workspace, "schema"), {"schema": text, "mode": mode})
    _print_schema(stored, as_json)


@schema_app.command(name="show")
def show_schema(workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """Show a workspace's schema."""
    with connected() as client:
        schema = client.get(path(workspace, "schema"))
    _print_schema(schema, as_json)


@schema_app.command(name="remove")
def remove_schema(workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """Remove the schema of a workspace."""
    with connected() as client:
        reply = client.delete(path(workspace, "schema"))
    _print_schema(reply, as_json)


def _print_schema(schema: dict[str, object], as_json: bool) -> None:
    if as_json:
        print_json(schema)
    else:
        show_reading.show_schema(schema)

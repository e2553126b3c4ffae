"""export, diff, import, move, reembed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import typer

from filigraph.app.cli.show import ingest as show_ingest
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Output, Quiet, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.graph.errors import InputError


@takes_view
def export(
    workspace: Workspace = DEFAULT_WORKSPACE,
    output: Output = None,
    canonical: Annotated[bool, typer.Option("--canonical", help="Same as --format canonical, the default.")] = False,
    format: Annotated[
        Literal["canonical", "graphml", "csv"],
        typer.Option(
            "--format",
            help="canonical: everything, for `import`; others: entities and facts for other programs, csv as a zip.",
        ),
    ] = "canonical",
    only_hash: Annotated[
        bool,
        typer.Option("--hash", help="Print only the sha256 of the canonical export: the same for the same content."),
    ] = False,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Export a workspace, or whole documents of it: texts, extractions, decisions of people, entities, facts.

    For a part of a document use --format graphml or csv.
    """
    if format != "canonical" and (canonical or only_hash):
        raise typer.BadParameter(f"--canonical and --hash are of the canonical export, not of {format}.")
    if not output and not only_hash and (as_json or (format == "csv" and sys.stdout.isatty())):
        raise typer.BadParameter("Name the file to write, with -o.")
    with connected() as connection:
        client = connection.within(view)
        if only_hash:
            reply = client.get(path(workspace, "export", "hash"))
            print_json(reply) if as_json else typer.echo(reply["sha256"])
            return
        with file_or_stdout(output) as file:
            saved = client.save(f"{path(workspace, 'export')}?format={format}", file)
    if as_json:
        print_json({**saved, "file": str(output)})
    elif output:
        say(f"{output}: {saved['bytes']:,} bytes, sha256 {saved['sha256']}")


def diff(
    before: Annotated[Path, typer.Argument(help="A canonical export.", show_default=False)],
    after: Annotated[Path, typer.Argument(help="The export to compare with it.", show_default=False)],
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many of each kind.")] = 20,
    as_json: Json = False,
) -> None:
    """Compare two exports, without a server: names joined and separated, facts added and removed."""
    from filigraph.app.cli.show.views import show_comparison
    from filigraph.app.schemas.graph.views import ComparisonOut
    from filigraph.graph.transfer.export_difference import export_difference

    try:
        with before.expanduser().open("rb") as before_file, after.expanduser().open("rb") as after_file:
            difference = ComparisonOut.of(export_difference(before_file, after_file), count).model_dump()
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read ({error.strerror}).", cure="Check the path.") from error
    print_json(difference) if as_json else show_comparison(difference)


def import_(
    file: Annotated[Path, typer.Argument(help="A file that `filigraph export` wrote.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Import an export into a new workspace, without an LLM. If interrupted, it leaves no workspace."""
    try:
        opened = file.expanduser().open("rb")
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror or error}).", cure="Check the path.") from error
    with opened, connected() as client:
        sent = {"file": (file.name, opened, "application/x-ndjson")}
        address = path(workspace, "import")
        imported = show_ingest.follow_stream(client, address, "imported", quiet=quiet or as_json, files=sent)
    if as_json:
        print_json(imported)
        return
    counts = ", ".join(f"{imported[what]:,} {what}" for what in ("documents", "chunks", "entities", "facts"))
    typer.echo(f"Workspace {workspace}: {counts}")
    typer.echo(f"sha256 {imported['sha256']}, {'as in the file' if imported['same'] else 'not that of the file'}")
    if imported["note"]:
        say(imported["note"])


def move(
    shard: Annotated[str, typer.Argument(help="A name of FILIGRAPH_NEO4J_SHARDS, or home.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Move a workspace to another Neo4j server. Meanwhile questions work and changes wait.

    A workspace that does not exist yet will be made there.
    """
    with connected() as client:
        address = path(workspace, "move")
        moved = show_ingest.follow_stream(client, address, "moved", quiet=quiet or as_json, json={"shard": shard})
    if as_json:
        print_json(moved)
    else:
        typer.echo(f"Workspace {workspace}: on shard {moved['shard']}, {moved['chunks']:,} chunks copied")


def reembed(
    workspace: Workspace = DEFAULT_WORKSPACE,
    embedder: Annotated[
        str,
        typer.Option(
            "--embedder",
            help="A model's name on the hub, cached on the server's machine. Default: the server's embedder.",
        ),
    ] = "",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Recompute the vectors of a workspace with another embedder. Meanwhile questions work.

    After Ctrl-C, run it again to resume.
    """
    with connected() as client:
        address, request = path(workspace, "reembed"), {"embedder": embedder}
        done = show_ingest.follow_stream(client, address, "reembedded", quiet=quiet or as_json, json=request)
    if as_json:
        print_json(done)
    else:
        typer.echo(f"Workspace {workspace}: {done['computed']:,} vectors computed")


@contextmanager
def file_or_stdout(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that appears only when it is complete."""
    from filigraph.app.client.rest import written_to

    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with written_to(output) as file:
        yield file

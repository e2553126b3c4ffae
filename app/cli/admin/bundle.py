"""bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from filigraph.app.cli.terminal.options import Json
from filigraph.app.cli.terminal.session import print_json, say


def bundle(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="An empty or new folder.")],
    extras: Annotated[
        list[str] | None,
        typer.Option("--extra", help="An installed extra to include: otel, ray. Repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Package Filigraph for a machine without network: wheels, Java, Neo4j, models, and install.sh."""
    from filigraph.app.process.bundle import make_bundle
    from filigraph.app.settings import load_settings

    size = make_bundle(folder.expanduser(), load_settings(), say, extras=extras or [])
    if as_json:
        print_json({"folder": str(folder), "bytes": size})
    else:
        typer.echo(f"{folder} holds {size / 1e9:.1f} GB. On the other machine: sh {folder.name}/install.sh")

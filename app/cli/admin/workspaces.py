"""workspaces list, delete."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

import typer

from filigraph.app.cli.terminal.options import Json
from filigraph.app.cli.terminal.session import connected, path, print_json, say

MAX_LISTED = 10_000  # listed at once

workspaces_app = typer.Typer(name="workspaces", help="The workspaces of the server.", no_args_is_help=True)


@workspaces_app.command(name="list")
def list_workspaces(as_json: Json = False) -> None:
    """List the workspaces."""
    from filigraph.app.cli.show import server as show_server

    with connected() as client:
        reply = client.get("/v1/workspaces", count=MAX_LISTED)
    print_json(reply) if as_json else show_server.show_workspaces(reply)


@workspaces_app.command()
def delete(
    name: Annotated[str, typer.Argument(help="The workspace.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a workspace with its documents, its graph and all decisions in it."""
    with connected() as client:
        holds = client.get(path(name, "stats"))["stats"]
        prompt = f"Delete {name} with its documents ({holds['documents']:,}) and all that was decided in it?"
        if not yes and not typer.confirm(prompt, err=True):
            say("Nothing was deleted.")
            raise typer.Exit(1)
        gone = client.delete(f"{path(name)}?{urlencode({'confirm': name})}")
    print_json(gone) if as_json else typer.echo(f"The workspace {name} is gone.")

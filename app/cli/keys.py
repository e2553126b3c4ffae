"""keys create, list, rotate, revoke."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from filigraph.app.cli.options import Json
from filigraph.app.cli.session import connected, print_json, say
from filigraph.app.client.addresses import key_path

Name = Annotated[str, typer.Argument(help="Whose key it is; the audit log names it.")]

keys_app = typer.Typer(name="keys", help="Who may use the server, and for what.", no_args_is_help=True)


@keys_app.command()
def create(
    name: Name,
    scope: Annotated[
        Literal["read", "write", "admin"],
        typer.Option(help="read: look and ask; write: ingest, change, delete too; admin: keys and the audit log too."),
    ] = "read",
    workspace: Annotated[str, typer.Option("--workspace", "-w", help="The only workspace it opens.")] = "",
    as_json: Json = False,
) -> None:
    """Make a key and print it, this once. From the first one on, every request needs a key."""
    with connected(first_key=True) as client:
        made = client.post("/v1/keys", {"name": name, "scope": scope, "workspace": workspace})
    _tell(made, as_json)


@keys_app.command(name="list")
def list_keys(as_json: Json = False) -> None:
    """List the keys, without their secrets."""
    from filigraph.app.cli import show

    with connected(first_key=True) as client:
        found = client.get("/v1/keys")
    if as_json:
        print_json(found)
    else:
        show.keys(found["keys"])


@keys_app.command()
def rotate(name: Name, as_json: Json = False) -> None:
    """Give a key a new secret and print it, this once. The old one ends at once."""
    with connected(first_key=True) as client:
        made = client.post(key_path(name, "rotate"), {})
    _tell(made, as_json)


@keys_app.command()
def revoke(name: Name, as_json: Json = False) -> None:
    """End a key."""
    with connected(first_key=True) as client:
        gone = client.delete(key_path(name))
    if as_json:
        print_json(gone)
    else:
        typer.echo(f"The key {gone['name']} opens nothing any more.")


def _tell(made: dict[str, Any], as_json: bool) -> None:
    """The secret alone on standard output: `KEY=$(filigraph keys create ci)`."""
    if as_json:
        print_json(made)
        return
    where = f" in {made['workspace']}" if made["workspace"] else ""
    say(f"The key {made['name']} ({made['scope']}{where}). It is not shown again; FILIGRAPH_KEY takes it.")
    typer.echo(made["key"])

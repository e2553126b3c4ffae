"""keys create, list, rotate, revoke."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from filigraph.app.cli.terminal.options import Json, View, Where, conditions, takes_view
from filigraph.app.cli.terminal.session import connected, print_json, say
from filigraph.app.client.addresses import key_path

Name = Annotated[str, typer.Argument(help="Name of the key, as the audit log shows it.")]

keys_app = typer.Typer(name="keys", help="API keys.", no_args_is_help=True)


@keys_app.command()
@takes_view
def create(
    name: Name,
    scope: Annotated[
        Literal["read", "write", "admin"],
        typer.Option(
            help="read: view and ask; write: also ingest, change, delete; admin: also keys and the audit log."
        ),
    ] = "read",
    workspace: Annotated[
        str, typer.Option("--workspace", "-w", help="Restrict the key to this workspace, or to WORKSPACE@VIEW.")
    ] = "",
    view: View = {},  # noqa: B006
    where: Where = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Create a key and print it once. As soon as a key exists, every request needs one. --only, --where, --until,
    --in, --as-of and --without limit it to a part of the workspace, and it can learn nothing of the rest."""
    part = view | ({"where": {**view.get("where", {}), **conditions(where)}} if where else {})
    with connected(for_keys=True) as client:
        key = client.post("/v1/keys", {"name": name, "scope": scope, "workspace": workspace, "view": part or None})
    _print(key, as_json)


@keys_app.command(name="list")
def list_keys(as_json: Json = False) -> None:
    """List the keys, without their secrets."""
    from filigraph.app.cli.show import server as show_server

    with connected(for_keys=True) as client:
        reply = client.get("/v1/keys")
    if as_json:
        print_json(reply)
    else:
        show_server.show_keys(reply["keys"])


@keys_app.command()
def rotate(name: Name, as_json: Json = False) -> None:
    """Replace the secret of a key and print it once. The old one stops working immediately."""
    with connected(for_keys=True) as client:
        key = client.post(key_path(name, "rotate"), {})
    _print(key, as_json)


@keys_app.command()
def revoke(name: Name, as_json: Json = False) -> None:
    """Revoke a key."""
    with connected(for_keys=True) as client:
        gone = client.delete(key_path(name))
    if as_json:
        print_json(gone)
    else:
        typer.echo(f"The key {gone['name']} opens nothing any more.")


def _print(key: dict[str, Any], as_json: bool) -> None:
    """Print only the secret to standard output, for `KEY=$(filigraph keys create ci)`."""
    if as_json:
        print_json(key)
        return
    where = f" in {key['workspace']}" if key["workspace"] else ""
    where = f" in a part of {key['workspace']}" if key["view"] else where
    say(f"The key {key['name']} ({key['scope']}{where}). It is not shown again; FILIGRAPH_KEY takes it.")
    typer.echo(key["key"])

"""config set, show, unset."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from filigraph.app.cli.terminal.options import Json
from filigraph.app.cli.terminal.session import print_json, say

Names = Annotated[list[str], typer.Argument(help="Names of settings, as in the environment.")]

config_app = typer.Typer(
    name="config", help="Persistent settings for all commands and the server.", no_args_is_help=True
)


@config_app.command(name="set")
def set_(
    given: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUE...", help="The value of a NAME alone is prompted for without echo."),
    ],
    as_json: Json = False,
) -> None:
    """Store settings in the data folder, in a file that only you can read. The environment overrides them."""
    from filigraph.app.settings import load_settings
    from filigraph.app.settings_file import read_settings, write_settings

    stored = read_settings()
    for assignment in given:
        name, mark, value = assignment.partition("=")
        stored[name] = value if mark else typer.prompt(name, hide_input=True)
    load_settings(stored)  # raises if they are invalid
    write_settings(stored)
    _print_settings(as_json)


@config_app.command()
def unset(names: Names, as_json: Json = False) -> None:
    """Remove settings from the file."""
    from filigraph.app.settings import load_settings
    from filigraph.app.settings_file import read_settings, write_settings
    from filigraph.graph.errors import InputError

    stored = read_settings()
    for name in names:
        if stored.pop(name, None) is None:
            raise InputError(
                f"{name} is not in the settings file.", cure="`filigraph config show` lists the stored settings."
            )
    load_settings(stored)
    write_settings(stored)
    _print_settings(as_json)


@config_app.command()
def show(as_json: Json = False) -> None:
    """Show the settings and whether the environment or the file sets them. Keys and passwords are hidden."""
    _print_settings(as_json)


def _print_settings(as_json: bool) -> None:
    from filigraph.app.process.daemon import changed_settings, find_server
    from filigraph.app.settings import NAMES, display_value, load_settings
    from filigraph.app.settings_file import read_settings, settings_file

    stored, settings = read_settings(), load_settings()
    rows = [
        {"name": name, "value": display_value(settings, name), "from": "environment" if name in os.environ else "file"}
        for name in NAMES
        if name in os.environ or name in stored
    ]
    record = None if settings.url else find_server(settings)
    changes = changed_settings(settings, record) if record else ""
    if as_json:
        print_json({"file": str(settings_file()), "settings": rows, "changed": changes})
        return
    for row in rows:
        typer.echo(f"{row['name']}={row['value']}  ({row['from']})")
    if not rows:
        typer.echo("Nothing is set: all is as docs/reference.md says.")
    if changes:
        say(changes)

"""folders add, list, remove."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from filigraph.app.cli.show import folders as show_folders
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json

folders_app = typer.Typer(name="folders", help="Folders of its machine that the server watches.", no_args_is_help=True)


@folders_app.command()
def add(
    folder: Annotated[str, typer.Argument(help="Its absolute path on the server's machine.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    extractor: Annotated[
        Literal["auto", "local", "llm"],
        typer.Option(help="What reads the facts: an LLM (llm), patterns (local), or the LLM if there is one (auto)."),
    ] = "auto",
    as_json: Json = False,
) -> None:
    """Have the server ingest new and changed files of a folder, as jobs. Needs FILIGRAPH_FOLDERS and an admin key."""
    with connected() as client:
        added = client.post(path(workspace, "folders"), {"path": folder, "extractor": extractor})
    print_json(added) if as_json else show_folders.show_folders([added])


@folders_app.command(name="list")
def list_folders(workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """List the folders with their last look, and the documents whose files are gone."""
    with connected() as client:
        page = client.get(path(workspace, "folders"))
    print_json(page) if as_json else show_folders.show_folders(page["folders"])


@folders_app.command()
def remove(
    folder: Annotated[str, typer.Argument(help="The id of a folder, or its path.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Stop watching a folder. Its documents stay."""
    with connected() as client:
        rows = client.get(path(workspace, "folders"))["folders"]
        id_ = next((row["id"] for row in rows if folder in (row["path"], row["id"])), folder)
        left = client.delete(path(workspace, "folders", id_))
    print_json(left) if as_json else show_folders.show_folders(left["folders"])

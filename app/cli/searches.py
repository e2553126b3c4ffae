"""searches list, run, delete; `find --save` saves one."""

from __future__ import annotations

from typing import Annotated

import typer

from filigraph.app.cli.graph.corrections import Count, First
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json, say

searches_app = typer.Typer(
    name="searches", help="Your saved searches (`find --save`), and what is new in them.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="The name of the search.", show_default=False)]


@searches_app.command(name="list")
def list_searches(workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """List your saved searches."""
    from filigraph.app.cli.show.searches import show_searches

    with connected() as client:
        reply = client.get(path(workspace, "searches"))
    print_json(reply) if as_json else show_searches(reply["searches"])


@searches_app.command()
def run(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    new: Annotated[bool, typer.Option("--new", help="Only what is new.")] = False,
    first: First = 0,
    count: Count = 50,
    as_json: Json = False,
) -> None:
    """Run a saved search: passages that are new since your last run come first. --first continues that run."""
    from filigraph.app.cli.show.searches import show_hits

    with connected() as client:
        hits = client.post(path(workspace, "searches", name, "run"), {"first": first, "count": count, "new": new})
    print_json(hits) if as_json else show_hits(hits, first, new)


@searches_app.command()
def delete(name: Name, workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """Delete a saved search."""
    with connected() as client:
        gone = client.delete(path(workspace, "searches", name))
    print_json(gone) if as_json else say(f"Deleted {name}.")

"""views create, list, diff, delete."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from filigraph.app.cli.show import views as show_views
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, path, print_json
from filigraph.app.client.addresses import view_path

views_app = typer.Typer(name="views", help="Named parts of a workspace, for -w WORKSPACE@NAME.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The view's name.", show_default=False)]


@views_app.command()
@takes_view
def create(
    name: Name,
    workspace: Workspace = DEFAULT_WORKSPACE,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Save a view under a name: up to a place, as of a day, or without a document."""
    if not view:
        raise typer.BadParameter(
            "Say what is visible: --in, --until, --as-of, --without, --without-decision or --only."
        )
    with connected() as client:
        saved = client.put(view_path(workspace, name), view)
    print_json(saved) if as_json else show_views.show_kept_view(saved, workspace)


@views_app.command(name="list")
def list_views(workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """List the named views."""
    with connected() as client:
        reply = client.get(path(workspace, "views"))
    print_json(reply) if as_json else show_views.show_named_views(reply)


@views_app.command()
@takes_view
def diff(
    before: Annotated[str, typer.Argument(help="A view. Default: what the options show.", show_default=False)] = "",
    after: Annotated[
        str, typer.Argument(help="The view to compare with. Default: the whole workspace.", show_default=False)
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many of each kind.")] = 20,
    questions: Annotated[
        int, typer.Option(min=0, max=100, help="How many earlier questions to search in both, at most.")
    ] = 10,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Compare two views: names joined and separated, facts added and removed, earlier answers that change.

    With --without-decision ID: what this decision changed.
    """
    if bool(before) == bool(view):
        raise typer.BadParameter("Name a view, or describe one by options.")
    params = {"before": before or json.dumps(view), "after": after, "count": count, "questions": questions}
    with connected() as client:
        differences = client.get(path(workspace, "views", "diff"), **params)
    print_json(differences) if as_json else show_views.show_comparison(differences)


@views_app.command()
def delete(name: Name, workspace: Workspace = DEFAULT_WORKSPACE, as_json: Json = False) -> None:
    """Remove the name of a view. Documents and graph stay."""
    with connected() as client:
        gone = client.delete(view_path(workspace, name))
    print_json(gone) if as_json else typer.echo(f"The view {name} is gone.")

"""why: what depends on what."""

from __future__ import annotations

from typing import Annotated

import typer

from filigraph.app.cli.library import document_id
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, path, print_json


@takes_view
def why(
    names: Annotated[
        list[str] | None, typer.Argument(help="Two names of one entity: list what joins them.", show_default=False)
    ] = None,
    fact: Annotated[
        str, typer.Option(help="A fact: its id, as `facts list` and hops show it.", show_default=False)
    ] = "",
    document: Annotated[
        str,
        typer.Option(help="A document: list the names and facts that exist only because of it.", show_default=False),
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    count: Annotated[int, typer.Option(min=1, max=1000, help="With --document: how many of each kind.")] = 20,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Show the documents that a fact, or a join of two names, depends on; or what depends on a document.

    Each set of documents is tried on the graph that is left without it. No language model is called.
    """
    from filigraph.app.cli.show.answer import show_dependency
    from filigraph.app.cli.show.views import show_comparison
    from filigraph.app.cli.terminal.console import console

    if [bool(names), bool(fact), bool(document)].count(True) != 1 or (names and len(names) != 2):
        raise typer.BadParameter("Give two names, or --fact, or --document.")
    with connected() as connection:
        client = connection.within(view)
        if document:
            id_ = document_id(client, workspace, document)
            dependency_ = client.get(path(workspace, "documents", id_, "dependency"), count=count)
        else:
            params: dict[str, str | list[str]] = {"fact": fact} if fact else {"name": names or []}
            dependency_ = client.get(path(workspace, "dependency"), **params)
    if as_json:
        print_json(dependency_)
    elif document:
        show_comparison(dependency_)
    else:
        show_dependency(console(), dependency_)

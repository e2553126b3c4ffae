"""predicates list, suggest, fold, unfold."""

from __future__ import annotations

from typing import Annotated

import typer

from filigraph.app.cli.show import corrections as show_corrections
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json

predicates_app = typer.Typer(name="predicates", help="Predicates of the facts, and folding them.", no_args_is_help=True)


@predicates_app.command(name="list")
def list_predicates(
    workspace: Workspace = DEFAULT_WORKSPACE,
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 100,
    as_json: Json = False,
) -> None:
    """List predicates, the most frequent first, and the folds."""
    with connected() as client:
        page = client.get(f"{path(workspace, 'predicates')}?first={first}&count={count}")
    print_json(page) if as_json else show_corrections.show_predicates(page)


@predicates_app.command()
def suggest(
    workspace: Workspace = DEFAULT_WORKSPACE,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    as_json: Json = False,
) -> None:
    """List pairs of similar predicates. Check each: opposites are similar as well."""
    with connected() as client:
        reply = client.get(f"{path(workspace, 'predicates', 'suggestions')}?count={count}")
    print_json(reply) if as_json else show_corrections.show_suggestions(reply)


@predicates_app.command()
def fold(
    forms: Annotated[
        list[str],
        typer.Argument(
            help="The predicates to fold, and last the one to fold them into.", metavar="A... B", show_default=False
        ),
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    note: Annotated[str, typer.Option(help="Reason, for later reference.", show_default=False)] = "",
    as_json: Json = False,
) -> None:
    """Fold predicates into the last one, which replaces them in all facts."""
    if len(forms) < 2:
        raise typer.BadParameter("Give two predicates or more.")
    body = {"into": forms[-1], "forms": forms[:-1], "note": note}
    with connected() as client:
        correction = client.post(path(workspace, "predicates", "fold"), body)
    print_json(correction) if as_json else show_corrections.print_lines([f"folded; undo: {correction['id']}"])


@predicates_app.command()
def unfold(
    form: Annotated[str, typer.Argument(help="A folded predicate.", show_default=False)],
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Undo the fold of a predicate."""
    from filigraph.graph.errors import NotFound

    with connected() as client:
        table = client.get(path(workspace, "predicates"))["folds"]
        row = next((row for row in table if form in row["forms"]), None)
        if row is None:
            raise NotFound(f"{form!r} was not folded.", cure="`filigraph predicates list` shows what was.")
        client.delete(path(workspace, "corrections", row["id"]))
    print_json(row) if as_json else show_corrections.print_lines([f"unfolded: {', '.join(row['forms'])}"])

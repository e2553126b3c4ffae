"""cast."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from filigraph.app.cli.library import document_id
from filigraph.app.cli.terminal.console import Data
from filigraph.app.cli.terminal.csv_text import csv_text
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Csv, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, path, print_json, print_text

CAST_COLUMNS = ("name", "names", "passages", "with", "is", "sentence", "source", "place", "title", "id", "chunk_id")
PAGE = 1000  # persons of a request


@takes_view
def cast(
    document: Annotated[
        str,
        typer.Argument(help="A source, a path from this folder, or an id. Default: all documents.", show_default=False),
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    order: Annotated[
        Literal["passages", "appearance"],
        typer.Option(help="Those that most passages name, or the first named, first."),
    ] = "passages",
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=PAGE, help="How many.")] = 50,
    view: View = {},  # noqa: B006
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List the persons of a document, of a part of it (--in) or of all documents.

    Each with the sentence that names the person first, the passages that do, the persons it shares most with, its other
    names, and a fact that says who it is. No language model is called. --csv gives all of them.
    """
    from filigraph.app.cli.show.people import show_cast

    with connected() as connection:
        params: dict[str, Any] = {"order": order}
        params |= {"document": document_id(connection, workspace, document)} if document else {}
        client = connection.within(view)
        page = client.get(
            path(workspace, "cast"), **params, first=0 if as_csv else first, count=PAGE if as_csv else count
        )
        while as_csv and len(page["members"]) < page["total"]:
            more = client.get(path(workspace, "cast"), **params, first=len(page["members"]), count=PAGE)["members"]
            if not more:
                break
            page["members"] += more
    if as_csv:
        print_text(csv_text(CAST_COLUMNS, map(_cast_row, page["members"])))
    elif as_json:
        print_json(page)
    else:
        show_cast(page, first)


def _cast_row(member: Data) -> list[object]:
    described = member["description"]
    values = member["first"] | {name: member[name] for name in ("id", "name", "passages")}
    values |= {
        "names": "; ".join(member["names"]),
        "with": "; ".join(f"{one['name']} ({one['passages']})" for one in member["connections"]),
        "is": f"{described['predicate']} {described['object']}" if described else "",
    }
    return [values[name] for name in CAST_COLUMNS]

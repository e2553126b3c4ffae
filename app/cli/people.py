"""cast, family, timeline."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from filigraph.app.cli.graph.entities import entity_id
from filigraph.app.cli.library import document_id
from filigraph.app.cli.show.people import in_order
from filigraph.app.cli.terminal.console import Data
from filigraph.app.cli.terminal.csv_text import csv_text
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Csv, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import PAGE_ROWS, connected, get_all, path, print_json, print_text

CAST_COLUMNS = (
    "name",
    "names",
    "passages",
    "with",
    "is",
    "sentence",
    "source",
    "place",
    "title",
    "id",
    "chunk_id",
    "own",
)
FAMILY_COLUMNS = (
    "kind",
    "first",
    "other",
    "open",
    "denied",
    "predicate",
    "sentence",
    "source",
    "place",
    "first_id",
    "other_id",
    "own",
)
TIMELINE_COLUMNS = (
    "date",
    "subject",
    "predicate",
    "object",
    "sentence",
    "source",
    "place",
    "document_id",
    "chunk_id",
    "fact_id",
    "own",
)


@takes_view
def cast(
    document: Annotated[
        str,
        typer.Argument(
            help="A source, a path from this folder, a file name, a title, or an id. Default: all documents.",
            show_default=False,
        ),
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    order: Annotated[
        Literal["passages", "appearance"],
        typer.Option(help="Order: by number of passages, or by first appearance."),
    ] = "passages",
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=PAGE_ROWS, help="How many.")] = 50,
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
        address = path(workspace, "cast")
        if as_csv:
            page = get_all(client, address, params, "members")
        else:
            page = client.get(address, **params, first=first, count=count)
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
        "with": "; ".join(f"{other['name']} ({other['passages']})" for other in member["connections"]),
        "is": f"{described['predicate']} {described['object']}" if described else "",
        "own": described["own"] if described else "",
    }
    return [values[name] for name in CAST_COLUMNS]


@takes_view
def family(
    name: Annotated[
        str, typer.Argument(help="A name, or an id of an entity. Default: all families.", show_default=False)
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    first: Annotated[int, typer.Option(min=0, help="Number of the first family, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=100, help="How many families.")] = 10,
    view: View = {},  # noqa: B006
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Show who is whose parent, spouse or sibling: the family of a person, or all, in generations.

    Each tie with its sentence. What a text denies is not a tie, nor what only somebody in it asserts. Parents that
    exclude each other are all shown, as open.
    """
    from filigraph.app.cli.show.people import show_families

    with connected() as client:
        params: dict[str, Any] = {"first": first, "count": count} | ({"name": name} if name else {})
        page = client.within(view).get(path(workspace, "family"), **params)
    if as_csv:
        print_text(csv_text(FAMILY_COLUMNS, map(tie_row, (tie for row in page["families"] for tie in row["ties"]))))
    elif as_json:
        print_json(page)
    else:
        show_families(page, first)


def tie_row(tie: Data) -> list[object]:
    """A tie in the table, with the first fact that states it."""
    values = {**tie["facts"][0], **tie}
    return [values[name] for name in FAMILY_COLUMNS]


@takes_view
def timeline(
    entity: Annotated[str, typer.Argument(help="Only about this entity: a name or an id.", show_default=False)] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    begin: Annotated[
        str, typer.Option("--from", help="From this day, month or year on: 1904-05-03, 1904-05, 1904.", metavar="DATE")
    ] = "",
    end: Annotated[str, typer.Option("--to", help="To the end of this day, month or year.", metavar="DATE")] = "",
    first: Annotated[int, typer.Option(min=0, help="Number of the first fact, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=PAGE_ROWS, help="How many facts.")] = 50,
    view: View = {},  # noqa: B006
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List the dated facts and documents of a workspace, a part of it (--in) or an entity, the earliest first.

    Sentences about the edition (colophon, copyright, licence, publication) are left out. Documents without a date are
    counted. --csv gives all of the range.
    """
    from filigraph.app.cli.show.people import show_timeline

    with connected() as connection:
        client = connection.within(view)
        params: dict[str, Any] = {name: value for name, value in (("from", begin), ("to", end)) if value}
        params |= {"entity": entity_id(client, workspace, entity)} if entity else {}
        address = path(workspace, "timeline")
        if as_csv:
            page = get_all(client, address, params, "facts", "documents")
        else:
            page = client.get(address, **params, first=first, count=count)
    if as_csv:
        print_text(csv_text(TIMELINE_COLUMNS, map(_timeline_row, in_order(page))))
    elif as_json:
        print_json(page)
    else:
        show_timeline(page, first)


def _timeline_row(row: Data) -> list[object]:
    document = {"document_id": row.get("document_id") or row["id"], "object": row.get("object") or row.get("title", "")}
    return [{**row, **document}.get(name, "") for name in TIMELINE_COLUMNS]

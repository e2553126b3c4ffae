"""list."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from filigraph.app.cli.terminal.console import Data
from filigraph.app.cli.terminal.csv_text import csv_text
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, View, Workspace, takes_view
from filigraph.app.cli.terminal.session import connected, get_all, path, print_json

COLUMNS = ("item", "date", "value", "unit", "sentence", "source", "place", "title", "score", "chunk_id")


@takes_view
def list_items(
    text: Annotated[
        str,
        typer.Argument(
            help='What to list, or a question: "payments over 100 pounds in March 1904".', show_default=False
        ),
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    order: Annotated[
        Literal["document", "date", "amount", "score"], typer.Option(help="The order; amounts: the largest first.")
    ] = "document",
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write all to this file: .csv for a spreadsheet, .json.", show_default=False
        ),
    ] = None,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """List all things of a kind, each with the sentence or row that says it, without a language model."""
    from filigraph.app.cli.show.list_items import show_list, written
    from filigraph.graph.errors import InputError

    if output and output.suffix not in (".csv", ".json"):
        raise InputError(f"{output} is neither .csv nor .json.", cure="Name a file that ends in one of them.")
    params: dict[str, int | str] = {"text": text, "order": order}
    with connected() as connection:
        client, address = connection.within(view), path(workspace, "items")
        if output:
            listing = get_all(client, address, params, "items")
        else:
            listing = client.get(address, **params, first=first, count=count)
    if output:
        _write(output, listing)
    if as_json:
        print_json(listing)
    elif output:
        written(listing, output)
    else:
        show_list(listing, first)


def _write(output: Path, listing: Data) -> None:
    import json

    if output.suffix == ".json":
        output.write_text(json.dumps(listing, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    rows = (_row(item, listing["understood"]["unit"]) for item in listing["items"])
    output.write_bytes(
        csv_text(COLUMNS, rows).encode("utf-8-sig")
    )  # spreadsheets recognize UTF-8 by its byte order mark


def _row(item: Data, unit: str) -> list[object]:
    amount = amount_of(item, unit) or {"value": "", "unit": ""}
    values = {**item, "value": amount["value"], "unit": amount["unit"]}
    return [values[name] for name in COLUMNS]


def amount_of(item: Data, unit: str) -> Data | None:
    """The amount of an item that is shown: one in the unit asked, else money, else the first one."""
    quantities = item["quantities"]
    ranked = sorted(quantities, key=lambda one: (one["unit"] != unit, one["kind"] != "money"))
    return ranked[0] if ranked else None

"""list."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from filigraph.app.cli.jobs import exit_unless_done, follow, show_submitted
from filigraph.app.cli.terminal.console import Data
from filigraph.app.cli.terminal.csv_text import csv_text
from filigraph.app.cli.terminal.options import (
    DEFAULT_WORKSPACE,
    Json,
    Quiet,
    ReadBudget,
    ReadEstimate,
    ReadFirst,
    ReadInBackground,
    View,
    Workspace,
    takes_view,
)
from filigraph.app.cli.terminal.session import connected, get_all, path, print_json

COLUMNS = (
    "item",
    "date",
    "value",
    "unit",
    "sentence",
    "source",
    "place",
    "title",
    "score",
    "model",
    "also",
    "chunk_id",
)


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
        Literal["document", "date", "amount", "score"],
        typer.Option(help="Order; for amounts, the largest comes first."),
    ] = "document",
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write all to this file: .csv for a spreadsheet, .json.", show_default=False
        ),
    ] = None,
    read: ReadFirst = False,
    budget: ReadBudget = 0,
    estimate: ReadEstimate = False,
    background: ReadInBackground = False,
    view: View = {},  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """List all things of a kind, each with the sentence or row that says it.

    Without --read no language model is asked. With --read an LLM reads the passages, as a job; the list then has its
    items. The next --read continues a job that was cancelled. Exit code 3: some calls failed, or it was cancelled;
    1: it failed.
    """
    from filigraph.app.cli.show.list_items import show_list, show_written
    from filigraph.app.cli.show.readings import show_estimate, show_read

    if not text.strip():
        raise typer.BadParameter('Say what to list: filigraph list "payments over 100 pounds".')
    if output and output.suffix not in (".csv", ".json"):
        raise typer.BadParameter(f"{output} ends neither in .csv nor in .json. Name such a file.")
    params: dict[str, int | str] = {"text": text, "order": order}
    if estimate:
        with connected() as connection:
            address = path(workspace, "items", "read", "estimate")
            priced = connection.within(view).get(address, text=text, budget=budget)
        print_json(priced) if as_json else show_estimate(priced)
        return
    job: Data = {}
    if read:
        with connected() as connection:
            request = {"text": text, "budget": budget, "view": view or None}
            job = connection.post(path(workspace, "items", "read"), request)
            if background:
                show_submitted(job, as_json)
                return
            job = follow(connection, job["id"], quiet=quiet or as_json)
    with connected() as connection:
        client, address = connection.within(view), path(workspace, "items")
        if output:
            listing = get_all(client, address, params, "items")
        else:
            listing = client.get(address, **params, first=first, count=count)
    if output:
        _write(output, listing)
    if job and not as_json:
        show_read(job)
    if as_json:
        print_json({"job": job, **listing} if read else listing)
    elif output:
        show_written(listing, output)
    else:
        show_list(listing, first, text)
    if job:
        exit_unless_done(job)


def _write(output: Path, listing: Data) -> None:
    import json

    if output.suffix == ".json":
        output.write_text(json.dumps(listing, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    rows = map(_csv_row, listing["items"])
    output.write_bytes(
        csv_text(COLUMNS, rows).encode("utf-8-sig")
    )  # spreadsheets recognize UTF-8 by its byte order mark


def _csv_row(item: Data) -> list[object]:
    amount = item["amount"] or {"value": "", "unit": ""}
    also = "; ".join(", ".join(filter(None, (place["source"], place["place"]))) for place in item["also"])
    values = {**item, "value": amount["value"], "unit": amount["unit"], "also": also}
    return [values[name] for name in COLUMNS]

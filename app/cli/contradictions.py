"""contradictions."""

from __future__ import annotations

from typing import Annotated

import typer

from filigraph.app.cli.entities import entity_id
from filigraph.app.cli.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.session import connected, path, print_json


def contradictions(
    workspace: Workspace = DEFAULT_WORKSPACE,
    entity: Annotated[str, typer.Option(help="Only those about this entity: its id or name.", show_default=False)] = "",
    kind: Annotated[
        str, typer.Option(help="Only denial, number, time, date, place or object.", show_default=False)
    ] = "",
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    """List statements by different voices that may disagree, both sentences side by side, the likeliest first."""
    from filigraph.app.cli.show_contradictions import show_contradictions

    asked: dict[str, int | str] = {"first": first, "count": count} | ({"kind": kind} if kind else {})
    with connected() as client:
        asked |= {"entity": entity_id(client, workspace, entity)} if entity else {}
        found = client.get(path(workspace, "contradictions"), **asked)
    print_json(found) if as_json else show_contradictions(found, first)

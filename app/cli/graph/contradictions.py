"""contradictions."""

from __future__ import annotations

from typing import Annotated

import typer

from filigraph.app.cli.graph.entities import entity_id
from filigraph.app.cli.jobs import exit_unless_done, follow, show_submitted
from filigraph.app.cli.terminal.console import Data
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
from filigraph.app.cli.terminal.session import connected, path, print_json


@takes_view
def contradictions(
    workspace: Workspace = DEFAULT_WORKSPACE,
    entity: Annotated[str, typer.Option(help="Only those about this entity: its id or name.", show_default=False)] = "",
    kind: Annotated[
        str, typer.Option(help="Only denial, number, time, date, place, object or read.", show_default=False)
    ] = "",
    first: Annotated[int, typer.Option(min=0, help="Number of the first one, from 0.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    read: ReadFirst = False,
    budget: ReadBudget = 0,
    estimate: ReadEstimate = False,
    background: ReadInBackground = False,
    view: View = {},  # noqa: B006
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """List the matters on which different voices may disagree, with the sentences of both sides, the likeliest first.

    With --read an LLM reads passages about the same persons and things by several voices, as a job, and checks what it
    found; what it calls a contradiction comes first. The next --read continues a job that was cancelled. Exit code 3:
    some calls failed, or it was cancelled; 1: it failed.
    """
    from filigraph.app.cli.show.contradictions import show_contradictions, show_left
    from filigraph.app.cli.show.readings import show_estimate, show_read

    if view and (read or estimate):
        raise typer.BadParameter("--read and --estimate are for a whole workspace: give no view.")
    if estimate:
        with connected() as client:
            priced = client.get(path(workspace, "contradictions", "read", "estimate"), budget=budget)
        print_json(priced) if as_json else show_estimate(priced)
        return
    job: Data = {}
    if read:
        with connected() as client:
            job = client.post(path(workspace, "contradictions", "read"), {"budget": budget})
            if background:
                show_submitted(job, as_json)
                return
            job = follow(client, job["id"], quiet=quiet or as_json)
            left = client.get(path(workspace, "contradictions", "read", "estimate"))
        if not as_json:
            show_read(job)
            show_left(left)
    params: dict[str, int | str] = {"first": first, "count": count} | ({"kind": kind} if kind else {})
    with connected() as connection:
        client = connection.within(view)
        params |= {"entity": entity_id(client, workspace, entity)} if entity else {}
        page = client.get(path(workspace, "contradictions"), **params)
    if as_json:
        print_json({"job": job, **page} if read else page)
    else:
        show_contradictions(page, first)
    if read:
        exit_unless_done(job)

"""summarize, outline, shares."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from filigraph.app.cli.documents import write_summaries
from filigraph.app.cli.jobs import show_submitted
from filigraph.app.cli.library import document_id
from filigraph.app.cli.show import summaries as show_summaries
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Quiet, View, Workspace, takes_view
from filigraph.app.cli.terminal.search_options import shares_of
from filigraph.app.cli.terminal.session import connected, path, print_json


def summarize(
    workspace: Workspace = DEFAULT_WORKSPACE,
    writer: Annotated[
        Literal["auto", "llm", "quotes"],
        typer.Option(help="An LLM, the central sentences of the texts, or (auto) the LLM if one answers."),
    ] = "auto",
    estimate: Annotated[bool, typer.Option("--estimate", help="Only estimate the calls, tokens and cost.")] = False,
    levels: Annotated[
        bool, typer.Option("--levels", help="Only list the levels: their summaries, and which are up to date.")
    ] = False,
    background: Annotated[
        bool, typer.Option("--background", help="Run as a job on the server: print its id and do not wait.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Summarize the documents of a workspace: windows of two pages, chapters, documents, folders.

    Unchanged summaries are kept. `filigraph outline` shows the summaries.
    """
    if levels or estimate:
        with connected() as client:
            figures = client.get(path(workspace, "summarize", "estimate"), writer=writer)
        if as_json:
            print_json(figures)
        else:
            show_summaries.show_levels(figures) if levels else show_summaries.show_estimate(figures)
        return
    if background:
        with connected() as client:
            job = client.post(path(workspace, "summaries"), {"writer": writer})
        show_submitted(job, as_json)
        return
    with connected() as client:
        report = write_summaries(client, workspace, writer, quiet=quiet or as_json)
    print_json(report) if as_json else show_summaries.show_report(report)


@takes_view
def outline(
    document: Annotated[
        str,
        typer.Argument(
            help="A source, a path from this folder, a file name, a title, or an id. Default: folders.",
            show_default=False,
        ),
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    lowest: Annotated[int, typer.Option(min=1, max=100, help="Lowest level to show.")] = 2,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Show the summaries of a document, level by level. Default: the folders, or the only document."""
    with connected() as connection:
        client = connection.within(view)
        if document:
            wanted = document_id(client, workspace, document)
        else:
            listed = client.get(path(workspace, "documents"), count=2)["documents"]
            wanted = listed[0]["id"] if len(listed) == 1 else ""
        reply = client.get(path(workspace, "outline"), document_id=wanted, lowest=lowest)
        if not reply["summaries"] and lowest > 1:  # a short text has one level
            reply = client.get(path(workspace, "outline"), document_id=wanted)
    print_json(reply) if as_json else show_summaries.show_outline(reply)


def shares(
    profile: Annotated[
        str, typer.Argument(help="synthesis, detail, entity or recent. Default: show all.", show_default=False)
    ] = "",
    share: Annotated[
        list[str],
        typer.Argument(help="overview=0.5, windows=0.2. Default: those of the profile.", show_default=False),
    ] = [],  # noqa: B006 - typer's own way
    workspace: Workspace = DEFAULT_WORKSPACE,
    as_json: Json = False,
) -> None:
    """Show or set the share of a question's budget for summaries in a workspace; passages get the rest."""
    with connected() as client:
        if profile:
            reply = client.put(path(workspace, "shares", profile), shares_of(share))
        else:
            reply = client.get(path(workspace, "shares"))
    print_json(reply) if as_json else show_summaries.show_shares(reply)

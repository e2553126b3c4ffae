"""news, again."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from filigraph.app.cli.show import news as show_news
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, Workspace
from filigraph.app.cli.terminal.session import connected, path, print_json

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_JOB = re.compile(r"[0-9a-f]{32}")


def news(
    workspace: Workspace = DEFAULT_WORKSPACE,
    since: Annotated[
        str,
        typer.Option(
            help="A date or time (UTC), or the id of a job. Default: a day before the last document came.",
            metavar="DATE|JOB",
            show_default=False,
        ),
    ] = "",
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many of each kind.")] = 20,
    as_json: Json = False,
) -> None:
    """List what the newest documents brought: names, facts, contradictions, names joined and separated."""
    if since and not (_DATE.match(since) or _JOB.fullmatch(since)):
        raise typer.BadParameter(f"{since} is neither a date (2026-11-30) nor the id of a job (`filigraph jobs list`).")
    moment = {"since" if _DATE.match(since) else "job": since} if since else {}
    with connected() as client:
        page = client.get(path(workspace, "news"), count=count, **moment)
    print_json(page) if as_json else show_news.show_news(page)


def again(
    workspace: Workspace = DEFAULT_WORKSPACE,
    budget: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of questions, the newest first.")] = 10,
    llm: Annotated[bool, typer.Option("--llm", help="Ask the LLM. Default: compare paths and passages only.")] = False,
    as_json: Json = False,
) -> None:
    """Ask earlier questions again after new documents came, and show those whose path or passages changed."""
    with connected() as client:
        page = client.post(path(workspace, "ask", "again"), {"budget": budget, "llm": llm})
    print_json(page) if as_json else show_news.show_asked_again(page)

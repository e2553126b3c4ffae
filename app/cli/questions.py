"""ask, retrieve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode

import typer

from filigraph.app.cli.console import Data, line
from filigraph.app.cli.options import DEFAULT_WORKSPACE, Depth, Json, Keep, Workspace
from filigraph.app.cli.session import connected, path, print_json
from filigraph.app.cli.show_answer import AnswerView
from filigraph.app.cli.show_answer import retrieved as show_retrieved
from filigraph.app.cli.show_explain import lanes, timeline

if TYPE_CHECKING:
    from filigraph.app.client import Client

Question = Annotated[str, typer.Argument(help="The question, in any language.", show_default=False)]
Method = Annotated[
    str, typer.Option("--method", help="filigraph (the walk), or plain search: hybrid, dense, bm25.", metavar="NAME")
]

Intent = Annotated[
    str | None,
    typer.Option(
        "--intent",
        help="The order: detail, synthesis, entity (every mention), recent. Left out: as the question's words tell.",
        metavar="NAME",
    ),
]
Rerank = Annotated[
    bool | None,
    typer.Option("--rerank/--no-rerank", help="With or without a cross-encoder. Left out: with, where it helps."),
]


def ask(
    question: Question,
    workspace: Workspace = DEFAULT_WORKSPACE,
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw the paths from left to right, and how the answer came about.")
    ] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Show vector search alone beside the walk.")] = False,
    depth: Depth = 4,
    keep: Keep = 10,
    method: Method = "filigraph",
    intent: Intent = None,
    rerank: Rerank = None,
    as_json: Json = False,
) -> None:
    """Answer a question, with the path that was walked and the sentence behind each hop."""
    options = {"depth": depth, "keep": keep, "method": method, "intent": intent, "rerank": rerank}
    options["compare"] = compare
    with connected() as client:
        if as_json:
            print_json(client.post(path(workspace, "ask"), {"question": question, **options}))
        else:
            show_answer(client, workspace, question, options, explain=explain)


def show_answer(
    client: Client, workspace: str, question: str, options: dict[str, Any], *, explain: bool = False
) -> Data | None:
    """Ask and show the answer as it comes, first the path, then the words; returns it."""
    body = {"question": question, "stream": True, **options}
    with AnswerView(draw=lanes if explain else None) as view:
        for event in client.stream(path(workspace, "ask"), json=body):
            view.take(event)
    if view.answer and explain:
        timeline(view.out, view.answer["trace"])
        view.out.print()
        line(view.out, f"On the page: {explained(client.url, workspace, view.answer)}")
    return view.answer


def explained(url: str, workspace: str, answer: Data) -> str:
    """Where the page shows an answer again, as long as its trace is kept."""
    return f"{url}/explain/{quote(answer['trace']['id'])}?{urlencode({'workspace': workspace})}"


def retrieve(
    question: Question,
    workspace: Workspace = DEFAULT_WORKSPACE,
    depth: Depth = 4,
    keep: Keep = 10,
    method: Method = "filigraph",
    intent: Intent = None,
    rerank: Rerank = None,
    as_json: Json = False,
) -> None:
    """Find the evidence and the paths for a question, without an answer."""
    body = {"question": question, "depth": depth, "keep": keep, "method": method, "intent": intent, "rerank": rerank}
    with connected() as client:
        found = client.post(path(workspace, "retrieve"), body)
    if as_json:
        print_json(found)
    else:
        show_retrieved(found)

"""ask, retrieve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode

import typer

from filigraph.app.cli.jobs import exit_unless_done, follow
from filigraph.app.cli.show.answer import AnswerView, Draw, show_dependency, show_retrieved
from filigraph.app.cli.show.explain import show_lanes, show_timeline
from filigraph.app.cli.terminal.console import Data, console, styled
from filigraph.app.cli.terminal.interrupting import INTERRUPTED, ask_events
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE, Json, View, Workspace, takes_view, with_options
from filigraph.app.cli.terminal.search_options import Search, search_of
from filigraph.app.cli.terminal.session import connected, path, print_json, say
from filigraph.graph.errors import InputError

if TYPE_CHECKING:
    from filigraph.app.client.rest import Client

MAX_CHAIN_FACTS = 6  # between two names, as of `path`
NO_RERANKER = "none: "  # what a trace says of the reranker where there is none, before the reason

Question = Annotated[str, typer.Argument(help="The question, in any language.", show_default=False)]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds",
        min=1,
        max=10,
        help="How often the LLM may read passages; between two readings it searches for more. Usually 4.",
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Let the LLM read once, like --rounds 1.")]

Leads = Annotated[bool, typer.Option("--leads", help="Also show paths that probably do not answer.")]
WithLLM = Annotated[bool, typer.Option("--llm/--no-llm", help="Answer with the LLM if one is set up, or without.")]


@takes_view
@with_options("search", search_of)
def ask(
    question: Annotated[str | None, typer.Argument(help="The question, in any language.", show_default=False)] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw all paths from left to right, and show the steps of the search.")
    ] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Also show the results of vector search alone.")] = False,
    search: Search = {},  # noqa: B006
    rounds: Rounds = None,
    quick: Quick = False,
    llm: WithLLM = True,
    leads: Leads = False,
    why: Annotated[bool, typer.Option("--why", help="Also show the documents without which the path breaks.")] = False,
    view: View = {},  # noqa: B006
    questions: Annotated[
        Path | None,
        typer.Option(
            help="A file of questions instead of one: JSON lines, or one question a line.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="With --questions: the CSV file for the answers.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Answer a question: the answer, or what the texts say, and the path to it; or a file of questions.

    Ctrl-C ends a question, with what an LLM has read so far. A file is answered by a job, which goes on if this command
    ends. Exit code 3: some could not be answered.
    """
    options = search | {"rounds": 1 if quick else rounds, "llm": llm} | ({"view": view} if view else {})
    if quick and rounds not in (None, 1):
        raise typer.BadParameter("--quick is one round: leave --rounds out.")
    if questions and (question or explain or compare or why):
        raise typer.BadParameter("--questions takes no question, --explain, --compare or --why.")
    if out and not questions:
        raise typer.BadParameter("--out goes with --questions.")
    if questions:
        answer_questions_of_file(workspace, questions, options, out=out, as_json=as_json)
        return
    if not question:
        raise typer.BadParameter("Give a question, or a file of them with --questions.")
    options["compare"] = compare
    with connected() as client:
        if as_json:
            answer = answer_of(client, workspace, {"question": question, **options})
            if answer and why:
                answer = {**answer, "dependency": _dependency(client, workspace, answer)}
            print_json(answer)
        else:
            answer = show_answer(
                client, workspace, question, options, draw=show_lanes if explain else None, leads=leads
            )
            if answer:
                screen = console()
                for note in without_effect(answer["trace"], rerank=search["rerank"]):
                    say(note)
                limited = search["sources"] or search["where"]  # a comparison reads all documents
                if not limited and (names := compared(answer["trace"])):
                    from filigraph.app.cli.show.comparison import show_comparison

                    screen.print()
                    show_comparison(client.within(view).get(path(workspace, "comparison"), name=names))
                if not limited and not answer["generated"] and (names := names_to_connect(answer["trace"])):
                    from filigraph.app.cli.show.connections import show_connections

                    screen.print()
                    found = client.within(view).get(path(workspace, "connections"), name=names)
                    show_connections(found["connections"], MAX_CHAIN_FACTS, offers_llm=False)
                if why:
                    show_dependency(screen, _dependency(client, workspace, answer))
                if explain:
                    show_timeline(screen, answer["trace"])
                screen.print()
                page = styled(f"  On the page: {explain_address(client.url, workspace, answer)}", "dim")
                screen.print(page, soft_wrap=True)  # whole: half an address leads nowhere
    if answer and answer["ended"] == "cancelled":
        raise typer.Exit(INTERRUPTED)


def _dependency(client: Client, workspace: str, answer: Data) -> Data:
    return client.get(path(workspace, "traces", answer["trace"]["id"], "dependency"))


def answer_questions_of_file(
    workspace: str, file: Path, options: dict[str, Any], *, out: Path | None, as_json: bool
) -> None:
    """Submit the questions of a file as a job, wait for it, and write the table of answers."""
    try:
        content = file.expanduser().read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror or error}).", cure="Check the path.") from error
    sent = {"questions": ("questions", content, "application/octet-stream")}
    with connected() as client:
        job = client.upload(path(workspace, "questions"), files=sent, data={"settings": json.dumps(options)})
        job = follow(client, job["id"], quiet=as_json)
        table = client.text(f"/v1/jobs/{job['id']}/answers")
    if out:
        out.expanduser().write_text(table, encoding="utf-8-sig", newline="")  # BOM: spreadsheets detect UTF-8 by it
    elif not as_json:
        typer.echo(table, nl=False)
    if as_json:
        print_json(job)
    if job["state"] != "done":
        say(f"{job['failed']:,} of {job['items']:,} questions could not be answered; the column `error` says why.")
    exit_unless_done(job)


def answer_of(client: Client, workspace: str, body: dict[str, Any]) -> Data | None:
    """The answer to a question, once it is there; None if the stream ends without one."""
    events = ask_events(client, workspace, body, say=say)
    return next((event["answer"] for event in events if event["event"] == "answer"), None)


def show_answer(
    client: Client,
    workspace: str,
    question: str,
    options: dict[str, Any],
    *,
    draw: Draw | None = None,
    leads: bool = False,
) -> Data | None:
    """Stream an answer and show it, in brief or, with `draw`, in full; returns it."""
    with AnswerView(draw=draw, leads=leads) as view:
        for event in ask_events(client, workspace, {"question": question, **options}, say=say):
            view.take(event)
    return view.answer


def compared(trace: Data) -> list[str]:
    """The ids of the names that a question compares."""
    return next((ids for step in trace["steps"] if (ids := step["outputs"].get("compared"))), [])


def names_to_connect(trace: Data) -> list[str]:
    """The two names, or ids, of a question how they are connected; none for another question."""
    return next((names for step in trace["steps"] if (names := step["outputs"].get("connected"))), [])


def without_effect(trace: Data, *, rerank: bool | None) -> list[str]:
    """Notes about options that had no effect, each on a line."""
    steps = {step["name"]: step for step in trace["steps"]}
    notes = []
    if rerank and "rerank" not in steps:
        notes.append("--rerank had no effect: only the walk has one.")
    elif rerank and (reranker := str(steps["rerank"]["inputs"].get("reranker", ""))).startswith(NO_RERANKER):
        notes.append(f"--rerank had no effect: {reranker.removeprefix(NO_RERANKER)}.")
    return notes


def explain_address(url: str, workspace: str, answer: Data) -> str:
    """URL of the web page that shows an answer, valid as long as its trace is stored."""
    return f"{url}/explain/{quote(answer['trace']['id'])}?{urlencode({'workspace': workspace})}"


@takes_view
@with_options("search", search_of)
def retrieve(
    question: Question,
    workspace: Workspace = DEFAULT_WORKSPACE,
    search: Search = {},  # noqa: B006
    leads: Leads = False,
    view: View = {},  # noqa: B006
    as_json: Json = False,
) -> None:
    """Find the evidence and the paths for a question, without an answer."""
    body = {"question": question, **search} | ({"view": view} if view else {})
    with connected() as client:
        retrieved = client.post(path(workspace, "retrieve"), body)
    if as_json:
        print_json(retrieved)
    else:
        show_retrieved(retrieved, leads=leads)
        for note in without_effect(retrieved["trace"], rerank=search["rerank"]):
            say(note)

"""The options that commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from filigraph.app.client.addresses import split_view
from filigraph.graph.text.metadata_filter import parse_condition
from filigraph.graph.view import DATE

Workspace = Annotated[str, typer.Option("--workspace", "-w", help="The workspace.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, for a spreadsheet.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write. Default: standard output.", show_default=False)
]
KeptTrace = Annotated[
    str, typer.Argument(help="The id of an answer's trace. Default: the last answer.", show_default=False)
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
ReadFirst = Annotated[bool, typer.Option("--read", help="First have the LLM read what it has not read yet.")]
ReadBudget = Annotated[
    int, typer.Option("--budget", min=0, help="With --read: maximum number of LLM calls; 0: no limit.")
]
ReadEstimate = Annotated[bool, typer.Option("--estimate", help="Only estimate the calls, tokens and cost of --read.")]
ReadInBackground = Annotated[bool, typer.Option("--background", help="With --read: run as a job, and return at once.")]
Sources = Annotated[
    list[str],
    typer.Option("--source", help="Only these documents: a source, a folder that ends in /, a pattern with * and ?."),
]
Where = Annotated[
    list[str],
    typer.Option("--where", help="Only documents with this metadata: key=value, or a range: date>=1912-03-01."),
]
Until = Annotated[
    list[str],
    typer.Option(
        "--until",
        help='Hide what follows this place: "The Moonstone:chapter 12"; or a page, 40 %, a passage.',
        metavar="DOCUMENT:PLACE",
    ),
]
Within = Annotated[
    list[str],
    typer.Option(
        "--in",
        help='Hide everything outside this part: "The Moonstone:First Period", "NOVEL:chapter 1-10"; or pages, '
        "20-40 %, passages, a document.",
        metavar="DOCUMENT:PLACE",
    ),
]
AsOf = Annotated[str, typer.Option("--as-of", help="Hide documents later than this date.", metavar="DATE")]
DatedBy = Annotated[
    str, typer.Option("--dated-by", help="With --as-of: the metadata field that has a document's date.")
]
Undated = Annotated[
    Literal["in", "out"], typer.Option("--undated", help="With --as-of: show or hide documents without a date.")
]
Without = Annotated[list[str], typer.Option("--without", help="Hide these documents; an answer says what changes.")]
WithoutDecision = Annotated[
    list[str],
    typer.Option("--without-decision", help="Ignore the decision with this id; an answer says what changes."),
]
WithoutFact = Annotated[
    list[str],
    typer.Option("--without-fact", help="Ignore the fact with this id; an answer says what changes."),
]
Only = Annotated[list[str], typer.Option("--only", help="Hide all other documents.")]
OnlyWhere = Annotated[
    list[str],
    typer.Option("--only-where", help="Hide documents without this metadata: key=value, or a range: date>=1912."),
]


Command = Callable[..., None]
View = dict[str, Any]  # what `view_of` makes of options


def view_of(
    within: Within = [],  # noqa: B006
    until: Until = [],  # noqa: B006
    as_of: AsOf = "",
    dated_by: DatedBy = DATE,
    undated: Undated = "in",
    without: Without = [],  # noqa: B006
    without_decision: WithoutDecision = [],  # noqa: B006
    without_fact: WithoutFact = [],  # noqa: B006
    only: Only = [],  # noqa: B006
    only_where: OnlyWhere = [],  # noqa: B006
) -> dict[str, Any]:
    """The view that options name; empty where all is visible."""
    if not as_of and (dated_by != DATE or undated != "in"):
        raise typer.BadParameter("--dated-by and --undated go with --as-of.")
    lists = {
        "within": within,
        "until": until,
        "without": without,
        "without_decisions": without_decision,
        "without_facts": without_fact,
        "sources": only,
    }
    fields: dict[str, Any] = {name: value for name, value in lists.items() if value}
    fields |= {"where": conditions(only_where, "--only-where")} if only_where else {}
    return fields | ({"as_of": as_of, "dated_by": dated_by, "undated": undated} if as_of else {})


def with_options(name: str, options: Callable[..., dict[str, Any]]) -> Callable[[Command], Command]:
    """Give a command the options of a function in place of the parameter `name`, which gets what it makes of them."""

    def decorate(command: Command) -> Command:
        own, added = (inspect.signature(one, eval_str=True).parameters for one in (command, options))
        at = list(own).index(name)
        shown = list(own.values())
        parameters = [*shown[:at], *added.values(), *shown[at + 1 :]]

        @wraps(command)
        def run(*arguments: Any, **given: Any) -> None:
            grouped = options(**{option: given.pop(option) for option in added if option in given})
            command(*arguments, **{name: grouped}, **given)

        del run.__wrapped__  # else its signature would be the command's
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def takes_view(command: Command) -> Command:
    """Give a command with a parameter `view` the options of `view_of` in its stead."""

    @wraps(command)
    def run(*arguments: Any, view: View, **keywords: Any) -> None:
        workspace, named = split_view(keywords.get("workspace", ""))
        if named and view:
            raise typer.BadParameter(f"{workspace}@{named} is a view: it takes no other.")
        if named:
            keywords, view = keywords | {"workspace": workspace}, {"named": named}
        command(*arguments, view=view, **keywords)

    return with_options("view", view_of)(run)


Metadata = Annotated[
    list[str],
    typer.Option(
        "--metadata",
        help="Metadata of the documents: key=value, repeatable. Default: unchanged.",
    ),
]

DEFAULT_WORKSPACE = "default"
EXAMPLE = "date=1912-03-04"  # of key=value


def key_values(arguments: list[str], option: str, example: str = EXAMPLE) -> dict[str, str]:
    """Parse key=value arguments. Raises BadParameter."""
    pairs = [argument.partition("=") for argument in arguments]
    if any(not key or not mark for key, mark, _ in pairs):
        raise bad_value(option, example)
    return {key: value for key, _, value in pairs}


def bad_value(option: str, example: str) -> typer.BadParameter:
    return typer.BadParameter(f"Write it like {option} {example}.", param_hint=f"'{option}'")


def conditions(arguments: list[str], option: str = "--where") -> dict[str, str]:
    """Parse metadata conditions key=value, key>=value, key<=value, key>value, key<value. Raises BadParameter."""
    pairs = [pair for argument in arguments if (pair := parse_condition(argument))]
    if len(pairs) < len(arguments):
        raise bad_value(option, EXAMPLE)
    return dict(pairs)

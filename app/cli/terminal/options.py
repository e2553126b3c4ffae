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
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write. Default: standard output.", show_default=False)
]
KeptTrace = Annotated[
    str, typer.Argument(help="The id of an answer's trace. Default: the last answer.", show_default=False)
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Depth = Annotated[int, typer.Option("--depth", min=2, max=4, help="Maximum number of hops of a path.")]
Keep = Annotated[int, typer.Option("--keep", min=1, max=50, help="Number of pieces of evidence.")]
Sources = Annotated[
    list[str],
    typer.Option("--source", help="Only these documents: a source, a folder that ends in /, a pattern with * and ?."),
]
Where = Annotated[
    list[str],
    typer.Option("--where", help="Only documents with this metadata: key=value, or a range: date>=1912-03-01."),
]
VectorWeight = Annotated[
    float | None,
    typer.Option("--vector-weight", min=0, max=1, help="Weight of vectors in hybrid search; words get the rest."),
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
    given: dict[str, Any] = {name: value for name, value in lists.items() if value}
    return given | ({"as_of": as_of, "dated_by": dated_by, "undated": undated} if as_of else {})


def takes_view(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command with a parameter `view` the options of `view_of` in its stead."""
    own, of_view = (inspect.signature(one, eval_str=True).parameters for one in (command, view_of))
    at = list(own).index("view")
    shown = list(own.values())
    parameters = [*shown[:at], *of_view.values(), *shown[at + 1 :]]

    @wraps(command)
    def run(*arguments: Any, **given: Any) -> None:
        view = view_of(**{name: given.pop(name) for name in of_view if name in given})
        workspace, named = split_view(given.get("workspace", ""))
        if named and view:
            raise typer.BadParameter(f"{workspace}@{named} is a view: it takes no other.")
        if named:
            given, view = given | {"workspace": workspace}, {"named": named}
        command(*arguments, view=view, **given)

    del run.__wrapped__  # else its signature would be the command's
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def _budget(given: str) -> int | str:
    """Parse a token budget: a number or the name of a preset. Raises BadParameter."""
    if given in ("small", "medium", "large"):
        return given
    if not given.isdecimal() or not 100 <= int(given) <= 100_000:
        raise typer.BadParameter("Give 100 to 100000 tokens, or small, medium, large.")
    return int(given)


BudgetTokens = Annotated[
    Any,  # of `_budget`
    typer.Option(
        "--budget-tokens",
        parser=_budget,
        metavar="N|small|medium|large",
        help="Tokens of evidence; small is 1,200, medium 3,000, large 8,000.",
    ),
]
Shares = Annotated[
    list[str],
    typer.Option(
        "--share",
        help="Share of that for summaries: overview=0.8 (chapters and more), windows=0.15 (two pages). Repeatable.",
    ),
]
MinScore = Annotated[
    float | None,
    typer.Option(
        "--min-score", min=0, max=1, help="Minimum cosine of a passage with the question; passages on paths are exempt."
    ),
]
EntityTypes = Annotated[
    list[str], typer.Option("--entity-type", help="Only paths to entities of this type. Repeatable.")
]
Kinds = Annotated[
    list[str],
    typer.Option("--kind", help="Only source code of this kind: function, method, class, type, module. Repeatable."),
]
Dependencies = Annotated[
    bool, typer.Option("--expand-dependencies", help="Add the source code that the found code calls.")
]
Blend = Annotated[
    str,
    typer.Option(
        help="Rerank by cosine and cross-encoder alone: default, or ann_weight=0.2,min_rerank=0.35,min_ann=0.55,"
        "candidates=30,neighbours=true; values that you omit keep these defaults.",
        metavar="VALUES",
    ),
]
PathTypes = Annotated[
    list[str], typer.Option("--path-type", help="Only paths of facts with this predicate. Repeatable.")
]

Metadata = Annotated[
    list[str],
    typer.Option(
        "--metadata",
        help="Metadata of the documents: key=value, repeatable. Default: unchanged.",
    ),
]

DEFAULT_WORKSPACE = "default"
EXAMPLE = "date=1912-03-04"  # of key=value


def key_values(given: list[str], option: str, example: str = EXAMPLE) -> dict[str, str]:
    """Parse key=value arguments. Raises BadParameter."""
    pairs = [one.partition("=") for one in given]
    if any(not key or not mark for key, mark, _ in pairs):
        raise _bad(option, example)
    return {key: value for key, _, value in pairs}


def shares_of(given: list[str]) -> dict[str, float]:
    """Parse group=share arguments. Raises BadParameter."""
    example = "overview=0.5"
    try:
        return {group: float(share) for group, share in key_values(given, "--share", example).items()}
    except ValueError:
        raise _bad("--share", example) from None


def blend_of(given: str) -> dict[str, str] | None:
    """The values of --blend; the server reads them. None where it is not given. Raises BadParameter."""
    if not given:
        return None
    return {} if given == "default" else key_values(given.split(","), "--blend", "default, or --blend min_rerank=0.35")


def _bad(option: str, example: str) -> typer.BadParameter:
    return typer.BadParameter(f"Write it like {option} {example}.", param_hint=f"'{option}'")


def conditions(given: list[str]) -> dict[str, str]:
    """Parse metadata conditions key=value, key>=value, key<=value, key>value, key<value. Raises BadParameter."""
    found = [pair for one in given if (pair := parse_condition(one))]
    if len(found) < len(given):
        raise _bad("--where", EXAMPLE)
    return dict(found)

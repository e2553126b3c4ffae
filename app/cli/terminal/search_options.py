"""The options of how to search that `ask` and `retrieve` share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from filigraph.app.cli.terminal.options import Sources, Where, bad_value, conditions, key_values

Search = dict[str, Any]  # what `search_of` makes of options

Depth = Annotated[int, typer.Option("--depth", min=2, max=4, help="Maximum number of hops of a path.")]
Keep = Annotated[int, typer.Option("--keep", min=1, max=50, help="Number of pieces of evidence.")]
Method = Annotated[
    Literal["filigraph", "hybrid", "dense", "bm25"],
    typer.Option("--method", help="filigraph (the walk), or plain search."),
]
Profile = Annotated[
    Literal["detail", "synthesis", "entity", "recent"] | None,
    typer.Option(
        "--profile",
        help="Which evidence: detail, synthesis (the whole text), entity (every mention), recent. Default: from the "
        "words of the question.",
    ),
]
Today = Annotated[
    str, typer.Option(help='The day "yesterday" and "last week" count from. Default: today.', metavar="DATE")
]
Rerank = Annotated[
    bool | None,
    typer.Option("--rerank/--no-rerank", help="Use a cross-encoder, or not. Default: use it where it helps."),
]
VectorWeight = Annotated[
    float | None,
    typer.Option("--vector-weight", min=0, max=1, help="Weight of vectors in hybrid search; words get the rest."),
]


def _budget(text: str) -> int | str:
    """Parse a token budget: a number or the name of a preset. Raises BadParameter."""
    if text in ("small", "medium", "large"):
        return text
    if not text.isdecimal() or not 100 <= int(text) <= 100_000:
        raise typer.BadParameter("Give 100 to 100000 tokens, or small, medium, large.")
    return int(text)


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
PathTypes = Annotated[
    list[str], typer.Option("--path-type", help="Only paths of facts with this predicate. Repeatable.")
]
WithoutOwn = Annotated[bool, typer.Option("--without-own", help="Leave facts that people stated out of paths.")]


def search_of(
    depth: Depth = 4,
    keep: Keep = 10,
    method: Method = "filigraph",
    profile: Profile = None,
    today: Today = "",
    rerank: Rerank = None,
    kind: Kinds = [],  # noqa: B006 - typer's own way
    expand_dependencies: Dependencies = False,
    without_own: WithoutOwn = False,
    vector_weight: VectorWeight = None,
    budget_tokens: BudgetTokens = None,
    share: Shares = [],  # noqa: B006
    min_score: MinScore = None,
    entity_type: EntityTypes = [],  # noqa: B006
    path_type: PathTypes = [],  # noqa: B006
    source: Sources = [],  # noqa: B006
    where: Where = [],  # noqa: B006
) -> Search:
    """The fields of the REST API that options name; the server chooses those that are left out."""
    search: dict[str, Any] = {"depth": depth, "keep": keep, "method": method, "profile": profile, "rerank": rerank}
    search |= {"kinds": kind, "expand_dependencies": expand_dependencies, "without_own": without_own}
    search |= {"sources": source, "where": conditions(where)}
    numbers = {"vector_weight": vector_weight, "budget_tokens": budget_tokens, "min_score": min_score}
    others = {"today": today, "shares": shares_of(share), "entity_types": entity_type, "path_types": path_type}
    search |= {name: value for name, value in numbers.items() if value is not None}
    return search | {name: value for name, value in others.items() if value}


def shares_of(arguments: list[str]) -> dict[str, float]:
    """Parse group=share arguments. Raises BadParameter."""
    example = "overview=0.5"
    try:
        return {group: float(share) for group, share in key_values(arguments, "--share", example).items()}
    except ValueError:
        raise bad_value("--share", example) from None

"""The options that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Workspace = Annotated[str, typer.Option("--workspace", "-w", help="The workspace.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Depth = Annotated[int, typer.Option("--depth", min=2, max=4, help="Maximum number of hops of a path.")]
Keep = Annotated[int, typer.Option("--keep", min=1, max=50, help="Number of pieces of evidence.")]
Sources = Annotated[
    list[str],
    typer.Option("--source", help="Only these documents: a source, a folder that ends in /, a pattern with * and ?."),
]
Where = Annotated[list[str], typer.Option("--where", help="Only documents with this metadata: key=value.")]
VectorWeight = Annotated[
    float | None,
    typer.Option("--vector-weight", min=0, max=1, help="Weight of vectors in hybrid search; words have the rest."),
]
BudgetTokens = Annotated[int | None, typer.Option("--budget-tokens", min=100, max=100_000, help="Tokens of evidence.")]
MinScore = Annotated[
    float | None,
    typer.Option(
        "--min-score", min=0, max=1, help="Minimum cosine of a passage with the question; passages of paths are exempt."
    ),
]
EntityTypes = Annotated[
    list[str], typer.Option("--entity-type", help="Only paths to entities of this type. Repeatable.")
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


def key_values(given: list[str], option: str) -> dict[str, str]:
    """Metadata, of key=value. Raises InputError."""
    from filigraph.graph.errors import InputError

    pairs = [one.partition("=") for one in given]
    if any(not key or not mark for key, mark, _ in pairs):
        raise InputError(f"{option} takes key=value.", cure=f"Write it like {option} date=1912-03-04.")
    return {key: value for key, _, value in pairs}

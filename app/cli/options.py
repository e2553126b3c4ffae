"""The options that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Workspace = Annotated[str, typer.Option("--workspace", "-w", help="The workspace: its own documents, its own graph.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Depth = Annotated[int, typer.Option("--depth", min=2, max=4, help="How many hops a path may have.")]
Keep = Annotated[int, typer.Option("--keep", min=1, max=50, help="How many pieces of evidence to keep.")]
Sources = Annotated[
    list[str],
    typer.Option("--source", help="Only these documents: a source, a folder that ends in /, a pattern with * and ?."),
]
Where = Annotated[list[str], typer.Option("--where", help="Only documents whose metadata say so: key=value.")]
VectorWeight = Annotated[
    float | None,
    typer.Option(
        "--vector-weight", min=0, max=1, help="What vectors weigh in hybrid search; the rest is the weight of words."
    ),
]
BudgetTokens = Annotated[
    int | None, typer.Option("--budget-tokens", min=100, max=100_000, help="How many tokens of evidence.")
]
MinScore = Annotated[
    float | None,
    typer.Option(
        "--min-score", min=0, max=1, help="Leave out passages whose cosine with the question is lower; not paths."
    ),
]
EntityTypes = Annotated[
    list[str], typer.Option("--entity-type", help="Only paths to entities of this type. May be given again.")
]
PathTypes = Annotated[
    list[str], typer.Option("--path-type", help="Only paths of facts said by this predicate. May be given again.")
]

Metadata = Annotated[
    list[str],
    typer.Option(
        "--metadata",
        help="What else is known of the documents: key=value, once or more. Else what was given before stays.",
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

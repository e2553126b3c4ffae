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

DEFAULT_WORKSPACE = "default"


def conditions(where: list[str]) -> dict[str, str]:
    """Metadata that documents must have, of key=value. Raises InputError."""
    from filigraph.graph.errors import InputError

    pairs = [one.partition("=") for one in where]
    if any(not key or not mark for key, mark, _ in pairs):
        raise InputError("A condition on metadata is key=value.", cure="Write it like --where date=1912-03-04.")
    return {key: value for key, _, value in pairs}

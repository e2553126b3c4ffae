"""The options that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Workspace = Annotated[str, typer.Option("--workspace", "-w", help="The workspace: its own documents, its own graph.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Depth = Annotated[int, typer.Option("--depth", min=2, max=4, help="How many hops a path may have.")]
Keep = Annotated[int, typer.Option("--keep", min=1, max=50, help="How many pieces of evidence to keep.")]

DEFAULT_WORKSPACE = "default"

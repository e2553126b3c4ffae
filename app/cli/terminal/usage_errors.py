"""Errors about the use of a command, as a reader of the terminal needs them."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from filigraph.graph.errors import without_prefix


class UsageErrorGroup(TyperGroup):
    """The commands. Their errors about an option say only what is wrong, not that a validator found it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = without_prefix(error.message)
            raise

"""The names that a workspace may have."""

from __future__ import annotations

import re

from filigraph.graph.errors import InputError

PATTERN = r"^[\w.-]{1,64}$"
_FOLDERS = (".", "..")  # what these mean in an address


def check_workspace_name(name: str) -> None:
    """Raises InputError if nothing can have this name."""
    if not re.fullmatch(PATTERN, name) or name in _FOLDERS:
        raise InputError(
            f"{name[:80]!r} cannot name a workspace.",
            cure="Use 1 to 64 letters, digits, hyphens, underscores and dots.",
        )

"""The version of this distribution, which the server reports and the command line compares."""

from __future__ import annotations

import re

NAME = "filigraph"


def installed_version() -> str:
    """The installed version, "0" when run from a folder that was never installed."""
    from importlib.metadata import PackageNotFoundError, version  # 20 ms, and `--help` does not need it

    try:
        return version(NAME)
    except PackageNotFoundError:
        return "0"


def is_version(text: str) -> bool:
    """Whether a text looks like one of our versions: the answer of another program is never shown as ours."""
    return re.fullmatch(r"[0-9][0-9A-Za-z.+!-]{0,63}", text) is not None

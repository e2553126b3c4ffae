"""The files that `.gitignore` files exclude from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True, kw_only=True)
class IgnoreRules:
    """The rules of one `.gitignore`: they apply below its folder."""

    folder: Path
    rules: GitIgnoreSpec


def ignore_rules(folder: Path) -> list[IgnoreRules]:
    """The rules of a folder, if it has readable ones."""
    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    from pathspec import GitIgnoreSpec

    try:
        return [IgnoreRules(folder=folder, rules=GitIgnoreSpec.from_lines(lines))]
    except ValueError:  # an invalid pattern
        return []


def is_ignored(path: Path, rules: Sequence[IgnoreRules], end: str = "") -> bool:
    """Whether one of them excludes a file, or a folder, whose path gets a `/` as its `end`; the innermost rule that
    matches decides.
    """
    for level in reversed(rules):
        ignored = level.rules.check_file(f"{path.relative_to(level.folder).as_posix()}{end}").include
        if ignored is not None:
            return ignored
    return False

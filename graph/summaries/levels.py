"""Levels: which consecutive chunks, then summaries, are summarized together.

A window holds chunks of one section (a chapter, a mail thread) and at most WINDOW_TOKENS tokens; the windows of a
section have about the same size, so a new paragraph moves only the windows of its section. A level above joins up to
MAX_COVERED neighbours,
first within sections, then across them, until one is left. An item without a neighbour to join waits for the next
level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")

WINDOW_TOKENS = 1200  # tokens: some two pages
MAX_COVERED = 6


@dataclass(frozen=True, kw_only=True)
class Item:
    """A chunk (level 0) or a summary, as the next level sees it."""

    id: str
    level: int
    section: str  # "" where it is part of none, or of several
    size: int  # tokens of the text that it covers


def windows(chunks: Sequence[Item]) -> list[list[Item]]:
    """The chunks of a document in windows, in reading order."""
    windows_found: list[list[Item]] = []
    for _, run in groupby(chunks, key=lambda chunk: chunk.section):
        section = list(run)
        parts = -(-sum(chunk.size for chunk in section) // WINDOW_TOKENS)
        windows_found += balanced_groups(section, max(parts, 1), lambda chunk: chunk.size)
    return windows_found


def group_neighbours(items: Sequence[Item]) -> list[list[Item]]:
    """The neighbours that one summary of the next level covers, of two items or more; a group of one stays as it is."""
    runs = [list(run) for _, run in groupby(items, key=lambda item: item.section)]
    by_section = any(run[0].section and len(run) > 1 for run in runs)
    groups: list[list[Item]] = []
    for run in runs if by_section else [list(items)]:
        if by_section and not run[0].section:
            groups += [[item] for item in run]
        else:
            groups += balanced_groups(run, -(-len(run) // MAX_COVERED), lambda _: 1)
    return groups


def balanced_groups(items: Sequence[T], parts: int, size: Callable[[T], int]) -> list[list[T]]:
    """Consecutive items in at most `parts` groups of about the same size; none is empty."""
    total = sum(map(size, items))
    groups: list[list[T]] = []
    passed, last = 0.0, -1
    for item in items:
        middle = passed + size(item) / 2
        group = min(int(middle * parts / total), parts - 1) if total else 0
        if group != last:
            groups.append([])
        groups[-1].append(item)
        last = group
        passed += size(item)
    return groups

"""Disjoint sets of mentions: union-find with path halving (Tarjan & van Leeuwen, JACM 1984)."""

from __future__ import annotations

from collections import defaultdict


class DisjointSets:
    """Sets of items; an item that was never joined is alone."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, item: str) -> str:
        """The representative of the set of `item`: the smallest."""
        parent = self._parent
        while (above := parent.get(item, item)) != item:
            parent[item] = parent.get(above, above)
            item = above
        return item

    def union(self, first: str, second: str) -> None:
        one, other = self.find(first), self.find(second)
        if one != other:
            self._parent[max(one, other)] = min(one, other)

    def sets(self) -> dict[str, list[str]]:
        """The items that were joined, by representative."""
        sets: dict[str, list[str]] = defaultdict(list)
        for item in {*self._parent, *self._parent.values()}:
            sets[self.find(item)].append(item)
        return sets

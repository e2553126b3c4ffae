"""Adjacency lists as arrays: for each thing of one kind, things of another (compressed sparse rows)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """For each thing of one kind, things of another: those of `key` are `values[starts[key] : starts[key + 1]]`."""

    starts: Ints
    values: Ints

    @staticmethod
    def of(keys: Ints, values: Ints, count: int) -> Rows:
        """Build it from pairs; the values of a key keep their order."""
        order = np.argsort(keys, kind="stable")
        return Rows(starts=np.searchsorted(keys[order], np.arange(count + 1)), values=values[order])

    def at(self, key: int) -> Ints:
        return self.values[self.starts[key] : self.starts[key + 1]]

    def pairs(self, keys: Ints) -> tuple[Ints, Ints]:
        """(k,), (k,): for every value of each of `keys`, the index of its key in `keys`, and the value."""
        counts = self.starts[keys + 1] - self.starts[keys]
        owner = np.repeat(np.arange(len(keys)), counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return owner, self.values[self.starts[keys][owner] + offset]

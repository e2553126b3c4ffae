"""An inverted index: the chunks with each word, and how often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from filigraph.graph.tables.adjacency import Ints


class InvertedIndex:
    """The words of n chunks, by number."""

    def __init__(self, counts: Sequence[Counter[str]]) -> None:
        # lists: a question needs arrays of few words only
        self._rows: Mapping[str, list[int]] = defaultdict(list)
        self._times: Mapping[str, list[int]] = defaultdict(list)
        for number, chunk_counts in enumerate(counts):
            for term, count in chunk_counts.items():
                self._rows[term].append(number)
                self._times[term].append(count)
        self.lengths = np.array([chunk_counts.total() for chunk_counts in counts], dtype=np.int64)  # in words

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, term: str) -> tuple[Ints, Ints]:
        """(k,), (k,): the chunks with a word, in order, and how often each has it."""
        return np.array(self._rows.get(term, ()), dtype=np.intp), np.array(self._times.get(term, ()), dtype=np.intp)

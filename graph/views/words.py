"""BM25 over the visible chunks, as in Lucene: the rarity of a word depends on the visible part."""

from __future__ import annotations

import re

import numpy as np

from filigraph.graph.model.arrays import Floats
from filigraph.graph.tables.adjacency import Ints
from filigraph.graph.tables.inverted_index import InvertedIndex

K1, B = 1.2, 0.75  # Lucene's
_TERM = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\^([0-9.]+))?')


class WordIndex:
    """The words of n chunks of a part, from the index of the part."""

    def __init__(self, index: InvertedIndex, rows: Ints) -> None:
        """`rows`: (n,) the numbers of the chunks in the index, in order."""
        self._index = index
        self._number: Ints = np.full(len(index), -1)  # number in the index -> number here, -1: not here
        self._number[rows] = np.arange(len(rows))
        lengths = index.lengths[rows]
        self._count = len(rows)
        mean = float(lengths.mean()) if len(rows) else 1.0
        self._norm: Floats = K1 * (1 - B + B * _as_stored(lengths) / max(mean, 1.0))

    def search(self, lucene_query: str, among: Ints | None = None) -> tuple[Ints, Floats]:
        """(k,), (k,): the numbers of the chunks with any of the query's terms, and their scores. `among`: only these
        numbers.
        """
        scores: Floats = np.zeros(self._count)
        for quoted, boost in _TERM.findall(lucene_query):
            term = re.sub(r"\\(.)", r"\1", quoted)
            rows, times = self._index.of(term)
            here = self._number[rows] >= 0
            rows, times = self._number[rows[here]], times[here]
            if not len(rows):
                continue
            rarity = np.log(1 + (self._count - len(rows) + 0.5) / (len(rows) + 0.5))
            scores[rows] += (float(boost) if boost else 1.0) * rarity * times / (times + self._norm[rows])
        if among is not None:
            inside = np.zeros(self._count, dtype=bool)
            inside[among] = True
            scores[~inside] = 0.0
        hits = np.flatnonzero(scores)
        return hits, scores[hits]


def _as_stored(lengths: Ints) -> Floats:
    """Lengths in Lucene's one-byte form: exact up to 24 + 15, then with four significant bits."""
    above = np.maximum(lengths - 24, 0)
    bits = np.floor(np.log2(np.maximum(above, 1))).astype(np.int64) + 1
    shift = np.maximum(bits - 4, 0)
    return np.where(lengths < 24, lengths, 24 + ((above >> shift) << shift)).astype(float)

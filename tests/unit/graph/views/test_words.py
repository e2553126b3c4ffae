"""The words of a view: scores as if the other chunks of the part did not exist."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from filigraph.graph.tables.inverted_index import InvertedIndex
from filigraph.graph.views.words import WordIndex

WORDS = ("ring", "letter", "house", "night", "rain", "colonel", "gold")


def test_hidden_chunks_change_no_score() -> None:
    chance = random.Random(5)
    counts = [Counter(chance.choices(WORDS, k=chance.randint(0, 40))) for _ in range(30)]
    index = InvertedIndex(counts)
    for _ in range(20):
        rows = sorted(chance.sample(range(len(counts)), chance.randint(0, len(counts))))
        of_part = WordIndex(index, np.array(rows, dtype=np.intp))
        alone = WordIndex(InvertedIndex([counts[row] for row in rows]), np.arange(len(rows)))
        query = " OR ".join(f'"{word}"' for word in (*chance.sample(WORDS, 3), "nowhere"))
        for found, expected in zip(of_part.search(query), alone.search(query), strict=True):
            assert found.tolist() == expected.tolist()

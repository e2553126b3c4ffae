"""Find names in a text word by word, ignoring case, accents and punctuation."""

from __future__ import annotations

from collections import defaultdict

from filigraph.graph.model import Span
from filigraph.graph.text.words import tokens


class Finder:
    """Word index of a text for repeated lookups."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._at: dict[str, list[int]] = defaultdict(list)
        for index, token in enumerate(self._tokens):
            self._at[token.folded].append(index)

    def find(self, name: str) -> list[Span]:
        """Spans of all places with the words of `name` in sequence; [] for a name without words."""
        words = [token.folded for token in tokens(name)]
        found: list[Span] = []
        for index in self._at.get(words[0], ()) if words else ():
            run = self._tokens[index : index + len(words)]
            if [token.folded for token in run] == words:
                found.append((run[0].start, run[-1].end))
        return found

    def words_between(self, first: Span, second: Span) -> int:
        """Number of words between two spans returned by `find`."""
        left, right = sorted((first, second))
        return sum(left[1] <= token.start < right[0] for token in self._tokens)

"""Find names in a text, word by word: case, accents and punctuation make no difference."""

from __future__ import annotations

from collections import defaultdict

from filigraph.graph.model import Span
from filigraph.graph.text.words import tokens


class Finder:
    """A text whose words are looked up many times."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._at: dict[str, list[int]] = defaultdict(list)
        for index, token in enumerate(self._tokens):
            self._at[token.folded].append(index)

    def find(self, name: str) -> list[Span]:
        """Every place where the words of `name` follow each other, in order; [] for a name without words."""
        words = [token.folded for token in tokens(name)]
        found: list[Span] = []
        for index in self._at.get(words[0], ()) if words else ():
            run = self._tokens[index : index + len(words)]
            if [token.folded for token in run] == words:
                found.append((run[0].start, run[-1].end))
        return found

    def words_between(self, first: Span, second: Span) -> int:
        """How many words stand between two places that `find` gave."""
        left, right = sorted((first, second))
        return sum(left[1] <= token.start < right[0] for token in self._tokens)

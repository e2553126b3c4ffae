"""Find names and phrases in a text word by word, ignoring case, accents and punctuation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from filigraph.graph.model.arrays import Span
from filigraph.graph.text.words import Token, fold, tokens

_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=[^\W\d_])")


class PhraseFinder:
    """Word index of a text for repeated lookups."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._at: dict[str, list[int]] = defaultdict(list)
        for index, token in enumerate(self._tokens):
            self._at[token.folded].append(index)

    def find(self, name: str) -> list[Span]:
        """Spans of all places with the words of `name` in sequence; [] for a name without words."""
        words = [token.folded for token in tokens(name)]
        spans: list[Span] = []
        for index in self._at.get(words[0], ()) if words else ():
            run = self._tokens[index : index + len(words)]
            if [token.folded for token in run] == words:
                spans.append((run[0].start, run[-1].end))
        return spans

    def words_between(self, first: Span, second: Span) -> int:
        """Number of words between two spans returned by `find`."""
        left, right = sorted((first, second))
        return sum(left[1] <= token.start < right[0] for token in self._tokens)


def spellings(phrase: str) -> list[str]:
    """A phrase, and the same without the hyphens in its words: one that ended a line may be gone from the text."""
    return list(dict.fromkeys((phrase, _HYPHEN.sub("", phrase))))


def text_of_pieces(pieces: Iterable[tuple[int, str]]) -> str:
    """A text from its pieces, in order, each with its start; pieces may overlap, or leave out blank space between
    them.
    """
    parts: list[str] = []
    end = 0
    for start, text in pieces:
        parts += [" " * (start - end), text[max(0, end - start) :]]
        end = max(end, start + len(text))
    return "".join(parts)


def find_within(text: str, wanted: str) -> list[Span]:
    """Spans with the words of `wanted` in sequence; the first word may match the end of a word of the text, the last
    one a beginning ("house" in "warehouses"). Without a word: spans with exactly this text.
    """
    words = [token.folded for token in tokens(wanted)]
    if not words:
        sign = wanted.strip()
        return [(at, at + len(sign)) for at in range(len(text)) if text.startswith(sign, at)] if sign else []
    plain = fold(text)
    if not all(word in plain for word in words):
        return []
    there = tokens(text)
    if len(words) == 1:
        return [span for token in there for span in _in_word(token, words[0])]
    spans: list[Span] = []
    for index in range(len(there) - len(words) + 1):
        first, *middle, last = there[index : index + len(words)]
        if (
            first.folded.endswith(words[0])
            and last.folded.startswith(words[-1])
            and [token.folded for token in middle] == words[1:-1]
        ):
            start = first.end - len(words[0]) if len(first.folded) == len(first.text) else first.start
            end = last.start + len(words[-1]) if len(last.folded) == len(last.text) else last.end
            spans.append((start, end))
    return spans


def _in_word(token: Token, part: str) -> list[Span]:
    """The place of a part in a word; the whole word if folding changed its length."""
    starts = [n for n in range(len(token.folded)) if token.folded.startswith(part, n)]
    if starts and len(token.folded) != len(token.text):
        return [(token.start, token.end)]
    return [(token.start + n, token.start + n + len(part)) for n in starts]

"""Names by their capitals, where no parser and no model reads a language."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.model import Span
from filigraph.graph.text.words import Token, tokens

LONGEST_WORD = 100  # characters; a "sentence" with a longer one is data, not prose, and its parse would be noise


def capitalised_names(text: str, offsets: Sequence[Span]) -> list[str]:
    """Runs of capitalised words, each once; a word that opens a sentence only if it is capitalised elsewhere too.

    Scripts without capitals give none.
    """
    runs: dict[str, None] = {}
    opening: list[str] = []
    for start, end in offsets:
        run: list[Token] = []
        words = [token for token in tokens(text[start:end]) if len(token.text) <= LONGEST_WORD]
        for index, token in enumerate([*words, None]):
            gap = text[start + run[-1].end : start + token.start] if run and token is not None else ""
            if token is not None and token.text[0].isupper() and (not run or gap in {" ", "-", ". "}):
                run.append(token)
                continue
            if run:
                form = text[start + run[0].start : start + run[-1].end]
                if len(run) == 1 and run[0] is words[0]:
                    opening.append(form)
                elif len(form) > 1:
                    runs[form] = None
            run = [token] if token is not None and index > 0 and token.text[0].isupper() else []
    known = {word for form in runs for word in form.split()}
    runs.update(dict.fromkeys(form for form in opening if form in known))
    return list(runs)

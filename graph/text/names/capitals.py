"""Find names by their capitals, for languages without a parser or model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.model.arrays import Span
from filigraph.graph.text.words import Token, tokens

MAX_WORD_CHARS = 100  # characters; a longer token is data, not prose
_ELIDED = frozenset("OD")  # "Nora O'Hara", "D'Annunzio"
# What a question, an exclamation or a speech begins with inside a line: "DON LUIS.—¿Dónde está?"
_SPEECH = re.compile(r"[¿¡]$|(?:^|[\n.!?…:»”)])[ \t]*[—–―]{1,2}[ \t]*[«“]?$")
_CHARS_BEFORE = 8


def capitalised_names(text: str, offsets: Sequence[Span]) -> list[str]:
    """Runs of capitalised words, without duplicates. A single word at the start of a sentence or a speech counts only
    if it occurs in another run. Empty for scripts without capitals. `offsets` are the sentences of `text`.
    """
    runs: dict[str, None] = {}
    opening: list[str] = []
    for start, end in offsets:
        run: list[Token] = []
        words = [token for token in tokens(text[start:end]) if len(token.text) <= MAX_WORD_CHARS]
        for index, token in enumerate([*words, None]):
            gap = text[start + run[-1].end : start + token.start] if run and token is not None else ""
            joined = gap in {" ", "-", ". "} or (gap in {"'", "’"} and run[-1].text in _ELIDED)
            if token is not None and token.text[0].isupper() and (not run or joined):
                run.append(token)
                continue
            if run:
                form = text[start + run[0].start : start + run[-1].end]
                at = start + run[0].start
                if len(run) == 1 and (run[0] is words[0] or _SPEECH.search(text[max(0, at - _CHARS_BEFORE) : at])):
                    opening.append(form)
                elif len(form) > 1:
                    runs[form] = None
            run = [token] if token is not None and index > 0 and token.text[0].isupper() else []
    known = {word for form in runs for word in form.split()}
    runs.update(dict.fromkeys(form for form in opening if form in known))
    return list(runs)

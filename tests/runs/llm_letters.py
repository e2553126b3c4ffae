"""Letters, and what a language model reads in them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from filigraph.graph.model.documents import Source

Row = Sequence[object]  # sentence, subject, predicate, object, according to


def reply(*facts: Row, implied: Sequence[Row] = ()) -> str:
    keys = ("n", "s", "p", "o", "by")
    given, concluded = ([dict(zip(keys, [*row, ""], strict=False)) for row in rows] for rows in (facts, implied))
    return json.dumps({"names": {}, "facts": given, "implied": concluded})


def letter(name: str, text: str, date: str = "") -> Source:
    return Source(name=name, content=text.encode(), metadata={"date": date} if date else {})


WITNESSES = {
    "Ann saw it": reply([1, "Jules Delmas", "was in", "Lyon", "Ann"]),
    "Paul swears": reply([1, "Jules Delmas", "was in", "Paris", "Paul"]),
    "ring of the Claw": reply(implied=[[[1, 2], "Jules Delmas", "is member of", "the Claw"]]),
}

LETTERS = [
    letter("ann.txt", "Ann saw it: Jules Delmas was in Lyon that night.", "1912-03-04"),
    letter("paul.txt", "Paul swears that Jules Delmas was in Paris that night.", "Tue, 05 Mar 1912 10:00:00 +0100"),
    letter("ring.txt", "Jules Delmas wears the ring of the Claw. Only its members wear that ring."),
]

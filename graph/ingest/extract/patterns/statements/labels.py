"""The names in labels of speakers, senders and signatures."""

from __future__ import annotations

from filigraph.graph.text.time.relative_date_rules import WEEKDAYS
from filigraph.graph.text.words import tokens

_OWNERS = frozenset("you me myself vous moi sie du ich tu yo voce ja вы я 你 我".split())  # noqa: SIM905


def as_name(label: str) -> str:
    return " ".join(label.title().split()) if label.isupper() and len(label) > 2 else label


def is_capitalised(who: str) -> bool:
    """Whether a label is written like a name, and is not a day."""
    words = tokens(who)
    return all(word.text[0].isupper() for word in words) and not {word.folded for word in words} & WEEKDAYS.keys()


def is_owner(who: str) -> bool:
    """Whether a program calls the owner of a telephone so, without a name: "You"."""
    return all(word.folded in _OWNERS for word in tokens(who))

"""What mails quote of each other: a sentence is one however its lines are broken and marked."""

from __future__ import annotations

MAILS = frozenset(("message/rfc822", "application/vnd.ms-outlook"))  # media types
MIN_QUOTED_CHARS = 20  # characters: "I agree." is said again by each who says it
THREAD = "thread"  # the field of a mail's metadata, also of one that was saved as text
QUOTE_MARKS = (">", " ", "\n", "\r", "\t", "\u00a0")  # that quoting puts into a sentence


def unmarked(sentence: str) -> str:
    """A sentence without what quoting changes in it."""
    for mark in QUOTE_MARKS:
        sentence = sentence.replace(mark, "")
    return sentence

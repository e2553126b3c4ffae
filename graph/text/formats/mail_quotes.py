"""Quotations between mails: a sentence counts as the same however its lines are broken and marked."""

from __future__ import annotations

MAILS = frozenset(("message/rfc822", "application/vnd.ms-outlook"))  # media types
MIN_QUOTED_CHARS = 20  # characters: several people may write "I agree."
THREAD = "thread"  # a metadata field of mails, also of those saved as text
QUOTE_MARKS = (">", " ", "\n", "\r", "\t", "\u00a0")  # characters that quoting puts into a sentence


def without_quote_marks(sentence: str) -> str:
    """A sentence without the changes that quoting makes."""
    for mark in QUOTE_MARKS:
        sentence = sentence.replace(mark, "")
    return sentence

"""Unpaired surrogates: JSON can write half of a character, but no store or file can contain it."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def has_half_character(text: str) -> bool:
    return _HALF.search(text) is not None


def without_half_characters(text: str) -> str:
    """The texts with the replacement character for each unpaired surrogate."""
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)

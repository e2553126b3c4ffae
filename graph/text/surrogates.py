"""Halves of characters: a surrogate without its other half, which JSON can write and no store or file can hold."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def has_half_character(text: str) -> bool:
    return _HALF.search(text) is not None


def without_half_characters(text: str) -> str:
    """Each as the sign for what cannot be read."""
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)

"""A filter on the metadata of documents, as people write it."""

from __future__ import annotations

import re

_RANGE = re.compile(r"([^=<>]+)(>=|<=|>|<)(.*)", re.DOTALL)


def parse_condition(text: str) -> tuple[str, str] | None:
    """The key and the value of key=value, key>=value, key<=value, key>value or key<value; a range keeps its operator at
    the end of the key. None where it is not a condition."""
    if match := _RANGE.fullmatch(text):
        key, operator, bound = match.groups()
        return key + operator, bound
    key, mark, value = text.partition("=")
    return (key, value) if key and mark else None

"""Filters on the metadata of documents, as users write them."""

from __future__ import annotations

import re

_RANGE = re.compile(r"([^=<>]+)(>=|<=|>|<)(.*)", re.DOTALL)


def parse_condition(text: str) -> tuple[str, str] | None:
    """The key and the value in key=value, key>=value, key<=value, key>value or key<value; in a range, the key ends with
    the operator. None if the text is not a condition.
    """
    if match := _RANGE.fullmatch(text):
        key, operator, bound = match.groups()
        return key + operator, bound
    key, mark, value = text.partition("=")
    return (key, value) if key and mark else None

"""Lenient parser for the JSON of language models: fenced, wrapped in prose, with trailing commas, truncated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_STRING = r'"(?:[^"\\]|\\.)*+"'
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[\]}}])", re.DOTALL)
_FLAT = re.compile(rf'\{{(?:[^{{}}"]|{_STRING})*+\}}', re.DOTALL)
# A number or numbers, then strings: [3, "Paul", "wears", "ring"]
_ROW = re.compile(rf"\[\s*(?:\d+|\[[\d\s,]*+\])(?:\s*,\s*{_STRING})++\s*,?\s*\]", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)  # allows raw newlines inside strings


def whole_object(text: str) -> dict[str, Any] | None:
    """The JSON object between the first "{" and the last "}" of `text`; None if it is no complete object."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        return None
    for candidate in (text[begin : end + 1], _without_trailing_commas(text[begin : end + 1])):
        try:
            value = _DECODER.decode(candidate)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def innermost_objects(text: str) -> Iterator[dict[str, Any]]:
    """All complete objects without nested objects in `text`, in order: salvages a truncated reply.

    Linear in the length of `text`: each "{" is visited once and scanned to the next "}" or "{" outside strings.
    """
    for match in _FLAT.finditer(text):
        try:
            value = _DECODER.decode(_without_trailing_commas(match[0]))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def rows(text: str) -> Iterator[list[Any]]:
    """All complete arrays in `text` that consist of a number or an array of numbers, followed by strings."""
    for match in _ROW.finditer(text):
        try:
            value = _DECODER.decode(_without_trailing_commas(match[0]))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list):
            yield value


def _without_trailing_commas(text: str) -> str:
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", text)

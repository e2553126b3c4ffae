"""Read the JSON that language models write: fenced, wrapped in prose, with trailing commas, cut in mid-word."""

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
_DECODER = json.JSONDecoder(strict=False)  # raw newlines inside strings are let pass


def whole_object(text: str) -> dict[str, Any] | None:
    """The one JSON object in `text`, whatever stands around it; None where there is none that is complete."""
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
    """Every complete object of plain values in `text`, in order: what can be saved of a reply that was cut.

    Linear in the length of `text`: each "{" is looked at once, and an object is read to the first "}" or "{" outside
    its strings.
    """
    for match in _FLAT.finditer(text):
        try:
            value = _DECODER.decode(_without_trailing_commas(match[0]))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def rows(text: str) -> Iterator[list[Any]]:
    """Every complete array in `text` that begins with a number, or an array of them, and goes on with strings."""
    for match in _ROW.finditer(text):
        try:
            value = _DECODER.decode(_without_trailing_commas(match[0]))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list):
            yield value


def _without_trailing_commas(text: str) -> str:
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", text)

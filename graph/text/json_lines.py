"""JSON lines as persons send them: read one by one, so that a bad row costs that row alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")  # alone: JSON's escapes of a whole pair are one character by now


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1. What JSON takes for a space (U+2028) ends none."""
    for number, line in enumerate(re.split(r"\r\n|[\r\n]", text), start=1):
        if line.strip():
            yield number, line


def json_object(line: str, fields: str) -> dict[str, Any]:
    """The object of a line. Raises ValueError that says what is wrong; `fields` names what was expected."""
    try:
        row = json.loads(line)
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from error
    if not isinstance(row, dict):
        raise ValueError(f"no object {{{fields}}}")
    return row


def check_whole(what: str, text: str) -> None:
    """Raise ValueError where `text` holds half of a character, which no UTF-8 can carry and nobody can complete."""
    if half := _SURROGATE.search(text):
        code = f"\\u{ord(half[0]):04x}"
        raise ValueError(f"the {what} holds half of a character ({code}); write the whole one, or take it out")

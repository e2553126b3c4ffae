"""Parse JSON Lines line by line, so that an invalid line does not affect the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")  # unpaired: JSON decoding joins the escapes of a pair


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """(number from 1, line) of the non-blank lines. U+2028 does not end a line: JSON strings may contain it."""
    for number, line in enumerate(re.split(r"\r\n|[\r\n]", text), start=1):
        if line.strip():
            yield number, line


def json_object(line: str, fields: str) -> dict[str, Any]:
    """The object of a line. `fields` names the expected fields. Raises ValueError if the line is not a JSON object."""
    try:
        row = json.loads(line)
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from error
    if not isinstance(row, dict):
        raise ValueError(f"no object {{{fields}}}")
    return row


def check_whole(what: str, text: str) -> None:
    """Raises ValueError if `text` contains an unpaired surrogate, which UTF-8 cannot encode."""
    if half := _SURROGATE.search(text):
        code = f"\\u{ord(half[0]):04x}"
        raise ValueError(f"the {what} holds half of a character ({code}); write the whole one, or take it out")

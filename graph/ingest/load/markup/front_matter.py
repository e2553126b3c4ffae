"""Front matter: metadata above the text of a Markdown file, between lines of three hyphens."""

from __future__ import annotations

import re
from typing import Any

from filigraph.graph.ingest.load.content import one_line
from filigraph.graph.text.formats.plain_yaml import YAMLError, plain_yaml

_BLOCK = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)\n(?:---|\.\.\.)[ \t]*(?:\n+|\Z)", re.DOTALL)
_NAMES = {"titre": "title", "titel": "title", "auteur": "author", "autor": "author", "datum": "date"}
_MAX_VALUE_CHARS = 1000  # characters of a value


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """The front matter, and the text below it; {} and the whole text if there is none."""
    block = _BLOCK.match(text)
    if not block:
        return {}, text
    try:
        values = plain_yaml(block["yaml"])
    except (YAMLError, ValueError):
        return {}, text
    if not isinstance(values, dict):
        return {}, text
    fields = {_name(str(name)): _value_text(value) for name, value in values.items()}
    return {name: value for name, value in fields.items() if name and value}, text[block.end() :]


def _name(field: str) -> str:
    name = one_line(field).lower()
    return _NAMES.get(name, name)


def _value_text(value: Any) -> str:
    values = value if isinstance(value, list) else [value]
    return one_line(", ".join(str(one) for one in values if not isinstance(one, dict | list)), _MAX_VALUE_CHARS)

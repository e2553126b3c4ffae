"""Parse untrusted YAML and JSON with limits on size, depth and aliases ("billion laughs")."""

from __future__ import annotations

from typing import Any

import yaml

MAX_BYTES = 64_000
MAX_NESTING = 20  # nesting; a schema has five levels

YAMLError = yaml.YAMLError


def plain_yaml(text: str) -> Any:
    """Parse a YAML or JSON text.

    Raises YAMLError on invalid syntax, ValueError if the text is too long, nested too deep, or has aliases.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ValueError(f"it is longer than {MAX_BYTES:,} bytes")
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("it refers back to its own parts (*name), which is not allowed here")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTING:
            raise ValueError(f"it is nested more than {MAX_NESTING} deep")
    return yaml.safe_load(text)

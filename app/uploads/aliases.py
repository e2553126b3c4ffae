"""Read a file of names that a person says are one (`ingest --aliases FILE`): one group per line.

The Claw = La Griffe                                 names with = between them
["Sherlock Holmes", "Mr. Holmes"]                    or a JSON list
{"name": "Dorcas", "aliases": ["The Housemaid"]}     or a JSON object
# a comment
"""

from __future__ import annotations

import json

from filigraph.graph.errors import InputError
from filigraph.graph.model.names import AliasGroup

_CURE = 'Write one group a line, like `The Claw = La Griffe`, or as a JSON list: ["The Claw", "La Griffe"].'


def read_aliases(content: bytes) -> list[AliasGroup]:
    """The groups of a file in UTF-8. Raises InputError with the number of an invalid line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The alias file is not UTF-8 (at byte {error.start}).", cure="Save it as UTF-8.") from error
    groups = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            names = tuple(dict.fromkeys(name.strip() for name in _names(line.strip(), number) if name.strip()))
            if len(names) < 2:
                raise InputError(f"Line {number} of the alias file names fewer than two names.", cure=_CURE)
            groups.append(AliasGroup(names=names))
    return groups


def _names(line: str, number: int) -> list[str]:
    if line[0] not in "[{":
        return line.split("=")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        problem = "nested too deep" if isinstance(error, RecursionError) else f"no JSON: {error}"
        raise InputError(f"Line {number} of the alias file is {problem}.", cure=_CURE) from error
    if isinstance(data, dict):
        data = [data.get("name"), *(data["aliases"] if isinstance(data.get("aliases"), list) else [None])]
    if not all(isinstance(name, str) for name in data):
        raise InputError(f"Line {number} of the alias file has an entry that is not a name.", cure=_CURE)
    return [str(name) for name in data]

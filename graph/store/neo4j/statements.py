"""The Cypher statements, by name: `queries/*.cypher`, each under a line `// name: what it does.`

Only the statements of `schema.cypher` that create and drop the indexes of a workspace have placeholders in angle
brackets, because Neo4j does not accept parameters there. `with_label` replaces them with a label that we made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

HEADER = re.compile(r"^// (?P<name>[a-z0-9_]+): (?P<purpose>.+)$", re.MULTILINE)
OUR_LABEL = re.compile(r"W_[0-9a-f]{16}")


@dataclass(frozen=True, kw_only=True)
class CypherStatement:
    name: str
    purpose: str
    cypher: str

    def with_label(self, label: str, dimensions: int) -> str:
        """The text with a workspace's label and the length of its vectors."""
        if not OUR_LABEL.fullmatch(label):
            raise ValueError(f"not a label of ours: {label!r}")
        return self.cypher.replace("<label>", label).replace("<dimensions>", str(int(dimensions)))


@cache
def statements() -> dict[str, CypherStatement]:
    """Every statement of the store."""
    by_name: dict[str, CypherStatement] = {}
    for file in sorted(files("filigraph.graph.store").joinpath("queries").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".cypher"):
            for statement in parse(file.read_text(encoding="utf-8")):
                if statement.name in by_name:
                    raise ValueError(f"two statements are named {statement.name}")
                by_name[statement.name] = statement
    return by_name


def parse(text: str) -> list[CypherStatement]:
    """The statements of one file."""
    headers = list(HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return [
        CypherStatement(name=header["name"], purpose=header["purpose"], cypher=text[header.end() : end].strip())
        for header, end in zip(headers, ends, strict=True)
    ]


def cypher(name: str) -> str:
    """The text of a statement."""
    return statements()[name].cypher

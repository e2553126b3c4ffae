"""Which documents are meant: by their sources, and by what their metadata say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from filigraph.graph.store import DocumentName


def chosen(
    documents: Iterable[DocumentName], *, sources: Sequence[str] = (), where: Mapping[str, str] | None = None
) -> list[DocumentName]:
    """The documents that one of `sources` names, if there are any, and whose metadata hold all of `where`.

    A source names a document that is called so; one that ends in `/` all in that folder; in one with `*` or `?`, these
    stand for any characters, or for one.
    """
    named = re.compile("|".join(_pattern(source) for source in sources) or ".*", re.DOTALL)
    wanted = (where or {}).items()
    return [row for row in documents if named.fullmatch(row.source) and wanted <= row.metadata.items()]


def _pattern(source: str) -> str:
    if source.endswith("/"):
        source += "*"
    parts = (part if part in "*?" else re.escape(part) for part in re.split(r"([*?])", source) if part)
    return "(?:" + "".join({"*": ".*", "?": "."}.get(part, part) for part in parts) + ")"

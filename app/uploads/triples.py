"""Find the documents of the lines of a triples file (`ingest --triples FILE`).

A line names its document by its full source (for a row of a .jsonl file, its id), or by a file's name without folders,
if only one of the sent files has this name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from filigraph.graph import ids

if TYPE_CHECKING:
    from filigraph.graph.ingest.extract.triples import Row


def by_document(
    workspace: str, triples: Mapping[str, Sequence[Row]], names: Sequence[str]
) -> tuple[dict[str, Sequence[Row]], list[str]]:
    """The triples by document id, and one line for each ambiguous name among the files `names`."""
    bearers: dict[str, list[str]] = defaultdict(list)
    for name in names:
        bearers[name.replace("\\", "/").rpartition("/")[2]].append(name)
    rows_of: dict[str, Sequence[Row]] = {}
    problems: list[str] = []
    for source, rows in triples.items():
        files = [] if source in names else bearers.get(source, [])
        if len(files) > 1:
            problems.append(f"triples: {source} could be any of {len(files)} files; give its whole path")
        else:
            rows_of[ids.document_id(workspace, files[0] if files else source)] = rows
    return rows_of, problems

"""An answer as it is stored with its trace: all that a reader needs to check it later, even if the documents change."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from filigraph.app.version import installed_version
from filigraph.graph.model.answers import Answer
from filigraph.graph.model.retrieval import Retrieved

if TYPE_CHECKING:
    from filigraph.graph.records.documents import DocumentRow


def answer_to_store(
    answer: Answer, retrieved: Retrieved, documents: Sequence[DocumentRow], *, embedder: str
) -> dict[str, Any]:
    """The answer as JSON, without its trace; with the evidence that it does not cite, the documents of the evidence,
    the embedder and the version of Filigraph.

    `documents` are those of the evidence: their `sha256` says which version was read.
    """
    cited = {evidence.id for evidence in answer.citations}
    body = dataclasses.asdict(answer)
    del body["trace"]
    return body | {
        "uncited": [dataclasses.asdict(evidence) for evidence in retrieved.evidence if evidence.id not in cited],
        "documents": [
            {name: getattr(row, name) for name in ("id", "title", "source", "sha256", "language")} for row in documents
        ],
        "version": installed_version(),
        "embedder": embedder,
    }

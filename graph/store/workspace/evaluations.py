"""Evaluations: the places of gold, and the results of earlier runs. Exports do not contain them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from filigraph.graph.records.documents import ChunkText
from filigraph.graph.records.workspaces import EvaluationRow
from filigraph.graph.store.neo4j.database import in_batches
from filigraph.graph.store.workspace.graph_part import GraphPart

BATCH_DOCUMENTS = 100  # documents whose texts are read at once: some of them may be whole novels


class EvaluatePart(GraphPart):
    """The reads of evaluations, and their results."""

    def chunks_of_documents(self, document_ids: Sequence[str]) -> dict[str, list[str]]:
        """Document id -> the ids of its chunks; documents without any are left out."""
        return {row["id"]: row["chunk_ids"] for row in self._read_batches("chunks_of_documents", document_ids)}

    def document_texts(self, document_ids: Sequence[str]) -> Iterator[list[ChunkText]]:
        for batch in in_batches(document_ids, BATCH_DOCUMENTS):
            rows = self._rows("document_texts", items=batch)
            for _, chunks in groupby(rows, key=lambda row: str(row["document_id"])):
                yield [ChunkText(id=row["id"], start=row["start"], text=row["text"]) for row in chunks]

    def keep_evaluation(self, body: Mapping[str, Any]) -> EvaluationRow:
        """Store the result of a run, as long as the workspace exists."""
        run = EvaluationRow(id=uuid.uuid4().hex, at=datetime.now(UTC), body=body)
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        self._change("write_evaluation", id=run.id, at=run.at, body=text)
        return run

    def copy_evaluations_to(self, other: EvaluatePart) -> None:
        """Copy all results into the same workspace of another database; results there do not change."""
        records = [row["record"] for row in self._rows("evaluation_records")]
        other.database.write_batches(records, lambda run, batch: run("write_evaluation_records", items=batch))

    def evaluations(self, *, first: int = 0, count: int) -> tuple[list[EvaluationRow], int]:
        """Some results, the latest first, and their total number."""
        rows = self._rows("evaluations", first=first, count=count)
        runs = [EvaluationRow(id=row["id"], at=row["at"].to_native(), body=json.loads(row["body"])) for row in rows]
        return runs, int(self._rows("count_evaluations")[0]["total"])

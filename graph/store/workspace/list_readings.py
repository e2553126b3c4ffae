"""What an LLM read for lists. It is joined to the chunks that it read, and goes with any of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from filigraph.graph.ids import CONTENT, content_part, list_reading_id
from filigraph.graph.model.llm_readings import ListReading, ReadItem, SentencePlace
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows


class ListReadingPart(GraphPart):
    """Replies about the items of lists."""

    def has_list_readings(self) -> bool:
        """Whether there are any replies."""
        return bool(self._rows("any_list_reading"))

    def list_readings(self, keys: Collection[str]) -> list[ListReading]:
        """The replies to what is asked, as far as there are any."""
        ids = [list_reading_id(self._name, key) for key in keys]
        return [
            ListReading(
                key=row["id"][:CONTENT],
                model=row["model"],
                recipe=row["recipe"],
                chunk_ids=tuple(row["chunk_ids"]),
                items=items_of(row["items"], row["id"][CONTENT:]),
                left_out=row["left_out"],
            )
            for row in self._read_batches("list_readings", ids)
        ]

    def write_list_readings(self, readings: Sequence[ListReading]) -> None:
        """Store replies. Raises InputError if they belong to another workspace."""
        rows: list[Row] = [
            {
                "id": list_reading_id(self._name, reading.key),
                "model": reading.model,
                "recipe": reading.recipe,
                "items": items_json(reading.items),
                "left_out": reading.left_out,
                "chunk_ids": list(reading.chunk_ids),
            }
            for reading in readings
        ]

        def work(run: Run, batch: list[Row]) -> None:
            write_rows(run, "write_list_readings", batch, workspace=self._name)
            run("list_reads_passages", rows=batch, workspace=self._name)

        self._alter_batches(rows, work)


def items_json(items: Sequence[ReadItem]) -> str:
    """Items, to be stored and exported: ids are without what is a workspace's own (see `ids.py`)."""
    rows = [[one.item, content_part(one.place.chunk_id), one.place.start, one.place.end] for one in items]
    return json.dumps(rows, ensure_ascii=False)


def items_of(text: str, tag: str) -> tuple[ReadItem, ...]:
    """The items that `items_json` wrote, in the workspace of that tag."""
    return tuple(
        ReadItem(item=item, place=SentencePlace(chunk_id=chunk + tag, start=start, end=end))
        for item, chunk, start, end in json.loads(text)
    )

"""Who is who across documents, according to an LLM. A link is joined to the chunks whose sentences show it, and deleted
with any of them; a name of it goes with the chunk that has it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import attrgetter

from filigraph.graph.ids import CONTENT, cast_link_id
from filigraph.graph.model.llm_readings import CastLink, NamePlace
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows


class CastLinkPart(GraphPart):
    """The links, and the calls that were answered."""

    def cast_links(self, document_ids: Sequence[str] | None = None) -> list[CastLink]:
        """All links by key, or those with a name or a sentence in these documents."""
        rows = self._rows("cast_links", ids=None if document_ids is None else list(document_ids))
        return sorted(
            (
                CastLink(
                    key=row["id"][:CONTENT],
                    call=row["call"],
                    kind=row["kind"],
                    names=tuple(sorted(NamePlace(**name) for name in row["names"])),
                    reads=tuple(row["reads"]),
                    reason=row["reason"],
                )
                for row in rows
            ),
            key=attrgetter("key"),
        )

    def write_cast_links(self, links: Sequence[CastLink]) -> None:
        """Store links, to be derived. Raises InputError if they belong to another workspace."""
        self._alter_batches(self._link_rows(links), self._write_links)

    def store_cast_reply(self, call: str, links: Sequence[CastLink]) -> None:
        """Store the links of a call, to be derived, in place of those that an earlier reply to it gave."""
        rows = self._link_rows(links)
        ids = [row["id"] for row in rows]

        def work(run: Run, batch: list[Row]) -> None:
            run("forget_earlier_reply", call=call, ids=ids, workspace=self._name)
            self._write_links(run, batch)

        self._alter_batches(rows, work)

    def open_links(self) -> bool:
        """Whether documents were read with an LLM that was not yet asked all who is who across them."""
        return bool(self._rows("open_links")[0]["open"])

    def note_open_links(self, open_: bool) -> None:
        """Record whether this is so: it outlives a run that is stopped before or during the calls."""
        self._change("note_open_links", open=open_)

    def _link_rows(self, links: Sequence[CastLink]) -> list[Row]:
        return [
            {
                "id": cast_link_id(self._name, link.key),
                "call": link.call,
                "kind": link.kind,
                "reason": link.reason,
                "chunk_ids": list(link.reads),
                "names": [{"chunk_id": name.chunk_id, "key": name.key, "side": name.side} for name in link.names],
            }
            for link in links
        ]

    def _write_links(self, run: Run, batch: list[Row]) -> None:
        run("undecided", workspace=self._name)
        write_rows(run, "write_cast_links", batch, workspace=self._name)
        run("cast_link_reads", rows=batch, workspace=self._name)
        run("cast_link_names", rows=batch, workspace=self._name)

    def forget_cast_links(self, links: Collection[CastLink]) -> None:
        """Delete links; what follows is to be derived."""
        rows: list[Row] = [{"id": cast_link_id(self._name, link.key)} for link in links]

        def work(run: Run, batch: list[Row]) -> None:
            run("undecided", workspace=self._name)
            run("forget_cast_links", ids=[row["id"] for row in batch], workspace=self._name)

        self._alter_batches(rows, work)

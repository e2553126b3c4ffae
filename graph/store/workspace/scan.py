"""The results of the scan for known names; and the small reads of an ingest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.names import Mention
from filigraph.graph.records.documents import TitleRow
from filigraph.graph.records.entities import ScannedRow
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.neo4j.edge_types import EdgeTypes
from filigraph.graph.store.workspace.derive import DerivePart
from filigraph.graph.store.workspace.extractions import extraction_from_json
from filigraph.graph.store.workspace.graph_part import write_rows
from filigraph.graph.text.places import marks_text

MIN_LANGUAGE_SHARE = 0.01  # share of the documents


class ScanPart(DerivePart):
    """The results of the scan for known names."""

    def scan_again(self, chunk_ids: Sequence[str]) -> None:
        """Mark these chunks to be scanned for every name and derived, like new chunks."""
        self._write_ids("scan_again", chunk_ids)

    def replace_scan(self, chunk_ids: Sequence[str], mentions: Sequence[Mention]) -> None:
        """Replace the scanned mentions in `chunk_ids` with `mentions`; extracted mentions do not change."""
        self._write_ids("forget_scan", chunk_ids)
        self.write_mentions(mentions)

    def touched_scanned(self) -> list[ScannedRow]:
        """The mentions that only the scan found, and whose places changed since the last sweep, by id."""
        rows = self._rows("touched_scanned")
        chunks = {place[0] for row in rows for place in row["places"]}
        texts = {row["id"]: row for row in self._read_batches("texts", sorted(chunks))}
        return [
            ScannedRow(
                id=row["id"],
                form=row["form"],
                language=row["language"],
                places=tuple(
                    (texts[chunk]["text"][start:end], texts[chunk]["language"]) for chunk, start, end in row["places"]
                ),
            )
            for row in rows
        ]

    def name_mentions(self, names: Mapping[str, tuple[str, str]]) -> None:
        """Mention id -> the form of its name, and the language."""
        rows: list[Row] = [{"id": id_, "form": form, "language": lang} for id_, (form, lang) in sorted(names.items())]
        self._alter_batches(rows, lambda run, batch: write_rows(run, "name_mentions", batch, workspace=self._name))

    def titles(self, *, fresh: bool = False) -> list[TitleRow]:
        """The titles of documents, by id; `fresh`: only titles that the scan has not looked for."""
        titles = self._rows("titles", fresh=fresh)[0]["titles"]
        return [TitleRow(document_id=id_, title=title, fresh=fresh) for id_, title, fresh in titles]

    def replace_titles(
        self, chunk_ids: Sequence[str], named: Mapping[str, Sequence[str]], *, looked_up: Sequence[str]
    ) -> None:
        """Replace the titles that chunks name (chunk id -> document ids). Every chunk was searched for the titles of
        the documents `looked_up`: no other chunk names them.
        """
        self._write_ids("forget_named", looked_up)
        self._write_ids("forget_titles", chunk_ids)
        rows = [{"id": id_, "document_id": document} for id_ in sorted(named) for document in sorted(named[id_])]
        self._alter_batches(rows, lambda run, batch: write_rows(run, "write_titles", batch, workspace=self._name))
        self._write_ids("titles_looked_up", looked_up)

    def document_aliases(self) -> dict[str, list[tuple[str, str]]]:
        """Document id -> the pairs of names that the document states to be one."""
        stated: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in self._rows("document_aliases"):
            aliases = extraction_from_json(row["extraction"]).aliases
            stated[row["document_id"]] += [(alias.first, alias.second) for alias in aliases]
        return dict(stated)

    def document_strangers(self) -> dict[str, Counter[str]]:
        """Document id -> the document's evidence of namesakes, with counts: see `namesake_keys`."""
        stated: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self._rows("document_strangers"):
            stated[row["document_id"]].update(row["keys"])
        return dict(stated)

    def languages(self) -> list[str]:
        """The languages of the workspace's documents, sorted, without unknown ones."""
        return [row["language"] for row in self._rows("languages")]

    def note_overview(self) -> None:
        """Store the numbers of chunks and the languages, so that questions need not count them.

        A language of less than one document in a hundred is left out: the language of a short text is often wrong, and
        a question is also searched in its own language.
        """
        self._change("note_overview", least=MIN_LANGUAGE_SHARE)

    def needs_deriving(self) -> bool:
        """Whether anything was read, decided or deleted whose consequences are not yet complete."""
        return bool(self._rows("needs_deriving", drawn_by=EdgeTypes(self.workspace.settings).version)[0]["needed"])

    def move_chunks(self, chunks: Sequence[Chunk]) -> None:
        """Store the new places of chunks with unchanged texts, extractions and vectors."""
        rows = [
            {
                "id": chunk.id,
                "place": {
                    "index": chunk.index,
                    "start": chunk.start,
                    "end": chunk.end,
                    "place": chunk.place,
                    "places": marks_text(chunk.places),
                },
            }
            for chunk in chunks
        ]
        self._alter_batches(rows, lambda run, batch: write_rows(run, "move_chunks", batch, workspace=self._name))

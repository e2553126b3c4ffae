"""Export: the content of a workspace as lines of JSON; the same content gives the same lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from filigraph.graph.errors import InputError
from filigraph.graph.ids import workspace_tag
from filigraph.graph.serialize import EXPORT_FORMAT, EXPORT_VERSION, exported_title
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.neo4j.edge_types import EdgeTypes
from filigraph.graph.store.workspace.graph_part import GraphPart

BATCH_NODES = 1000  # nodes
IN_ORDER = (
    *("documents", "chunks", "mentions", "decisions", "person_decisions", "alias_groups"),
    *("entities", "facts", "summaries", "forms", "field_values", "contradiction_readings", "list_readings"),
    "cast_links",
)
NEWER_PROPERTIES = ("given", "cast", "open_casts")  # properties of documents
UNORDERED_PROPERTIES = (
    "occurrences",
    "decisions",
    "chunks",
    "supports",
    "drawn",
    "names",
    "titles",
)  # these lists are sets


class ExportPart(GraphPart):
    def dump(self) -> Iterator[str]:
        """The canonical export: a sorted line of JSON for each thing that was read, decided or derived.

        Two workspaces with the same content give the same lines, regardless of their names and of the order of ingest.
        It leaves out vectors, times and traces, and the types in Neo4j Browser, because the registry that limits them
        belongs to the whole database. The first line is a header, the last one has the number of lines. Raises
        InputError if something changes meanwhile.
        """
        revision = self._overview_revision()
        derived = not self._rows("pending", drawn_by=EdgeTypes(self.workspace.settings).version)[0]["pending"]
        yield from self.header_lines(self.workspace.settings, derived=derived)
        lines = 3
        for kind in IN_ORDER:
            rows = self.exported_documents() if kind == "documents" else self._lines(f"dump_{kind}")
            for row in rows:
                lines += 1
                if kind == "summaries" and not row["document_id"] and not row["folder"]:
                    row["title"] = exported_title(row["title"], self._name)
                yield line_of(kind, row)
        if self._overview_revision() != revision:
            raise InputError(
                f"The workspace {self._name!r} was changed while it was exported.",
                cure="Export it again when no ingest is running.",
            )
        yield line_of("end", {"lines": lines})

    def header_lines(self, settings: Mapping[str, Any], *, derived: bool) -> Iterator[str]:
        """The first lines of an export: the header, and the settings."""
        header = {"format": EXPORT_FORMAT, "version": EXPORT_VERSION, "embedder": self.workspace.fingerprint}
        yield line_of("header", {**header, "derived": derived})
        yield line_of("settings", {"settings": dict(settings)})

    def exported_documents(self) -> Iterator[Row]:
        """Each document by id, with its line."""
        for line in self._lines("dump_documents"):
            for name in [name for name in NEWER_PROPERTIES if line[name] is None]:  # an older version did not have them
                del line[name]
            yield line

    def entity_table(self) -> Iterator[Row]:
        """Every entity by id: id, name, type, aliases, chunks (the number that mention it)."""
        return self._rows_by_page("table_of_entities")

    def fact_table(self) -> Iterator[Row]:
        """Every fact by id: its ends with their names, predicate, weight, and in `sentences` its places."""
        return self._rows_by_page("table_of_facts")

    def _lines(self, statement: str) -> Iterator[Row]:
        return (row["line"] for row in self._rows_by_page(statement))

    def _rows_by_page(self, statement: str) -> Iterator[Row]:
        """The rows of a statement that reads some nodes after a given one."""
        after, tag = "", workspace_tag(self._name)
        while True:
            rows = self._rows(statement, after=after, limit=BATCH_NODES)
            yield from rows
            if len(rows) < BATCH_NODES:
                return
            last = rows[-1]
            after = last["id"] if "id" in last else last["line"]["id"] + tag

    def _overview_revision(self) -> str:
        return str(self._rows("overview")[0]["revision"])


def line_of(kind: str, line: Row) -> str:
    ordered: Row = {name: sorted(value) if name in UNORDERED_PROPERTIES else value for name, value in line.items()}
    if kind == "chunks":
        ordered["extraction"] = json.loads(ordered["extraction"])
    return json.dumps({"kind": kind, **ordered}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

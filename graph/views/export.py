"""The canonical export of a view: the export of a workspace that had read only its documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

from filigraph.graph.errors import InputError
from filigraph.graph.ids import content_part
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.store.workspace.export import line_of
from filigraph.graph.views.lines import lines_of_links, lines_of_view
from filigraph.graph.views.reader import ViewGraph

MAX_DOCUMENTS_LISTED = 12  # documents in an error message


class ExportedGraph(Protocol):
    """The workspace of a view."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def read_version(self) -> str: ...
    def header_lines(self, settings: Mapping[str, Any], *, derived: bool) -> Iterator[str]: ...
    def exported_documents(self) -> Iterator[dict[str, Any]]: ...


@dataclass(frozen=True)
class ViewExport:
    """A view to export (`transfer/workspace.py`). Named views, summaries, forms and notes are left out, because they
    may contain hidden information. A view with a part of a document, or without a fact, has no export: no workspace has
    this content.
    """

    graph: ExportedGraph
    view: ViewGraph

    @property
    def workspace(self) -> WorkspaceRow:
        return self.graph.workspace

    def dump(self) -> Iterator[str]:
        """The lines of the export. Raises InputError if something changes meanwhile."""
        self._check_whole()
        visible = {content_part(id_) for id_ in self.view.derived.visible.documents}
        settings = {name: value for name, value in self.workspace.settings.items() if name != "views"}
        documents = (line_of("documents", row) for row in self.graph.exported_documents() if row["id"] in visible)
        lines = 0
        for line in chain(
            self.graph.header_lines(settings, derived=True),
            documents,
            lines_of_view(self.view.derived, settings),
            lines_of_links(self.view.derived),
        ):
            lines += 1
            yield line
        if self.graph.read_version() != self.view.part.version:
            raise InputError(
                f"The workspace {self.workspace.name!r} was changed while it was exported.",
                cure="Export it again when no ingest is running.",
            )
        yield line_of("end", {"lines": lines + 1})

    def dump_notes(self) -> Iterator[str]:
        return iter(())

    def _check_whole(self) -> None:
        derived, part = self.view.derived, self.view.part
        shown = Counter(row.chunk.document_id for row in derived.visible.chunks)
        cut = sorted(
            row.source for id_, row in derived.visible.documents.items() if shown[id_] < len(part.chunks_of[id_])
        )
        if cut or derived.view.without_facts:
            why = f"shows a part of {', '.join(cut[:MAX_DOCUMENTS_LISTED])}" if cut else "leaves out facts"
            raise InputError(
                f"The view {why}: a canonical export needs whole documents.",
                cure="Export it as graphml or csv, or use a view of whole documents.",
            )

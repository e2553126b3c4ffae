"""Workspaces out into files, and back in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, Literal

from filigraph.app.service.context import ServiceContext, Watcher
from filigraph.graph.errors import ModelUnavailable, NotFound
from filigraph.graph.model import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.transfer.workspace import Exported, Imported

TableFormat = Literal["graphml", "csv"]


class Transfer:
    """Exports and imports workspaces, and swaps their embedder."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context

    def export(self, workspace: str, write: Callable[[bytes], object], cancelled: ShouldStop) -> Exported:
        """Write the canonical export of a workspace. Raises InputError if it changes meanwhile."""
        from filigraph.graph.transfer.workspace import export_to

        with self.context.connected():
            return export_to(write, self.context.runtime.graph(workspace), cancelled=cancelled)

    def export_tables(self, workspace: str, file: BinaryIO, form: TableFormat, cancelled: ShouldStop) -> None:
        """Write entities and facts for other programs."""
        from filigraph.graph.transfer.tables import write_csv, write_graphml

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            (write_graphml if form == "graphml" else write_csv)(file, graph, cancelled=cancelled)

    def reembed(
        self,
        workspace: str,
        name: str,
        watcher: Watcher,
    ) -> int:
        """Give a workspace the vectors of the server's embedder (`name` ""), or of one on the server's machine.

        Questions are answered by the old vectors meanwhile. Returns how many vectors were computed in this run.
        """
        from filigraph.graph.transfer.reembed import reembed

        cluster_run = self.context.runtime.cluster_run(watcher.cancelled, watcher.waiting)
        try:
            embedder = self.context.runtime.named_embedder(name, cluster_run)
        except ModelUnavailable as error:
            if not name:
                raise
            raise NotFound(error.cause, cure=error.cure) from error
        with self.context.locked(workspace, watcher) as store:
            return reembed(
                workspace,
                store=store,
                embedder=embedder,
                choice=name,
                progress=watcher.progress,
                cancelled=watcher.cancelled,
            )

    def import_(
        self,
        workspace: str,
        file: BinaryIO,
        watcher: Watcher,
    ) -> Imported:
        """Make a workspace from an export; it must be new or empty. Cut short, it leaves none."""
        from filigraph.graph.transfer.workspace import import_from

        embedder = self.context.runtime.embedder()
        with self.context.locked(workspace, watcher) as store:
            return import_from(
                file,
                workspace,
                store=store,
                embedder=embedder,
                progress=watcher.progress,
                cancelled=watcher.cancelled,
            )

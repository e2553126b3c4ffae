"""Export workspaces to files, import, move and re-embed them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from filigraph.app.schemas.server import Moved
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.graph.views import Views
from filigraph.app.service.workspaces import remove_left_copy
from filigraph.graph.errors import InputError, ModelUnavailable, NotFound
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.records.workspaces import Exported, Imported

TableFormat = Literal["graphml", "csv"]


class Transfer:
    """Exports, imports and moves workspaces, and swaps their embedder."""

    def __init__(self, context: ServiceContext, views: Views) -> None:
        self.context = context
        self._views = views
        self.questions_end = float(context.runtime.settings.question_seconds)

    def export(
        self, workspace: str, write: Callable[[bytes], object], cancelled: ShouldStop, *, view: View = ALL
    ) -> Exported:
        """Write the canonical export of a workspace, or of a view of whole documents. Raises InputError if it changes
        meanwhile, NotFound."""
        from filigraph.graph.transfer.export_workspace import export_to
        from filigraph.graph.views.export import ViewExport

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            if not view:
                return export_to(write, graph, cancelled=cancelled)
            if view.limit:  # settings may reveal what is hidden
                raise InputError("A limited key has no canonical export.", cure="Export as graphml or csv.")
            seen = ViewExport(graph, self._views.open(workspace, view, cancelled))
            return export_to(write, seen, cancelled=cancelled)

    def export_tables(
        self,
        workspace: str,
        file: BinaryIO,
        form: TableFormat,
        cancelled: ShouldStop,
        *,
        notes: Sequence[dict[str, Any]] = (),
        view: View = ALL,
    ) -> None:
        """Write entities, facts and notes for other programs: of a workspace, or of a view of it."""
        from filigraph.graph.transfer.tables import write_csv, write_graphml
        from filigraph.graph.views.rows import ViewRows

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            rows = ViewRows(self._views.open(workspace, view, cancelled).derived) if view else graph
            if form == "graphml":
                write_graphml(file, rows, cancelled=cancelled)
            else:
                write_csv(file, rows, notes=notes, cancelled=cancelled)

    def reembed(
        self,
        workspace: str,
        name: str,
        watcher: ProgressCallbacks,
    ) -> int:
        """Replace the vectors of a workspace by those of the server's embedder (`name` ""), or of another one on its
        machine.

        Questions use the old vectors meanwhile. Returns the number of vectors computed in this run.
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

    def move(self, workspace: str, shard: str, watcher: ProgressCallbacks) -> Moved:
        """Move a workspace to another shard while questions go on; changes wait.

        The old copy is deleted once every question on it has ended. A workspace that does not exist yet will be created
        there. If interrupted before the copy is complete, nothing has changed. Raises NotSetUp if there is no such
        shard.
        """
        from filigraph.app.service.workspace_copy import copy_late_traces, copy_workspace

        runtime = self.context.runtime
        begun = datetime.now(UTC)
        with self.context.connected():
            runtime.shard(shard)  # fail before waiting if there is no such shard
        with self.context.locked(workspace, watcher) as source:
            old = runtime.shard_of(workspace)
            if old == shard:
                return Moved(shard=shard, chunks=0)
            try:
                row = source.workspace(workspace)
            except NotFound:
                runtime.store().placements.place(workspace, shard)
                return Moved(shard=shard, chunks=0)
            with self.context.locked(workspace, watcher, at=shard) as target:
                copied = copy_workspace(
                    workspace,
                    source=source,
                    target=target,
                    embedder=runtime.embedder_of(row),
                    progress=watcher.progress,
                    cancelled=watcher.cancelled,
                )
                runtime.store().placements.place(workspace, shard, leaving=old)
        with self.context.locked(workspace, watcher, at=old) as source:
            watcher.waiting(f"Questions that began on shard {old} end there; then its copy is deleted.")
            runtime.stopping.wait(self.questions_end)
            copy_late_traces(workspace, source=source, target=runtime.shard(shard), since=begun)
            remove_left_copy(workspace, source, runtime.store().placements)
        return Moved(shard=shard, chunks=copied.chunks)

    def import_(
        self,
        workspace: str,
        file: BinaryIO,
        watcher: ProgressCallbacks,
    ) -> Imported:
        """Create a workspace from an export; it must be new or empty. An interrupted import leaves none."""
        from filigraph.graph.transfer.import_workspace import import_from

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

"""Copy a workspace into another store: by export and import, then the data that are in no export."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from filigraph.graph.errors import InputError
from filigraph.graph.ingest.report import Progress
from filigraph.graph.models.embed import Embedder
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.workspaces import Imported
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from

if TYPE_CHECKING:
    from filigraph.graph.store import Store

CLOCKS = timedelta(minutes=1)  # by which the clocks of two servers may differ


def copy_workspace(
    workspace: str,
    *,
    source: Store,
    target: Store,
    embedder: Embedder,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> Imported:
    """Copy a workspace from `source`, whose content does not change meanwhile, to `target`, whose lock is held.

    Copies everything but jobs, which are not in the store of a workspace. The export of the copy equals that of the
    original, byte by byte. Raises InputError if it does not, and Cancelled; then there is no copy.
    """
    graph = source.graph(workspace)
    with TemporaryFile() as file:
        exported = export_to(file.write, graph, cancelled=cancelled)
        file.seek(0)
        imported = import_from(
            file,
            workspace,
            store=target,
            embedder=embedder,
            choice=graph.workspace.embedder,
            progress=progress,
            cancelled=cancelled,
        )
    if imported.sha256 != exported.sha256:
        target.delete_workspace(workspace)
        raise InputError(
            f"The copy of the workspace {workspace} differs from the workspace. {imported.note}",
            cure="Ingest incomplete documents again, then move it; nothing has changed.",
        )
    source.traces.copy_to(target.traces, workspace)
    graph.copy_arrivals_to(target.graph(workspace))
    graph.copy_evaluations_to(target.graph(workspace))
    today = datetime.now(UTC).date().isoformat()
    used, tokens = source.spent.read(workspace, today)
    target.spent.add(workspace, today, tokens)
    target.spent.note(workspace, used)
    return imported


def copy_late_traces(workspace: str, *, source: Store, target: Store, since: datetime) -> None:
    """Copy the traces of questions that `source` answered during the copy."""
    source.traces.copy_to(target.traces, workspace, since=since - CLOCKS)

"""The graph of one workspace: what the pipeline writes and the engine reads."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.store.workspace.browse import BrowsePart
from filigraph.graph.store.workspace.contradictions import ContradictionPart
from filigraph.graph.store.workspace.detail import DetailPart
from filigraph.graph.store.workspace.evaluations import EvaluatePart
from filigraph.graph.store.workspace.export import ExportPart
from filigraph.graph.store.workspace.filtered import AskReads, FilteredGraph
from filigraph.graph.store.workspace.forms import FormPart
from filigraph.graph.store.workspace.list_readings import ListReadingPart
from filigraph.graph.store.workspace.notes import NotePart
from filigraph.graph.store.workspace.read_all import ReadAllPart
from filigraph.graph.store.workspace.reembed import ReembedPart
from filigraph.graph.store.workspace.scan import ScanPart
from filigraph.graph.store.workspace.stated import StatedGraph
from filigraph.graph.store.workspace.sweep import SweepPart


class Graph(
    ReadAllPart,
    ScanPart,
    SweepPart,
    AskReads,
    DetailPart,
    ExportPart,
    ReembedPart,
    EvaluatePart,
    BrowsePart,
    FormPart,
    NotePart,
    ContradictionPart,
    ListReadingPart,
):
    """One workspace.

    All reads are limited to the workspace, by the labels of its indexes or by the `workspace` of each node; it never
    writes to nodes of another workspace. Rows are written in batches; writing the same rows again changes nothing.
    Several threads may read; only one thread at a time may derive and sweep a workspace.
    """

    def filtered(self, document_ids: Sequence[str]) -> FilteredGraph:
        """The reads of a question, limited to these documents."""
        return FilteredGraph(self, document_ids)

    def stated(self, document_ids: Sequence[str]) -> StatedGraph:
        """The reads of a look-up, limited to these documents."""
        return StatedGraph(self.filtered(document_ids))

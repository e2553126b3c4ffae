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
):
    """One workspace.

    Everything read is bound to the workspace, by the labels of its indexes or by the `workspace` of each node; nothing
    is ever written to a node of another. Rows go in batches; writing what is there already changes nothing. Safe to
    use from many threads for reading; deriving and sweeping one workspace is for one thread at a time.
    """

    def filtered(self, document_ids: Sequence[str]) -> FilteredGraph:
        """The reads of a question, from these documents alone."""
        return FilteredGraph(self, document_ids)

    def stated(self, document_ids: Sequence[str]) -> StatedGraph:
        """The reads of a look-up, from these documents alone."""
        return StatedGraph(self.filtered(document_ids))

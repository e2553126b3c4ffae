"""The graph of one workspace: what the pipeline writes and the engine reads."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.store.browse import BrowsePart
from filigraph.graph.store.contradictions import ContradictionPart
from filigraph.graph.store.detail import DetailPart
from filigraph.graph.store.evaluations import EvaluatePart
from filigraph.graph.store.export import ExportPart
from filigraph.graph.store.filtered import AskReads, FilteredGraph
from filigraph.graph.store.forms import FormPart
from filigraph.graph.store.notes import NotePart
from filigraph.graph.store.read_all import ReadAllPart
from filigraph.graph.store.reembed import ReembedPart
from filigraph.graph.store.scan import ScanPart
from filigraph.graph.store.sweep import SweepPart


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

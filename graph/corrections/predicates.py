"""Fold synonymous predicates into one, by corrections of persons.

Inflected forms of a verb are normalized already for English and French (`text/verbs/predicates.py`). Synonyms are never
folded automatically: by cosine, "hates" is as close to "loves" as "adores" is. A fold is a record, and can be undone
like any decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.errors import Cancelled, InputError, NotFound
from filigraph.graph.model.names import StoredCorrection
from filigraph.graph.models.embed import Embedder, embed_texts
from filigraph.graph.names.corrections import check_fold, fold_correction
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.corrections import Suggestion
from filigraph.graph.records.workspaces import PredicateRow, WorkspaceRow

ALIKE = 0.8  # min. cosine of a suggested pair
COMPARED = 2000  # number of most frequent predicates that are compared


class PredicateReader(Protocol):
    """Read access to the predicates of facts."""

    def predicates(self) -> Sequence[PredicateRow]: ...


class FoldGraph(PredicateReader, DeriveGraph, Protocol):
    """Store of a workspace for folding predicates."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def add_corrections(self, decisions: Sequence[StoredCorrection]) -> None: ...


def fold(into: str, forms: Sequence[str], *, note: str = "", graph: FoldGraph, embedder: Embedder) -> StoredCorrection:
    """Replace the predicates `forms` of all facts by `into`. Raises InputError if there is nothing to fold, NotFound
    for a predicate without facts, AlreadyDecided."""
    into, forms = " ".join(into.split()), [" ".join(form.split()) for form in forms]
    if not into or not [form for form in forms if form != into]:
        raise InputError("There is nothing to fold.", cure="Name two predicates.")
    predicates = {row.predicate for row in graph.predicates()}
    missing = next((form for form in forms if form not in predicates), "")
    if missing:
        raise NotFound(f"No fact has the predicate {missing[:80]!r}.", cure="`filigraph predicates list` shows all.")
    correction = fold_correction(graph.workspace.name, into, (form for form in forms if form != into), note=note)
    check_fold(correction, graph.corrections())
    graph.add_corrections([correction])
    derive(graph, embedder=embedder)
    return correction


def suggest(
    *, graph: PredicateReader, embedder: Embedder, count: int, cancelled: ShouldStop = lambda: False
) -> list[Suggestion]:
    """Pairs of predicates with a cosine of at least ALIKE, in descending order. Raises Cancelled."""
    rows = graph.predicates()[:COMPARED]
    if len(rows) < 2:
        return []
    if cancelled():
        raise Cancelled("The client no longer waits for the suggestions.")
    vectors = embed_texts(embedder, [row.predicate for row in rows], exact=True)
    cosines = np.round(vectors @ vectors.T, 4)
    first, second = np.nonzero(np.triu(cosines >= ALIKE, k=1))
    suggestions = [
        Suggestion(into=rows[a].predicate, form=rows[b].predicate, cosine=float(cosines[a, b]))
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    return sorted(suggestions, key=lambda pair: (-pair.cosine, pair.into, pair.form))[:count]

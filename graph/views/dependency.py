"""What an answer hangs on: the smallest sets of documents without which its path breaks.

The share of a document is its responsibility, 1 / (1 + k): k others must be gone before its loss changes the answer
(Meliou et al., "The Complexity of Causality and Responsibility for Query Answers", VLDB 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations

from filigraph.graph.model.answers import AnswerDependency, DocumentWeight
from filigraph.graph.model.retrieval import Hop, Path
from filigraph.graph.views.difference import breaks_in, facts_saying
from filigraph.graph.views.reader import ViewGraph

LARGEST = 3  # documents of a set
LOOKED_AT = 12  # documents
TRIED = 30  # sets: each is a view that is derived

Opened = Callable[[Sequence[str]], ViewGraph | None]  # the view without these documents; None: nothing is left


def dependency(path: Path | None, passages: Sequence[str], whole: ViewGraph, without: Opened) -> AnswerDependency:
    """`passages`: the ids of the passages that the answer cites or shows, best first. Of an answer without a path it is
    the document of the first one."""
    source = {row.id: row.source for row in whole.document_rows(facts=False)}
    chunks = whole.derived.chunks
    of_passages = list(dict.fromkeys(chunks[id_].chunk.document_id for id_ in passages if id_ in chunks))
    sets, complete = list[frozenset[str]](), True
    if path is None or breaks_in(path.hops, whole):
        path = None
        sets = [frozenset(of_passages[:1])] if of_passages else []
    else:
        supporting = [_documents(hop, whole) for hop in path.hops]
        looked_at = list(dict.fromkeys([*chain.from_iterable(map(sorted, supporting)), *of_passages]))
        tried = 0
        for documents in _candidates(supporting, looked_at[:LOOKED_AT]):
            if any(found <= documents for found in sets):
                continue
            if tried == TRIED:
                complete = False
                break
            tried += 1
            view = without(sorted(source[id_] for id_ in documents))
            if view is None or breaks_in(path.hops, view):
                sets.append(documents)
        complete = complete and len(looked_at) <= LOOKED_AT
    smallest = {id_: min(len(found) for found in sets if id_ in found) for found in sets for id_ in found}
    weights = [
        DocumentWeight(document_id=id_, source=source[id_], weight=round(1 / size, 3)) for id_, size in smallest.items()
    ]
    return AnswerDependency(
        path=path.text if path else "",
        sets=tuple(tuple(sorted(source[id_] for id_ in found)) for found in sets),
        documents=tuple(sorted(weights, key=lambda row: (-row.weight, row.source))),
        complete=complete,
    )


def _documents(hop: Hop, whole: ViewGraph) -> frozenset[str]:
    """The documents that say a hop."""
    supports = [id_ for row in facts_saying(hop, whole) for id_ in row.chunk_ids] or [hop.chunk_id]
    return frozenset(whole.derived.chunks[id_].chunk.document_id for id_ in supports if id_ in whole.derived.chunks)


def _candidates(supporting: Sequence[frozenset[str]], documents: Sequence[str]) -> Iterator[frozenset[str]]:
    """Sets to try, smaller ones first; of each size first those that are all that says a hop."""
    for size in range(1, LARGEST + 1):
        yield from (found for found in supporting if len(found) == size)
        yield from map(frozenset, combinations(documents, size))

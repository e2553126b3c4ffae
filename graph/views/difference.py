"""What differs for a question without documents, decisions or facts: which hop of its path breaks, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from filigraph.graph.annotations.receipt import parted
from filigraph.graph.model.answers import Break, Difference
from filigraph.graph.model.retrieval import Hop, Path, Retrieved
from filigraph.graph.views.derived import ViewFact
from filigraph.graph.views.reader import ViewGraph


def difference(before: Retrieved, after: Retrieved, view: ViewGraph) -> Difference:
    """`before`: found with what the view leaves out; `after`: found in the view."""
    path = _best(before.paths)
    passages, left = ([item for item in one.evidence if item.kind == "chunk"] for one in (before, after))
    known = {item.id for item in passages}
    breaks = tuple(_breaks(path.hops, view)) if path else ()
    lost = tuple(item for item in passages if item.id not in view.derived.chunks)
    return Difference(
        path=path,
        breaks=breaks,
        becomes=_best(after.paths),
        lost=lost,
        gained=tuple(item for item in left if item.id not in known),
        changed=bool(breaks or lost),
    )


def _best(paths: Sequence[Path]) -> Path | None:
    return next((path for path in paths if not path.lead), None)


def _breaks(hops: Sequence[Hop], view: ViewGraph) -> Iterator[Break]:
    """The hops that no visible sentence says, or that share no entity with the hop before any more."""
    facts_of = [_facts(hop, view) for hop in hops]
    apart = parted([frozenset().union(*map(_ends, facts)) for facts in facts_of])
    for number, (hop, facts, parts) in enumerate(zip(hops, facts_of, apart, strict=True), 1):
        text = f"{hop.subject} {hop.predicate} {hop.object}"
        gone = hop.chunk_id not in view.derived.chunks
        if hop.fact_id in view.derived.view.without_facts:
            yield Break(hop=number, text=text, why="left_out")
        elif not facts if hop.kind == "fact" else gone:
            yield Break(hop=number, text=text, why="unsaid")
        elif parts:
            yield Break(hop=number, text=text, why="parted")


def _facts(hop: Hop, view: ViewGraph) -> list[ViewFact]:
    """What says the same in the view: the fact itself, or one of the same sentence or of the same words. Ids of
    entities may be others there."""
    if hop.kind != "fact":
        return []
    if hop.fact_id in view.derived.facts:
        return [view.derived.facts[hop.fact_id]]
    statement = f"{hop.subject} {hop.predicate} {hop.object}"
    return [row for row in view.derived.facts.values() if row.fact.text == statement or _says(row, hop)]


def _says(row: ViewFact, hop: Hop) -> bool:
    return row.fact.predicate == hop.predicate and any(
        (support.chunk_id, support.start, support.end) == (hop.chunk_id, hop.start, hop.end)
        for support in row.fact.supports
    )


def _ends(row: ViewFact) -> frozenset[str]:
    return frozenset((row.fact.subject_id, row.fact.object_id))

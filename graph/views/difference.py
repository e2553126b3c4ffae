"""The differences for a question if documents, decisions or facts are left out: which hop of its path breaks, and
why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from filigraph.graph.annotations.receipt import starts_new_path
from filigraph.graph.model.answers import Break, Difference
from filigraph.graph.model.retrieval import Hop, Path, Retrieved
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.views.derived import ViewFact
from filigraph.graph.views.reader import ViewGraph


def difference(before: Retrieved, after: Retrieved, view: ViewGraph) -> Difference:
    """The differences of two results. `before`: without leaving anything out; `after`: in the view."""
    path = _best(before.paths)
    passages, passages_after = (
        [item for item in retrieved.evidence if item.kind == "chunk"] for retrieved in (before, after)
    )
    passage_ids = {item.id for item in passages}
    breaks = breaks_in(path.hops, view) if path else ()
    lost = tuple(item for item in passages if item.id not in view.derived.chunks)
    return Difference(
        path=path,
        breaks=breaks,
        becomes=_best(after.paths),
        lost=lost,
        gained=tuple(item for item in passages_after if item.id not in passage_ids),
        changed=bool(breaks or lost),
    )


def _best(paths: Sequence[Path]) -> Path | None:
    return next((path for path in paths if not path.lead), None)


def breaks_in(hops: Sequence[Hop], view: ViewGraph) -> tuple[Break, ...]:
    """The hops that no visible sentence states, or that do not share an entity with the hop before any more."""
    return tuple(_path_breaks(hops, view))


def _path_breaks(hops: Sequence[Hop], view: ViewGraph) -> Iterator[Break]:
    facts_of = [facts_saying(hop, view) for hop in hops]
    apart = starts_new_path([frozenset().union(*map(_ends, facts)) for facts in facts_of])
    for number, (hop, facts, parts) in enumerate(zip(hops, facts_of, apart, strict=True), 1):
        text = f"{hop.subject} {hop.predicate} {hop.object}"
        gone = not hop.found or hop.chunk_id not in view.derived.chunks
        if hop.fact_id in view.derived.view.without_facts:
            yield Break(hop=number, text=text, why="left_out")
        elif not facts if hop.kind == "fact" else gone:
            yield Break(hop=number, text=text, why="unsaid")
        elif parts:
            yield Break(hop=number, text=text, why="parted")


def facts_saying(hop: Hop, view: ViewGraph) -> list[ViewFact]:
    """The facts of the view that state the same: the fact itself, or one with the same sentence or the same names. The
    ids of entities and the forms of their names may differ there.
    """
    if hop.kind != "fact":
        return []
    if hop.fact_id in view.derived.facts:
        return [view.derived.facts[hop.fact_id]]
    rows = (row for row in view.derived.facts.values() if row.fact.predicate == hop.predicate)
    return [row for row in rows if _is_fact_of_hop(row, hop) or _is_about(row, hop, view)]


def _is_about(row: ViewFact, hop: Hop, view: ViewGraph) -> bool:
    """Whether both ends of a fact have the names of a hop."""
    ends = ((row.fact.subject_id, hop.subject), (row.fact.object_id, hop.object))
    return all(
        name_key(name) in {name_key(form) for form in (entity.name, *entity.aliases)}
        for entity, name in ((view.derived.entities[id_], name) for id_, name in ends)
    )


def _is_fact_of_hop(row: ViewFact, hop: Hop) -> bool:
    place = hop.chunk_id, hop.start, hop.end
    return any((support.chunk_id, support.start, support.end) == place for support in row.fact.supports)


def _ends(row: ViewFact) -> frozenset[str]:
    return frozenset((row.fact.subject_id, row.fact.object_id))

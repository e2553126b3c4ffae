"""The differences between two views of a workspace."""

from __future__ import annotations

from collections.abc import Iterator

from filigraph.graph.analysis.graph_difference import ComparedGraph, Said, differences
from filigraph.graph.records.facts import Comparison
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.views.derived import ViewFact
from filigraph.graph.views.reader import ViewGraph


def compare(first: ViewGraph, second: ViewGraph) -> Comparison:
    """How the second view differs from the first."""
    return differences(_to_compared_graph(first), _to_compared_graph(second))


def all_new(view: ViewGraph) -> Comparison:
    """How a view differs from an empty workspace."""
    after = _to_compared_graph(view)
    return differences(ComparedGraph(names={}, mentions={}, facts={}, in_full=after.in_full), after)


def _to_compared_graph(view: ViewGraph) -> ComparedGraph:
    facts, entities = view.derived.facts, view.derived.entities
    stated = [row for row in facts.values() if row.fact.predicate != TOGETHER]
    return ComparedGraph(
        names={id_: entity.name for id_, entity in entities.items()},
        mentions={id_: entity.mention_ids for id_, entity in entities.items()},
        facts={row.fact.id: tuple(_places(row)) for row in sorted(stated, key=_best_first)},
        in_full=lambda id_: view.detail_fact(facts[id_]),
    )


def _best_first(row: ViewFact) -> tuple[int, str, str]:
    return -row.weight, row.fact.text, row.fact.id


def _places(row: ViewFact) -> Iterator[Said]:
    for support in row.fact.supports:
        yield row.fact.predicate, support.chunk_id, support.start, support.end

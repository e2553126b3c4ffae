"""Path filter: the chains that may be shown, by the predicates of their facts and the types of the entities at their
ends.

The ranking of chunks does not change: a filter restricts paths, not relevance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.paths.chains import FactChain, find_chains
from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.errors import InputError
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Method, Question
from filigraph.graph.records.workspaces import PredicateRow
from filigraph.graph.tables.adjacency import Bools, Rows
from filigraph.graph.text.words import fold

MAX_LISTED_IN_ERROR = 30  # types or predicates that an error names


class FilterGraph(Protocol):
    """The types and predicates to filter by."""

    def entity_types(self) -> Mapping[str, int]: ...
    def predicates(self) -> Sequence[PredicateRow]: ...


@dataclass(frozen=True, kw_only=True)
class PathFilter:
    """Types and predicates in the workspace's spelling; empty: no restriction."""

    types: frozenset[str] = frozenset()  # of an end of the path that the question does not name
    predicates: frozenset[str] = frozenset()  # of each fact

    def __bool__(self) -> bool:
        return bool(self.types or self.predicates)

    def summary(self) -> dict[str, Any]:
        """For the trace; {} where nothing is filtered."""
        return {"only": {"entity_types": sorted(self.types), "path_types": sorted(self.predicates)}} if self else {}


def read_filter(types: Sequence[str], predicates: Sequence[str], graph: FilterGraph, *, method: Method) -> PathFilter:
    """The filter that a question asks for; ignores case and accents. Raises InputError for unknown ones, with a list of
    those that exist, and for a method without paths."""
    if method != "filigraph" and (types or predicates):
        named = {"entity_types": types, "path_types": predicates}
        given = " and ".join(name for name, kinds in named.items() if kinds)
        cause = f"{given}: these are about paths, and the method {method!r} has none."
        raise InputError(cause, cure="Leave them out, or use the method 'filigraph'.")
    return PathFilter(
        types=_check_known("entity_types", types, graph.entity_types()) if types else frozenset(),
        predicates=_check_known("path_types", predicates, [row.predicate for row in graph.predicates()])
        if predicates
        else frozenset(),
    )


def _check_known(setting: str, wanted: Sequence[str], existing: Iterable[str]) -> frozenset[str]:
    """The values of `existing` (the most frequent first) that are wanted."""
    written: dict[str, list[str]] = {}
    for one in existing:
        written.setdefault(_key(one), []).append(one)
    if unknown := [one for one in wanted if _key(one) not in written]:
        kinds = [kind for forms in written.values() for kind in forms]
        more = f" and {len(kinds) - MAX_LISTED_IN_ERROR:,} more" if len(kinds) > MAX_LISTED_IN_ERROR else ""
        listed = ", ".join(kind[:60] for kind in kinds[:MAX_LISTED_IN_ERROR])
        none = "There are none" + (
            ": types come from an LLM, a schema, or names that have a title or a given name."
            if setting == "entity_types"
            else "."
        )
        raise InputError(
            f"{setting}: there is no {' and no '.join(repr(one[:60]) for one in unknown[:5])} in this workspace.",
            cure=f"There are, the most frequent first: {listed}{more}." if listed else none,
        )
    return frozenset(form for one in wanted for form in written[_key(one)])


def _key(text: str) -> str:
    return fold(" ".join(text.split()))


def allowed_chains(
    wanted: PathFilter,
    pool: Pool,
    graph: FactGraph,
    question: Question,
    chunk_scores: Floats,
    reader: GraphReader,
    *,
    depth: int,
) -> list[FactChain]:
    """The chains that pass the filter, best first. This is a search of its own: the chains of all facts may include
    none."""
    said_so = np.ones(graph.size, dtype=bool)
    if wanted.predicates:
        said_so = np.array([fact.predicate in wanted.predicates for fact in pool.facts], dtype=bool)
    if not wanted.types:
        return find_chains(_only_facts(graph, said_so), question, chunk_scores, depth=depth)
    ids = sorted({end for fact in pool.facts for end in (fact.subject_id, fact.object_id)})
    typed = reader.entities_of_types(ids, sorted(wanted.types))
    ends = np.array([[f.subject_id in typed, f.object_id in typed] for f in pool.facts], dtype=bool).reshape(-1, 2)
    of_type = np.zeros(len(graph.rarity), dtype=bool)
    of_type[graph.ends[ends]] = True
    of_type &= ~graph.named
    starts: Bools = of_type[graph.ends[:, 0]] | of_type[graph.ends[:, 1]]
    chains = find_chains(_only_facts(graph, said_so), question, chunk_scores, depth=depth, starts=starts)
    return [chain for chain in chains if _leads_to(of_type, chain, graph)]


def _only_facts(graph: FactGraph, facts: Bools) -> FactGraph:
    """The same, in which only these facts state anything."""
    entity, fact = graph.facts_of.pairs(np.arange(len(graph.rarity)))
    selected = facts[fact]
    return replace(
        graph, states=graph.states & facts, facts_of=Rows.of(entity[selected], fact[selected], len(graph.rarity))
    )


def _leads_to(of_type: Bools, chain: FactChain, graph: FactGraph) -> bool:
    """Whether one of its two ends is one of these entities."""
    entities, times = np.unique(graph.ends[list(chain.facts)], return_counts=True)
    return bool(of_type[entities[times == 1]].any())

"""Source code among the evidence: only some kinds of it, and with what it calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from filigraph.graph.ask.evidence.build import evidence_of
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Evidence

MAX_DEPENDENCIES = 10  # pieces of code that come along, at most
MAX_DEFINITION_FACTS = 200  # facts among which definitions are looked for


def chunks_of_kinds(ids: Sequence[str], kinds: Sequence[str], reader: GraphReader) -> list[str]:
    """The chunks of these kinds: function, method, class, type, module."""
    places = reader.places_of_chunks(ids) if kinds else {}
    return [id_ for id_ in ids if not kinds or _kind_of_place(places.get(id_, "")) in kinds]


def _kind_of_place(place: str) -> str:
    """The kind of a piece of code, which its place begins with: "function parse"."""
    return place.partition(" ")[0]


def evidence_of_kinds(
    evidence: list[Evidence], neighbours: dict[str, Evidence], kinds: Sequence[str]
) -> tuple[list[Evidence], dict[str, Evidence]]:
    """The evidence and the neighbours of these kinds; chunks behind a path are not exempt."""
    if not kinds:
        return evidence, neighbours
    matching = [item for item in evidence if _kind_of_place(item.place) in kinds]
    return matching, {id_: item for id_, item in neighbours.items() if _kind_of_place(item.place) in kinds}


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """Source code that comes along."""

    evidence: Sequence[Evidence] = ()

    def summary(self) -> dict[str, Any]:
        return {"added": [item.id for item in self.evidence]}


def dependencies(evidence: Sequence[Evidence], vector: Vector, reader: GraphReader) -> Dependencies:
    """The definitions of what the source code in the evidence calls, the nearest to the question first."""
    shown = {item.id for item in evidence}
    chunks = reader.pool([item.id for item in evidence if item.kind == "chunk"])
    called = dict.fromkeys(fact.object_id for chunk in chunks for fact in chunk.facts if fact.predicate == "CALLS")
    if not called:
        return Dependencies()
    about = reader.facts_about(list(called), vector, limit=MAX_DEFINITION_FACTS)
    wanted = dict.fromkeys(id_ for fact in about if fact.object_id in called for id_ in fact.chunk_ids)
    defining = {
        chunk.id: float(chunk.vectors[0] @ vector)
        for chunk in reader.pool([id_ for id_ in wanted if id_ not in shown])
        if any(fact.predicate == "DEFINES" and fact.object_id in called for fact in chunk.facts)
    }
    nearest = sorted(defining, key=lambda id_: (-defining[id_], id_))[:MAX_DEPENDENCIES]
    passages = reader.passages(nearest)
    added = [
        replace(evidence_of(passages[id_], 0.0, defining[id_], ("facts",)), kept_by="dependency")
        for id_ in nearest
        if id_ in passages
    ]
    return Dependencies(evidence=added)

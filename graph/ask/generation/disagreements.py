"""Disagreements: two documents say different things about one entity with the same predicate ("was born in Lyon", "was
born in Nantes"). If a single document uses a predicate with several objects ("met"), they do not disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from filigraph.graph.ask.explore.pool import Pool

MAX_DISAGREEMENTS_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """Facts of one entity and predicate with different objects."""

    text: str  # "Jules was born in: Lyon / Nantes"
    chunk_ids: tuple[str, ...]


def disagreements(entity_ids: Collection[str], pool: Pool) -> list[Disagreement]:
    """The disagreements of a pool's documents about these entities, in the order of the pool."""
    stated: dict[tuple[str, str], dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    names: dict[str, str] = {}
    for chunk in pool.chunks:
        for fact in chunk.facts:
            if fact.subject_id in entity_ids and fact.origin != "cooccurrence":
                stated[fact.subject_id, fact.predicate][chunk.document_id].setdefault(fact.object_id, chunk.id)
                names |= {fact.subject_id: fact.subject, fact.object_id: fact.object}
    differing: list[Disagreement] = []
    for (subject, predicate), documents in stated.items():
        by_object = {next(iter(objects)): chunk for objects in documents.values() for chunk in objects.values()}
        if len(by_object) < 2 or any(len(objects) > 1 for objects in documents.values()):
            continue
        values = " / ".join(names[id_] for id_ in by_object)
        chunk_ids = tuple(dict.fromkeys(by_object.values()))
        differing.append(Disagreement(text=f"{names[subject]} {predicate}: {values}", chunk_ids=chunk_ids))
    return differing[:MAX_DISAGREEMENTS_SHOWN]

"""Between: the best chains of facts from each of two or more names to the next, or the result that nothing connects
them.

A name may mean several entities ("Hervé Malgorn", father and son); a description ("the optic of Haut-Corbin") means the
entity whose name is nearest to it. The result lists the entities that each was taken for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from filigraph.graph.ask.question.link import candidate_spans, link
from filigraph.graph.ask.reader import ConnectionReader
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.arrays import Vector
from filigraph.graph.records.entities import EndEntity
from filigraph.graph.records.facts import Connection
from filigraph.graph.text.names.parse import is_proper, name_key, parse
from filigraph.graph.text.names.tables import FUNCTION_WORDS

Verdict = Literal["connected", "text", "hubs", "none", "same"]
EmbedName = Callable[[str], Vector]

MAX_NAMESAKES = 3  # entities that one name may mean
MAX_DESCRIBED_ENTITIES = 2  # entities that a description may mean, by its vector
MIN_DESCRIPTION_COSINE = 0.85  # least cosine of a description with the name of its entity
HOPS, COUNT = 6, 3
_ENTITY_ID = re.compile("[0-9a-f]{48}")
_OPAQUE_ID = re.compile("[0-9a-f-]{32,}")  # of a job or an answer: it describes nothing


@dataclass(frozen=True, kw_only=True)
class Between:
    """How two names are connected.

    connected  by chains that pass no hub
    text       by no facts but those over `hubs`, but by names that stand near each other in a text
    hubs       only by `hubs`: places and dates with many facts
    none       by nothing
    same       both are one entity
    """

    first: str  # as it was asked
    other: str
    first_entities: tuple[EndEntity, ...]
    other_entities: tuple[EndEntity, ...]
    verdict: Verdict
    hubs: tuple[str, ...]  # names of those that chains of facts pass, where there is no other way
    paths: tuple[Connection, ...]


def connect_names(
    names: Sequence[str],
    *,
    graph: ConnectionReader,
    embed: EmbedName | None = None,
    hops: int = HOPS,
    count: int = COUNT,
    in_text: bool = False,
) -> list[Between]:
    """How each name is connected to the next. `embed` returns the vector of a name: with it a description may mean an
    entity. `in_text`: where facts connect nothing, names that stand near each other in a text may. Raises InputError
    for fewer than two names, NotFound for a name that means no entity."""
    if len(names) < 2:
        raise InputError("One entity is named.", cure='Name two: filigraph path "Jules" "La Griffe".')
    ends = [(name, entities_meant(name, graph, embed)) for name in names]
    return [_connect_pair(one, two, graph, hops, count, in_text) for one, two in pairwise(ends)]


End = tuple[str, list[EndEntity]]


def _connect_pair(one: End, two: End, graph: ConnectionReader, hops: int, count: int, in_text: bool) -> Between:
    (first, firsts), (other, others) = one, two
    both = {entity.id for entity in firsts} & {entity.id for entity in others}
    ids, other_ids = [entity.id for entity in firsts], [entity.id for entity in others]
    if any(id_ not in both for id_ in ids):  # of two namesakes, the one that the other name does not mean
        ids = [id_ for id_ in ids if id_ not in both]
    else:
        other_ids = [id_ for id_ in other_ids if id_ not in both]
    connections = graph.connections(ids, other_ids, hops=hops, count=count, in_text=in_text) if other_ids else ()
    weaker = [path for path in connections if path.hubs or path.passes_text]
    over_facts = [path for path in connections if path not in weaker]
    hubs = tuple(sorted({hub for path in connections for hub in path.hubs}))
    joins = any(not any(fact.denied for fact in path.facts) for path in over_facts)
    in_a_text = any(path.passes_text for path in weaker)
    verdict: Verdict = (
        "same" if not other_ids else "connected" if joins else "text" if in_a_text else "hubs" if hubs else "none"
    )
    return Between(
        first=first,
        other=other,
        first_entities=tuple(firsts),
        other_entities=tuple(others),
        verdict=verdict,
        hubs=hubs,
        paths=(*over_facts, *weaker[:count]),
    )


def entities_meant(name: str, graph: ConnectionReader, embed: EmbedName | None) -> list[EndEntity]:
    """The entities that a name, a description or an id means. Raises NotFound."""
    if _ENTITY_ID.fullmatch(name):
        if not (known := graph.entities_by_id([name])):
            raise NotFound(f"There is no entity {name}.", cure="Look for it by its name.")
        return [EndEntity(id=entity.id, name=entity.name) for entity in known]
    entities = entities_with_name(name, graph)[:MAX_NAMESAKES] or _entities_described_as(name, graph, embed)
    if not entities:
        raise NotFound(
            f"No entity has the name {name!r}.", cure="`filigraph entities` finds them by a part of their names."
        )
    return entities


def entities_with_name(name: str, graph: ConnectionReader) -> list[EndEntity]:
    """The entities with this name, the most mentioned first; if none has it, those with its words."""
    named = graph.entities_named([name_key(name)])
    if named:
        return [EndEntity(id=entity.entity_id, name=entity.name) for entity in named]
    words = graph.find_entities(name, count=MAX_NAMESAKES)[0] if name.strip() else []
    return [EndEntity(id=entity.id, name=entity.name) for entity in words]


def _entities_described_as(name: str, graph: ConnectionReader, embed: EmbedName | None) -> list[EndEntity]:
    """The entities that a description may mean: those with all its words but function words, else with a number in it;
    else for "the optic of Haut-Corbin" those with the nearest names, for "Yvon Lesquer, clock-mender" those with the
    longest name in it."""
    parsed = parse(name)
    telling = " ".join(word for word in parsed.words if word not in FUNCTION_WORDS)
    numbers = [word for word in telling.split() if word.isdigit()]
    for words in filter(None, (telling, *numbers)):
        if entities := graph.find_entities(words, count=MAX_NAMESAKES)[0]:
            return [EndEntity(id=entity.id, name=entity.name) for entity in entities]
    if embed and parsed.text[:1].islower() and not _OPAQUE_ID.fullmatch(parsed.text):
        near = [
            hit
            for hit in graph.search_entities(embed(name), MAX_DESCRIBED_ENTITIES)
            if hit.cosine >= MIN_DESCRIPTION_COSINE
        ]
        return [EndEntity(id=entity.entity_id, name=entity.name) for entity in near] or _entities_containing(
            name, graph
        )
    return _entities_containing(name, graph)


def _entities_containing(name: str, graph: ConnectionReader) -> list[EndEntity]:
    """The entities with the longest name in a description."""
    runs = candidate_spans(name)
    linked = link(name, runs, graph.entities_named([run.key for run in runs]))
    best = max(((is_proper(entity.span), len(entity.span)) for entity in linked), default=None)
    named = [entity for entity in linked if (is_proper(entity.span), len(entity.span)) == best]
    return [EndEntity(id=entity.entity_id, name=entity.name) for entity in named[:MAX_NAMESAKES]]

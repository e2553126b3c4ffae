"""Connections between two entities, by the facts of a workspace or of some of its documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from filigraph.graph.analysis.alike import NEAREST_NAMES, AlikePair, NameRow, NameTable
from filigraph.graph.analysis.connections import FactNetwork, Link, fact_edge, find_chains, join, near_ends, with_weaker
from filigraph.graph.analysis.text_steps import MAX_CHUNKS_OF_ENDS, NameInText, NamingText, TextStep, text_steps
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.records.entities import NamedBeside
from filigraph.graph.records.facts import Connection, DetailFact, FactSentence
from filigraph.graph.serialize import casts_of
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.store.workspace.graph_part import GraphPart, document_date, name_lookup, pairs_to_spans
from filigraph.graph.text.places import marks_of, place_of


class ConnectionPart(GraphPart):
    """Chains of facts between entities."""

    _among: Sequence[str] | None = None  # the documents whose facts count; None: all

    def connections(
        self, firsts: Sequence[str], others: Sequence[str], *, hops: int, count: int, in_text: bool = False
    ) -> list[Connection]:
        """The best chains of at most `hops` facts from one of some entities to one of others, at most `count`
        (`graph/analysis/connections.py`). `in_text`: if only hubs join them by facts, also at most `count` chains to
        names near them in a text. Raises NotFound, InputError.
        """
        if set(firsts) & set(others):
            raise InputError("Both are one entity.", cure="Name two.")
        entity_ids = [*firsts, *others]
        network, names = self._fact_network(), self._name_table()
        for id_ in entity_ids:
            if id_ not in names.things:
                raise NotFound(f"There is no entity {id_}.", cure="Look for it by its name.")
        hubs = {id_: name for id_ in network.crowded() if (name := names.hub(id_))}
        bearing = [*entity_ids, *(other for _, other in names.alike(entity_ids))]
        network, alike = self._linked(network, names, bearing, hubs)
        search = partial(find_chains, firsts=firsts, others=others, hubs=hubs, hops=hops, count=count)
        chains, steps = search(network), dict[str, tuple[TextStep, Row]]()
        if in_text and not join(network, chains):
            steps = self._text_steps(bearing, names)
            chains = with_weaker(chains, search(network.with_text(step for step, _ in steps.values())))
        ids = sorted({id_ for chain in chains for id_ in chain.fact_ids})
        facts = {row["fact_id"]: detail_fact([row]) for row in self._facts_in_full(ids)}
        facts |= {id_: named_together(*steps[id_], names) for id_ in ids if id_ in steps}
        return [
            Connection(
                facts=tuple(facts[id_] for id_ in chain.fact_ids),
                hubs=tuple(hubs[id_] for id_ in chain.hubs),
                alike=tuple(alike[pair.first_id, pair.other_id].after(pair.after) for pair in chain.alike),
                named=tuple(NamedBeside(fact=n, id=id_, name=names.things[id_].name) for n, id_ in chain.named),
            )
            for chain in chains
            if facts.keys() >= set(chain.fact_ids)  # none was deleted meanwhile
        ]

    def _linked(
        self, network: FactNetwork, names: NameTable, bearing: Sequence[str], hubs: Collection[str]
    ) -> tuple[FactNetwork, Mapping[tuple[str, str], AlikePair]]:
        """The network with steps that are not facts, around the entities to connect; and the pairs of similar names."""
        near = near_ends(network, bearing, hubs)
        alike = self._alike(near, names)
        rows = self._rows("named_beside", ids=near, together=TOGETHER, documents=self._among)
        beside = [Link(row["id"], end, row["fact_id"]) for row in rows for end in (row["subject_id"], row["object_id"])]
        held = network.links_of_holding(names.holding(near))
        return network.with_links([*beside, *held, *(Link(*pair) for pair in alike if pair[0] < pair[1])]), alike

    def _text_steps(self, ends: Sequence[str], names: NameTable) -> dict[str, tuple[TextStep, Row]]:
        """The steps to names near some entities, each with its chunk."""
        rows = self._rows("names_near", ids=list(ends), documents=self._among, limit=MAX_CHUNKS_OF_ENDS)
        chunks = {row["chunk_id"]: row for row in rows}
        texts = (
            NamingText(
                chunk_id=id_,
                text=row["chunk_text"],
                language=row["language"],
                names=[
                    NameInText(entity, start, size)
                    for entity, start, size in row["names"]
                    if entity in ends or names.leads_on(entity)
                ],
            )
            for id_, row in chunks.items()
        )
        return {step.id: (step, chunks[step.chunk_id]) for step in text_steps(frozenset(ends), texts)}

    def _alike(self, ids: Sequence[str], names: NameTable) -> Mapping[tuple[str, str], AlikePair]:
        """The pairs of entities that may be one, with one of them among `ids`; each in both orders."""
        index = f"{self.workspace.entity_label}_vector"
        rows = self._rows("alike_entities", ids=ids, index=index, reach=NEAREST_NAMES) if ids else []
        return names.alike(ids, [(row["id"], row["other_id"], row["cosine"]) for row in rows])

    def _name_table(self) -> NameTable:
        """The current names of all entities of the workspace."""
        key, revision = ("name table", self.workspace.id), str(self._rows("overview")[0]["revision"])
        cached = self.memory.get(key)
        if not isinstance(cached, NameTable) or cached.revision != revision:
            rows = (NameRow(**row) for row in self._rows("named_things"))
            cached = NameTable(rows, apart=self.names_apart(), revision=revision)
            self.memory.keep(key, cached)
        return cached

    def names_apart(self) -> list[tuple[str, str]]:
        """The pairs of entities with names that a person or an LLM says are two."""
        told = [
            {
                "first": name_lookup(self._name, one.first),
                "second": name_lookup(self._name, one.second),
                "id": row["id"],
            }
            for row in self._rows("casts", ids=None)
            for reading in casts_of(row["cast"])
            for one in reading.contrasts
        ]
        rows = [*self._rows("entities_apart"), *(self._rows("entities_apart_in_documents", items=told) if told else ())]
        return [(row["first"], row["second"]) for row in rows]

    def _fact_network(self) -> FactNetwork:
        """The current facts of the workspace."""
        revision = str(self._rows("overview")[0]["revision"])
        network = self.chunk_cache.find_network(revision)
        if network is None:
            network = FactNetwork.of([fact_edge(**row) for row in self._rows("fact_edges", together=TOGETHER)])
            self.chunk_cache.put_network(self._name, revision, network)
        return network

    def _facts_in_full(self, ids: Sequence[str]) -> list[Row]:
        """Facts, each with its first sentence."""
        return self._rows("facts_in_full", ids=ids, documents=self._among)


def named_together(step: TextStep, chunk: Row, names: NameTable) -> DetailFact:
    """A step in a text as a fact that only names two together; without an id, because it is not stored."""
    first, other = names.things[step.first_id].name, names.things[step.other_id].name
    sentence = {"start": step.start, "end": step.end, "origin": "cooccurrence", "premises": ()}
    unsaid = {"according_to": "", "when": "", "when_date": "", "fact_id": "", "weight": 1, "denied": False}
    ends = {"subject_id": step.first_id, "subject": first, "object_id": step.other_id, "object": other}
    words = {"predicate": TOGETHER, "text": f"{first} {TOGETHER} {other}"}
    return detail_fact([{**chunk, **sentence, **unsaid, **ends, **words}])


def detail_fact(rows: Sequence[Row]) -> DetailFact:
    """A fact with the sentences of its rows."""
    fact = rows[0]
    sentences = [
        FactSentence(
            chunk_id=row["chunk_id"],
            document_id=row["document_id"],
            source=row["source"],
            place=place_of(marks_of(row["places"]), row["start"], row["end"], otherwise=row["place"]),
            sentence=row["chunk_text"][row["start"] : row["end"]],
            start=row["start"],
            end=row["end"],
            origin=row["origin"],
            according_to=row["according_to"],
            premises=tuple(row["chunk_text"][start:end] for start, end in pairs_to_spans(row["premises"])),
            date=document_date(row["metadata"]),
            when=row["when"],
            when_date=row["when_date"],
        )
        for row in rows
    ]
    return DetailFact(
        fact_id=fact["fact_id"],
        subject_id=fact["subject_id"],
        subject=fact["subject"],
        predicate=fact["predicate"],
        object_id=fact["object_id"],
        object=fact["object"],
        text=fact["text"],
        weight=fact["weight"],
        denied=fact["denied"],
        sentences=tuple(sentences),
    )

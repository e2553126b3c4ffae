"""Details of an entity in a view, entities by a part of their name, and connections of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from filigraph.graph.analysis.alike import AlikePair, NameRow, NameTable
from filigraph.graph.analysis.connections import FactNetwork, Link, fact_edge, find_chains, join, near_ends, with_weaker
from filigraph.graph.analysis.text_steps import MAX_CHUNKS_OF_ENDS, NameInText, NamingText, TextStep, text_steps
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.facts import Support
from filigraph.graph.records.entities import NamedBeside
from filigraph.graph.records.facts import Connection, DetailFact, EntityDetail, FactSentence, Statement
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.store.workspace.detail import MAX_FACTS, MAX_SENTENCES_PER_FACT
from filigraph.graph.text.places import place_of
from filigraph.graph.views.derived import DerivedView, ViewFact

Near = Callable[[str], Iterable[tuple[str, float]]]  # entity -> entities with their cosines


class ViewDetail:
    """Reads for people and language models, beside passages."""

    def __init__(self, derived: DerivedView, facts_of: Mapping[str, Sequence[int]]) -> None:
        self._derived, self._facts_of = derived, facts_of
        self._facts = list(derived.facts.values())

    def entity(self, entity_id: str) -> EntityDetail:
        """The details of an entity. Raises NotFound."""
        entity = self._derived.entities.get(entity_id)
        if entity is None:
            raise NotFound(f"There is no entity {entity_id} in this view.", cure="Widen the view, or leave it out.")
        facts = [self._facts[number] for number in self._facts_of.get(entity_id, ())]
        facts.sort(key=lambda row: (-row.weight, row.fact.id))
        return EntityDetail(
            id=entity_id,
            name=entity.name,
            type=entity.type,
            aliases=entity.aliases,
            mentions=len(entity.mention_ids),
            chunks=len(self._derived.chunks_of_entity[entity_id]),
            facts=tuple(self.fact(row, MAX_SENTENCES_PER_FACT) for row in facts[:MAX_FACTS]),
        )

    def connections(
        self, firsts: Sequence[str], others: Sequence[str], near: Near, *, hops: int, count: int, in_text: bool
    ) -> list[Connection]:
        """As `DetailPart.connections`. `near`: the entities whose names are nearest to that of one, with cosines."""
        entities = self._derived.entities
        if set(firsts) & set(others):
            raise InputError("Both are one entity.", cure="Name two.")
        for id_ in (*firsts, *others):
            if id_ not in entities:
                raise NotFound(f"There is no entity {id_} in this view.", cure="Widen the view, or leave it out.")
        entity_ids, names = [*firsts, *others], self._names
        hubs = {id_: name for id_ in self._network.crowded() if (name := names.hub(id_))}
        bearing = [*entity_ids, *(other for _, other in names.alike(entity_ids))]
        ends = near_ends(self._network, bearing, hubs)
        alike = names.alike(ends, [(id_, other, cosine) for id_ in ends for other, cosine in near(id_)])
        held = self._network.links_of_holding(names.holding(ends))
        links = [*self._beside(set(ends)), *held, *(Link(*pair) for pair in alike if pair[0] < pair[1])]
        network = self._network.with_links(links)
        search = partial(find_chains, firsts=firsts, others=others, hubs=hubs, hops=hops, count=count)
        chains, steps = search(network), dict[str, TextStep]()
        if in_text and not join(network, chains):
            steps = {step.id: step for step in self._text_steps(bearing)}
            chains = with_weaker(chains, search(network.with_text(steps.values())))
        return [
            Connection(
                facts=tuple(
                    self._named_together(steps[id_]) if id_ in steps else self.fact(self._derived.facts[id_], 1)
                    for id_ in chain.fact_ids
                ),
                hubs=tuple(hubs[id_] for id_ in chain.hubs),
                alike=tuple(
                    alike[alike_pair.first_id, alike_pair.other_id].after(alike_pair.after)
                    for alike_pair in chain.alike
                ),
                named=tuple(NamedBeside(fact=n, id=id_, name=names.things[id_].name) for n, id_ in chain.named),
            )
            for chain in chains
        ]

    def _text_steps(self, ends: Sequence[str]) -> list[TextStep]:
        """The steps to names near some entities. The chunks that name most of these are read first, then those that
        name a rare one.
        """
        chunks_of = self._derived.chunks_of_entity
        naming: dict[str, list[int]] = defaultdict(list)
        for end in set(ends):
            for id_ in chunks_of.get(end, ()):
                naming[id_].append(len(chunks_of[end]))
        rows = sorted(
            (self._derived.chunks[id_].chunk for id_ in naming),
            key=lambda chunk: (-len(naming[chunk.id]), min(naming[chunk.id]), self._place(chunk)),
        )[:MAX_CHUNKS_OF_ENDS]
        texts = (
            NamingText(
                chunk_id=chunk.id,
                text=chunk.text,
                language=chunk.language,
                names=[
                    NameInText(entity, start, len(chunks_of[entity]))
                    for start, _, entity in self._derived.places_in(chunk.id)
                    if entity in ends or self._names.leads_on(entity)
                ],
            )
            for chunk in rows
        )
        return text_steps(frozenset(ends), texts)

    def _place(self, chunk: Chunk) -> tuple[str, int]:
        return self._derived.visible.documents[chunk.document_id].source, chunk.index

    def _named_together(self, step: TextStep) -> DetailFact:
        """As `store.workspace.connections.named_together`."""
        first, other = (self._derived.entities[id_].name for id_ in (step.first_id, step.other_id))
        support = Support(chunk_id=step.chunk_id, start=step.start, end=step.end, origin="cooccurrence")
        return DetailFact(
            fact_id="",
            subject_id=step.first_id,
            subject=first,
            predicate=TOGETHER,
            object_id=step.other_id,
            object=other,
            text=f"{first} {TOGETHER} {other}",
            weight=1,
            denied=False,
            sentences=(self._sentence(support),),
        )

    def _beside(self, ids: Collection[str]) -> Iterator[Link]:
        """The facts whose sentence names one of these beside their ends, as steps from it to both."""
        for row in self._facts:
            ends = row.fact.subject_id, row.fact.object_id
            if row.denied or row.fact.predicate == TOGETHER or ends[0] == ends[1]:
                continue
            named = {id_ for support in row.fact.supports for id_ in self._derived.named_in(support)}
            for id_ in sorted(named & set(ids) - {*ends}):
                yield from (Link(id_, end, row.fact.id) for end in ends)

    @cached_property
    def _names(self) -> NameTable:
        rows = self._derived.entities.items()
        return NameTable(
            (NameRow(id=id_, name=row.name, type=row.type, aliases=row.aliases) for id_, row in sorted(rows)),
            apart=self._derived.apart(),
        )

    @cached_property
    def _network(self) -> FactNetwork:
        return FactNetwork.of(
            [
                fact_edge(
                    fact_id=row.fact.id,
                    subject_id=row.fact.subject_id,
                    object_id=row.fact.object_id,
                    weight=row.weight,
                    denial=row.fact.predicate if row.denied else "",
                )
                for row in self._facts
                if row.fact.predicate != TOGETHER
            ]
        )

    def fact(self, row: ViewFact, sentences: int) -> DetailFact:
        fact, entities = row.fact, self._derived.entities
        supports = sorted(fact.supports, key=self._order)[:sentences]
        return DetailFact(
            fact_id=fact.id,
            subject_id=fact.subject_id,
            subject=entities[fact.subject_id].name,
            predicate=fact.predicate,
            object_id=fact.object_id,
            object=entities[fact.object_id].name,
            text=fact.text,
            weight=row.weight,
            denied=row.denied,
            sentences=tuple(map(self._sentence, supports)),
        )

    def _order(self, support: Support) -> tuple[bool, str, int, int, int]:
        """Cooccurrences last, then reading order."""
        chunk = self._derived.chunks[support.chunk_id].chunk
        source = self._derived.visible.documents[chunk.document_id].source
        return support.origin == "cooccurrence", source, chunk.index, support.start, support.end

    def _sentence(self, support: Support) -> FactSentence:
        chunk = self._derived.chunks[support.chunk_id].chunk
        document = self._derived.visible.documents[chunk.document_id]
        return FactSentence(
            chunk_id=chunk.id,
            document_id=document.id,
            source=document.source,
            place=place_of(chunk.places, support.start, support.end, otherwise=chunk.place),
            sentence=chunk.text[support.start : support.end],
            start=support.start,
            end=support.end,
            origin=support.origin,
            according_to=support.according_to,
            premises=tuple(chunk.text[start:end] for start, end in support.premises),
            date=str(document.metadata.get("date", "")),
            when=support.when,
            when_date=support.when_date,
        )

    def statements(self) -> list[tuple[int, Statement]]:
        """Every fact, by its number, with each sentence that states it; without facts that only name two together."""
        numbered = [
            (number, support)
            for number, row in enumerate(self._facts)
            if row.fact.predicate != TOGETHER
            for support in row.fact.supports
            if support.origin != "cooccurrence"
        ]
        numbered.sort(key=lambda one: (self._order(one[1]), self._facts[one[0]].fact.id))
        return [(number, self._statement(self._facts[number], support)) for number, support in numbered]

    def alike(self, ids: Sequence[str], near: Near) -> Mapping[tuple[str, str], AlikePair]:
        """The pairs of entities that may be one, one of them among `ids`."""
        return self._names.alike(ids, [(id_, other, cosine) for id_ in ids for other, cosine in near(id_)])

    def _statement(self, row: ViewFact, support: Support) -> Statement:
        sentence, entities = self._sentence(support), self._derived.entities
        chunk = self._derived.chunks[support.chunk_id].chunk
        subject, object_ = entities[row.fact.subject_id], entities[row.fact.object_id]
        return Statement(
            fact_id=row.fact.id,
            subject_id=row.fact.subject_id,
            subject=subject.name,
            subject_type=subject.type,
            predicate=row.fact.predicate,
            object_id=row.fact.object_id,
            object=object_.name,
            object_type=object_.type,
            denied=row.denied,
            sentence=sentence.sentence,
            place=sentence.place,
            chunk_id=chunk.id,
            start=support.start,
            end=support.end,
            document_id=sentence.document_id,
            source=sentence.source,
            language=chunk.language,
            author=str(self._derived.visible.documents[chunk.document_id].metadata.get("author", "")),
            date=sentence.date,
            according_to=support.according_to,
            when=support.when,
            when_date=support.when_date,
        )

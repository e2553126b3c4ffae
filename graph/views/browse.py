"""Reads for people, as for a workspace (`store/workspace/browse.py`, `store/workspace/detail.py`), from memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.facts import Support
from filigraph.graph.records.entities import (
    EntityNames,
    FirstPlace,
    FoundEntity,
    ListedEntity,
    NameDecision,
    NamedEnds,
    NameForm,
)
from filigraph.graph.records.facts import (
    ChainEnds,
    Connection,
    DetailFact,
    EntityDetail,
    ListedFact,
    NearFact,
    Whole,
    WholeEntity,
    WholeFact,
)
from filigraph.graph.records.workspaces import PredicateRow, TypeRow
from filigraph.graph.store.cache.decision_edges import SAME
from filigraph.graph.store.neo4j.edge_types import TOGETHER, EdgeTypes
from filigraph.graph.store.workspace.browse import (
    MAX_CHAIN_START_FACTS,
    MAX_CHAINS,
    MAX_ENTITIES_PER_TYPE,
    MAX_FACTS_PER_NEIGHBOUR,
    MAX_JOINT_FACTS,
    MAX_NAMES,
    MAX_TYPES,
    entities_with_words,
    relations_of,
)
from filigraph.graph.views.derived import ViewFact
from filigraph.graph.views.lines import token_of
from filigraph.graph.views.texts import ViewTexts


class ViewBrowse(ViewTexts):
    """The entities and facts of a view (`graph/analysis/browse.py`)."""

    # ---- Entities

    def entity_types(self) -> dict[str, int]:
        types = Counter(entity.type for entity in self.derived.entities.values() if entity.type)
        return dict(sorted(types.items(), key=lambda item: (-item[1], item[0])))

    def types_found(self) -> list[TypeRow]:
        ids_of_type = defaultdict[str, list[str]](list)
        for id_, entity in self.derived.entities.items():
            ids_of_type[entity.type].append(id_)
        ranked = sorted(ids_of_type.items(), key=lambda item: (not item[0], -len(item[1]), item[0]))[:MAX_TYPES]
        return [
            TypeRow(
                type=type_,
                entities=len(ids),
                first=tuple(map(self._listed, sorted(ids, key=self._rank)[:MAX_ENTITIES_PER_TYPE])),
            )
            for type_, ids in ranked
        ]

    def entities_of_type(self, type_: str) -> list[str]:
        wanted = type_.lower()
        return sorted(id_ for id_, entity in self.derived.entities.items() if entity.type.lower() == wanted)

    def _rank(self, id_: str) -> tuple[int, str]:
        return -self._count(id_), id_

    def _listed(self, id_: str) -> ListedEntity:
        return ListedEntity(id=id_, name=self._tables.name(id_), chunks=self._count(id_))

    def entity_detail(self, entity_id: str) -> EntityDetail:
        return self._tables.detail.entity(entity_id)

    def find_entities(self, name: str, *, first: int = 0, count: int) -> tuple[list[FoundEntity], int]:
        entities = entities_with_words(name, map(self._found_entity, self.derived.entities))
        return entities[first : first + count], len(entities)

    def entities_by_id(self, ids: Iterable[str]) -> list[FoundEntity]:
        return [self._found_entity(id_) for id_ in dict.fromkeys(ids) if id_ in self.derived.entities]

    def connections(
        self, firsts: Sequence[str], others: Sequence[str], *, hops: int, count: int, in_text: bool = False
    ) -> list[Connection]:
        detail, near = self._tables.detail, self._tables.near
        return detail.connections(firsts, others, near, hops=hops, count=count, in_text=in_text)

    def _found_entity(self, id_: str) -> FoundEntity:
        entity = self.derived.entities[id_]
        return FoundEntity(
            id=id_,
            name=entity.name,
            type=entity.type,
            aliases=entity.aliases,
            chunks=self._count(id_),
            facts=len(self._tables.facts_of.get(id_, ())),
        )

    def entity_names(self, entity_id: str) -> EntityNames:
        self._check(entity_id)
        forms = [self._name_form(id_) for id_ in self.derived.entities[entity_id].mention_ids]
        forms.sort(key=lambda form: (-form.count, form.id))
        return EntityNames(forms=tuple(forms[:MAX_NAMES]), decisions=tuple(self._decisions_of(entity_id)[:MAX_NAMES]))

    def _name_form(self, mention_id: str) -> NameForm:
        row, chunks = self.mentions().by_id[mention_id], self._part.chunks
        document = self._documents[row.document_id]
        places = [
            (chunks[chunk].chunk.index, start, end, chunk)
            for chunk, spans in self.derived.occurrences[mention_id].items()
            for start, end in spans
        ]
        _, start, end, chunk_id = min(places)
        return NameForm(
            id=mention_id,
            form=row.form,
            count=len({chunks[chunk].chunk.start + start for _, start, _, chunk in places}),
            document_id=document.id,
            title=document.title,
            source=document.source,
            first=FirstPlace(chunk_id=chunk_id, start=start, end=end),
        )

    def _decisions_of(self, entity_id: str) -> list[NameDecision]:
        mentions, decisions = self.mentions().by_id, list[NameDecision]()
        own = set(self.derived.entities[entity_id].mention_ids)
        for edge, by, review in self.derived.edges:
            for one, two in ((edge.first, edge.second), (edge.second, edge.first)):
                if one not in own or (two in own and one > two) or two not in mentions:
                    continue
                other = mentions[two].entity_id
                decisions.append(
                    NameDecision(
                        form=mentions[one].form,
                        other=mentions[two].form,
                        same=edge.type == SAME,
                        rule=edge.rule,
                        score=edge.score,
                        by=by,
                        id=edge.decision,
                        review=review,
                        other_id=other,
                        other_name=self._tables.name(other) if other else "",
                    )
                )
        return sorted(decisions, key=lambda row: (not row.same, -row.score, row.form, row.other, row.rule))

    # ---- Facts

    def predicates(self) -> list[PredicateRow]:
        edge_types, facts_of = self._edge_types, defaultdict[str, list[ViewFact]](list)
        for row in self._tables.facts:
            facts_of[row.fact.predicate].append(row)
        rows = []
        for predicate, facts in facts_of.items():
            drawn = [edge_types.of(predicate, self._tables.name(row.fact.object_id), row.languages) for row in facts]
            rows.append(
                PredicateRow(
                    predicate=predicate,
                    type=min(type_.name for type_ in drawn),
                    inverse=any(type_.inverse for type_ in drawn),
                    facts=len(facts),
                    sentences=sum(row.weight for row in facts),
                )
            )
        return sorted(rows, key=lambda row: (-row.sentences, row.predicate))

    def facts(
        self,
        *,
        entity_id: str | None = None,
        predicate: str | None = None,
        document_id: str | None = None,
        first: int = 0,
        count: int,
    ) -> tuple[list[ListedFact], int]:
        rows_found = list[ViewFact]()
        for relations in relations_of(predicate or ""):
            rows_found = [
                row
                for row in self._heaviest
                if (entity_id is None or entity_id in (row.fact.subject_id, row.fact.object_id))
                and (predicate is None or row.fact.predicate == predicate or self._relation(row) in relations)
                and (document_id is None or document_id in self._documents_of([row]))
            ]
            if rows_found:
                break
        rows = [
            ListedFact(
                **vars(self._ends(row)),
                id=row.fact.id,
                weight=row.weight,
                text=row.fact.text,
                denied=row.denied,
                own=_is_own(row),
                dates=_dates(row),
            )
            for row in rows_found[first : first + count]
        ]
        return rows, len(rows_found)

    def neighbourhood(self, entity_id: str, *, hops: int, limit: int, together: bool = False) -> list[NearFact]:
        if limit < 1:
            raise InputError(f"{limit} facts cannot be shown.", cure="Ask for at least 1.")
        self._check(entity_id)
        near = self._near([entity_id], limit, together, hop=1)
        if hops == 2 and len(near) < limit:
            ends = {end for fact in near for end in (fact.subject_id, fact.object_id)} - {entity_id}
            known = {fact.fact_id for fact in near}
            near += [
                fact for fact in self._near(ends, MAX_FACTS_PER_NEIGHBOUR, together, hop=2) if fact.fact_id not in known
            ]
        return near[:limit]

    def _near(self, entity_ids: Collection[str], limit: int, together: bool, *, hop: int) -> list[NearFact]:
        facts = self._tables.facts
        facts_near: dict[str, ViewFact] = {}
        for id_ in entity_ids:
            rows = [facts[number] for number in self._tables.facts_of.get(id_, ())]
            rows = sorted((row for row in rows if together or not _only_together(row)), key=_by_support)
            facts_near |= {row.fact.id: row for row in rows[:limit]}
        return [
            NearFact(
                **vars(self._ends(row)),
                fact_id=row.fact.id,
                weight=row.weight,
                together=_only_together(row),
                denied=row.denied,
                own=_is_own(row),
                dates=_dates(row),
                hop=hop,
            )
            for row in sorted(facts_near.values(), key=_by_support)
        ]

    def detail_fact(self, row: ViewFact) -> DetailFact:
        """The fact with its first sentence."""
        return self._tables.detail.fact(row, 1)

    def facts_between(self, first: str, second: str, *, count: int) -> list[DetailFact]:
        rows = [row for row in self._of(first) if {first, second} <= {row.fact.subject_id, row.fact.object_id}]
        return [self.detail_fact(row) for row in sorted(rows, key=_by_support)[:count]]

    def whole(self, *, entities: int, facts: int, document_id: str | None = None) -> Whole:
        def there(chunk_ids: Collection[str]) -> bool:
            return document_id is None or any(self._document_of(id_) == document_id for id_ in chunk_ids)

        ends = Counter(end for row in self._tables.facts for end in (row.fact.subject_id, row.fact.object_id))
        heaviest = [
            WholeEntity(
                id=id_,
                name=entity.name,
                type=entity.type,
                chunks=self._count(id_),
                facts=ends[id_],
            )
            for id_, entity in self.derived.entities.items()
            if ends[id_] and there(self.derived.chunks_of_entity[id_])
        ]
        stated = [row for row in self._heaviest if row.fact.predicate != TOGETHER and there(row.chunk_ids)]
        shown = sorted(heaviest, key=lambda row: (-row.chunks, -row.facts, row.id))[:entities]
        ids = {row.id for row in shown}
        between = [row for row in stated if {row.fact.subject_id, row.fact.object_id} <= ids][:facts]
        return Whole(
            revision=self.revision(),
            entities=tuple(shown),
            facts=tuple(map(self._whole_fact, between)),
            total_entities=len(heaviest),
            total_facts=len(stated),
        )

    def _whole_fact(self, row: ViewFact) -> WholeFact:
        return WholeFact(
            id=row.fact.id,
            subject_id=row.fact.subject_id,
            predicate=row.fact.predicate,
            object_id=row.fact.object_id,
            relation=self._relation(row),
            weight=row.weight,
            denied=row.denied,
        )

    def chains(self) -> list[ChainEnds]:
        ends = Counter(end for row in self._tables.facts for end in (row.fact.subject_id, row.fact.object_id))
        joined = {frozenset((row.fact.subject_id, row.fact.object_id)) for row in self._tables.facts}
        chains_found: dict[tuple[str, str], tuple[int, str]] = {}
        for fact in self._heaviest[:MAX_CHAIN_START_FACTS]:
            a, b = fact.fact.subject_id, fact.fact.object_id
            if a == b or ends[b] > MAX_JOINT_FACTS or ends[a] > 10 * MAX_JOINT_FACTS:
                continue
            for two in self._of(b):
                c = two.fact.object_id
                apart = two.fact.subject_id == b and c not in (a, b) and frozenset((a, c)) not in joined
                if apart and not set(fact.chunk_ids) & set(two.chunk_ids):
                    weight, language = chains_found.get((a, c), (0, ""))
                    languages = sorted(
                        filter(None, [language, *(self._documents[id_].language for id_ in self._documents_of([fact]))])
                    )
                    chains_found[a, c] = max(weight, fact.weight + two.weight), languages[0] if languages else ""
        best = sorted(chains_found.items(), key=lambda item: (-item[1][0], item[0]))[:MAX_CHAINS]
        return [
            ChainEnds(first_id=a, first=self._tables.name(a), last_id=c, last=self._tables.name(c), language=language)
            for (a, c), (_, language) in best
        ]

    # ---- Shared

    @cached_property
    def _heaviest(self) -> Sequence[ViewFact]:
        return sorted(self._tables.facts, key=_by_support)

    @cached_property
    def _edge_types(self) -> EdgeTypes:
        return EdgeTypes(self.workspace.settings)

    def _relation(self, row: ViewFact) -> str:
        """The relationship type of a fact."""
        return token_of(row, self.derived, self._edge_types)

    def _of(self, entity_id: str) -> list[ViewFact]:
        return [self._tables.facts[number] for number in self._tables.facts_of.get(entity_id, ())]

    def _ends(self, row: ViewFact) -> NamedEnds:
        fact = row.fact
        return NamedEnds(
            subject_id=fact.subject_id,
            subject=self._tables.name(fact.subject_id),
            predicate=fact.predicate,
            object_id=fact.object_id,
            object=self._tables.name(fact.object_id),
        )

    def _documents_of(self, rows: Sequence[ViewFact]) -> set[str]:
        return {self._document_of(support.chunk_id) for row in rows for support in row.fact.supports}

    def _check(self, entity_id: str) -> None:
        if entity_id not in self.derived.entities:
            raise NotFound(f"There is no entity {entity_id} in this view.", cure="Widen the view, or leave it out.")


def _by_support(row: ViewFact) -> tuple[int, str]:
    """The best supported first."""
    return -row.weight, row.fact.id


def _only_together(row: ViewFact) -> bool:
    return all(support.origin == "cooccurrence" for support in row.fact.supports)


def _is_own(row: ViewFact) -> bool:
    return all(support.origin == "own" for support in row.fact.supports)


def _dates(row: ViewFact) -> list[str]:
    def date(support: Support) -> str:
        return support.when_date or support.when

    return sorted({date(support) for support in row.fact.supports if support.when})

"""Reads for people: documents, entities found by name, their names and neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from filigraph.graph.analysis.cast_reasons import BY_READER, with_reasons
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.records.documents import FoundPiece, Piece
from filigraph.graph.records.entities import (
    EntityNames,
    FirstPlace,
    FoundEntity,
    ListedEntity,
    MentioningChunk,
    NameDecision,
    NameForm,
)
from filigraph.graph.records.facts import ChainEnds, ListedFact, NearFact, Whole, WholeEntity, WholeFact
from filigraph.graph.records.workspaces import TypeRow
from filigraph.graph.serialize import casts_of
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.store.workspace.cast_links import CastLinkPart
from filigraph.graph.store.workspace.graph_part import name_lookup
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.places import marks_of
from filigraph.graph.text.variants import part_of_name
from filigraph.graph.text.verbs.relation_lists import LANGUAGES
from filigraph.graph.text.verbs.relation_types import relation_type
from filigraph.graph.text.words import lucene_query, tokens

CHUNKS_BEFORE = 2  # chunks shown before the requested one
MAX_SEARCHED_NAMES = 2000  # names that are examined to find matching ones
MAX_NAMES = 200  # names of one entity, and decisions about it
MAX_CHAIN_START_FACTS = 500  # facts from which chains begin
MAX_JOINT_FACTS = 12  # facts of an entity that connects two others: one with more facts connects everything
MAX_CHAINS = 60
MAX_ENTITIES_PER_PART = 60  # entities listed for a part of a document
MAX_ENTITIES_PER_TYPE = 8  # entities listed for each type
MAX_TYPES = 50  # listed
MAX_FACTS_AMONG = 50_000  # facts between some entities
MAX_FACTS_PER_NEIGHBOUR = 8  # facts of each entity at the second hop


class BrowsePart(CastLinkPart):
    """Reads for people."""

    def pieces(self, document_id: str, *, chunk_id: str = "", first: int = 0, count: int) -> list[Piece]:
        """`count` chunks of a document, in order, from number `first` on, or from a little before `chunk_id`.

        None if the document has none there. Raises NotFound if the document does not have this chunk any more.
        """
        if chunk_id:
            rows = self._rows("chunk_index", id=chunk_id, document_id=document_id)
            if not rows:
                raise NotFound(
                    f"The document {document_id} has no passage {chunk_id}: it was changed or deleted.",
                    cure="Ask again to use the current version of the document.",
                )
            first = max(rows[0]["index"] - CHUNKS_BEFORE, 0)
        parameters = {"document_id": document_id, "first": first, "count": count}
        return [_piece(row) for row in _existing_rows(self._rows("document_pieces", **parameters))]

    def chains(self) -> list[ChainEnds]:
        """Some chains of two facts from different passages, the best supported first."""
        return [
            ChainEnds(**row)
            for row in _existing_rows(
                self._rows("chains", facts=MAX_CHAIN_START_FACTS, rare=MAX_JOINT_FACTS, limit=MAX_CHAINS)
            )
        ]

    def types_found(self) -> list[TypeRow]:
        """The types of the entities, the largest first; those without one last."""
        rows = self._rows("types_found", shown=MAX_ENTITIES_PER_TYPE, limit=MAX_TYPES)
        return [
            TypeRow(
                type=row["type"],
                entities=row["entities"],
                first=tuple(ListedEntity(**entity) for entity in row["first"]),
            )
            for row in rows
        ]

    def entities_of_type(self, type_: str) -> list[str]:
        """The ids of the entities of a type, ignoring case."""
        return [row["id"] for row in self._rows("entities_of_type", type=type_.lower())]

    def entities_in(self, document_id: str, *, first: int, count: int) -> list[ListedEntity]:
        """The entities that `count` chunks of a document mention, from number `first` on."""
        parameters = {"document_id": document_id, "first": first, "count": count, "limit": MAX_ENTITIES_PER_PART}
        return [ListedEntity(**row) for row in _existing_rows(self._rows("entities_in_pieces", **parameters))]

    def pieces_with_words(self, words: Sequence[Sequence[str]]) -> list[FoundPiece]:
        """The chunks that contain a term of each of `words` (a word's terms, by language), in reading order."""
        query = " AND ".join(f"({lucene_query(terms)})" for terms in words if terms)
        if not query:
            return []
        index = f"{self.workspace.chunk_label}_words"
        rows = self._rows("pieces_with_words", index=index, query=query)
        names = ("document_id", "source", "title")
        return [
            FoundPiece(**{name: row.pop(name) for name in names}, piece=_piece(row)) for row in _existing_rows(rows)
        ]

    def chunks_mentioning(self, entity_ids: Sequence[str]) -> list[MentioningChunk]:
        """The chunks that mention any of these entities, in reading order."""
        rows = self._rows("chunks_mentioning", ids=list(entity_ids))
        chunks = []
        for row in rows:
            places = sorted((start, end, id_) for id_, start, end in row.pop("occurrences"))
            chunks.append(MentioningChunk(**row, occurrences=tuple((id_, start, end) for start, end, id_ in places)))
        return chunks

    def facts(
        self,
        *,
        entity_id: str | None = None,
        predicate: str | None = None,
        document_id: str | None = None,
        first: int = 0,
        count: int,
    ) -> tuple[list[ListedFact], int]:
        """Some facts of an entity, a predicate or a document, the best supported first, and their total number. A
        predicate may be a relation's name in words ("is married to" for IS_MARRIED_TO, which includes "marries"); an
        unused predicate means the relation that it would have.
        """
        which: dict[str, Any] = {"entity": entity_id, "predicate": predicate, "document": document_id}
        total = 0
        for relations in relations_of(predicate or ""):
            which["relations"] = relations
            if total := int(self._rows("count_facts", **which)[0]["total"]):
                break
        rows = self._rows("list_facts", **which, first=first, count=count)
        return [ListedFact(**row) for row in _existing_rows(rows)], total

    def whole(self, *, entities: int, facts: int, document_id: str | None = None) -> Whole:
        """The entities that most chunks mention, and the best supported facts between them, up to these numbers."""
        which = {"document": document_id, "together": TOGETHER}
        revision = self.revision()
        rows = self._rows("whole_entities", document=document_id, limit=entities)
        heaviest = [WholeEntity(**row) for row in _existing_rows(rows, may_lack=("type",))]
        between = self._rows("whole_facts", ids=[row.id for row in heaviest], limit=facts, **which)
        counts = self._rows("whole_counts", **which)[0]
        return Whole(
            revision=revision,
            entities=tuple(heaviest),
            facts=tuple(WholeFact(**row) for row in _existing_rows(between)),
            total_entities=counts["entities"],
            total_facts=counts["facts"],
        )

    def facts_among(self, entity_ids: Sequence[str], *, document_id: str | None = None) -> list[WholeFact]:
        """The facts between these entities, or of a document, without those that only name two together; the best
        supported ones.
        """
        parameters = {"ids": list(entity_ids), "limit": MAX_FACTS_AMONG, "document": document_id, "together": TOGETHER}
        return [WholeFact(**row) for row in _existing_rows(self._rows("whole_facts", **parameters))]

    def revision(self) -> str:
        """A value that differs after each change."""
        return str(self._rows("overview")[0]["revision"])

    def find_entities(self, name: str, *, first: int = 0, count: int) -> tuple[list[FoundEntity], int]:
        """Some of the entities with a name that contains all these words or parts of words, ignoring accents, and their
        total number; MAX_SEARCHED_NAMES names are examined. Exact names come first, then the most mentioned. Without a
        word: the most mentioned entities.
        """
        if not name.strip():
            ids = [row["id"] for row in self._rows("most_mentioned", first=first, count=count)]
            most = sorted(self.entities_by_id(ids), key=lambda row: (-row.chunks, row.id))
            return most, int(self._rows("count_entities")[0]["total"])
        words, key = [token.folded for token in tokens(name)], name_key(name)
        if not words:
            return [], 0
        # any of the words, because the index omits "the"; and the name itself, because the index omits "Will"
        index = f"{self.workspace.entity_label}_words"
        query = " OR ".join(map(part_of_name, words))
        rows = self.database.rows("find_entities", index=index, query=query, reach=MAX_SEARCHED_NAMES)
        named = self._rows("entities_named", items=[{"key": key, "lookup": name_lookup(self._name, key)}])
        briefly = self.entities_by_id([row["id"] for row in rows] + [row["entity_id"] for row in named])
        best = entities_with_words(name, briefly)
        return best[first : first + count], len(best)

    def entities_by_id(self, ids: Iterable[str]) -> list[FoundEntity]:
        """These entities; unknown ids are left out."""
        rows = self._rows("entities_in_brief", ids=list(dict.fromkeys(ids)))
        complete_rows = _existing_rows(rows, may_lack=("type",))
        return [FoundEntity(**{**row, "aliases": tuple(row["aliases"])}) for row in complete_rows]

    def entity_names(self, entity_id: str) -> EntityNames:
        """The names of an entity as its documents write them, and the decisions about them. Raises NotFound."""
        names = _existing_rows(self._rows("entity_names", id=entity_id, limit=MAX_NAMES))
        if not names:
            raise NotFound(f"There is no entity {entity_id}.", cure="Look for it by its name.")
        rows = _existing_rows(self._rows("entity_decisions", id=entity_id, limit=MAX_NAMES), may_lack=("score",))
        within = [(row.pop("document"), row.pop("other_document")) for row in rows]
        decisions = tuple(NameDecision(**row) for row in rows)
        if any(row.rule in BY_READER for row in decisions):
            documents = sorted({row["document_id"] for row in names})
            casts = self._rows("casts", ids=documents)
            readings = {row["id"]: casts_of(row["cast"]) for row in casts}
            decisions = with_reasons(decisions, within, readings, self.cast_links(documents))
        return EntityNames(
            forms=tuple(NameForm(**{**row, "first": FirstPlace(**row["first"])}) for row in names),
            decisions=decisions,
        )

    def neighbourhood(self, entity_id: str, *, hops: int, limit: int, together: bool = False) -> list[NearFact]:
        """At most `limit` facts of an entity, the best supported first; with 2 `hops`, those of its neighbours after
        them. `together`: include facts that only name two together. Raises NotFound.
        """
        if limit < 1:
            raise InputError(f"{limit} facts cannot be shown.", cure="Ask for at least 1.")
        rows = self._rows("neighbourhood", ids=[entity_id], limit=limit, together=together)
        near = [NearFact(**row, hop=1) for row in _existing_rows(rows)]
        if not near and not self._rows("entity", id=entity_id):
            raise NotFound(f"There is no entity {entity_id}.", cure="Look for it by its name.")
        if hops == 2 and len(near) < limit:
            ends = {end for fact in near for end in (fact.subject_id, fact.object_id)} - {entity_id}
            known = {fact.fact_id for fact in near}
            parameters = {"ids": sorted(ends), "limit": MAX_FACTS_PER_NEIGHBOUR, "together": together}
            far = [NearFact(**row, hop=2) for row in _existing_rows(self._rows("neighbourhood", **parameters))]
            near += [fact for fact in far if fact.fact_id not in known]
        return near[:limit]


def _existing_rows(rows: Iterable[Row], *, may_lack: Sequence[str] = ()) -> list[Row]:
    """The rows of existing nodes. Neo4j reads while others write: a node that was deleted after a statement found it
    has no properties or places any more.
    """
    return [row for row in rows if all(value is not None for name, value in row.items() if name not in may_lack)]


WHOLE, BEGINS, PART, OTHER = range(4)


def entities_with_words(name: str, entities: Iterable[FoundEntity]) -> list[FoundEntity]:
    """The entities with a name that contains all these words or parts of words: exact names first, then the most
    mentioned. Without a word: the most mentioned.
    """
    words = [token.folded for token in tokens(name)]
    if not words:
        return [] if name.strip() else sorted(entities, key=lambda row: (-row.chunks, row.id))
    near = {row: min(name_match_rank(words, form) for form in (row.name, *row.aliases)) for row in entities}
    return sorted((row for row in near if near[row] < OTHER), key=lambda row: (near[row], -row.chunks, row.id))


def name_match_rank(words: Sequence[str], form: str) -> int:
    """How well a name matches: it is equal, begins with the words, or contains them."""
    own = [token.folded for token in tokens(form)]
    if own == words:
        return WHOLE
    if not all(any(word in one for one in own) for word in words):
        return OTHER
    return BEGINS if " ".join(own).startswith(" ".join(words)) else PART


def _piece(row: Row) -> Piece:
    return Piece(**row | {"places": marks_of(row["places"])})


def relations_of(predicate: str) -> Iterator[list[str]]:
    """The relation with this name in words, then the relations that the words would be read as."""
    yield ["_".join(word.folded for word in tokens(predicate)).upper()]
    read = (relation_type(predicate, "", language) for language in LANGUAGES) if predicate else ()
    yield sorted({relation.name for relation in read if relation})

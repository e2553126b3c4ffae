"""Documents, entities and facts of a workspace."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping, Sequence
from typing import Any

from filigraph.app.client.addresses import path
from filigraph.app.client.events import OnProgress, emit
from filigraph.app.client.options import Extractor
from filigraph.app.client.rest import Client
from filigraph.app.schemas.cast_list import CastOrder, CastOut
from filigraph.app.schemas.documents import (
    DeletedManyOut,
    DocumentDetailOut,
    DocumentOut,
    DocumentsOut,
    DocumentTextOut,
)
from filigraph.app.schemas.family import FamiliesOut
from filigraph.app.schemas.graph.comparison import EntityComparisonOut
from filigraph.app.schemas.graph.connections import BetweenOut, ConnectionsBetweenOut
from filigraph.app.schemas.graph.contradictions import ContradictionsOut
from filigraph.app.schemas.graph.corrections import PlacesOut
from filigraph.app.schemas.graph.entities import ConnectionsOut, EntityOut, FactsOut, FoundEntitiesOut, NeighbourhoodOut
from filigraph.app.schemas.graph.views import ComparisonOut
from filigraph.app.schemas.graph.whole import TimelineOut
from filigraph.app.schemas.jobs import JobOut
from filigraph.app.schemas.list_items import ListItemsOut
from filigraph.app.schemas.passages import NamingPassagesOut
from filigraph.app.schemas.readings import PricedReading
from filigraph.app.schemas.serialize import from_json
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.answers import AnswerDependency
from filigraph.graph.records.entities import EntityNames

PAGE_DOCUMENTS = 10_000  # documents per request


class Documents:
    """Ingested documents. Methods for one document take its id, methods for several take sources or ids."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(
        self, *, sources: Sequence[str] = (), where: Mapping[str, str] | None = None, first: int = 0
    ) -> builtins.list[DocumentOut]:
        """All documents from `first` on, sorted by source, filtered by `sources` (folders end in /, patterns have * and
        ?) and by metadata (`where`)."""
        conditions = [f"{key}={value}" for key, value in (where or {}).items()]
        documents: builtins.list[DocumentOut] = []
        while True:
            params = {
                "source": [*sources],
                "where": conditions,
                "first": first + len(documents),
                "count": PAGE_DOCUMENTS,
            }
            page = DocumentsOut.model_validate(self._client.get(path(self._workspace, "documents"), **params))
            documents += page.documents
            if len(page.documents) < PAGE_DOCUMENTS:
                return documents

    def show(self, document_id: str) -> DocumentDetailOut:
        """One document, with its metadata, its pages and chapters."""
        return DocumentDetailOut.model_validate(self._client.get(path(self._workspace, "documents", document_id)))

    def text(self, document_id: str, *, first: int = 0, count: int = 100, chunk: str = "") -> DocumentTextOut:
        """A page of the text of a document, in pieces; with `chunk` it starts shortly before this chunk."""
        begin = {"chunk": chunk} if chunk else {"first": first}
        address = path(self._workspace, "documents", document_id, "text")
        return DocumentTextOut.model_validate(self._client.get(address, count=count, **begin))

    def dependency(self, document_id: str, *, count: int = 50) -> ComparisonOut:
        """What depends on a document: how the graph differs from one without it."""
        address = path(self._workspace, "documents", document_id, "dependency")
        return ComparisonOut.model_validate(self._client.get(address, count=count))

    def update(
        self,
        document_id: str,
        content: bytes,
        *,
        metadata: Mapping[str, str] | None = None,
        extractor: Extractor | None = None,
        progress: OnProgress | None = None,
    ) -> IngestReport:
        """Replace a document by new content; only changed chunks are read."""
        fields: dict[str, str] = {"extractor": extractor} if extractor else {}
        if metadata is not None:
            fields["metadata"] = json.dumps(dict(metadata), ensure_ascii=False)
        report: dict[str, object] = {}
        sent = {"file": ("document", content, "application/octet-stream")}
        address = path(self._workspace, "documents", document_id)
        for event in self._client.stream(address, method="PUT", files=sent, data=fields):
            emit(progress, event)
            report = event.get("report") or report
        return from_json(IngestReport, report)

    def delete(self, *, sources: Sequence[str] = (), ids: Sequence[str] = (), glob: bool = False) -> DeletedManyOut:
        """Delete documents with the facts that only they support. All or none are deleted. `glob`: `*` and `?` in
        sources stand for any characters, or for one."""
        body = {"sources": [*sources], "ids": [*ids], "glob": glob}
        return DeletedManyOut.model_validate(self._client.delete(path(self._workspace, "documents"), body))

    def submit_deletion(self, *, sources: Sequence[str] = (), ids: Sequence[str] = (), glob: bool = False) -> JobOut:
        """Submit `delete` as a background job."""
        body = {"sources": [*sources], "ids": [*ids], "glob": glob}
        return JobOut.model_validate(self._client.post(path(self._workspace, "deletions"), body))


class Entities:
    """Entities and facts of the documents."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def find(self, name: str = "", *, first: int = 0, count: int = 50) -> FoundEntitiesOut:
        """Entities by name or parts of it; without a name, the most frequent ones."""
        page = self._client.get(path(self._workspace, "entities"), name=name, first=first, count=count)
        return FoundEntitiesOut.model_validate(page)

    def show(self, entity_id: str) -> EntityOut:
        """The names and best supported facts of an entity, with sentences."""
        return EntityOut.model_validate(self._client.get(path(self._workspace, "entities", entity_id)))

    def names(self, entity_id: str) -> EntityNames:
        """The names of an entity by document, and the decisions on them."""
        return from_json(EntityNames, self._client.get(path(self._workspace, "entities", entity_id, "names")))

    def places(self, entity_id: str, *, first: int = 0, count: int = 100) -> PlacesOut:
        """The places of the names of an entity, with sentences; input for a split."""
        address = path(self._workspace, "entities", entity_id, "places")
        return PlacesOut.model_validate(self._client.get(address, first=first, count=count))

    def neighbourhood(self, entity_id: str, *, hops: int = 1, limit: int = 100) -> NeighbourhoodOut:
        """The facts of an entity; with two hops also those of its neighbours."""
        address = path(self._workspace, "entities", entity_id, "neighbourhood")
        return NeighbourhoodOut.model_validate(self._client.get(address, hops=hops, limit=limit))

    def connections(self, entity_id: str, to: str, *, hops: int = 6, count: int = 3) -> ConnectionsOut:
        """The best chains of facts from one entity to another."""
        address = path(self._workspace, "entities", entity_id, "paths")
        return ConnectionsOut.model_validate(self._client.get(address, to=to, hops=hops, count=count))

    def contradictions(
        self, entity_id: str = "", *, kind: str = "", first: int = 0, count: int = 50
    ) -> ContradictionsOut:
        """The matters on which different voices may disagree, of an entity or of all, the likeliest first."""
        filters = {name: value for name, value in (("entity", entity_id), ("kind", kind)) if value}
        page = self._client.get(path(self._workspace, "contradictions"), first=first, count=count, **filters)
        return ContradictionsOut.model_validate(page)

    def dependency(self, *, fact: str = "", names: tuple[str, str] | None = None) -> AnswerDependency:
        """The documents without which a fact, or the join of two names, is gone."""
        params: dict[str, Any] = {"fact": fact} if fact else {"name": list(names or ())}
        return from_json(AnswerDependency, self._client.get(path(self._workspace, "dependency"), **params))

    def read_contradictions(self, *, budget: int = 0) -> JobOut:
        """Submit a job in which an LLM reads contradictions, with at most `budget` calls (0: no limit); wait for it
        with `jobs.wait`."""
        job = self._client.post(path(self._workspace, "contradictions", "read"), {"budget": budget})
        return JobOut.model_validate(job)

    def estimate_contradictions(self, *, budget: int = 0) -> PricedReading:
        """The cost of `read_contradictions`; calls no LLM."""
        estimate = self._client.get(path(self._workspace, "contradictions", "read", "estimate"), budget=budget)
        return from_json(PricedReading, estimate)

    def read_items(self, text: str, *, budget: int = 0) -> JobOut:
        """Submit a job in which an LLM reads the items of a list, with at most `budget` calls (0: no limit); wait for
        it with `jobs.wait`, then `items` has them."""
        body = {"text": text, "budget": budget, "view": self._client.view}
        return JobOut.model_validate(self._client.post(path(self._workspace, "items", "read"), body))

    def estimate_items(self, text: str, *, budget: int = 0) -> PricedReading:
        """What `read_items` would take; nothing is asked."""
        address = path(self._workspace, "items", "read", "estimate")
        return from_json(PricedReading, self._client.get(address, text=text, budget=budget))

    def items(self, text: str, *, order: str = "document", first: int = 0, count: int = 50) -> ListItemsOut:
        """All things that a text describes ("payments over 100 pounds"), each with the sentence or row that says it.
        The list may be incomplete."""
        params = {"text": text, "order": order, "first": first, "count": count}
        return ListItemsOut.model_validate(self._client.get(path(self._workspace, "items"), **params))

    def cast(self, document_id: str = "", *, order: CastOrder = "passages", first: int = 0, count: int = 50) -> CastOut:
        """The persons of a document, or of all: first place, passages, the persons they share most with, other names,
        a fact that says who each is. Those that most passages name come first, or with `appearance` the first named."""
        params: dict[str, Any] = {"order": order, "first": first, "count": count}
        params |= {"document": document_id} if document_id else {}
        return CastOut.model_validate(self._client.get(path(self._workspace, "cast"), **params))

    def family(self, name: str = "", *, first: int = 0, count: int = 10) -> FamiliesOut:
        """The family of a person, by name or id, or all families: in generations, each tie with its sentences."""
        params: dict[str, Any] = {"first": first, "count": count} | ({"name": name} if name else {})
        return FamiliesOut.model_validate(self._client.get(path(self._workspace, "family"), **params))

    def timeline(
        self, entity_id: str = "", *, begin: str = "", end: str = "", first: int = 0, count: int = 100
    ) -> TimelineOut:
        """The dated facts of an entity, or of all with the dated documents, the earliest first; `begin` and `end`: a
        day, month or year."""
        optional = {"entity": entity_id, "from": begin, "to": end}
        params: dict[str, Any] = {name: value for name, value in optional.items() if value}
        address = path(self._workspace, "timeline")
        return TimelineOut.model_validate(self._client.get(address, first=first, count=count, **params))

    def between(self, *names: str, hops: int = 6, count: int = 3) -> list[BetweenOut]:
        """How each two names that follow each other are connected, or that they are not. Where no facts join them,
        names that are near each other in a text may (`verdict` "text"; these steps are `only_near`)."""
        reply = self._client.get(path(self._workspace, "connections"), name=list(names), hops=hops, count=count)
        return ConnectionsBetweenOut.model_validate(reply).connections

    def compare(self, *names: str, count: int = 10) -> EntityComparisonOut:
        """Two to four entities, by name or id, side by side: facts by predicate, first places, others that several have
        to do with; of each two what is said of them and the first of the passages that name both."""
        reply = self._client.get(path(self._workspace, "comparison"), name=list(names), count=count)
        return EntityComparisonOut.model_validate(reply)

    def passages(
        self,
        *names: str,
        types: Sequence[str] = (),
        predicate: str = "",
        text: str = "",
        in_document: bool = False,
        sources: Sequence[str] = (),
        where: Sequence[str] = (),
        first: int = 0,
        count: int = 50,
    ) -> NamingPassagesOut:
        """The passages that name all of these, with their sentences; or, with `in_document`, those of documents that
        do. `types`: that name one of each; `predicate`: that state such a fact of one of these. `text`: that also hold
        these words in their order; `where`: of documents with this metadata, as "date>=1904-03-01"."""
        params: dict[str, Any] = {"name": list(names), "type": list(types), "predicate": predicate, "text": text}
        params |= {"source": list(sources), "where": list(where)}
        params |= {"within": "document" if in_document else "passage", "first": first, "count": count}
        return NamingPassagesOut.model_validate(self._client.get(path(self._workspace, "passages"), **params))

    def facts(
        self, *, entity: str = "", predicate: str = "", document: str = "", first: int = 0, count: int = 100
    ) -> FactsOut:
        """Facts, the best supported first, filtered by entity, predicate and document."""
        filters = {"entity": entity, "predicate": predicate, "document": document}
        params = {name: value for name, value in filters.items() if value}
        return FactsOut.model_validate(
            self._client.get(path(self._workspace, "facts"), first=first, count=count, **params)
        )

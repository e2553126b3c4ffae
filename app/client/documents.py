"""The documents and the entities of a workspace."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping, Sequence

from filigraph.app.client.addresses import path
from filigraph.app.client.events import OnProgress, tell
from filigraph.app.client.options import Extractor
from filigraph.app.client.rest import Client
from filigraph.app.routes.document_schemas import (
    DeletedManyOut,
    DocumentOut,
    DocumentsOut,
    DocumentTextOut,
    IngestOut,
)
from filigraph.app.routes.entity_schemas import (
    EntityNamesOut,
    EntityOut,
    FactPathsOut,
    FactsOut,
    FoundEntitiesOut,
    NeighbourhoodOut,
)
from filigraph.app.routes.job_schemas import JobOut
from filigraph.app.routes.merge_schemas import PlacesOut

PAGE = 10_000  # documents of one request


class Documents:
    """What was read in. Documents are named by id where one is meant, by source where some are."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(
        self, *, sources: Sequence[str] = (), where: Mapping[str, str] | None = None, first: int = 0
    ) -> builtins.list[DocumentOut]:
        """All documents, by source; those of `sources` (folders end in /, patterns have * and ?) with this metadata."""
        conditions = [f"{key}={value}" for key, value in (where or {}).items()]
        found: builtins.list[DocumentOut] = []
        while True:
            asked = {"source": [*sources], "where": conditions, "first": first + len(found), "count": PAGE}
            page = DocumentsOut.model_validate(self._client.get(path(self._workspace, "documents"), **asked))
            found += page.documents
            if len(page.documents) < PAGE:
                return found

    def show(self, document_id: str) -> DocumentOut:
        """One document, with its metadata."""
        return DocumentOut.model_validate(self._client.get(path(self._workspace, "documents", document_id)))

    def text(self, document_id: str, *, first: int = 0, count: int = 100, chunk: str = "") -> DocumentTextOut:
        """A part of its text, in pieces; from a little before `chunk` on, where one is named."""
        begin = {"chunk": chunk} if chunk else {"first": first}
        address = path(self._workspace, "documents", document_id, "text")
        return DocumentTextOut.model_validate(self._client.get(address, count=count, **begin))

    def update(
        self,
        document_id: str,
        content: bytes,
        *,
        metadata: Mapping[str, str] | None = None,
        extractor: Extractor | None = None,
        progress: OnProgress | None = None,
    ) -> IngestOut:
        """Read a document anew from what it is now; only what changed is read."""
        fields: dict[str, str] = {"extractor": extractor} if extractor else {}
        if metadata is not None:
            fields["metadata"] = json.dumps(dict(metadata), ensure_ascii=False)
        report: dict[str, object] = {}
        sent = {"file": ("document", content, "application/octet-stream")}
        address = path(self._workspace, "documents", document_id)
        for event in self._client.stream(address, method="PUT", files=sent, data=fields):
            tell(progress, event)
            report = event.get("report") or report
        return IngestOut.model_validate(report)

    def delete(self, *, sources: Sequence[str] = (), ids: Sequence[str] = ()) -> DeletedManyOut:
        """Delete documents and what only they said: all of them or none."""
        body = {"sources": [*sources], "ids": [*ids]}
        return DeletedManyOut.model_validate(self._client.delete(path(self._workspace, "documents"), body))

    def submit_deletion(self, *, sources: Sequence[str] = (), ids: Sequence[str] = ()) -> JobOut:
        """The same as a job that goes on by itself."""
        body = {"sources": [*sources], "ids": [*ids]}
        return JobOut.model_validate(self._client.post(path(self._workspace, "deletions"), body))


class Entities:
    """Whom and what the documents tell of."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def find(self, name: str = "", *, first: int = 0, count: int = 50) -> FoundEntitiesOut:
        """Those that bear a name or parts of it; without one those mentioned most."""
        found = self._client.get(path(self._workspace, "entities"), name=name, first=first, count=count)
        return FoundEntitiesOut.model_validate(found)

    def show(self, entity_id: str) -> EntityOut:
        """Its names and its best supported facts, with sentences."""
        return EntityOut.model_validate(self._client.get(path(self._workspace, "entities", entity_id)))

    def names(self, entity_id: str) -> EntityNamesOut:
        """Its names as each document writes them, and what was decided of them."""
        return EntityNamesOut.model_validate(self._client.get(path(self._workspace, "entities", entity_id, "names")))

    def places(self, entity_id: str, *, first: int = 0, count: int = 100) -> PlacesOut:
        """Where its names stand, with sentences: what a split can be made of."""
        address = path(self._workspace, "entities", entity_id, "places")
        return PlacesOut.model_validate(self._client.get(address, first=first, count=count))

    def neighbourhood(self, entity_id: str, *, hops: int = 1, limit: int = 100) -> NeighbourhoodOut:
        """Its facts; with two hops those of its neighbours too."""
        address = path(self._workspace, "entities", entity_id, "neighbourhood")
        return NeighbourhoodOut.model_validate(self._client.get(address, hops=hops, limit=limit))

    def paths(self, entity_id: str, to: str, *, hops: int = 4, count: int = 3) -> FactPathsOut:
        """The shortest ways to another entity, from fact to fact."""
        address = path(self._workspace, "entities", entity_id, "paths")
        return FactPathsOut.model_validate(self._client.get(address, to=to, hops=hops, count=count))

    def facts(
        self, *, entity: str = "", predicate: str = "", document: str = "", first: int = 0, count: int = 100
    ) -> FactsOut:
        """Facts, the best supported first: of an entity, said by a predicate, of a document, where these are given."""
        given = {"entity": entity, "predicate": predicate, "document": document}
        asked = {name: value for name, value in given.items() if value}
        return FactsOut.model_validate(
            self._client.get(path(self._workspace, "facts"), first=first, count=count, **asked)
        )

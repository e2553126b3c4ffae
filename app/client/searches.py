"""Saved searches of a workspace."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

from filigraph.app.client.addresses import path
from filigraph.app.client.options import AskedViewOptions
from filigraph.app.client.rest import Client
from filigraph.app.schemas.searches import SavedSearchesOut, SavedSearchOut, SearchHitsOut


class SearchQuery(TypedDict, total=False):
    """What a search looks for: words in their order, or names, types, a predicate."""

    text: str
    name: Sequence[str]
    type: Sequence[str]
    predicate: str
    within: str  # passage or document
    source: Sequence[str]
    where: Mapping[str, str]  # {"date>=": "1904-03-01"}
    view: AskedViewOptions


class Searches:
    """Searches that are kept under a name, each for the key that saved it."""

    def __init__(self, client: Client, workspace: str, view: AskedViewOptions | None) -> None:
        self._client = client.within({})  # each search has its own view
        self._workspace = workspace
        self._view: SearchQuery = {"view": view} if view else {}

    def list(self) -> builtins.list[SavedSearchOut]:
        """By name."""
        return SavedSearchesOut.model_validate(self._client.get(path(self._workspace, "searches"))).searches

    def save(self, saved_as: str, /, **query: Unpack[SearchQuery]) -> SavedSearchOut:
        """Save a search: `searches.save("the ring", name=["Jules", "La Griffe"])`. What it finds now was seen."""
        body = {"name": saved_as, "query": {**self._view, **query}}
        return SavedSearchOut.model_validate(self._client.post(path(self._workspace, "searches"), body))

    def run(self, name: str, *, new: bool = False, first: int = 0, count: int = 50) -> SearchHitsOut:
        """What it finds now, or only what is new since the last look: the new passages first. `count=0` only counts."""
        body = {"new": new, "first": first, "count": count}
        return SearchHitsOut.model_validate(self._client.post(path(self._workspace, "searches", name, "run"), body))

    def delete(self, name: str) -> None:
        """Delete a saved search."""
        self._client.delete(path(self._workspace, "searches", name))

"""What a person decides of a workspace: which names are one, and which predicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from filigraph.app.client.addresses import path
from filigraph.app.client.rest import Client
from filigraph.app.routes.merge_schemas import (
    DecidedOut,
    MergesOut,
    OutcomeOut,
    PredicatesOut,
    SuggestionsOut,
    UndoneOut,
)
from filigraph.graph.errors import NotFound


class Merges:
    """What was joined, and what you say to it. Names are given as names, or as ids of mentions or entities."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, by: Literal["person", "rule", ""] = "", first: int = 0, count: int = 50) -> MergesOut:
        """What persons decided, with ids, and what rules joined."""
        return MergesOut.model_validate(
            self._client.get(path(self._workspace, "merges"), by=by, first=first, count=count)
        )

    def review(self, *, first: int = 0, count: int = 50) -> MergesOut:
        """Names that were nearly joined, nearest first."""
        found = self._client.get(path(self._workspace, "merges", "review"), first=first, count=count)
        return MergesOut.model_validate(found)

    def apply(self, first: str, second: str, *, same: bool, note: str = "") -> OutcomeOut:
        """They are the same, or they are not."""
        return self.apply_all([{"first": first, "second": second, "same": same, "note": note}])

    def apply_all(self, verdicts: Sequence[Mapping[str, Any]]) -> OutcomeOut:
        """Many at once: rows of `first`, `second`, `same`, and `note`. What could not be taken is in `refused`."""
        body = {"verdicts": [dict(verdict) for verdict in verdicts]}
        return OutcomeOut.model_validate(self._client.post(path(self._workspace, "merges"), body))

    def correct(self, corrections: Sequence[Mapping[str, Any]]) -> OutcomeOut:
        """Many at once, of names, entities and facts: rows of `kind`, `about`, and `other`, `value`, `note`."""
        body = {"corrections": [dict(row) for row in corrections]}
        return OutcomeOut.model_validate(self._client.post(path(self._workspace, "corrections"), body))

    def split(
        self,
        entity: str,
        *,
        names: Sequence[str] = (),
        places: Sequence[tuple[str, int, int]] = (),
        note: str = "",
    ) -> OutcomeOut:
        """Names become an entity of their own; places (chunk, start, end) a name of their own."""
        rows = [{"chunk_id": chunk, "start": start, "end": end} for chunk, start, end in places]
        body = {"entity": entity, "names": [*names], "places": rows, "note": note}
        return OutcomeOut.model_validate(self._client.post(path(self._workspace, "merges", "split"), body))

    def rename(self, entity: str, name: str, *, note: str = "") -> OutcomeOut:
        """What it is called."""
        body = {"entity": entity, "name": name, "note": note}
        return OutcomeOut.model_validate(self._client.post(path(self._workspace, "merges", "rename"), body))

    def undo(self, decision_id: str) -> UndoneOut:
        """As if it had never been decided."""
        return UndoneOut.model_validate(self._client.delete(path(self._workspace, "merges", decision_id)))


class Predicates:
    """What facts are said by, and which of it is the same."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, first: int = 0, count: int = 100) -> PredicatesOut:
        """Predicates, the most frequent first, and what was folded."""
        found = self._client.get(path(self._workspace, "predicates"), first=first, count=count)
        return PredicatesOut.model_validate(found)

    def suggest(self, *, count: int = 50) -> SuggestionsOut:
        """Pairs that may say the same. Look at each: opposites are near as well."""
        found = self._client.get(path(self._workspace, "predicates", "suggestions"), count=count)
        return SuggestionsOut.model_validate(found)

    def fold(self, *forms: str, into: str, note: str = "") -> DecidedOut:
        """Their facts are said by `into` from now on."""
        body = {"into": into, "forms": [*forms], "note": note}
        return DecidedOut.model_validate(self._client.post(path(self._workspace, "predicates", "fold"), body))

    def unfold(self, form: str) -> UndoneOut:
        """As if it had never been folded. Raises NotFound where it was not."""
        row = next((row for row in self.list(count=1).folds if form in row.forms), None)
        if row is None:
            raise NotFound(f"{form!r} was not folded.", cure="`predicates.list` has what was, in `folds`.")
        return UndoneOut.model_validate(self._client.delete(path(self._workspace, "merges", row.id)))

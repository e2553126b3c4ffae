"""Corrections of a workspace by persons: of names, facts and predicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from filigraph.app.client.addresses import path
from filigraph.app.client.rest import Client
from filigraph.app.schemas.graph.corrections import (
    CorrectionsOut,
    NearMissListOut,
    OutcomeOut,
    PredicatesOut,
    PredicateSuggestionsOut,
    QuestionsOut,
    StoredCorrectionOut,
    UndoneOut,
)
from filigraph.graph.errors import NotFound


class Corrections:
    """Corrections, and joined names. Names are given as text, or as ids of mentions or entities."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, by: Literal["person", "rule", ""] = "", first: int = 0, count: int = 50) -> CorrectionsOut:
        """A page of corrections by persons, with ids, and of merges by rules."""
        return CorrectionsOut.model_validate(
            self._client.get(path(self._workspace, "corrections"), by=by, first=first, count=count)
        )

    def review(self, *, first: int = 0, count: int = 50) -> NearMissListOut:
        """A page of near misses, by descending score."""
        reply = self._client.get(path(self._workspace, "corrections", "review"), first=first, count=count)
        return NearMissListOut.model_validate(reply)

    def who(self, *, count: int = 30) -> QuestionsOut:
        """The questions of who is who that matter most: a name, and others that may be the same one's."""
        return QuestionsOut.model_validate(self._client.get(path(self._workspace, "corrections", "who"), count=count))

    def apply(self, first: str, second: str, *, same: bool, note: str = "") -> OutcomeOut:
        """Decide whether two names are the same."""
        kind = "same" if same else "distinct"
        return self.correct([{"kind": kind, "about": first, "other": second, "note": note}])

    def correct(self, corrections: Sequence[Mapping[str, Any]]) -> OutcomeOut:
        """Apply corrections of any kind: rows of `kind`, `about`, and `other`, `value`, `names`, `places`, `note`.
        Invalid ones are returned in `refused`."""
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
        """Split an entity: names become an entity of their own, places (chunk, start, end) a name of their own."""
        rows = [{"chunk_id": chunk, "start": start, "end": end} for chunk, start, end in places]
        return self.correct([{"kind": "split", "about": entity, "names": [*names], "places": rows, "note": note}])

    def rename(self, entity: str, name: str, *, note: str = "") -> OutcomeOut:
        """Set the name of an entity."""
        return self.correct([{"kind": "name", "about": entity, "value": name, "note": note}])

    def undo(self, correction_id: str) -> UndoneOut:
        """Undo a correction."""
        return UndoneOut.model_validate(self._client.delete(path(self._workspace, "corrections", correction_id)))


class Predicates:
    """Predicates of facts, and their folds."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, first: int = 0, count: int = 100) -> PredicatesOut:
        """A page of predicates, the most frequent first, and the folds."""
        page = self._client.get(path(self._workspace, "predicates"), first=first, count=count)
        return PredicatesOut.model_validate(page)

    def suggest(self, *, count: int = 50) -> PredicateSuggestionsOut:
        """Pairs that may be synonymous, for review: opposites are also close."""
        page = self._client.get(path(self._workspace, "predicates", "suggestions"), count=count)
        return PredicateSuggestionsOut.model_validate(page)

    def fold(self, *forms: str, into: str, note: str = "") -> StoredCorrectionOut:
        """Replace the predicates `forms` of all facts by `into`."""
        body = {"into": into, "forms": [*forms], "note": note}
        return StoredCorrectionOut.model_validate(self._client.post(path(self._workspace, "predicates", "fold"), body))

    def unfold(self, form: str) -> UndoneOut:
        """Undo the fold of a predicate. Raises NotFound if it is not folded."""
        row = next((row for row in self.list(count=1).folds if form in row.forms), None)
        if row is None:
            raise NotFound(f"{form!r} was not folded.", cure="`predicates.list` has what was, in `folds`.")
        return UndoneOut.model_validate(self._client.delete(path(self._workspace, "corrections", row.id)))

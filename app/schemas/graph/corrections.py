"""Requests and responses of `corrections.py` and `predicates.py`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.graph.model.names import CorrectionKind
from filigraph.graph.records.corrections import ListedDecision, ListedQuestion, Refused, Suggestion
from filigraph.graph.records.entities import PlaceRow
from filigraph.graph.records.workspaces import PredicateRow

Note = Annotated[str, Field(max_length=1000, description="The reason, for later reference.")]


class CorrectionsOut(BaseModel):
    """Corrections of people, and merges by rules."""

    total: Annotated[int, Field(description="Total number.")]
    corrections: Annotated[list[ListedDecision], Field(description="The requested ones.")]


class NearMissListOut(BaseModel):
    """Names that rules nearly joined."""

    total: Annotated[int, Field(description="Total number.")]
    near_misses: Annotated[list[ListedDecision], Field(description="The requested ones.")]


class QuestionsOut(BaseModel):
    """Questions of who is who."""

    questions: Annotated[
        list[ListedQuestion], Field(description="The most important questions first: those that concern most places.")
    ]


class PlacesOut(BaseModel):
    """Where the names of an entity occur."""

    total: Annotated[int, Field(description="Total number.")]
    places: Annotated[list[PlaceRow], Field(description="The requested places, in the order of the documents.")]


class PlaceIn(In):
    """A place of a name."""

    chunk_id: Annotated[str, Field(max_length=200, description="The chunk's id.")]
    start: Annotated[int, Field(ge=0, description="Start of the name in the chunk, in code points.")]
    end: Annotated[int, Field(ge=0, description="End of the name.")]


class CorrectionIn(In):
    """A person's decision about two names, an entity, or a fact."""

    kind: Annotated[
        CorrectionKind,
        Field(
            description=(
                "same, distinct: two names or entities are one, or are not; split: `names` and `places` are "
                "split off an entity; name, type: an entity is called `value`, or has the type `value`; "
                "rejected: a fact is wrong; relabelled: a fact has the predicate `value`; stated: the "
                "sentence at the one place states the fact (`about`, `value`, `other`)."
            )
        ),
    ]
    about: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description=(
                "The id of a mention or an entity, or a name of only one entity; for `rejected` and "
                "`relabelled` a fact's id."
            ),
        ),
    ]
    other: Annotated[str, Field(max_length=200, description="For `same`, `distinct` and `stated`: like `about`.")] = ""
    value: Annotated[str, Field(max_length=1000, description="The name, the type or the predicate.")] = ""
    names: Annotated[
        list[str],
        Field(default_factory=list, max_length=10_000, description="For `split`: ids of mentions to split off."),
    ]
    places: Annotated[
        list[PlaceIn],
        Field(
            default_factory=list,
            max_length=10_000,
            description="For `split`: places to split off. For `stated`: the place of the sentence.",
        ),
    ]
    note: Note = ""


class CorrectionsIn(In):
    """Corrections, after which the graph is derived once."""

    corrections: Annotated[
        list[CorrectionIn], Field(min_length=1, max_length=10_000, description="They are applied in order.")
    ]


class FoldOut(Out):
    """Predicates that a person folded into one."""

    id: Annotated[str, Field(description="The id that undoes it.")]
    into: Annotated[str, Field(description="The predicate that replaces the others.")]
    forms: Annotated[list[str], Field(description="The replaced predicates.")]
    note: Annotated[str, Field(description="The person's note.")]


class PredicatesOut(BaseModel):
    """The predicates of facts, and their folds."""

    total: Annotated[int, Field(description="Total number of predicates.")]
    predicates: Annotated[list[PredicateRow], Field(description="The requested predicates, the most frequent first.")]
    folds: Annotated[list[FoldOut], Field(description="The folds.")]


class PredicateSuggestionsOut(BaseModel):
    """Predicates that may be folded."""

    suggestions: Annotated[list[Suggestion], Field(description="The most similar pair first.")]


class FoldIn(In):
    """Predicates with the same meaning."""

    into: Annotated[str, Field(min_length=1, max_length=200, description="The predicate that replaces the others.")]
    forms: Annotated[list[str], Field(min_length=1, max_length=1000, description="The predicates to replace.")]
    note: Note = ""


class StoredCorrectionOut(Out):
    """A correction that was stored."""

    id: Annotated[str, Field(description="The id that undoes it.")]
    kind: Annotated[str, Field(description="As in `ListedDecision`.")]


class OutcomeOut(Out):
    """The result of corrections."""

    corrections: Annotated[
        list[StoredCorrectionOut], Field(description="The stored corrections; a split may be stored as two.")
    ]
    refused: Annotated[list[Refused], Field(description="The refused corrections.")]


class UndoneOut(BaseModel):
    """A correction that was undone."""

    undone: Annotated[str, Field(description="The id of the correction that was undone.")]

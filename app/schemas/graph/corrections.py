"""Requests and responses of `corrections.py` and `predicates.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.graph.model.names import CorrectionKind, StoredCorrectionKind
from filigraph.graph.records.entities import NamePlace, PlaceRow
from filigraph.graph.records.workspaces import PredicateRow

Note = Annotated[str, Field(max_length=1000, description="The reason, for later reference.")]


class ListedDecisionOut(Out):
    """A person's correction, a rule's decision, or a near miss."""

    id: Annotated[
        str,
        Field(description="For a person's correction: the id that undoes it. For a rule's decision: the two mentions."),
    ]
    kind: Annotated[
        Literal[StoredCorrectionKind, "aliases"],
        Field(
            description=(
                "same or distinct; split_off: places split off; name or type: a given name or type; "
                "merge_predicates; rejected, relabelled or stated: a fact that is wrong, has another "
                "predicate, or is stated of a sentence; aliases: an alias file."
            )
        ),
    ]
    rule: Annotated[str, Field(description="The rule: exact, contained, vector, …; person, alias-file.")]
    score: Annotated[float, Field(description="1 for exact and persons, otherwise the similarity of the names.")]
    by: Annotated[Literal["rule", "person"], Field(description="rule or person.")]
    at: Annotated[str, Field(description="Time, ISO 8601, UTC; empty for near misses and alias files.")]
    note: Annotated[str, Field(description="The person's note.")]
    name: Annotated[
        str,
        Field(description="The given name, type or predicate; for a rejected fact, its predicate."),
    ]
    forms: Annotated[list[str], Field(description="The predicates that it replaces.")]
    places: Annotated[int, Field(description="Number of places split off.")]
    names: Annotated[list[NamePlace], Field(description="One side: some of its names.")]
    others: Annotated[list[NamePlace], Field(description="The other side; empty if there is none.")]
    holds: Annotated[
        bool, Field(description="Whether its names occur in a document; if not, it has no effect until they do.")
    ]


class CorrectionsOut(BaseModel):
    """Corrections of people, and merges by rules."""

    total: Annotated[int, Field(description="Total number.")]
    corrections: Annotated[list[ListedDecisionOut], Field(description="The requested ones.")]


class NearMissListOut(BaseModel):
    """Names that rules nearly joined."""

    total: Annotated[int, Field(description="Total number.")]
    near_misses: Annotated[list[ListedDecisionOut], Field(description="The requested ones.")]


class QuestionOut(Out):
    """The question which of these others is this person."""

    name: Annotated[NamePlace, Field(description="The entity in question, by its most frequent name.")]
    others: Annotated[
        list[NamePlace],
        Field(description="Names that may belong to the same entity, the most important ones first."),
    ]


class QuestionsOut(BaseModel):
    """Questions of who is who."""

    questions: Annotated[
        list[QuestionOut], Field(description="The most important questions first: those that concern most places.")
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


class SuggestionOut(Out):
    """Two predicates that may mean the same, or the opposite."""

    into: Annotated[str, Field(description="The more frequent one.")]
    form: Annotated[str, Field(description="The other.")]
    cosine: Annotated[float, Field(description="Cosine of their vectors.")]


class PredicateSuggestionsOut(BaseModel):
    """Predicates that may be folded."""

    suggestions: Annotated[list[SuggestionOut], Field(description="The most similar pair first.")]


class FoldIn(In):
    """Predicates with the same meaning."""

    into: Annotated[str, Field(min_length=1, max_length=200, description="The predicate that replaces the others.")]
    forms: Annotated[list[str], Field(min_length=1, max_length=1000, description="The predicates to replace.")]
    note: Note = ""


class RefusedOut(Out):
    """A correction that was refused."""

    number: Annotated[int, Field(description="The number of the correction, from 1.")]
    code: Annotated[str, Field(description="The error code: `already_decided`, `not_found`, …")]
    cause: Annotated[str, Field(description="The cause.")]
    cure: Annotated[str, Field(description="What to do.")]


class StoredCorrectionOut(Out):
    """A correction that was stored."""

    id: Annotated[str, Field(description="The id that undoes it.")]
    kind: Annotated[str, Field(description="As in `ListedDecisionOut`.")]


class OutcomeOut(Out):
    """The result of corrections."""

    corrections: Annotated[
        list[StoredCorrectionOut], Field(description="The stored corrections; a split may be stored as two.")
    ]
    refused: Annotated[list[RefusedOut], Field(description="The refused corrections.")]


class UndoneOut(BaseModel):
    """A correction that was undone."""

    undone: Annotated[str, Field(description="The id of the correction that was undone.")]

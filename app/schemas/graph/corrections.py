"""What the routes of `corrections.py` and `predicates.py` take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.graph.model.names import CorrectionKind, StoredCorrectionKind

Note = Annotated[str, Field(max_length=1000, description="Why, for those who look at it later.")]


class NamePlaceOut(Out):
    """A name as one document uses it. Only `id` and `form` are known of one that occurs nowhere any more."""

    id: Annotated[str, Field(description="The mention's id.")]
    form: Annotated[str, Field(description="As it is written.")]
    type: Annotated[str, Field(description="As an LLM or a schema gave it; may be empty.")]
    count: Annotated[int, Field(description="How often it occurs in its document.")]
    document_id: Annotated[str, Field(description="In this document.")]
    title: Annotated[str, Field(description="The document's title.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    entity_id: Annotated[str, Field(description="The entity that it refers to.")]
    entity: Annotated[str, Field(description="That entity's name.")]
    chunk_id: Annotated[str, Field(description="The chunk in which it occurs first.")]
    start: Annotated[int, Field(description="Where the sentence begins there, in code points.")]
    end: Annotated[int, Field(description="Where the sentence ends.")]
    sentence: Annotated[str, Field(description="The sentence.")]
    place: Annotated[str, Field(description="Page, chapter, paragraph of the sentence, as far as it has them.")] = ""


class ListedDecisionOut(Out):
    """A person's correction, a rule's decision, or a near miss."""

    id: Annotated[str, Field(description="Of a person's correction: what undoes it. Of a rule's: the two mentions.")]
    kind: Annotated[
        Literal[StoredCorrectionKind, "aliases"],
        Field(
            description="The same, or not; places split off; a name or type given; predicates merged; a fact that is "
            "rejected, has another predicate, or is stated of a sentence; an alias file."
        ),
    ]
    rule: Annotated[str, Field(description="By which rule: exact, contained, vector, …; person, alias-file.")]
    score: Annotated[float, Field(description="1 for exact and persons, else how near the names are.")]
    by: Annotated[Literal["rule", "person"], Field(description="By whom.")]
    at: Annotated[str, Field(description="When, ISO 8601, UTC; empty of near misses and alias files.")]
    note: Annotated[str, Field(description="What the person noted.")]
    name: Annotated[
        str,
        Field(description="The name, type or predicate given; of a fact that is rejected, its predicate."),
    ]
    forms: Annotated[list[str], Field(description="The predicates that it takes the place of.")]
    places: Annotated[int, Field(description="How many places were split off.")]
    names: Annotated[list[NamePlaceOut], Field(description="The one side: some of its names.")]
    others: Annotated[list[NamePlaceOut], Field(description="The other side; empty where there is none.")]
    holds: Annotated[bool, Field(description="Its names occur in a document; else it waits until they do.")]


class CorrectionsOut(BaseModel):
    """Corrections of people, and merges by rules."""

    total: Annotated[int, Field(description="How many there are.")]
    corrections: Annotated[list[ListedDecisionOut], Field(description="Those asked for.")]


class NearMissListOut(BaseModel):
    """Names that rules nearly took for one."""

    total: Annotated[int, Field(description="How many there are.")]
    near_misses: Annotated[list[ListedDecisionOut], Field(description="Those asked for.")]


class QuestionOut(Out):
    """Who of these others is this one?"""

    name: Annotated[NamePlaceOut, Field(description="The one who is asked about, by the most frequent name.")]
    others: Annotated[
        list[NamePlaceOut], Field(description="Names that may be the same one's, what matters most first.")
    ]


class QuestionsOut(BaseModel):
    """Questions of who is who."""

    questions: Annotated[list[QuestionOut], Field(description="Those on which most places hang first.")]


class PlaceOut(Out):
    """Where a name of an entity occurs."""

    mention_id: Annotated[str, Field(description="The mention.")]
    form: Annotated[str, Field(description="As it is written there.")]
    document_id: Annotated[str, Field(description="In this document.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    chunk_id: Annotated[str, Field(description="In this chunk.")]
    start: Annotated[int, Field(description="Where the name begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]
    sentence: Annotated[str, Field(description="The sentence around it.")]
    place: Annotated[str, Field(description="Page, chapter, paragraph of the sentence, as far as it has them.")] = ""


class PlacesOut(BaseModel):
    """Where the names of an entity occur."""

    total: Annotated[int, Field(description="How many places there are.")]
    places: Annotated[list[PlaceOut], Field(description="Those asked for, in the order of the documents.")]


class PlaceIn(In):
    """A place of a name."""

    chunk_id: Annotated[str, Field(max_length=200, description="In this chunk.")]
    start: Annotated[int, Field(ge=0, description="Where the name begins there, in code points.")]
    end: Annotated[int, Field(ge=0, description="Where it ends.")]


class CorrectionIn(In):
    """What a person says of two names, of an entity, or of a fact."""

    kind: Annotated[
        CorrectionKind,
        Field(
            description="Two names or entities are the same, or are not; `names` and `places` are split off an entity; "
            "an entity is called `value`, or is of the type `value`; a fact is rejected, or is said by the predicate "
            "`value`; the sentence at the one place says that `about` `value` `other`: it is kept as a fact."
        ),
    ]
    about: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="The id of a mention or an entity, or a name that one bears; of `rejected` and `relabelled` "
            "a fact's id.",
        ),
    ]
    other: Annotated[str, Field(max_length=200, description="Of `same`, `distinct` and `stated`: as `about`.")] = ""
    value: Annotated[str, Field(max_length=1000, description="The name, the type or the predicate.")] = ""
    names: Annotated[
        list[str],
        Field(default_factory=list, max_length=10_000, description="Of `split`: mentions that go apart, by id."),
    ]
    places: Annotated[
        list[PlaceIn], Field(default_factory=list, max_length=10_000, description="Of `split`: they go apart.")
    ]
    note: Note = ""


class CorrectionsIn(In):
    """Corrections, the graph being derived once after all of them."""

    corrections: Annotated[
        list[CorrectionIn], Field(min_length=1, max_length=10_000, description="One after the other.")
    ]


class PredicateOut(Out):
    """What facts are said by."""

    predicate: Annotated[str, Field(description="As facts have it.")]
    type: Annotated[
        str, Field(description="The relationship type of its facts in Neo4j, RELATED_TO where it has none.")
    ]
    inverse: Annotated[bool, Field(description='It runs from the object to the subject: "is killed by" is KILLS.')]
    facts: Annotated[int, Field(description="How many facts.")]
    sentences: Annotated[int, Field(description="How many sentences say them.")]


class FoldOut(Out):
    """Predicates that a person folded into one."""

    id: Annotated[str, Field(description="What undoes it.")]
    into: Annotated[str, Field(description="What facts are said by instead.")]
    forms: Annotated[list[str], Field(description="The predicates that are folded.")]
    note: Annotated[str, Field(description="What the person noted.")]


class PredicatesOut(BaseModel):
    """What facts are said by, and what was folded."""

    total: Annotated[int, Field(description="How many predicates there are.")]
    predicates: Annotated[list[PredicateOut], Field(description="Those asked for, the most frequent first.")]
    folds: Annotated[list[FoldOut], Field(description="The table.")]


class SuggestionOut(Out):
    """Two predicates that may say the same, or the opposite."""

    into: Annotated[str, Field(description="The more frequent one.")]
    form: Annotated[str, Field(description="The other.")]
    cosine: Annotated[float, Field(description="Of their vectors.")]


class PredicateSuggestionsOut(BaseModel):
    """What may be folded."""

    suggestions: Annotated[list[SuggestionOut], Field(description="The nearest first.")]


class FoldIn(In):
    """Predicates that say the same."""

    into: Annotated[str, Field(min_length=1, max_length=200, description="What facts are said by from now on.")]
    forms: Annotated[list[str], Field(min_length=1, max_length=1000, description="What it takes the place of.")]
    note: Note = ""


class RefusedOut(Out):
    """A correction that was not taken."""

    number: Annotated[int, Field(description="Which one, from 1.")]
    code: Annotated[str, Field(description="As in an error: `already_decided`, `not_found`, …")]
    cause: Annotated[str, Field(description="Why.")]
    cure: Annotated[str, Field(description="What to do about it.")]


class StoredCorrectionOut(Out):
    """A correction that holds."""

    id: Annotated[str, Field(description="What undoes it.")]
    kind: Annotated[str, Field(description="As in `ListedDecisionOut`.")]


class OutcomeOut(Out):
    """What became of it."""

    corrections: Annotated[list[StoredCorrectionOut], Field(description="Those that hold; a split may be two.")]
    refused: Annotated[list[RefusedOut], Field(description="What was not taken.")]


class UndoneOut(BaseModel):
    """A correction that no longer holds."""

    undone: Annotated[str, Field(description="Its id.")]

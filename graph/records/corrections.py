"""Corrections, merges by rules and questions of who is who, for display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from filigraph.graph.model.names import StoredCorrection, StoredCorrectionKind
from filigraph.graph.records.entities import NamePlace


@dataclass(frozen=True, kw_only=True)
class ListedDecision:
    """A decision or near miss, for display."""

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
    at: Annotated[str, Field(description="Time, ISO 8601, UTC; empty for near misses and alias files.")] = ""
    note: Annotated[str, Field(description="The person's note.")] = ""
    name: Annotated[
        str,
        Field(description="The given name, type or predicate; for a rejected fact, its predicate."),
    ] = ""
    forms: Annotated[tuple[str, ...], Field(description="The predicates that it replaces.")] = ()
    places: Annotated[int, Field(description="Number of places split off.")] = 0
    names: Annotated[tuple[NamePlace, ...], Field(description="One side: some of its names.")]
    others: Annotated[tuple[NamePlace, ...], Field(description="The other side; empty if there is none.")] = ()
    holds: Annotated[
        bool, Field(description="Whether its names occur in a document; if not, it has no effect until they do.")
    ] = True


@dataclass(frozen=True, kw_only=True)
class ListedQuestion:
    """The question "Who of these is X?", for display."""

    name: Annotated[NamePlace, Field(description="The entity in question, by its most frequent name.")]
    others: Annotated[
        tuple[NamePlace, ...],
        Field(description="Names that may belong to the same entity, the most important ones first."),
    ]


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Two predicates that may be synonymous."""

    into: Annotated[str, Field(description="The more frequent one.")]
    form: Annotated[str, Field(description="The other.")]
    cosine: Annotated[float, Field(description="Cosine of their vectors.")]


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A rejected correction with its error."""

    number: Annotated[int, Field(description="The number of the correction, from 1.")]
    code: Annotated[str, Field(description="The error code: `already_decided`, `not_found`, …")]
    cause: Annotated[str, Field(description="The cause.")]
    cure: Annotated[str, Field(description="What to do.")]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The stored corrections and rejected corrections of a request."""

    corrections: tuple[StoredCorrection, ...]
    refused: tuple[Refused, ...]

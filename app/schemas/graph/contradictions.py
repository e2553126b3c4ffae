"""Requests and responses of the routes of contradictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.app.schemas.serialize import from_json
from filigraph.graph.records.entities import NamedFact

if TYPE_CHECKING:
    from filigraph.graph.analysis.matters import Matter

ContradictionKind = Literal["denial", "number", "time", "date", "place", "object", "read"]


@dataclass(frozen=True, kw_only=True)
class StatementOut(NamedFact):
    """A fact as one sentence states it."""

    voice: Annotated[
        str,
        Field(description="The voice: the person who asserts it in the text, else the author, else the document."),
    ]
    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    denied: Annotated[bool, Field(description="Whether the predicate is a denial.")]
    according_to: Annotated[
        str, Field(description="The person who asserts it in the text; empty if the text itself does.")
    ]
    when: Annotated[str, Field(description="The date of the statement, as written; empty if there is none.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph, if the document has them.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    author: Annotated[str, Field(description="Its author, from its metadata.")]
    date: Annotated[str, Field(description="Its date.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    chunk_id: Annotated[str, Field(description="The chunk with the sentence.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]


@dataclass(frozen=True, kw_only=True)
class MatterStatementOut(StatementOut):
    """A statement of a matter."""

    side: Annotated[int, Field(description="1: as the first statement; 2: against it; 3 and more: against both.")]
    asked: Annotated[bool, Field(description="False: it only belongs to the matter, and is not what was asked for.")]


class PairOut(Out):
    """Two statements of a matter that may disagree."""

    first: Annotated[int, Field(description="The one: its place in `statements`, from 0.")]
    other: Annotated[int, Field(description="The other.")]
    kind: Annotated[
        ContradictionKind,
        Field(
            description=(
                "denial: asserted and denied; number, time, date, place: different values; object: two "
                "objects where only one is possible; read: found only by an LLM."
            )
        ),
    ]
    score: Annotated[
        float, Field(description="Similarity of the statements: a higher one makes a contradiction more likely.")
    ]
    verdict: Annotated[
        Literal["contradiction", "not", "unsure", ""],
        Field(description="The LLM's verdict; unsure: it cannot decide; empty: no LLM has judged it."),
    ]
    what: Annotated[
        str, Field(description="The difference, or the reason why it is not a contradiction, in the LLM's words.")
    ]
    model: Annotated[str, Field(description="The LLM.")]


class MatterOut(Out):
    """What different voices say of one thing, and may not all be true."""

    about: Annotated[str, Field(description="The question in one line, in an LLM's words; empty without one.")]
    statements: Annotated[
        list[MatterStatementOut],
        Field(
            description="Each sentence once: the two that are most directly against each other, among those that were "
            "asked for, then the others."
        ),
    ]
    pairs: Annotated[list[PairOut], Field(description="Which are against each other, the most direct first.")]

    @classmethod
    def of(cls, matter: Matter) -> MatterOut:
        from filigraph.graph.analysis.matters import sentence_of

        statements = []
        for sided in matter.statements:
            asked = sentence_of(sided.statement) in matter.looked_for
            about = {"voice": sided.statement.voice, "side": sided.side, "asked": asked}
            statements.append(from_json(MatterStatementOut, vars(sided.statement) | about))
        pairs = [
            vars(pair) | {"first": matter.place_of(pair.first), "other": matter.place_of(pair.other)}
            for pair in matter.pairs
        ]
        return cls.model_validate({"about": matter.about, "statements": statements, "pairs": pairs})


class ReadContradictionsIn(In):
    """How much to read."""

    budget: Annotated[
        int,
        Field(ge=0, le=100_000, description="Maximum number of calls, for the most promising passages; 0: no limit."),
    ] = 0
    priority: Annotated[int, Field(ge=-100, le=100, description="The job with the highest priority runs first.")] = 0


class ContradictionsOut(BaseModel):
    """Possible contradictions."""

    total: Annotated[int, Field(description="Total number of matters.")]
    total_pairs: Annotated[int, Field(description="Total number of their pairs of statements.")]
    matters: Annotated[
        list[MatterOut],
        Field(description="What an LLM calls contradictions, then the rules' candidates, the likeliest first."),
    ]

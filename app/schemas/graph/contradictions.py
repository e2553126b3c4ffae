"""What the route of contradictions gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.app.schemas.documents import UsageOut
from filigraph.app.schemas.serialize import from_json
from filigraph.graph.records.entities import NamedFact

if TYPE_CHECKING:
    from filigraph.graph.analysis.contradictions import Contradiction
    from filigraph.graph.records.facts import Statement

ContradictionKind = Literal["denial", "number", "time", "date", "place", "object", "read"]


@dataclass(frozen=True, kw_only=True)
class StatementOut(NamedFact):
    """A fact as one sentence says it."""

    voice: Annotated[str, Field(description="Who says it: in the text, else the author, else the document.")]
    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")]
    according_to: Annotated[str, Field(description="Who in the text asserts it; empty where the text itself does.")]
    when: Annotated[str, Field(description="When it is so, as written; empty where no date is given.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph, where the document has them.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    author: Annotated[str, Field(description="Its author, as its metadata give it.")]
    date: Annotated[str, Field(description="Its date.")]
    document_id: Annotated[str, Field(description="That document.")]
    chunk_id: Annotated[str, Field(description="The chunk that holds the sentence.")]
    start: Annotated[int, Field(description="Where the sentence begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]

    @classmethod
    def of(cls, statement: Statement) -> StatementOut:
        return from_json(cls, vars(statement) | {"voice": statement.voice})


class ContradictionOut(Out):
    """Two statements that may disagree."""

    kind: Annotated[
        ContradictionKind,
        Field(
            description="denial: said and denied; number, time, date, place: another one; object: of what is single; "
            "read: found by an LLM alone."
        ),
    ]
    score: Annotated[float, Field(description="How alike the statements are: higher is likelier.")]
    verdict: Annotated[
        Literal["contradiction", "not", "unsure", ""],
        Field(description="What an LLM says of the two; unsure: it cannot tell; empty: none has read them."),
    ]
    what: Annotated[str, Field(description="What they differ in, or why it is no contradiction, in the LLM's words.")]
    model: Annotated[str, Field(description="That LLM.")]
    first: Annotated[StatementOut, Field(description="The one, of the earlier document where dates are known.")]
    other: Annotated[StatementOut, Field(description="The other.")]

    @classmethod
    def of(cls, contradiction: Contradiction) -> ContradictionOut:
        return cls(
            kind=contradiction.kind,
            score=contradiction.score,
            verdict=contradiction.verdict,
            what=contradiction.what,
            model=contradiction.model,
            first=StatementOut.of(contradiction.first),
            other=StatementOut.of(contradiction.other),
        )


class ReadContradictionsIn(In):
    """How much is to be read."""

    budget: Annotated[
        int, Field(ge=0, le=100_000, description="Calls of the LLM, the most promising passages first; 0: no limit.")
    ] = 0
    priority: Annotated[int, Field(ge=-100, le=100, description="The highest goes first.")] = 0


class ContradictionEstimateOut(BaseModel):
    """What reading would take."""

    model: Annotated[str, Field(description="The LLM that would read.", examples=["mistral"])]
    passages: Annotated[int, Field(description="Passages of the workspace.")]
    kept: Annotated[int, Field(description="Calls whose replies are kept: their passages are not read again.")]
    left: Annotated[int, Field(description="Calls that the budget would leave undone.")]
    usage: Annotated[UsageOut, Field(description="What would be asked of the LLM.")]
    cost: Annotated[float | None, Field(description="By the prices that are set; null where none is.")]


class ContradictionsOut(BaseModel):
    """What may disagree."""

    total: Annotated[int, Field(description="How many there are.")]
    contradictions: Annotated[
        list[ContradictionOut],
        Field(description="What an LLM calls contradictions, then the rules' candidates, the likeliest first."),
    ]

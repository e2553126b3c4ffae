"""The arguments of the MCP tools, as an agent reads of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

Question = Annotated[str, Field(description="In any language, as one would ask a person.")]
Workspace = Annotated[str, Field(description="Whose documents; left out: the usual one. `workspaces` lists them.")]
Entity = Annotated[str, Field(description="An entity's id, or a name.")]
DocumentId = Annotated[str, Field(description="A document's id.")]
First = Annotated[int, Field(ge=0, description="Begin with this one.")]

Profile = Annotated[
    Literal["detail", "synthesis", "entity", "recent"] | None,
    Field(description="One fact, the whole text, every mention, or what is new. Left out: by the question's words."),
]
VectorWeight = Annotated[
    float | None, Field(ge=0, le=1, description="What vectors weigh beside words, where no fact leads on.")
]
BudgetTokens = Annotated[
    Annotated[int, Field(ge=100, le=100_000)] | Literal["small", "medium", "large"] | None,
    Field(description="How many tokens of evidence."),
]
MinScore = Annotated[
    float | None,
    Field(ge=0, le=1, description="Extracts whose cosine with the question is lower go; paths stay."),
]
Kinds = Annotated[
    list[str] | None, Field(description="Only source code of these kinds: function, method, class, type, module.")
]
Sources = Annotated[
    list[str] | None, Field(description="Only these documents: sources, folders that end in /, patterns with * and ?.")
]
Blend = Annotated[
    dict[str, float | bool] | None,
    Field(
        description="Rerank by cosine and cross-encoder alone; {} takes the defaults, or some of ann_weight, "
        "min_rerank, min_ann, candidates, neighbours."
    ),
]
EntityTypes = Annotated[
    list[str] | None, Field(description="Only paths to entities of these types; a wrong one is answered with all.")
]
PathTypes = Annotated[
    list[str] | None, Field(description="Only paths of facts said by these predicates; a wrong one likewise.")
]

Rounds = Annotated[
    int | None,
    Field(ge=1, le=10, description="How often the LLM may read, looking for more in between; 1: once, quickly."),
]

Until = Annotated[
    list[str] | None,
    Field(description='As if nothing behind these places had been read: "DOCUMENT:chapter 12", "DOCUMENT:40 %".'),
]
Within = Annotated[
    list[str] | None,
    Field(description='As if only these parts had been read: "DOCUMENT:Part II", "DOCUMENT:chapter 1-10".'),
]
AsOf = Annotated[str, Field(description="As if no document later than this date had been read: 1904-05-03.")]
Without = Annotated[
    list[str] | None, Field(description="As if these documents had not been read; the answer says what that changes.")
]

"""Requests and responses of OpenAI's routes: the part of its chat API that a question and an answer need."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from filigraph.app.schemas.questions import AnswerIn
from filigraph.graph.model.answers import Answer, Unsupported
from filigraph.graph.model.retrieval import Evidence, Path


class TextPartIn(BaseModel):
    """A part of a message."""

    model_config = ConfigDict(extra="ignore")

    type: Annotated[Literal["text"], Field(description="Only text is supported.")]
    text: Annotated[str, Field(description="The text.")]


class ChatMessageIn(BaseModel):
    """A message of a conversation."""

    model_config = ConfigDict(extra="ignore")

    role: Annotated[
        Literal["system", "developer", "user", "assistant", "tool", "function"],
        Field(
            description="The last message with the role `user` is the question; only `user` and `assistant` are read."
        ),
    ]
    content: Annotated[str | list[TextPartIn] | None, Field(description="Its text, whole or in parts.")] = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptionsIn(BaseModel):
    """How to stream."""

    model_config = ConfigDict(extra="ignore")

    include_usage: Annotated[bool | None, Field(description="Send the usage in a separate, last chunk.")] = None


class ChatIn(BaseModel):
    """A conversation. Other fields of OpenAI's API (temperature, tools, ...) are accepted and have no effect."""

    model_config = ConfigDict(extra="ignore")

    model: Annotated[
        str, Field(max_length=200, description="`filigraph/` and a workspace.", examples=["filigraph/default"])
    ]
    messages: Annotated[
        list[ChatMessageIn], Field(min_length=1, max_length=1000, description="The conversation, the question last.")
    ]
    stream: Annotated[
        bool | None, Field(description="Send server-sent events with the answer while it is written.")
    ] = None
    stream_options: Annotated[StreamOptionsIn | None, Field(description="How to stream.")] = None
    filigraph: Annotated[
        AnswerIn | None,
        Field(description="How to search and answer, as for `ask`; `extra_body` of OpenAI's clients sends it."),
    ] = None
    n: Annotated[Literal[1] | None, Field(description="Only one answer is supported.")] = None


class ModelOut(BaseModel):
    """A workspace, as a model."""

    id: Annotated[str, Field(description="`filigraph/` and the workspace.")]
    object: Annotated[Literal["model"], Field(description="Always model.")] = "model"
    created: Annotated[int, Field(description="Always 0: the time of a workspace's creation is not stored.")] = 0
    owned_by: Annotated[str, Field(description="Always filigraph.")] = "filigraph"


class ModelsOut(BaseModel):
    """The available models."""

    object: Annotated[Literal["list"], Field(description="Always list.")] = "list"
    data: Annotated[list[ModelOut], Field(description="By name.")]


class ChatUsageOut(BaseModel):
    """The tokens that the LLM read and wrote for the answer; 0 without an LLM."""

    prompt_tokens: Annotated[int, Field(description="Tokens read, in all calls.")]
    completion_tokens: Annotated[int, Field(description="Tokens written.")]
    total_tokens: Annotated[int, Field(description="The sum.")]


class ChatMessageOut(BaseModel):
    """The answer as a message."""

    role: Annotated[Literal["assistant"], Field(description="Always assistant.")] = "assistant"
    content: Annotated[str, Field(description="The answer, and its evidence below a line, in Markdown.")]
    refusal: Annotated[None, Field(description="Always null.")] = None


class ChoiceOut(BaseModel):
    """The one answer."""

    index: Annotated[int, Field(description="Always 0.")] = 0
    message: Annotated[ChatMessageOut, Field(description="The answer.")]
    logprobs: Annotated[None, Field(description="Always null.")] = None
    finish_reason: Annotated[
        Literal["stop", "length"],
        Field(description="`length`: the LLM stopped in mid-answer; `filigraph.cut_short` gives the reason."),
    ]


class GroundingOut(BaseModel):
    """The evidence of the answer, for which OpenAI's format has no field."""

    workspace: Annotated[str, Field(description="The workspace of the search.")]
    question: Annotated[str, Field(description="The question, rewritten so that it is understood by itself.")]
    trace_id: Annotated[str, Field(description="For `GET /v1/workspaces/{workspace}/traces/{trace_id}`.")]
    generated: Annotated[bool, Field(description="Whether an LLM wrote the text; false: passages, not an answer.")]
    llm: Annotated[str, Field(description="The LLM; empty without one.")]
    citations: Annotated[list[Evidence], Field(description="The evidence: [1] in the text is the first.")]
    paths: Annotated[list[Path], Field(description="The paths: [P1] is the first.")]
    rests_on: Annotated[list[str], Field(description="Ids of the paths that the LLM named.")]
    answered: Annotated[bool, Field(description="False: the LLM says that the evidence does not answer.")]
    unsupported: Annotated[
        list[Unsupported],
        Field(description="Parts of the answer that the evidence does not support."),
    ]
    missing: Annotated[str, Field(description="What the evidence does not answer; empty if nothing.")]
    remark: Annotated[
        str, Field(description="How a period limits the documents; which names are compared or replaced; else empty.")
    ] = ""
    cut_short: Annotated[str, Field(description="Why the LLM stopped in mid-answer; empty if it did not.")]

    @classmethod
    def of(cls, answer: Answer) -> GroundingOut:
        about = {"workspace": answer.trace.workspace, "trace_id": answer.trace.id, "llm": answer.model}
        return cls.model_validate(vars(answer) | about, from_attributes=True)


class ChatOut(BaseModel):
    """An answer, as a chat completion."""

    id: Annotated[str, Field(description="`chatcmpl-` and the trace's id.")]
    object: Annotated[Literal["chat.completion"], Field(description="Always chat.completion.")] = "chat.completion"
    created: Annotated[int, Field(description="Time of the question, in seconds since 1970, UTC.")]
    model: Annotated[str, Field(description="The model in the request.")]
    choices: Annotated[list[ChoiceOut], Field(description="Always one.")]
    usage: Annotated[ChatUsageOut, Field(description="Usage of the LLM.")]
    filigraph: Annotated[GroundingOut, Field(description="Citations, paths and the trace.")]

"""Requests and responses of Ollama's routes: the part of its API that a question and an answer need."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from filigraph.app.schemas.chat import GroundingOut
from filigraph.app.schemas.questions import AnswerIn


class OllamaMessageIn(BaseModel):
    """A message of a conversation."""

    model_config = ConfigDict(extra="ignore")

    role: Annotated[
        Literal["system", "user", "assistant", "tool"],
        Field(
            description="The last message with the role `user` is the question; only `user` and `assistant` are read."
        ),
    ]
    content: Annotated[str, Field(description="Its text.")] = ""
    images: Annotated[list[str] | None, Field(max_length=0, description="Pictures are not supported.")] = None

    @property
    def text(self) -> str:
        return self.content


class OllamaChatIn(BaseModel):
    """A conversation. Other fields of Ollama's API (options, format, tools, ...) are accepted and have no effect."""

    model_config = ConfigDict(extra="ignore")

    model: Annotated[str, Field(max_length=200, description="`filigraph/` and a workspace.")]
    messages: Annotated[
        list[OllamaMessageIn], Field(min_length=1, max_length=1000, description="The conversation, the question last.")
    ]
    stream: Annotated[bool, Field(description="Send JSON lines with the answer while it is written.")] = True
    filigraph: Annotated[AnswerIn | None, Field(description="How to search and answer, as for `ask`.")] = None


class OllamaDetailsOut(BaseModel):
    """What Ollama reports about a model."""

    parent_model: Annotated[str, Field(description="Always empty.")] = ""
    format: Annotated[str, Field(description="Always neo4j.")] = "neo4j"
    family: Annotated[str, Field(description="Always filigraph.")] = "filigraph"
    families: Annotated[list[str], Field(description="The same.")] = ["filigraph"]
    parameter_size: Annotated[str, Field(description="Always empty: a workspace has none.")] = ""
    quantization_level: Annotated[str, Field(description="Always empty.")] = ""


class OllamaModelOut(BaseModel):
    """A workspace, as a model."""

    name: Annotated[str, Field(description="`filigraph/` and the workspace.")]
    model: Annotated[str, Field(description="The same.")]
    modified_at: Annotated[
        datetime, Field(description="Always 1970: the time of a workspace's last change is not stored.")
    ]
    size: Annotated[int, Field(description="Always 0: nothing is loaded.")] = 0
    digest: Annotated[str, Field(description="A hash of the name.")]
    details: Annotated[OllamaDetailsOut, Field(description="What Ollama says of a model.")] = OllamaDetailsOut()


class OllamaModelsOut(BaseModel):
    """The available models."""

    models: Annotated[list[OllamaModelOut], Field(description="By name.")]


class OllamaVersionOut(BaseModel):
    """The version of the server."""

    version: Annotated[str, Field(description="Filigraph's version.")]


class OllamaMessageOut(BaseModel):
    """The answer, or a piece of it."""

    role: Annotated[Literal["assistant"], Field(description="Always assistant.")] = "assistant"
    content: Annotated[str, Field(description="The answer, and its evidence below a line, in Markdown.")]


class OllamaChatOut(BaseModel):
    """An answer; in a stream the last line, whose content is empty."""

    model: Annotated[str, Field(description="The model in the request.")]
    created_at: Annotated[datetime, Field(description="Time of the answer, UTC.")]
    message: Annotated[OllamaMessageOut, Field(description="The answer.")]
    done: Annotated[Literal[True], Field(description="Always true.")] = True
    done_reason: Annotated[
        Literal["stop", "length"],
        Field(description="`length`: the LLM stopped in mid-answer; `filigraph.cut_short` gives the reason."),
    ]
    total_duration: Annotated[int, Field(description="Nanoseconds from the request to the answer.")]
    prompt_eval_count: Annotated[int, Field(description="Tokens that the LLM read, in all calls.")]
    eval_count: Annotated[int, Field(description="Tokens that it wrote.")]
    filigraph: Annotated[GroundingOut, Field(description="Citations, paths and the trace.")]

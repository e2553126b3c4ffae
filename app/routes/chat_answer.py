"""Shared by the chats of OpenAI and Ollama: the workspace of a model, the message with the question, and the answer as
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from filigraph.app.access.keys import Caller
from filigraph.app.http.permissions import check_sees
from filigraph.app.http.stream import Emit
from filigraph.app.schemas.questions import AnswerIn
from filigraph.app.service.service import Service
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.answers import Answer, Message, Round
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.model.usage import Usage
from filigraph.graph.process.cancel import ShouldStop

_MODEL = re.compile(r"filigraph/([\w.-]{1,64}?)(:latest)?")  # Ollama's clients put a tag behind a name


class ChatMessage(Protocol):
    """A message of a client."""

    role: Any

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class ChatQuestion:
    """A question to a workspace, and the messages before it."""

    workspace: str
    question: str
    history: Sequence[Message]


@dataclass(frozen=True, kw_only=True)
class ChatAnswer:
    """An answer, its text with the evidence below, and the LLM usage."""

    answer: Answer
    text: str
    usage: Usage


def models_of(service: Service, caller: Caller) -> list[str]:
    """The workspaces that the caller may see, as models."""
    return [f"filigraph/{row.name}" for row in service.workspaces.list_workspaces() if caller.sees(row.name)]


def read_question(model: str, messages: Sequence[ChatMessage], caller: Caller) -> ChatQuestion:
    """The last message of the user is the question. Raises NotFound, InputError, ForbiddenError."""
    match = _MODEL.fullmatch(model)
    if not match:
        raise NotFound(f"There is no model {model[:80]!r}.", cure="A model is filigraph/WORKSPACE; see GET /v1/models.")
    check_sees(caller, match[1])
    last = next((n for n in reversed(range(len(messages))) if messages[n].role == "user"), None)
    if last is None:
        raise InputError(
            "There is no message with the role user.", cure="Send the question as the last message, with the role user."
        )
    history = [
        Message(role="user" if message.role == "user" else "assistant", text=message.text)
        for message in messages[:last]
        if message.role in ("user", "assistant") and message.text.strip()
    ]
    return ChatQuestion(workspace=match[1], question=messages[last].text, history=history)


def answer_chat(
    service: Service,
    conversation: ChatQuestion,
    options: AnswerIn | None,
    emit: Emit,
    cancelled: ShouldStop,
    *,
    trace_id: str,
    reader: Caller,
) -> ChatAnswer:
    """Answer as `ask` does. Emits `retrieved` once, `thinking` with what the LLM notes and looks for between two
    readings, and `token` with each piece of the text as it is written."""
    from filigraph.graph.ask.generation.compose import footnotes

    language, streamed, usage = "", False, Usage()

    def on_retrieved(retrieved: Retrieved) -> None:
        nonlocal language
        language = retrieved.language
        emit("retrieved", {})

    def on_token(text: str) -> None:
        nonlocal streamed
        streamed = True
        emit("token", {"text": text})

    def on_round(reading: Round) -> None:
        looks = [f"{look.kind}: {look.text}" for look in reading.looks]
        emit("thinking", {"text": "\n".join([*filter(None, [reading.notes]), *looks]) + "\n\n"})

    def on_usage(used: Usage) -> None:
        nonlocal usage
        usage = used

    answer = service.questions.ask(
        conversation.workspace,
        conversation.question,
        settings=(options.settings() if options else {}) | {"compare": False},
        on_retrieved=on_retrieved,
        on_token=on_token,
        on_round=on_round,
        cancelled=cancelled,
        trace_id=trace_id,
        history=conversation.history,
        on_usage=on_usage,
        reader=reader,
    )
    notes = footnotes(answer, language)
    below = f"\n\n{notes}" if notes else ""
    if rest := below if streamed else answer.text + below:
        emit("token", {"text": rest})
    return ChatAnswer(answer=answer, text=answer.text + below, usage=usage)

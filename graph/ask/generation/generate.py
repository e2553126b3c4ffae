"""Generate: ask a model for a reply."""

from __future__ import annotations

from collections.abc import Callable

from filigraph.graph.ask.generation.reply import AnswerStream
from filigraph.graph.errors import FiligraphError, LLMResponseError, LLMUnavailable
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.prompts import Prompt
from filigraph.graph.process.cancel import ShouldStop

MAX_REPLY_TOKENS = 600


def ask_llm(
    prompt: Prompt,
    llm: LLM,
    *,
    on_token: Callable[[str], None] = lambda _: None,
    on_failure: Callable[[FiligraphError], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> str:
    """The reply of `llm`. `on_token` gets the answer as it is written.

    If an LLM fails after the first words of its answer, `on_failure` gets the reason, and the reply is the text so far.
    Raises LLMUnavailable, LLMResponseError and Cancelled, as the LLM does.
    """
    shown = AnswerStream(on_token)
    request = LLMRequest(prompt.user, system=prompt.system, max_tokens=MAX_REPLY_TOKENS, timeout=300.0)
    try:
        for piece in llm.stream(request, cancel=cancelled):
            shown.add(piece)
    except (LLMUnavailable, LLMResponseError) as error:
        if not shown.sent.strip():
            raise
        on_failure(error)
    shown.finish()
    return shown.all

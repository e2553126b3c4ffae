"""One call for the cast of a document. A reply that cannot be read is asked for once more."""

from __future__ import annotations

from filigraph.graph.errors import LLMResponseError
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.prompts import Prompt, render
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.cast.plan import CastBatch
from filigraph.graph.readings.cast.reply import SCHEMA, CastReply, read_cast_reply


def ask(batch: CastBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> CastReply:
    """Ask for the cast of a batch. Raises as the LLM does; LLMResponseError if both replies are unreadable."""
    key = batch.key(llm.model)
    reply = read_cast_reply(_complete(batch.prompt, batch, llm, timeout, cancelled), batch, key)
    if reply is None:
        again = render("repair", request=batch.prompt.user, problem="it is not the JSON that was asked for")
        retry = Prompt(system=batch.prompt.system, user=again.user)
        reply = read_cast_reply(_complete(retry, batch, llm, timeout, cancelled), batch, key)
    if reply is None:
        raise LLMResponseError(
            "The LLM was asked twice who is who, and no reply could be read.", cure="Try another model."
        )
    return reply


def _complete(prompt: Prompt, batch: CastBatch, llm: LLM, timeout: float, cancelled: ShouldStop) -> str:
    request = LLMRequest(
        prompt.user, system=prompt.system, schema=SCHEMA, max_tokens=batch.reply_tokens, timeout=timeout
    )
    return llm.complete(request, cancel=cancelled)

"""One call for the cast of a document. A reply that cannot be read is asked for once more."""

from __future__ import annotations

from filigraph.graph.cast.plan import CastBatch
from filigraph.graph.cast.reply import SCHEMA, CastReply, read_cast_reply
from filigraph.graph.errors import LLMResponseError
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.prompts import Prompt, render
from filigraph.graph.process.cancel import ShouldStop


def ask(batch: CastBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> CastReply:
    """Raises as the LLM does; LLMResponseError where nothing of two replies can be read."""
    key = batch.key(llm.model)
    found = read_cast_reply(_complete(batch.prompt, batch, llm, timeout, cancelled), batch, key)
    if found is None:
        again = render("repair", request=batch.prompt.user, problem="it is not the JSON that was asked for")
        asked = Prompt(system=batch.prompt.system, user=again.user)
        found = read_cast_reply(_complete(asked, batch, llm, timeout, cancelled), batch, key)
    if found is None:
        raise LLMResponseError(
            "The LLM was asked twice who is who, and no reply could be read.", cure="Try another model."
        )
    return found


def _complete(asked: Prompt, batch: CastBatch, llm: LLM, timeout: float, cancelled: ShouldStop) -> str:
    request = LLMRequest(asked.user, system=asked.system, schema=SCHEMA, max_tokens=batch.reply_tokens, timeout=timeout)
    return llm.complete(request, cancel=cancelled)

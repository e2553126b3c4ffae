"""One call for who is who across documents. A reply that cannot be read, or of which nothing can be believed, is asked
for once more; if nothing of that can be believed either, the call is answered without links, as with NONE."""

from __future__ import annotations

from filigraph.graph.errors import LLMResponseError
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.llm_batches import ask_twice
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.cast_across.plan import REPLY_TOKENS, AcrossBatch
from filigraph.graph.readings.cast_across.reply import AcrossReply, read_across_reply


def ask_across(batch: AcrossBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> AcrossReply:
    """Ask about a batch. Raises as the LLM does; LLMResponseError if both replies are unreadable."""
    not_believed: list[AcrossReply] = []

    def complete(user: str) -> str:
        request = LLMRequest(user, system=batch.prompt.system, max_tokens=REPLY_TOKENS, timeout=timeout)
        return llm.complete(request, cancel=cancelled)

    def read(text: str) -> AcrossReply | None:
        reply = read_across_reply(text, batch, batch.key(llm.model))
        if reply is not None and len(reply.links) == 1 and reply.left_out:
            not_believed.append(reply)
            return None
        return reply

    again = "Answer again with lines of the form that is asked for alone, or with NONE."
    try:
        return ask_twice(batch.prompt, complete, read, about="who is who across documents", again=again)
    except LLMResponseError:
        if not_believed:
            return not_believed[-1]
        raise

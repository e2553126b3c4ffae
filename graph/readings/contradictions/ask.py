"""One call for contradictions."""

from __future__ import annotations

from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.llm_batches import ask_twice
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.contradictions.check import CheckBatch, read_check
from filigraph.graph.readings.contradictions.plan import REPLY_TOKENS, ContradictionBatch
from filigraph.graph.readings.contradictions.reply import ContradictionReply, read_contradictions_reply


def ask(
    batch: ContradictionBatch | CheckBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop
) -> ContradictionReply:
    """Ask about a batch. Raises as the LLM does; LLMResponseError if both replies are unreadable."""

    def complete(user: str) -> str:
        request = LLMRequest(user, system=batch.prompt.system, max_tokens=REPLY_TOKENS, timeout=timeout)
        return llm.complete(request, cancel=cancelled)

    def read(reply: str) -> ContradictionReply | None:
        if isinstance(batch, CheckBatch):
            return read_check(reply, batch, llm.model)
        return read_contradictions_reply(reply, batch, llm.model)

    otherwise = "." if isinstance(batch, CheckBatch) else ", or with NONE."
    again = f"Answer again with lines of the form that is asked for alone{otherwise}"
    return ask_twice(batch.prompt, complete, read, about="contradictions", again=again)

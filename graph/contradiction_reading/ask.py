"""One call for the contradictions of a batch. If a reply is unreadable, it asks once more."""

from __future__ import annotations

from filigraph.graph.contradiction_reading.plan import REPLY, ContradictionBatch
from filigraph.graph.contradiction_reading.reply import ContradictionReply, read_contradictions_reply
from filigraph.graph.errors import LLMResponseError
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.process.cancel import ShouldStop

AGAIN = "Your last reply could not be read. Answer again with lines of the form that is asked for alone, or with NONE."


def ask(batch: ContradictionBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> ContradictionReply:
    """Ask about a batch. Raises as the LLM does; LLMResponseError if both replies are unreadable."""
    user = batch.prompt.user
    for _ in range(2):
        request = LLMRequest(user, system=batch.prompt.system, max_tokens=REPLY, timeout=timeout)
        reply = read_contradictions_reply(llm.complete(request, cancel=cancelled), batch, llm.model)
        if reply is not None:
            return reply
        user = f"{batch.prompt.user}\n\n{AGAIN}"
    raise LLMResponseError(
        "The LLM was asked twice for contradictions, and no reply could be read.", cure="Try another model."
    )

"""One call for contradictions. If a reply is unreadable, it asks once more."""

from __future__ import annotations

from filigraph.graph.contradiction_reading.check import CheckBatch, read_check
from filigraph.graph.contradiction_reading.plan import REPLY, ContradictionBatch
from filigraph.graph.contradiction_reading.reply import ContradictionReply, read_contradictions_reply
from filigraph.graph.errors import LLMResponseError
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.process.cancel import ShouldStop

AGAIN = "Your last reply could not be read. Answer again with lines of the form that is asked for alone"


def ask(
    batch: ContradictionBatch | CheckBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop
) -> ContradictionReply:
    """Ask about a batch. Raises as the LLM does; LLMResponseError if both replies are unreadable."""
    checks = isinstance(batch, CheckBatch)
    user = batch.prompt.user
    for _ in range(2):
        request = LLMRequest(user, system=batch.prompt.system, max_tokens=REPLY, timeout=timeout)
        text = llm.complete(request, cancel=cancelled)
        reply = (
            read_check(text, batch, llm.model)
            if isinstance(batch, CheckBatch)
            else read_contradictions_reply(text, batch, llm.model)
        )
        if reply is not None:
            return reply
        user = f"{batch.prompt.user}\n\n{AGAIN}{'.' if checks else ', or with NONE.'}"
    raise LLMResponseError(
        "The LLM was asked twice for contradictions, and no reply could be read.", cure="Try another model."
    )

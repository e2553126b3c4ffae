"""One call for the items of a batch. A reply that cannot be read is asked for once more."""

from __future__ import annotations

from filigraph.graph.errors import LLMResponseError
from filigraph.graph.list_reading.plan import REPLY, ListBatch
from filigraph.graph.list_reading.reply import read_list_reply
from filigraph.graph.model.llm_readings import ListReading
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.process.cancel import ShouldStop

AGAIN = "Your last reply could not be read. Answer again with lines of the form that is asked for alone, or with NONE."


def ask(batch: ListBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> ListReading:
    """Raises as the LLM does; LLMResponseError where nothing of two replies can be read."""
    user = batch.prompt.user
    for _ in range(2):
        request = LLMRequest(user, system=batch.prompt.system, max_tokens=REPLY, timeout=timeout)
        reading = read_list_reply(llm.complete(request, cancel=cancelled), batch, llm.model)
        if reading is not None:
            return reading
        user = f"{batch.prompt.user}\n\n{AGAIN}"
    raise LLMResponseError("The LLM was asked twice for a list, and no reply could be read.", cure="Try another model.")

"""The items of a batch, and the check of all items, from an LLM. It is asked to go on where its limit cuts a reply. A
reply of which nothing can be believed counts as one that cannot be read.
"""

from __future__ import annotations

from filigraph.graph.model.llm_readings import ListReading
from filigraph.graph.models.llm import LLM, LLMRequest, estimate_tokens, fence
from filigraph.graph.models.llm_batches import ask_twice
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.readings.lists.check import ListCheck, read_list_check
from filigraph.graph.readings.lists.plan import REPLY_TOKENS, ListBatch
from filigraph.graph.readings.lists.reply import item_of, read_list_reply

AGAIN = "Answer again with lines of the form that is asked for alone, or with NONE."
CONTINUE_PROMPT = (
    "Your reply was cut. Go on with the items after the line between these tags, in the same form, or with NONE:"
)
MOST_PARTS = 8  # of a reply
FULL_REPLY_SHARE = 0.9  # of REPLY_TOKENS: a longer reply may be cut; the estimate is rather too high


def ask(batch: ListBatch, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> ListReading:
    """Raises as the LLM does; LLMResponseError where nothing of two replies can be read."""

    def complete(user: str) -> str:
        return _whole_reply(user, batch, llm, timeout, cancelled)

    def read(reply: str) -> ListReading | None:
        reading = read_list_reply(reply, batch, llm.model)
        return reading if reading and (reading.items or not reading.left_out) else None

    return ask_twice(batch.prompt, complete, read, about="a list", again=AGAIN)


def ask_check(check: ListCheck, llm: LLM, *, timeout: float, cancelled: ShouldStop) -> ListReading:
    """Raises as the LLM does; LLMResponseError where two replies cannot be read."""

    def complete(user: str) -> str:
        request = LLMRequest(user, system=check.prompt.system, max_tokens=REPLY_TOKENS, timeout=timeout)
        return llm.complete(request, cancel=cancelled)

    def read(reply: str) -> ListReading | None:
        return read_list_check(reply, check, llm.model)

    return ask_twice(check.prompt, complete, read, about="a list", again=AGAIN)


def _whole_reply(user: str, batch: ListBatch, llm: LLM, timeout: float, cancelled: ShouldStop) -> str:
    asked, lines, last = user, list[str](), ""
    for _ in range(MOST_PARTS):
        request = LLMRequest(asked, system=batch.prompt.system, max_tokens=REPLY_TOKENS, timeout=timeout)
        reply = llm.complete(request, cancel=cancelled)
        part = reply.splitlines()
        if item_of(last) and item_of(last) != item_of(next(iter(part), "")):
            lines.append(last)  # it was whole: it is not said again
        last = ""
        lines += part
        if estimate_tokens(reply) < FULL_REPLY_SHARE * REPLY_TOKENS or len(part) < 2:
            break
        last = lines.pop()  # it may be half
        tag = fence(lines[-1], batch.prompt.user)
        asked = f"{user}\n\n{CONTINUE_PROMPT}\n<last-{tag}>\n{lines[-1]}\n</last-{tag}>"
    return "\n".join([*lines, last])

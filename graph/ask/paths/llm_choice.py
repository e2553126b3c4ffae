"""Choose: a language model picks, among the most probable chains of facts, those that help to answer.

One short call: the question and up to CANDIDATES chains in, their numbers out. The ranker knows how near a chain is to
the question; whether it answers, a reader knows better. What the reply does not settle is left as it was ranked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.model import ShouldStop
from filigraph.graph.models.llm import LLM, LLMRequest, estimate_tokens, fence
from filigraph.graph.models.prompts import render

CANDIDATES = 20  # chains to choose among
BUDGET = 600  # tokens of chains; the prompt around them has some 150
REPLY = 30  # tokens
FAR_AHEAD = 2.0  # times as probable as the second: nothing is to be chosen then
_NUMBERS = re.compile(r"[\s\[\](){}.,;:#P\d-]*")


def far_ahead(probabilities: Sequence[float]) -> bool:
    """Whether the first path leads so clearly that no model need be asked."""
    return len(probabilities) < 2 or probabilities[0] >= FAR_AHEAD * max(probabilities[1:])


def choose(
    question: str, chains: Sequence[str], llm: LLM, *, most: int, timeout: float = 60.0, cancelled: ShouldStop
) -> list[int] | None:
    """Indices of at most `most` chains, the best first; [] where the model says that none helps, None
    where its reply is no choice. Raises LLMUnavailable, LLMResponseError and Cancelled, as the LLM does.
    """
    listed: list[str] = []
    room = BUDGET
    for number, chain in enumerate(chains[:CANDIDATES], start=1):
        line = f"{number}. {' '.join(chain.split())}"
        room -= estimate_tokens(line)
        if room < 0:
            break
        listed.append(line)
    text = "\n".join(listed)
    prompt = render("choose", tag=fence(text, question), chains=text, question=question, most=str(most))
    request = LLMRequest(prompt.user, system=prompt.system, max_tokens=REPLY, timeout=timeout)
    reply = llm.complete(request, cancel=cancelled)
    return read_choice(reply, len(listed), most)


def read_choice(reply: str, count: int, most: int) -> list[int] | None:
    """The indices that a reply of numbers names; anything else than numbers is no choice."""
    if not _NUMBERS.fullmatch(reply):
        return None
    numbers = [int(number) for number in re.findall(r"\d{1,4}", reply)]
    if numbers == [0]:
        return []
    chosen = [number - 1 for number in dict.fromkeys(numbers) if 1 <= number <= count]
    return chosen[:most] or None

"""Summaries worded by an LLM. They keep only sentences that the text supports.

A sentence with a name, a number or a date that the text does not have is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLM, LLMRequest, estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.formats.loose_json import whole_object
from filigraph.graph.text.names.unsupported import unsupported_names
from filigraph.graph.text.numbers.answer_numbers import unsupported_figures
from filigraph.graph.text.sentences import sentences

WINDOW_SUMMARY_WORDS = 90  # of a summary of a window
UPPER_SUMMARY_WORDS = 140  # of one that covers others
MAX_REPLY_TOKENS = 500  # tokens
MAX_NOTE_CHARS = 120  # characters of a tag, or of what was left out
MOST_TAGS, MOST_LEFT_OUT = 6, 4
SCHEMA = {
    "type": "object",
    "properties": {
        "summary": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "left_out": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["summary", "tags", "left_out"],
}


@dataclass(frozen=True, kw_only=True)
class LLMSummary:
    """A model's summary, as far as the text supports it."""

    text: str  # "" if the reply is unusable
    tags: tuple[str, ...] = ()
    omissions: tuple[str, ...] = ()
    dropped: int = 0  # sentences that the text does not support


def recipe(llm: LLM) -> str:
    """The identity of model and prompt: others make other summaries."""
    return f"llm:{llm.model}:{prompt_hash('summarize')}"


def prompt_of(text: str, level: int) -> Prompt:
    words = WINDOW_SUMMARY_WORDS if level == 1 else UPPER_SUMMARY_WORDS
    return render("summarize", tag=fence(text), text=text, words=str(words))


def expected(text: str, level: int) -> Usage:
    prompt = prompt_of(text, level)
    return Usage(calls=1, tokens_in=estimate_tokens(prompt.system + prompt.user), tokens_out=MAX_REPLY_TOKENS)


def write_summary(
    text: str, language: str, level: int, llm: LLM, *, timeout: float, cancelled: ShouldStop
) -> LLMSummary:
    """The summary of a text. A reply that cannot be read is asked for once more. Raises as the LLM does."""
    prompt = prompt_of(text, level)
    reply = whole_object(_complete(prompt, llm, timeout, cancelled))
    if not _usable(reply):
        again = render("repair", request=prompt.user, problem="it is not the JSON that was asked for")
        reply = whole_object(_complete(Prompt(system=prompt.system, user=again.user), llm, timeout, cancelled))
    return _keep_supported(reply, text, language) if _usable(reply) else LLMSummary(text="")


def _complete(prompt: Prompt, llm: LLM, timeout: float, cancelled: ShouldStop) -> str:
    request = LLMRequest(prompt.user, system=prompt.system, schema=SCHEMA, max_tokens=MAX_REPLY_TOKENS, timeout=timeout)
    return llm.complete(request, cancel=cancelled)


def _usable(reply: dict[str, Any] | None) -> bool:
    return reply is not None and isinstance(reply.get("summary"), str) and bool(reply["summary"].strip())


def _keep_supported(reply: dict[str, Any] | None, text: str, language: str) -> LLMSummary:
    assert reply is not None
    written = " ".join(reply["summary"].split())
    wrong = [*unsupported_names(written, text)]
    wrong += [(figure.start, figure.end) for figure in unsupported_figures(written, language, text)]
    believed, dropped = [], 0
    for start, end in sentences(written, language):
        if any(start <= at < end for at, _ in wrong):
            dropped += 1
        else:
            believed.append(written[start:end])
    return LLMSummary(
        text=" ".join(believed),
        tags=_notes(reply.get("tags"), text)[:MOST_TAGS],
        omissions=_notes(reply.get("left_out"), text)[:MOST_LEFT_OUT],
        dropped=dropped,
    )


def _notes(value: Any, text: str) -> tuple[str, ...]:
    """Short phrases that name nobody who is not in the text."""
    phrases = value if isinstance(value, list) else []
    cleaned = (
        " ".join(phrase.split())[:MAX_NOTE_CHARS] for phrase in phrases if isinstance(phrase, str) and phrase.strip()
    )
    return tuple(dict.fromkeys(phrase for phrase in cleaned if not unsupported_names(phrase, text)))

"""Rewrite: a follow-up question ("and who paid her?") as one that can be understood by itself."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from filigraph.graph.ask.question.compared_pronouns import compares_a_pronoun, with_compared_names
from filigraph.graph.ask.question.link import Linked, candidate_spans, link
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.errors import LLMResponseError, LLMUnavailable
from filigraph.graph.model.answers import Message
from filigraph.graph.model.traces import TraceStep
from filigraph.graph.models.llm import LLM, LLMRequest, fence
from filigraph.graph.models.prompts import render
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.words import tokens

MAX_MESSAGES = 6  # of the conversation, the last ones
MAX_MESSAGE_CHARS = 600  # characters of each
MAX_FOLLOW_UP_WORDS = 60  # words of a question that may need the ones before it: a longer one says whom it means
MAX_REPLY_TOKENS = 120  # tokens
MAX_NAMES = 3
MIN_OWN_WORDS = 2  # words by which a question without names says what it is about

# Folded: words that point at somebody or something said before, and words that go on with what was said.
_BACK = frozenset(
    word
    for language in (
        "he him his she her hers it its they them their theirs that this those these there",
        "il elle ils elles lui leur leurs son sa ses y en cela ca celui celle ceux celles",
        "el ella ellos ellas su sus eso er sie ihn ihm ihr ihre sein seine lei loro suo sua suoi",
        "он она они его ее ей ему их 他 她 它",
    )
    for word in language.split()
)
# English and French words that alone do not say what a question is about: "What happened next?"
_SAYS_LITTLE = frozenset(
    word
    for language in (
        "who whom whose what which when where why how did does do has have had happen happened happens next then else",
        "after afterwards before later again also more made make come came went go say said kind",
        "qui que quoi quel quelle quels quelles quand ou pourquoi comment combien est etait a ont fait faire passe",
        "ensuite apres avant encore aussi autre autres plus arrive dit sorte",
    )
    for word in language.split()
)
_ON = frozenset(["and", "but", "so", "then", "et", "mais", "donc", "alors", "y", "pero", "und", "aber", "e", "ma", "и"])


def standalone_question(
    question: str, history: Sequence[Message], *, graph: GraphReader, llm: LLM | None, cancelled: ShouldStop
) -> tuple[str, tuple[TraceStep, ...]]:
    """The question as it can be asked without `history`, and the steps of the trace that made it. Raises Cancelled."""
    if not history or not 0 < len(question.split()) <= MAX_FOLLOW_UP_WORDS:
        return question, ()
    begin = time.perf_counter()
    alone, outputs = "", dict[str, Any]()
    if llm is not None:
        try:
            alone = rewrite(question, history, llm, cancelled=cancelled)
        except (LLMUnavailable, LLMResponseError) as error:  # the names are worth having without it
            outputs.update(failed=str(error))
    alone = alone or with_names(question, history, graph)
    step = TraceStep(
        name="rewrite",
        milliseconds=round((time.perf_counter() - begin) * 1000, 1),
        inputs={"question": question, "messages": len(history), "model": llm.model if llm else ""},
        outputs={**outputs, "question": alone},
    )
    return alone, (step,)


def rewrite(question: str, history: Sequence[Message], llm: LLM, *, cancelled: ShouldStop) -> str:
    """The question as `llm` words it; "" if its reply cannot be a question. Raises LLMUnavailable, LLMResponseError and
    Cancelled, as the LLM does."""
    conversation = "\n".join(f"{message.role}: {_shortened(message.text)}" for message in history[-MAX_MESSAGES:])
    prompt = render("rewrite", tag=fence(conversation, question), conversation=conversation, question=question)
    request = LLMRequest(prompt.user, system=prompt.system, max_tokens=MAX_REPLY_TOKENS, timeout=60.0)
    reply = llm.complete(request, cancel=cancelled)
    lines = [line.strip(' \t"“”«»\u00a0') for line in reply.splitlines()]
    line = next(filter(None, lines), "")
    return line if len(line.split()) <= MAX_FOLLOW_UP_WORDS and "<" not in line else ""


def with_names(question: str, history: Sequence[Message], graph: GraphReader) -> str:
    """The question; if it points back, followed by the names of the last question and answer, in brackets, or with a
    name in place of a pronoun that it compares."""
    if compares_a_pronoun(question):
        users = (_linked(message.text, graph) for message in reversed(history) if message.role == "user")
        names = list(dict.fromkeys(entity.name for entity in next(filter(None, users), ())))
        if (compared := with_compared_names(question, names)) != question:
            return compared
    if not _refers_to_history(question, _linked(question, graph)):
        return question
    linked = (_linked(message.text, graph) for message in reversed(history) if message.role == "user")
    answers = (message.text[:MAX_MESSAGE_CHARS] for message in reversed(history) if message.role == "assistant")
    named = [*next(filter(None, linked), ()), *_linked(next(answers, ""), graph)]
    names = list(dict.fromkeys(entity.name for entity in named))[:MAX_NAMES]
    return f"{question} ({', '.join(names)})" if names else question


def _refers_to_history(question: str, named: Sequence[Linked]) -> bool:
    """It goes on with what was said, has a pronoun before its first name, or names nobody and hardly anything: "What
    part did opium play?" names what it is about."""
    words = tokens(question)
    first = question.find(named[0].span) if named else len(question)
    if not words or words[0].folded in _ON or any(word.folded in _BACK for word in words if word.end <= first):
        return True
    said = {word.folded for word in words} - FUNCTION_WORDS - _SAYS_LITTLE
    return not named and (words[0].folded not in _SAYS_LITTLE or len(said) < MIN_OWN_WORDS)


def _linked(text: str, graph: GraphReader) -> list[Linked]:
    """The entities that a text names, in its order."""
    candidates = candidate_spans(text)
    linked = link(text, candidates, graph.entities_named(sorted({span.key for span in candidates})))
    return sorted(linked, key=lambda entity: text.find(entity.span))


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_MESSAGE_CHARS else f"{line[:MAX_MESSAGE_CHARS]}…"

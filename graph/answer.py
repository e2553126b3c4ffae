"""Answer, top to bottom: search (`engine.py`) -> compose -> generate."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol

from filigraph.graph.ask.generation.basis import basis
from filigraph.graph.ask.generation.compose import compose, plain_answer
from filigraph.graph.ask.generation.generate import generate
from filigraph.graph.ask.run import BUDGET, AskSettings
from filigraph.graph.ask.tracer import Tracer, tracer_after
from filigraph.graph.errors import FiligraphError, LLMResponseError, LLMUnavailable
from filigraph.graph.model import Answer, Retrieved, ShouldStop, TraceStep
from filigraph.graph.models.llm import LLM


class Search(Protocol):
    """Finds the evidence for a question: `engine.find_evidence` on a graph, in this process or in another one."""

    def __call__(
        self,
        question: str,
        *,
        llm: LLM | None,
        settings: AskSettings,
        on_searched: Callable[[], None],
        cancelled: ShouldStop,
        trace_id: str,
        before: Sequence[TraceStep],
    ) -> Retrieved: ...


def answer(
    question: str,
    *,
    search: Search,
    llm: LLM | None = None,
    settings: AskSettings | None = None,
    on_searched: Callable[[], None] = lambda: None,
    on_retrieved: Callable[[Retrieved], None] = lambda _: None,
    on_failure: Callable[[FiligraphError], None] = lambda _: None,
    on_token: Callable[[str], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    trace_id: str = "",
    before: Sequence[TraceStep] = (),
) -> Answer:
    """Answer `question` with citations and the paths of facts behind it.

    `on_searched` is called before the LLM is asked to choose, `on_retrieved` with the evidence before the first token.
    Without an LLM the answer is the passages; if it fails, `on_failure` gets the reason. Raises Cancelled, between two
    steps at the latest.
    `trace_id` is unique; without one the trace gets an id of its own. `before` are the steps that led to `question`.
    """
    settings = settings or AskSettings()
    llm = llm if settings.llm else None
    retrieved = search(
        question,
        llm=llm,
        settings=settings,
        on_searched=on_searched,
        cancelled=cancelled,
        trace_id=trace_id,
        before=before,
    )
    on_retrieved(retrieved)
    answered = _answer(retrieved, llm, settings, tracer_after(retrieved.trace, cancelled), on_token, on_failure)
    if settings.compare and settings.method == "filigraph":
        baseline = dataclasses.replace(settings, method="dense", compare=False, entity_types=(), path_types=())
        by_vectors = answer(question, search=search, llm=llm, settings=baseline, cancelled=cancelled)
        answered = dataclasses.replace(answered, vector_only=by_vectors)
    return answered


def _answer(
    retrieved: Retrieved,
    llm: LLM | None,
    settings: AskSettings,
    tracer: Tracer,
    on_token: Callable[[str], None],
    on_failure: Callable[[FiligraphError], None],
) -> Answer:
    budget = settings.budget_tokens or BUDGET
    with tracer.step("compose", budget_tokens=budget) as out:
        composed = compose(retrieved, budget_tokens=budget)
        out.update(tokens=composed.tokens, cited=[e.id for e in composed.cited], left_out=list(composed.left_out))
    with tracer.step("generate", model=llm.model if llm else "") as out:
        generated = plain_answer(retrieved, composed, add_model=llm is None and settings.llm)
        failures: list[FiligraphError] = []
        if llm is not None:
            try:
                generated = generate(
                    composed, llm, on_token=on_token, on_failure=failures.append, cancelled=tracer.cancelled
                )
            except (LLMUnavailable, LLMResponseError) as error:  # the evidence is worth having without it
                on_failure(error)
                generated = dataclasses.replace(generated, missing=str(error))
                out.update(failed=str(error))
        for failure in failures:
            on_failure(failure)
            out.update(failed=str(failure))
        out.update(characters=len(generated.text), unsupported=[part.text for part in generated.unsupported])
        out.update(answered=generated.answered)
    return Answer(
        question=retrieved.question,
        text=generated.text,
        generated=generated.generated,
        model=llm.model if llm and generated.generated else "",
        citations=composed.cited,
        paths=retrieved.paths if generated.answered else (),
        unsupported=generated.unsupported,
        missing=generated.missing,
        trace=tracer.trace(),
        cut_short="".join(map(str, failures)),
        rests_on=tuple(retrieved.paths[number - 1].id for number in generated.rests_on),
        answered=generated.answered,
        basis=basis(generated.text, composed.cited, retrieved.language) if generated.generated else "",
        nowhere=retrieved.nowhere,
        remark=retrieved.remark,
    )

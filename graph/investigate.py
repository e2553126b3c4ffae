"""Investigate, top to bottom: read -> (answer | look again -> read ...).

A language model reads what one search found. Its reply answers, or says what is settled so far, which extracts are
still needed, and what to look for next: by words, around a name, between two names. The results join the extracts that
it keeps, now uncut, and it reads again. The first reply that answers ends it. So do `AskSettings.rounds`,
`total_tokens` and `seconds`, and a repeated search: then the next reading is the last, and its prompt asks only for an
answer.

For a question how two names are connected, the first prompt also has the best chains of facts between them.

A reply that does not follow the protocol is an answer, so a small model is asked once. A cancellation returns what was
read so far.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from filigraph.graph.ask.generation.check import check_reply
from filigraph.graph.ask.generation.generate import ask_llm
from filigraph.graph.ask.generation.notebook import GraphResult, Notebook
from filigraph.graph.ask.generation.reply import Reply, Request, read_reply
from filigraph.graph.ask.settings import BUDGET, AskSettings
from filigraph.graph.ask.tracer import Tracer
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, UnavailableError
from filigraph.graph.model.answers import Ended, Generated, Look, Round
from filigraph.graph.model.retrieval import Evidence, Retrieved
from filigraph.graph.model.traces import TraceStep
from filigraph.graph.models.llm import LLM, estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, render
from filigraph.graph.text.connection_questions import connection_asked
from filigraph.graph.text.wording import wording
from filigraph.graph.text.words import terms

# Extracts and tokens of evidence in the first prompt of a model that may look for more. In 5,800 tokens it has all
# sentences of gold for 85 of 90 questions on six case files (in all their extracts: 89); 6,000 tokens add nothing, and
# the whole prompt stays below 8,192 tokens.
FIRST, FIRST_VIEW = 16, 5_800
IN_VIEW = 4_500  # max. tokens of evidence in a later prompt
SEARCHED = 1_500  # max. tokens for each search
MIN_SEARCH_TOKENS = 400  # min. tokens for each of several searches
PASSAGES = 6  # passages per search
LEADS = 2  # paths per search

_CITED = re.compile(r"\[(\d{1,4})\]")

Search = Callable[[str, AskSettings], Retrieved]  # one more search, by words
LookUp = Callable[[Request], GraphResult]  # the graph's answer


@dataclass(frozen=True, kw_only=True)
class Watch:
    """Callbacks of an investigation."""

    on_token: Callable[[str], None] = lambda _: None  # the model's answer, as it is written
    on_failure: Callable[[FiligraphError], None] = lambda _: None  # the model ended in mid-answer
    on_round: Callable[[Round], None] = lambda _: None  # before the searches of a round
    on_found: Callable[[Round, Look, Sequence[Evidence]], None] = lambda *_: None  # results of one look


@dataclass(frozen=True, kw_only=True)
class Investigation:
    generated: Generated
    path: str  # the steps that the model names, in its words; "" for none
    extracts: tuple[Evidence, ...]  # [n] is extracts[n - 1]
    rounds: tuple[Round, ...]
    ended: Ended
    cut_short: str  # why the model ended in mid-answer, "" if it did not


def investigate(
    first: Retrieved,
    *,
    llm: LLM,
    search: Search,
    look_up: LookUp,
    settings: AskSettings,
    tracer: Tracer,
    watch: Watch,
) -> Investigation:
    """Read the first results, and look for more until the model answers, must answer, or is cancelled. Raises
    LLMUnavailable and LLMResponseError, as the LLM does."""
    reading = _Reading(first, llm, settings, tracer, watch)
    try:
        reading.look_between(look_up)
        while True:
            last = reading.ending()
            reply = reading.read(last)
            if last or not (reply.goes_on or reading.wants_uncut(reply)):
                return reading.result(reply, last)
            reading.run_requests(reply, search, look_up)
    except Cancelled:
        return reading.cancelled_result()


@dataclass(frozen=True, kw_only=True)
class _FirstView:
    """What the first prompt shows."""

    tokens: int
    cited: list[str]

    def summary(self) -> dict[str, Any]:
        return {"tokens": self.tokens, "cited": self.cited}


@dataclass(frozen=True, kw_only=True)
class _ModelReply:
    """The model's reply to a prompt."""

    reply: Reply
    prompt_tokens: int
    failure: str  # of the last call that failed; "" for none

    def summary(self) -> dict[str, Any]:
        reply = self.reply
        looks_for = [f"{request.kind}: {request.text}" for request in reply.requests]
        if reply.only_keeps:
            looks_for = [f"keep: {', '.join(map(str, reply.keep))}"]
        return {
            "answer": reply.answer,
            "path": reply.path,
            "missing": reply.missing,
            "answered": reply.answered,
            "notes": reply.notes,
            "keep": list(reply.keep),
            "prompt_tokens": self.prompt_tokens,
            "looks_for": looks_for,
            **({"failed": self.failure} if self.failure else {}),
        }


@dataclass(frozen=True, kw_only=True)
class _GraphExtracts:
    extracts: list[int]  # numbers

    def summary(self) -> dict[str, Any]:
        return {"extracts": self.extracts}


@dataclass(frozen=True, kw_only=True)
class _SearchFailure:
    """A search that brought nothing."""

    reason: str

    def summary(self) -> dict[str, Any]:
        return {"failed": self.reason}


class _Reading:
    """The state of one investigation."""

    def __init__(self, first: Retrieved, llm: LLM, settings: AskSettings, tracer: Tracer, watch: Watch) -> None:
        self._first, self._llm, self._settings, self._tracer, self._watch = first, llm, settings, tracer, watch
        self._notebook = Notebook()
        self._names = connection_asked(first.question)
        self._rounds: list[Round] = []
        self._asked: set[tuple[str, ...]] = set()
        self._began = time.monotonic()
        self._spent = 0  # tokens, estimated
        self._failures: list[FiligraphError] = []
        self._streamed = ""  # of the last reply
        self._not_kept: list[int] = []  # extracts that the last reply wanted to keep and that had no room
        budget = settings.budget_tokens or (FIRST_VIEW if settings.rounds > 1 else BUDGET)
        tracer.step("compose", lambda: self._first_view(budget), budget_tokens=budget)

    def ending(self) -> Ended:
        """Why the next reading is the last one; "" if it is not."""
        if len(self._rounds) + 1 >= self._settings.rounds:
            return "rounds"
        if self._rounds and self._rounds[-1].looks and all(look.repeated for look in self._rounds[-1].looks):
            return "repeats"
        if self._rounds and time.monotonic() - self._began > self._settings.seconds:
            return "seconds"
        if self._rounds and self._spent + 2 * (IN_VIEW + 1_500) > self._settings.total_tokens:
            return "tokens"  # too few for this reading and one more
        return ""

    # ---- Read

    def _first_view(self, budget: int) -> _FirstView:
        self._notebook.read(self._first, budget)
        return _FirstView(tokens=self._notebook.tokens, cited=[item.id for item in self._notebook.extracts])

    def read(self, last: Ended) -> Reply:
        """The model's reply to the evidence of this round."""
        context = self._notebook.context()
        if not context:
            return Reply(answered=False)
        self._streamed = ""
        prompt = self._prompt(context, last)
        inputs = {"round": len(self._rounds) + 1, "last": last, "model": self._llm.model}
        return self._tracer.step("read", lambda: self._asked_of_model(prompt), **inputs).reply

    def look_between(self, look_up: LookUp) -> None:
        """For a question how two names are connected: add the graph's facts between them."""
        if self._names:
            text, *otherwise = map(" | ".join, self._names)
            request = Request(kind="between", text=text, otherwise=tuple(otherwise))
            self._new_look(request)
            self._tracer.step(
                "look up", lambda: self._graph_extracts(request, look_up), round=1, kind=request.kind, text=text
            )

    def _asked_of_model(self, prompt: Prompt) -> _ModelReply:
        text = ask_llm(
            prompt,
            self._llm,
            on_token=self._on_token,
            on_failure=self._failures.append,
            cancelled=self._tracer.cancelled,
        )
        self._spent += estimate_tokens(prompt.system + prompt.user) + estimate_tokens(text)
        failure = str(self._failures[-1]) if self._failures else ""
        reply = read_reply(_without_instructions(text, prompt.system))
        return _ModelReply(reply=reply, prompt_tokens=estimate_tokens(prompt.user), failure=failure)

    def _on_token(self, text: str) -> None:
        self._streamed += text
        self._watch.on_token(text)

    def _prompt(self, context: str, last: Ended) -> Prompt:
        question, notes = self._first.question, self._notes()
        tag = fence(context, notes)
        return render(
            "answer" if last else "investigate",
            tag=tag,
            evidence=context,
            notes=f"<notes-{tag}>\n{notes}\n</notes-{tag}>\n" if notes else "",
            question=question,
            ask=_ask(self._first.language, last, looked=bool(self._rounds), connects=bool(self._names)),
        )

    def _notes(self) -> str:
        """Notes and searches of earlier rounds."""
        if not self._rounds:
            return ""
        looked = [
            f"{look.kind.upper()}: {look.text}" + ("" if look.extracts else " (nothing new)")
            for one in self._rounds
            for look in one.looks
            if not look.repeated
        ]
        looked = ["What you looked for:", *looked] if looked else []
        numbers = ", ".join(f"[{n}]" for n in self._not_kept)
        not_kept = [f"There was no room to keep {numbers}."] if numbers else []
        return "\n".join(["What you noted:", self._rounds[-1].notes or "nothing", *not_kept, *looked])

    # ---- Look

    def wants_uncut(self, reply: Reply) -> bool:
        """Whether a reply asks only for the rest of extracts that are cut."""
        return reply.only_keeps and self._notebook.is_any_cut(reply.keep)

    def run_requests(self, reply: Reply, search: Search, look_up: LookUp) -> None:
        """Put away the extracts that are not kept, and run the searches that the model asks for. If the model names no
        extract, as many stay as have room, the best first."""
        cited = [int(number) for number in _CITED.findall(reply.notes)]
        keep = reply.keep or cited or range(1, len(self._notebook.extracts) + 1)
        looks = [self._new_look(request) for request in reply.requests]
        retained = tuple(self._notebook.put_away(keep, alone=not looks))
        numbers = range(1, len(self._notebook.extracts) + 1)
        self._not_kept = [n for n in dict.fromkeys(reply.keep) if n in numbers and n not in retained]
        one = Round(number=len(self._rounds) + 1, notes=reply.notes, kept=retained, looks=tuple(looks))
        self._watch.on_round(one)
        new = [n for n, look in enumerate(looks) if not look.repeated]
        try:
            for n in new:
                known = len(self._notebook.extracts)
                room = (IN_VIEW - self._notebook.tokens) // (len(new) - new.index(n))
                looks[n] = self._run(looks[n], max(MIN_SEARCH_TOKENS, min(SEARCHED, room)), search, look_up)
                self._watch.on_found(one, looks[n], self._notebook.extracts[known:])
        finally:  # a cancellation returns the results of the first looks
            self._rounds.append(replace(one, looks=tuple(looks)))

    def _new_look(self, request: Request) -> Look:
        """A look for the request, and whether it repeats an earlier one."""
        key = (request.kind, *sorted(set(terms(request.text, self._first.language))))
        repeated = key in self._asked
        self._asked.add(key)
        return Look(kind=request.kind, text=request.text, repeated=repeated)

    def _run(self, look: Look, room: int, search: Search, look_up: LookUp) -> Look:
        """The look with the extracts that it brought into view."""
        if look.kind != "search":
            request = Request(kind=look.kind, text=look.text)
            inputs = {"round": len(self._rounds) + 1, "kind": look.kind, "text": look.text}
            result = self._tracer.step("look up", lambda: self._graph_extracts(request, look_up), **inputs)
            return replace(look, extracts=tuple(dict.fromkeys(result.extracts)))
        more = replace(self._settings, keep=PASSAGES, shown_paths=LEADS, profile="detail", compare=False)
        try:
            retrieved = search(look.text, more)
        except (InputError, UnavailableError) as error:  # the extracts so far may answer
            failed = _SearchFailure(reason=str(error))
            self._tracer.step("look up", lambda: failed, kind=look.kind, text=look.text)
            return look
        self._tracer.add(retrieved.trace.steps, looking_for=look.text, round=len(self._rounds) + 1)
        return replace(look, extracts=tuple(self._notebook.read(retrieved, room)))

    def _graph_extracts(self, request: Request, look_up: LookUp) -> _GraphExtracts:
        return _GraphExtracts(extracts=self._notebook.add_result(look_up(request)))

    # ---- End

    def result(self, reply: Reply, last: Ended) -> Investigation:
        """The answer of the last reply, checked."""
        reply = replace(reply, answer="", answered=False) if reply.goes_on else reply
        extracts = self._notebook.extracts
        generated = check_reply(
            reply,
            evidence="\n".join(self._notebook.everything),
            question=self._first.question,
            language=self._first.language,
            numbers=len(extracts),
        )
        if not extracts:
            generated = replace(generated, generated=False)
        if not self._streamed:  # JSON, or no answer at all
            self._watch.on_token(generated.text)
        for failure in self._failures:
            self._watch.on_failure(failure)
        return Investigation(
            generated=generated,
            path=reply.path if generated.answered else "",
            extracts=tuple(extracts),
            rounds=tuple(self._rounds),
            ended="answered" if generated.answered else "unanswered" if reply.answer or not last else last,
            cut_short="".join(map(str, self._failures)),
        )

    def cancelled_result(self) -> Investigation:
        """The result of a cancellation: what was read, with the part of an answer that the model had written, or else
        its notes."""
        extracts = self._notebook.extracts
        notes = self._streamed.strip() or (self._rounds[-1].notes if self._rounds else "")
        notice = wording(self._first.language).cancelled
        generated = check_reply(
            Reply(answer=f"{notice}\n\n{notes}".strip(), answered=False),
            evidence="\n".join([notice, *self._notebook.everything]),
            question=self._first.question,
            language=self._first.language,
            numbers=len(extracts),
        )
        looked = [look.text for one in self._rounds for look in one.looks]
        self._tracer.add([TraceStep(name="cancelled", milliseconds=0.0, inputs={}, outputs={"looked_for": looked})])
        return Investigation(
            generated=replace(generated, generated=bool(notes)),
            path="",
            extracts=tuple(extracts),
            rounds=tuple(self._rounds),
            ended="cancelled",
            cut_short="",
        )


def _without_instructions(text: str, system: str) -> str:
    """A reply without the lines that it copies from its instructions, as small models do."""
    instructions = {line.strip() for line in system.splitlines()} - {""}
    return "\n".join(line for line in text.splitlines() if line.strip() not in instructions)


_BEGIN = "Begin with ANSWER:, then a line with PATH: and one with MISSING:"  # the wording of the answer lacks the path


def _ask(language: str, last: Ended, *, looked: bool, connects: bool) -> str:
    """The instruction, in the language of the answer and then in that of the protocol. `connects`: whether the question
    asks how two names are connected."""
    instruction = wording(language).ask
    if connects:
        instruction += (
            "\nThe chains of the graph between the two names are in the evidence; extracts may join them by more: a "
            "mark, a number or a thing that two share shows who is who. Name every link from one name to the other, "
            "each with its extract. A place, a date or a name that much else shares connects nobody: then write "
            '"UNANSWERED: not connected but by" and it. If nothing joins the two, write "UNANSWERED: not connected".'
        )
    if not last:
        other = "or with NOTES: where something is still to be found, or with UNANSWERED: if no extract can say it."
        return f"{instruction}\n{_BEGIN}, {other}"
    end = f"{_BEGIN}, or with UNANSWERED: if the evidence does not say it."
    return f"{instruction}\nThere is no further search. {end}" if looked else f"{instruction}\n{end}"

"""Extract with a language model: one call per chunk, several in flight, results in order.

The model sees the chunk's sentences numbered, between tags that the text cannot forge, and answers with JSON.
`llm_check.py` decides what to believe, `schema.py` what to look for. For a chunk of 512 tokens, prompt and reply have
at most about 1,000 tokens each.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import islice

from filigraph.graph.errors import Cancelled, LLMDown, LLMRefused, LLMResponseError, LLMSlow, LLMUnavailable
from filigraph.graph.ids import content_id
from filigraph.graph.ingest.extract.contract import extraction_key
from filigraph.graph.ingest.extract.llm_check import checked_extraction
from filigraph.graph.ingest.extract.llm_reply import read_reply
from filigraph.graph.ingest.extract.patterns.lines import dates_of_sentences
from filigraph.graph.ingest.extract.schema import BUDGETS, ExtractionSchema, Thoroughness, default_schema, numbered
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLM, LLMRequest, Patience, estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.sentences import sentences

VERSION = "15"  # bump if a reply would be checked in another way: chunks are then read again
MAX_PROMPT = 1000  # tokens, estimated: the context is shortened if the text needs the room
FAILURES = 3  # chunks in a row without an answer: then the LLM is not asked for the rest
LONGEST_PAUSE = 60.0  # seconds between checks whether a server is back

Ask = Callable[[LLMRequest], str]  # returns the reply; raises LLMUnavailable


class LLMExtractor:
    """The Extractor that asks `llm`.

    `reading`: how much to ask for, all facts of a chunk or the most important ones.

    `in_flight` calls run at once, each for `timeout` seconds at most. `cancel` is called several times a second; if it
    says so, extract() raises Cancelled.

    If a server disappears after it has answered, or says that it is busy, extract() waits for it, up to `patience`
    seconds from its last answer; the pauses grow from `pause`, or are as long as the server asks for; it calls
    `notify`. With `awaited` it also waits for the first answer. A chunk without an answer has an Extraction with the
    key "" and a note. After three in a row it does not ask for the rest, which gets the same; but if no chunk had an
    answer and the server is not just slow, extract() raises LLMUnavailable. A chunk that the server refuses does not
    count as missing.

    `keep` gets each result as soon as it is complete, in any order and from several threads, so that a kill costs only
    the calls in flight. If it raises, extract() ends at once: a result that cannot be stored is not worth a call.
    """

    expensive = True

    def __init__(
        self,
        llm: LLM,
        *,
        schema: ExtractionSchema | None = None,
        reading: Thoroughness = "thorough",
        in_flight: int = 2,
        timeout: float = 300.0,
        patience: float = 900.0,
        pause: float = 5.0,
        awaited: bool = False,
        cancel: ShouldStop = lambda: False,
        notify: Callable[[str], None] = lambda _: None,
        keep: Callable[[Chunk, Extraction], None] = lambda chunk, extraction: None,
    ) -> None:
        self._llm = llm
        self._schema = schema or default_schema()
        self._budget = BUDGETS[reading]
        self._in_flight = in_flight
        self._timeout = timeout
        self._patience = Patience(patience, waits=awaited)
        self._pause = pause
        self._cancel = cancel
        self._notify = notify
        self._keep = keep
        self.name = f"llm:{llm.model}"
        self.batch = in_flight  # committed while the LLM reads the next ones
        prompts = prompt_hash("extract"), prompt_hash("repair"), json.dumps(self._schema.reply_schema("", self._budget))
        self.version = content_id("extractor", VERSION, *prompts, self._schema.version, str(self._budget.tokens))

    @property
    def usage(self) -> Usage:
        return self._llm.usage

    def expected(self, chunk: Chunk) -> Usage:
        spans = sentences(chunk.text, chunk.language)
        prompt = self.prompt(chunk, spans)
        tokens_in = estimate_tokens(prompt.system + prompt.user)
        return Usage(calls=1, tokens_in=tokens_in, tokens_out=self._budget.tokens) if spans else Usage()

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        run = _Run()
        pool = ThreadPoolExecutor(max_workers=self._in_flight, thread_name_prefix="extract-llm")
        rest = iter(chunks)
        # Chunks beyond those in flight wait in a queue, so a slow first one does not leave the other threads idle.
        line = deque(pool.submit(self._read, chunk, run) for chunk in islice(rest, 4 * self._in_flight))
        failed = 0
        try:
            for number in range(1, len(chunks) + 1):
                outcome = self._wait(line.popleft(), run)
                line.extend(pool.submit(self._read, chunk, run) for chunk in islice(rest, 1))
                if isinstance(outcome, Extraction):
                    failed = 0
                    yield outcome
                    continue
                if isinstance(outcome, LLMRefused):
                    failed = 0
                    yield self.unread(outcome)
                    continue
                failed += 1
                away = not (self._patience.answered or isinstance(outcome, LLMSlow) or run.is_given_up)
                if away and (failed == FAILURES or number == len(chunks)):
                    raise outcome
                if failed == FAILURES:
                    run.give_up(f"it was not asked any more, after {FAILURES} chunks without an answer")
                yield self.unread(outcome)
        finally:
            run.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)

    def _wait(self, future: Future[Extraction | LLMUnavailable], run: _Run) -> Extraction | LLMUnavailable:
        while True:
            done = wait([future], timeout=0.2).done
            run.check_stored()
            if done:
                return future.result()
            if self._cancel():
                raise Cancelled()

    # ---- one chunk, in a thread of the pool

    def _read(self, chunk: Chunk, run: _Run) -> Extraction | LLMUnavailable:
        try:
            read = self._read_in_context(chunk, lambda request: self._ask(request, run))
        except LLMResponseError as error:
            return LLMUnavailable(error.cause, cure=error.cure)
        except LLMRefused as error:
            self._patience.answer()
            return error
        except LLMUnavailable as error:
            return error
        try:
            if read.key:
                self._keep(chunk, read)
        except BaseException as error:
            run.note_storing_error(error)
            raise
        return read

    def _read_in_context(self, chunk: Chunk, ask: Ask) -> Extraction:
        """Read a chunk; if the server refuses it, read it without its context, which may be the cause."""
        try:
            return self.read_chunk(chunk, ask)
        except LLMRefused:
            if not chunk.before:
                raise
        return self.read_chunk(chunk, ask, alone=True)

    def read_chunk(self, chunk: Chunk, ask: Ask, *, alone: bool = False) -> Extraction:
        """Read a chunk with the replies from `ask`; raises what `ask` raises. If a reply is unreadable, ask once more.
        `alone`: without context.
        """
        spans, key = sentences(chunk.text, chunk.language), extraction_key(chunk, self)
        if not spans:
            return Extraction(key=key, extractor=self.name, note="the chunk has no sentences")
        prompt = self.prompt(replace(chunk, before="") if alone else chunk, spans)
        reply, problem = read_reply(ask(self._request(prompt, chunk)))
        if reply is None:
            again = render("repair", request=prompt.user, problem=problem)
            reply, problem = read_reply(ask(self._request(Prompt(system=prompt.system, user=again.user), chunk)))
        if reply is None:
            return Extraction(key="", extractor=self.name, note=f"the LLM was asked twice, and {problem}")
        return checked_extraction(
            reply,
            problem,
            chunk=chunk,
            spans=spans,
            schema=self._schema,
            budget=self._budget,
            key=key,
            extractor=self.name,
            dates=dates_of_sentences(chunk.text, spans, chunk.language, chunk.before),
        )

    def unread(self, error: LLMUnavailable) -> Extraction:
        """The Extraction of a chunk without an answer, which says why. The next reading asks for it again."""
        note = error.cause if isinstance(error, LLMRefused) else f"The LLM gave no answer: {error.cause}"
        return Extraction(key="", extractor=self.name, note=note)

    def prompt(self, chunk: Chunk, spans: Sequence[Span]) -> Prompt:
        """The prompt for a chunk; `spans` are its sentences."""
        text = numbered([chunk.text[start:end] for start, end in spans])
        most = f"At most {self._budget.facts} facts, {self._budget.implied} implied."
        rules = f"{most}\n{self._schema.prompt(chunk.language)}"
        prompt = render("extract", tag=fence(chunk.before, chunk.text), before="", sentences=text)
        room = MAX_PROMPT - estimate_tokens(prompt.system + rules + prompt.user) - len("0: ")
        known = " ".join(chunk.before.split())
        names, _, last = known.partition("] ")
        shorter = f"{names}]" if last else ""
        fits = (before for before in (known, shorter) if estimate_tokens(before) < room)
        if before := next(fits, ""):
            prompt = render("extract", tag=fence(chunk.before, chunk.text), before=f"0: {before}\n", sentences=text)
        return Prompt(system=f"{prompt.system}\n\n{rules}", user=prompt.user)

    def _request(self, prompt: Prompt, chunk: Chunk) -> LLMRequest:
        return LLMRequest(
            prompt.user,
            system=prompt.system,
            schema=self._schema.reply_schema(chunk.language, self._budget),
            max_tokens=self._budget.tokens,
            timeout=self._timeout,
        )

    def _ask(self, request: LLMRequest, run: _Run) -> str:
        """The reply; if the server is down, wait for it as long as the run has patience."""
        pause = self._pause
        while True:
            run.check()
            try:
                reply = self._llm.complete(request, cancel=lambda: run.stop.is_set() or self._cancel())
            except LLMDown as error:
                if (
                    not self._patience.lasts(busy=error.busy)
                    or (error.retry_after or 0.0) > self._patience.seconds_left()
                ):
                    raise
                if self._patience.begins():
                    self._notify(f"{error.cause} {self._patience}")
                if run.stop.wait(max(min(pause, LONGEST_PAUSE), error.retry_after or 0.0)):
                    raise Cancelled() from error
                pause *= 2
            else:
                self._patience.answer()
                return reply


class ReplyExtractor:
    """An Extractor that reads like an LLMExtractor, from existing replies.

    `ask` returns them and raises LLMUnavailable if there is none: then the chunk remains unread. `usage` is the usage
    for these replies.
    """

    expensive = True
    batch = 32  # it never waits for a model

    def __init__(self, extractor: LLMExtractor, ask: Ask, usage: Usage) -> None:
        self._extractor = extractor
        self._ask = ask
        self.usage = usage
        self.name, self.version = extractor.name, extractor.version

    def expected(self, chunk: Chunk) -> Usage:
        return self._extractor.expected(chunk)

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for chunk in chunks:
            try:
                yield self._extractor.read_chunk(chunk, self._ask)
            except LLMUnavailable as error:
                yield self._extractor.unread(error)


class _Run:
    """State shared by the threads of one extract(): whether to stop, and why."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self._given_up = ""
        self._not_kept: BaseException | None = None

    def give_up(self, why: str) -> None:
        self._given_up = why

    @property
    def is_given_up(self) -> bool:
        return bool(self._given_up)

    def note_storing_error(self, error: BaseException) -> None:
        self._not_kept = self._not_kept or error
        self.stop.set()

    def check_stored(self) -> None:
        """Raises the error that prevented storing a result."""
        if self._not_kept:
            raise self._not_kept

    def check(self) -> None:
        """Raises LLMUnavailable if the LLM is not asked any more, Cancelled if everything should stop."""
        if self.stop.is_set():
            raise Cancelled()
        if self._given_up:
            raise LLMUnavailable(self._given_up)

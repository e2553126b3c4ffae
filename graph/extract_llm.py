"""Extract by asking a language model: one call a chunk, several in flight, results in order.

The model sees the chunk's sentences numbered, between tags that the text cannot forge, and answers with JSON. What of
that may be believed is decided in `extract_llm_reply.py`.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice

from filigraph.graph.errors import Cancelled, LLMResponseError, LLMUnavailable
from filigraph.graph.extract import extraction_key
from filigraph.graph.extract_llm_reply import SCHEMA, believe, read_reply
from filigraph.graph.ids import content_id
from filigraph.graph.llm import LLM, Cancel, fence
from filigraph.graph.model import Chunk, Extraction
from filigraph.graph.prompts import prompt_hash, render
from filigraph.graph.text.sentences import sentences

FAILURES = 3  # chunks in a row without an answer: then there is no model, and going on would only cost time


class LLMExtractor:
    """The Extractor that asks `llm`.

    `in_flight` calls run at once. `cancel` is asked several times a second; extract() then raises Cancelled. A chunk
    for which the model gave no answer at all has an Extraction with the key "" (nothing that was read, so nothing to
    keep) and a note; after three in a row, or when no chunk had an answer, extract() raises LLMUnavailable.
    """

    def __init__(
        self,
        llm: LLM,
        *,
        in_flight: int = 2,
        max_tokens: int = 600,
        timeout: float = 300.0,
        cancel: Cancel = lambda: False,
    ) -> None:
        self._llm = llm
        self._in_flight = in_flight
        self._max_tokens = max_tokens
        self._timeout = timeout
        self._cancel = cancel
        self.name = f"llm:{llm.model}"
        self.batch = 4 * in_flight  # calls are dear
        self.version = content_id(
            "extractor", "1", prompt_hash("extract"), prompt_hash("repair"), json.dumps(SCHEMA), str(max_tokens)
        )

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        stop = threading.Event()
        failed, answered = 0, False
        pool = ThreadPoolExecutor(max_workers=self._in_flight, thread_name_prefix="extract-llm")
        rest = iter(chunks)
        # Chunks beyond those in flight wait in line, so a slow first one does not leave the others idle.
        line = deque(pool.submit(self._read, chunk, stop) for chunk in islice(rest, 4 * self._in_flight))
        try:
            for number in range(1, len(chunks) + 1):
                outcome = self._wait(line.popleft())
                line.extend(pool.submit(self._read, chunk, stop) for chunk in islice(rest, 1))
                if isinstance(outcome, Extraction):
                    failed, answered = 0, True
                    yield outcome
                    continue
                failed += 1
                if failed == FAILURES or (number == len(chunks) and not answered):
                    raise outcome
                yield Extraction(key="", extractor=self.name, note=f"The LLM gave no answer: {outcome.cause}")
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)

    def _wait(self, future: Future[Extraction | LLMUnavailable]) -> Extraction | LLMUnavailable:
        while not wait([future], timeout=0.2).done:
            if self._cancel():
                raise Cancelled()
        return future.result()

    def _read(self, chunk: Chunk, stop: threading.Event) -> Extraction | LLMUnavailable:
        """One chunk, in a thread of the pool."""
        spans = sentences(chunk.text, chunk.language)
        if not spans:
            return Extraction(key=extraction_key(chunk, self), extractor=self.name, note="The chunk has no sentences.")
        numbered = [f"{n}: {' '.join(chunk.text[a:b].split())}" for n, (a, b) in enumerate(spans, start=1)]
        prompt = render("extract", tag=fence(chunk.text), sentences="\n".join(numbered))
        try:
            reply = self._ask(prompt.user, prompt.system, stop)
            found, problem = read_reply(reply)
            if found is None:
                request = render("repair", request=prompt.user, problem=problem).user
                found, problem = read_reply(self._ask(request, prompt.system, stop))
        except LLMResponseError as error:
            return LLMUnavailable(error.cause, cure=error.cure)
        except LLMUnavailable as error:
            return error
        key = extraction_key(chunk, self)
        return believe(found, problem, chunk=chunk, spans=spans, key=key, extractor=self.name)

    def _ask(self, prompt: str, system: str, stop: threading.Event) -> str:
        return self._llm.complete(
            prompt,
            system=system,
            schema=SCHEMA,
            max_tokens=self._max_tokens,
            timeout=self._timeout,
            cancel=lambda: stop.is_set() or self._cancel(),
        )

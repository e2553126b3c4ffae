"""The progress of a job: what is recorded while it runs, and the time that remains."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.ingest.incoming import Arrival
    from filigraph.graph.ingest.report import Progress
    from filigraph.graph.store import JobClaim, JobItem, Jobs

BY_CALLS = ("summarize", "contradictions", "lists")  # stages whose steps are LLM calls
NOTED_EVERY = 1.0  # seconds between two records


class ProgressRecorder:
    """The progress of a job. Records it once a second at most, and whenever a stage begins.

    `used` is the LLM usage of its earlier attempts. It is recorded too, so a kill loses at most one second of it.
    """

    def __init__(
        self, jobs: Jobs, claim: JobClaim, items: Sequence[JobItem], *, stage: str = "load", used: Usage | None = None
    ) -> None:
        self._jobs = jobs
        self._claim = claim
        self._sizes = [max(item.size, 1) for item in items]
        self._loaded = 0.0  # bytes
        self._begun = time.monotonic()
        self._noted = 0.0
        self.used = used or Usage()
        self._now: dict[str, Any] = {
            "stage": stage,
            "message": "",
            "documents": 0,
            "documents_total": len(items),
            "chunks": 0,
            "chunks_total": 0,
            "facts": 0,
            "usage": dataclasses.asdict(self.used),
            "rate": None,
            "seconds_left": None,
        }

    @property
    def usage(self) -> Usage:
        """The LLM usage so far, in all attempts."""
        return Usage(**self._now["usage"])

    def begin(self) -> None:
        """The wait is over: measure the speed from here on."""
        self._begun = time.monotonic()
        self._now["message"] = ""
        self._note(at_once=True)  # the record of an earlier attempt is outdated

    def loaded(self, arrival: Arrival) -> None:
        """One more document is loaded."""
        self._loaded += self._sizes[arrival.source] / arrival.documents
        self._now["documents"] += 1
        if arrival.number == 1:
            self._now["documents_total"] += arrival.documents - 1
        self._note(at_once=self._now["documents"] == self._now["documents_total"])

    def waiting(self, message: str) -> None:
        """Record why the job waits."""
        self._now["message"] = message
        self._note(at_once=True)

    def batches(self, back: int, lines: int) -> None:
        """Record the provider's batches: `lines` requests, `back` of them answered."""
        message = f"Waiting for the provider: {back:,} of {lines:,} replies are back."
        self._now |= {"message": message, "chunks": back, "chunks_total": lines}
        self._note(at_once=True)

    def progress(self, now: Progress) -> None:
        """The pipeline's callbacks."""
        begins = now.stage != self._now["stage"]
        self._now |= {"stage": now.stage, "message": "", "seconds_left": None}
        if now.stage == "extract":
            rate = now.extracted / max(time.monotonic() - self._begun, 0.001)
            self._now |= {"chunks": now.done, "chunks_total": now.total, "facts": now.facts}
            self._now["usage"] = dataclasses.asdict(self.used + now.usage)
            self._now["rate"] = round(rate, 2)
            if rate:
                self._now["seconds_left"] = round((now.total - now.done + self._chunks_to_come(now.total)) / rate, 1)
        if now.stage in BY_CALLS:
            self._now["documents_total"] = now.total
            if now.done:
                self.step(now.done, now.usage)
        self._note(at_once=begins or (now.stage in BY_CALLS and now.done == now.total))

    def step(self, done: int, usage: Usage | None = None) -> None:
        """Record that `done` questions, documents, summaries or batches of fields are done. `usage`: that of the LLM in
        this attempt so far."""
        if usage:
            self._now["usage"] = dataclasses.asdict(self.used + usage)
        rate = done / max(time.monotonic() - self._begun, 0.001)
        left = self._now["documents_total"] - done
        self._now |= {"message": "", "documents": done, "rate": round(rate, 2), "seconds_left": round(left / rate, 1)}
        self._note(at_once=left <= 0)

    def _chunks_to_come(self, chunks: int) -> float:
        """The estimated number of chunks in files that are not loaded yet, from those that are."""
        return chunks * (sum(self._sizes) / self._loaded - 1) if self._loaded else 0.0

    def _note(self, *, at_once: bool = False) -> None:
        clock = time.monotonic()
        if at_once or clock - self._noted >= NOTED_EVERY:
            self._noted = clock
            self._jobs.note_progress(self._claim, self._now)

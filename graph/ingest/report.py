"""Settings, progress and report of an ingest (`pipeline.py`)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from filigraph.graph.ingest.load.pdf.ocr import LANGUAGES
from filigraph.graph.model.documents import Chunk, Cut
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.models.llm import Usage


@dataclass(frozen=True, kw_only=True)
class IngestSettings(Cut):
    """How texts are cut. Part of what makes a document "unchanged"."""

    as_read: bool = False  # the same content is not read again, by whomever and however cut it was read before
    ocr_languages: str = LANGUAGES  # of pictures of text


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a stage is; `total` is 0 while it is not known."""

    stage: str
    done: int
    total: int
    message: str = ""
    # said while chunks are read:
    facts: int = 0  # read in this run so far
    extracted: int = 0  # of the chunks that are done, those that were not read before
    usage: Usage = field(default_factory=Usage)  # what was asked of an LLM so far


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A source that could not be used, and why."""

    source: str
    cause: str
    cure: str


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What an ingest would ask for."""

    documents: int  # that are new or changed
    unchanged: tuple[str, ...]  # sources of documents that are there already, as they are
    skipped: tuple[Skipped, ...]
    chunks: int
    kept: int  # of them read before: they cost nothing
    usage: Usage  # of an LLM for the rest; `tokens_out` at most
    sample: tuple[Chunk, ...]  # some chunks of the rest
    cast: Usage = field(default_factory=Usage)  # of an LLM that says who is who


@dataclass(kw_only=True)
class IngestReport:
    """What one run did. The only mutable thing here: it is filled in as the run goes."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # not all was read: "novel.pdf: page 7 has no text"
    remarks: list[str] = field(default_factory=list)  # all was read: "letter.txt: not UTF-8: read as cp1252"
    chunks: int = 0
    kept_extractions: int = 0  # chunks that needed no extraction because it was done before
    extracted: int = 0  # chunks that the extractor was asked for
    triplets: int = 0
    empty_chunks: int = 0  # chunks in which the extractor found nothing; their note says why
    failed_chunks: int = 0  # chunks that the extractor could not read; their documents stay partial
    notes: Counter[str] = field(default_factory=Counter)  # why chunks have no facts, and how many chunks
    counts: Counter[str] = field(default_factory=Counter)  # what was dropped or fell outside the schema, and how often
    usage: Usage = field(default_factory=Usage)  # what was asked of an LLM
    cost: float | None = None  # of that; set by the caller, which knows the prices
    entities: int = 0  # in the workspace, afterwards
    facts: int = 0
    unsummarized: int = 0  # documents in it without summaries up to date, where there were any before
    seconds: dict[str, float] = field(default_factory=dict)  # by stage

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.spent(stage, time.perf_counter() - begin)

    def spent(self, stage: str, seconds: float) -> None:
        """Add to what a stage took."""
        self.seconds[stage] = round(self.seconds.get(stage, 0.0) + seconds, 3)

    def add(self, extraction: Extraction) -> None:
        """Count what was read in one chunk."""
        self.triplets += len(extraction.triplets)
        self.counts.update(extraction.counts)
        if not extraction.triplets:
            self.empty_chunks += 1
            self.notes[extraction.note] += 1

    def __add__(self, later: IngestReport) -> IngestReport:
        """This run and the one that went on with it as one; what the workspace holds, as the later one found it."""
        summed = {name: getattr(self, name) + getattr(later, name) for name in _SUMMED}
        seconds = dict(self.seconds)
        for stage, elapsed in later.seconds.items():
            seconds[stage] = round(seconds.get(stage, 0.0) + elapsed, 3)
        latest = {name: getattr(later, name) for name in ("entities", "facts", "unsummarized")}
        return IngestReport(**summed, **latest, seconds=seconds)

    def as_json(self) -> dict[str, Any]:
        """As it is stored, and returned by REST."""
        return {**vars(self), "skipped": [asdict(skipped) for skipped in self.skipped], "usage": asdict(self.usage)}

    @classmethod
    def of_json(cls, record: Mapping[str, Any]) -> IngestReport:
        """What `as_json` gave."""
        skipped = [Skipped(**skipped) for skipped in record["skipped"]]
        counters = {name: Counter(record[name]) for name in ("notes", "counts")}
        return cls(**{**record, **counters, "skipped": skipped, "usage": Usage(**record["usage"])})


_SUMMED = (
    *("added", "updated", "unchanged", "skipped", "problems", "remarks", "chunks", "kept_extractions", "extracted"),
    *("triplets", "empty_chunks", "failed_chunks", "notes", "counts", "usage"),
)

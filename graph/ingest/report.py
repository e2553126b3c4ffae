"""Settings, progress and report of an ingest (`pipeline.py`)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from pydantic import Field

from filigraph.graph.ingest.load.pdf.ocr import LANGUAGES
from filigraph.graph.model.documents import Chunk, Cut
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.usage import Usage


@dataclass(frozen=True, kw_only=True)
class IngestSettings(Cut):
    """How to cut texts. A document counts as "unchanged" only if this did not change."""

    as_read: bool = False  # the same content is not read again, whoever read it and however it was cut
    ocr_languages: str = LANGUAGES  # for pictures of text


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of a stage; `total` is 0 while unknown."""

    stage: str
    done: int
    total: int
    message: str = ""
    # while reading chunks:
    facts: int = 0  # facts read in this run
    extracted: int = 0  # finished chunks that were not read before
    usage: Usage = field(default_factory=Usage)  # LLM usage so far


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A source that could not be used, and the reason."""

    source: Annotated[str, Field(description="Its name.")]
    cause: Annotated[str, Field(description="The cause.")]
    cure: Annotated[str, Field(description="What to do.")]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What an ingest would read and cost."""

    documents: int  # that are new or changed
    unchanged: tuple[str, ...]  # sources of unchanged documents
    skipped: tuple[Skipped, ...]
    chunks: int
    kept: int  # chunks read before: they cost nothing
    usage: Usage  # LLM usage for the rest; `tokens_out` is an upper bound
    sample: tuple[Chunk, ...]  # some chunks of the rest
    cast: Usage = field(default_factory=Usage)  # usage of the LLM that says who is who


@dataclass(kw_only=True)
class IngestReport:
    """The result of one run. The only mutable class here: the run fills it in."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # warnings of incomplete reading: "novel.pdf: page 7 has no text"
    # warnings of complete reading: "letter.txt: not UTF-8: read as cp1252"
    remarks: list[str] = field(default_factory=list)
    chunks: int = 0
    kept_extractions: int = 0  # chunks that were read before
    extracted: int = 0  # chunks that the extractor read
    triplets: int = 0
    empty_chunks: int = 0  # chunks without facts; their notes say why
    failed_chunks: int = 0  # chunks that the extractor could not read; their documents remain partial
    notes: Counter[str] = field(default_factory=Counter)  # why chunks have no facts -> chunks
    counts: Counter[str] = field(default_factory=Counter)  # what was dropped, or is outside the schema -> how often
    usage: Usage = field(default_factory=Usage)  # LLM usage
    cost: float | None = None  # cost of this usage; set by the caller, which knows the prices
    entities: int = 0  # in the workspace, at the end
    facts: int = 0
    unsummarized: int = 0  # documents whose summaries are outdated
    seconds: dict[str, float] = field(default_factory=dict)  # by stage

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.add_seconds(stage, time.perf_counter() - begin)

    def add_seconds(self, stage: str, seconds: float) -> None:
        """Add to the time of a stage."""
        self.seconds[stage] = round(self.seconds.get(stage, 0.0) + seconds, 3)

    def add(self, extraction: Extraction) -> None:
        """Count the results of one chunk."""
        self.triplets += len(extraction.triplets)
        self.counts.update(extraction.counts)
        if not extraction.triplets:
            self.empty_chunks += 1
            self.notes[extraction.note] += 1

    def __add__(self, later: IngestReport) -> IngestReport:
        """The report of this run and of one that continued it; the state of the workspace is from the later one."""
        summed = {name: getattr(self, name) + getattr(later, name) for name in _SUMMED}
        seconds = dict(self.seconds)
        for stage, elapsed in later.seconds.items():
            seconds[stage] = round(seconds.get(stage, 0.0) + elapsed, 3)
        latest = {name: getattr(later, name) for name in ("entities", "facts", "unsummarized")}
        return IngestReport(**summed, **latest, seconds=seconds)

    def as_json(self) -> dict[str, Any]:
        """The form in which it is stored and returned by REST."""
        return {**vars(self), "skipped": [asdict(skipped) for skipped in self.skipped], "usage": asdict(self.usage)}

    @classmethod
    def of_json(cls, record: Mapping[str, Any]) -> IngestReport:
        """The inverse of `as_json`."""
        skipped = [Skipped(**skipped) for skipped in record["skipped"]]
        counters = {name: Counter(record[name]) for name in ("notes", "counts")}
        return cls(**{**record, **counters, "skipped": skipped, "usage": Usage(**record["usage"])})


_SUMMED = (
    *("added", "updated", "unchanged", "skipped", "problems", "remarks", "chunks", "kept_extractions", "extracted"),
    *("triplets", "empty_chunks", "failed_chunks", "notes", "counts", "usage"),
)

"""Settings, progress and report of an ingest (`pipeline.py`)."""

from __future__ import annotations

import time
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

    added: Annotated[list[str], Field(description="New documents.")] = field(default_factory=list)
    updated: Annotated[list[str], Field(description="Documents whose content has changed.")] = field(
        default_factory=list
    )
    unchanged: Annotated[list[str], Field(description="Unchanged documents.")] = field(default_factory=list)
    skipped: Annotated[list[Skipped], Field(description="Unusable files, each with its cause.")] = field(
        default_factory=list
    )
    problems: Annotated[list[str], Field(description="Warnings of incomplete reading.")] = field(default_factory=list)
    remarks: Annotated[
        list[str], Field(description="Remarks on documents that are complete: guesses, parts left out.")
    ] = field(default_factory=list)
    chunks: Annotated[int, Field(description="Chunks read in this run.")] = 0
    kept_extractions: Annotated[int, Field(description="Chunks that were read before.")] = 0
    extracted: Annotated[int, Field(description="Chunks that the extractor read in this run.")] = 0
    triplets: Annotated[int, Field(description="Triplets read in these chunks.")] = 0
    empty_chunks: Annotated[int, Field(description="Chunks without facts.")] = 0
    failed_chunks: Annotated[int, Field(description="Unread chunks; `retry` reads them.")] = 0
    notes: Annotated[dict[str, int], Field(description="Why chunks have no facts -> number of chunks.")] = field(
        default_factory=dict
    )
    counts: Annotated[
        dict[str, int], Field(description="What was dropped, or fell outside the schema, and how often.")
    ] = field(default_factory=dict)
    usage: Annotated[Usage, Field(description="Usage of the LLM.")] = field(default_factory=Usage)
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")] = None
    entities: Annotated[int, Field(description="Entities in the workspace at the end.")] = 0
    facts: Annotated[int, Field(description="Facts in the workspace at the end.")] = 0
    unsummarized: Annotated[
        int,
        Field(
            description="Documents without current summaries, if the workspace has summaries; `summarize` writes them."
        ),
    ] = 0
    seconds: Annotated[dict[str, float], Field(description="Seconds by stage.")] = field(default_factory=dict)

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
        self.add_counts(extraction.counts)
        if not extraction.triplets:
            self.empty_chunks += 1
            self.notes[extraction.note] = self.notes.get(extraction.note, 0) + 1

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Count what was dropped."""
        self.counts = _sums(self.counts, counts)

    def __add__(self, later: IngestReport) -> IngestReport:
        """The report of this run and of one that continued it; the state of the workspace is from the later one."""
        summed = {name: getattr(self, name) + getattr(later, name) for name in _SUMMED}
        summed |= {name: _sums(getattr(self, name), getattr(later, name)) for name in ("notes", "counts")}
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
        return cls(**{**record, "skipped": skipped, "usage": Usage(**record["usage"])})


_SUMMED = (
    *("added", "updated", "unchanged", "skipped", "problems", "remarks", "chunks", "kept_extractions", "extracted"),
    *("triplets", "empty_chunks", "failed_chunks", "usage"),
)


def _sums(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    """Plain data, unlike a Counter, of which `dataclasses.asdict` makes something else."""
    sums = {name: first.get(name, 0) + second.get(name, 0) for name in (*first, *second)}
    return {name: count for name, count in sums.items() if count}

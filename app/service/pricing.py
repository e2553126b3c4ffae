"""The expected time and cost of reading: the speed of an extractor, and the price of its tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filigraph.app.settings import Settings
from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.ingest.extract.contract import Extractor
    from filigraph.graph.ingest.report import Estimate
    from filigraph.graph.model.documents import Chunk
    from filigraph.graph.records.documents import Speed
    from filigraph.graph.store import Store

MIN_LLM_CHUNKS = 8  # least chunks of a run that measures the speed of an LLM
MIN_LOCAL_CHUNKS = 100  # the same for an extractor that takes less time than loading models and finishing a change


@dataclass(frozen=True, kw_only=True)
class Priced:
    """An estimate, with its expected usage, time and cost."""

    estimate: Estimate
    extractor: str
    usage: Usage  # from the model's earlier replies, if there are any
    seconds: float | None  # None if nothing could be measured: there is nothing to read
    cost: float | None  # None if no price is set


def price_estimate(
    estimate: Estimate,
    extractor: Extractor,
    speed: Speed | None,
    cost: Callable[[Usage], float | None],
    *,
    batch: bool = False,
) -> Priced:
    """The time and cost of an estimate with an extractor of this speed; nobody knows the time of a provider's
    `batch`."""
    usage = estimate.usage
    if speed and speed.calls:
        usage = Usage(
            calls=usage.calls,
            tokens_in=usage.tokens_in,
            tokens_out=round(usage.calls * speed.tokens_out / speed.calls),
        )
    usage += estimate.cast
    seconds = (estimate.chunks - estimate.kept) * speed.seconds / speed.chunks if speed and not batch else None
    return Priced(estimate=estimate, extractor=extractor.name, usage=usage, seconds=seconds, cost=cost(usage))


def price(usage: Usage, settings: Settings, *, batch: bool = False) -> float | None:
    """The cost of tokens, in the currency of the configured prices; None without prices. `batch`: in provider's
    batches."""
    if not settings.llm_price_in and not settings.llm_price_out:
        return None
    share = settings.llm_batch_price if batch else 1.0
    return share * (usage.tokens_in * settings.llm_price_in + usage.tokens_out * settings.llm_price_out) / 1e6


class ExtractorSpeeds:
    """The speeds of extractors, measured on this server and stored in its graph."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store

    def last_speed(self, extractor: Extractor) -> Speed | None:
        """The last measured speed of an extractor."""
        return self._store().speeds.read(extractor.name)

    def of(
        self,
        extractor: Extractor,
        sample: Sequence[Chunk],
        waiting: Callable[[str], None],
        embed: Callable[[Sequence[Chunk]], object],
    ) -> Speed | None:
        """The speed of an extractor: the last measured one, else measured by reading and embedding the sample now."""
        known = self.last_speed(extractor)
        if known or not sample:
            return known
        waiting(f"How fast {extractor.name} is, is not known yet: reading {len(sample)} chunks to measure it.")
        first, *rest = sample
        list(extractor.extract([first]))  # loads the model
        embed([first])
        with self.measure_speed(extractor, sample=True) as record:
            embed(rest or [first])  # without an LLM this takes most of the time
            record(sum(bool(extraction.key) for extraction in extractor.extract(rest or [first])))
        return self._store().speeds.read(extractor.name)

    @contextmanager
    def measure_speed(self, extractor: Extractor, *, sample: bool = False) -> Iterator[Callable[[int], None]]:
        """Record the speed of an extractor, if it read enough chunks. Fewer are enough for a `sample`, which is timed
        alone, and for an LLM of unknown speed."""
        from filigraph.graph.records.documents import Speed

        begin, used = time.perf_counter(), extractor.usage

        def record(chunks: int) -> None:
            speeds = self._store().speeds
            enough = chunks >= (MIN_LLM_CHUNKS if extractor.expensive else MIN_LOCAL_CHUNKS)
            if chunks < 1 or not (enough or sample or (extractor.expensive and not speeds.read(extractor.name))):
                return
            usage = extractor.usage
            speed = Speed(
                chunks=chunks,
                seconds=time.perf_counter() - begin,
                calls=usage.calls - used.calls,
                tokens_in=usage.tokens_in - used.tokens_in,
                tokens_out=usage.tokens_out - used.tokens_out,
            )
            speeds.note(extractor.name, speed)

        yield record

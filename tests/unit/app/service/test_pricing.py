from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from filigraph.app.service.pricing import ExtractorSpeeds
from filigraph.graph.model.usage import Usage
from filigraph.graph.records.documents import Speed


class Kept:
    """Where speeds are kept."""

    def __init__(self) -> None:
        self.by: dict[str, Speed] = {}

    def read(self, name: str) -> Speed | None:
        return self.by.get(name)

    def note(self, name: str, speed: Speed) -> None:
        self.by[name] = speed


def extractor(*, expensive: bool) -> Any:
    def extract(chunks: Any) -> Any:
        return [SimpleNamespace(key="key") for _ in chunks]

    return SimpleNamespace(name="reader", expensive=expensive, usage=Usage(), extract=extract)


@pytest.mark.parametrize(
    ("expensive", "runs", "kept"),
    [
        (False, [12], None),  # a short case file: mostly the loading of models
        (False, [12, 400], 400),
        (False, [400, 12], 400),
        (True, [2], 2),
        (True, [12, 2], 12),
        (True, [2, 12], 12),
        (True, [0], None),
    ],
)
def test_a_short_run_tells_how_fast_an_llm_is_and_nothing_of_what_is_quick(
    expensive: bool, runs: list[int], kept: int | None
) -> None:
    store = Kept()
    speeds = ExtractorSpeeds(lambda: SimpleNamespace(speeds=store))  # type: ignore[arg-type, return-value]
    for chunks in runs:
        with speeds.measure_speed(extractor(expensive=expensive)) as done:
            done(chunks)
    known = store.read("reader")
    assert (known.chunks if known else None) == kept


def test_a_sample_tells_whoever_reads_it() -> None:
    store = Kept()
    speeds = ExtractorSpeeds(lambda: SimpleNamespace(speeds=store))  # type: ignore[arg-type, return-value]
    embedded: list[int] = []
    chunks: Any = ["chunk"] * 5
    known = speeds.of(extractor(expensive=False), chunks, lambda _: None, lambda these: embedded.append(len(these)))
    assert known is not None and known.chunks == 4 and embedded == [1, 4]  # the first one loads the models

"""The report of an ingest."""

from __future__ import annotations

import dataclasses

from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.extraction import Extraction


def test_what_was_dropped_is_summed_and_plain_data() -> None:
    """A client makes a dictionary of it."""
    report, later = IngestReport(), IngestReport()
    for one in (report, later, later):
        one.add(Extraction(key="k", extractor="local", note="no facts", counts={"names dropped": 2}))
    later.add_counts({"names of the cast": 1, "others": 0})
    whole = report + later
    data = dataclasses.asdict(whole)
    assert data["notes"] == {"no facts": 3}
    assert data["counts"] == {"names dropped": 6, "names of the cast": 1}
    assert IngestReport.of_json(whole.as_json()) == whole

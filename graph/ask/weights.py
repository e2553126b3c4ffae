"""Weights: what was learned from question sets, as data with its provenance."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def read_weights(name: str) -> dict[str, Any]:
    """Weights by name: `hop_ranker` is made by `bench.train`, `narrative_ranker` by `bench.train_narrative`."""
    data: dict[str, Any] = json.loads(resources.files(__package__).joinpath(f"{name}.json").read_text("utf-8"))
    return data

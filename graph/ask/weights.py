"""Weights that were learned from question sets, as data with provenance; trees are in an ONNX model beside them."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def read_weights(name: str) -> dict[str, Any]:
    """Weights by name: `hop_ranker` and `narrative_ranker`, made by the modules of that name in `bench/training/`."""
    data: dict[str, Any] = json.loads(resources.files(__package__).joinpath(f"{name}.json").read_text("utf-8"))
    return data


def read_model(name: str) -> bytes:
    """The ONNX model of this name: `hop_ranker` is made by `bench.training.hop_ranker`."""
    return resources.files(__package__).joinpath(f"{name}.onnx").read_bytes()

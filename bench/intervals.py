"""95 % intervals: of a share by Wilson, of a mean by the bootstrap over questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if not total:
        return 0.0, 1.0
    z, p = 1.96, right / total
    middle, width = p + z * z / (2 * total), z * ((p * (1 - p) + z * z / (4 * total)) / total) ** 0.5
    return (middle - width) / (1 + z * z / total), (middle + width) / (1 + z * z / total)


def bootstrap_means(values: Floats, random: np.random.Generator, samples: int = 10_000) -> Floats:
    """The means of `samples` samples of the rows of `values`, drawn with replacement (Efron 1979)."""
    means: Floats = values[random.integers(0, len(values), (samples, len(values)))].mean(axis=1)
    return means


def bounds(means: Floats) -> tuple[Any, Any]:
    """The bounds within which 95 % of the means lie, of each column if there are several."""
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return low, high

"""Vectors, matrices, and spans of text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]  # shape (d,), length 1
Matrix = npt.NDArray[np.float32]  # shape (n, d), each row of length 1
Floats = npt.NDArray[np.float64]
Span = tuple[int, int]  # text[start:end]
